// Formats the shell commands that an administrator can run to carry out a solution.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "htools/moves.h"

namespace htools {

// Sets of steps (balance/job_sets.h). The steps of one set can be carried out at the same time.
using JobSets = std::span<const std::span<const BalanceStep>>;

// Returns the actions of a move in short form, separated by blanks: "f" (failover), "fa:NODE" (failover to NODE),
// "r:NODE" (replace the secondary by NODE). Nodes are shown by their aliases.
std::string move_text(const Cluster& cluster, const Move& move);

// Returns the text as one word for a POSIX shell, in single quotes if it contains special characters or is empty.
// Throws InputError if the text contains NUL, because no program can get it as an argument.
std::string shell_word(std::string_view text);

// Returns "-- ", to be put in front of the first operand, if the operand could be taken for an option; otherwise
// nothing.
std::string_view end_of_options(std::string_view operand);

// The lines of a shell script. Each contains its final line feed if it has one, and may contain others inside of
// quotes.
using CommandLines = std::vector<std::string>;

// The name by which commands refer to instances: &InstanceFacts::name or &InstanceFacts::alias. Nodes are always named
// by their aliases.
using InstanceName = std::string InstanceFacts::*;

// How a running instance leaves a node that is offline: the reference migrates it, which cannot succeed.
enum class LeavingOffline : bool { Migrates, FailsOver };

// An action of a step. The instance may migrate live, if it runs, unless it leaves a node that is down.
struct StepAction {
  MoveAction action;
  bool may_migrate;
};
// Returns the actions of a step, in their order.
std::vector<StepAction> actions_of(const Cluster& cluster, const BalanceStep& step, LeavingOffline leaving);

// Returns the line of a script that asks the user to do something.
std::string by_hand(const std::string& sentence);

// True if the step gives the instance new disks, because all nodes that have its data are down. (Only where nothing is
// copied from the disks of such nodes.)
bool makes_new_disks(const Cluster& cluster, const BalanceStep& step, LeavingOffline leaving);

// What follows the place of an instance that is there, but does not run yet.
inline constexpr std::string_view kNotStarted = " (off)";

// Commands that bring an instance to a place: what the platform says when it is asked where the instance is.
struct Leg {
  std::vector<std::string> commands;
  std::string place;
};

// Returns the place of an instance in the words of Ganeti: full names of nodes, "PRIMARY:SECONDARY" or "PRIMARY".
std::string ganeti_place(const Cluster& cluster, const Placement& placement);
// Returns a leg for each action of a step. One that makes new disks has a leg for that, and another one for starting
// the instance when the user has filled them. Names are quoted with shell_word().
std::vector<Leg> ganeti_legs(const Cluster& cluster, const BalanceStep& step, InstanceName name,
                             LeavingOffline leaving);

// Returns the commands of all steps, set by set, with a check before each step that lets the user stop the script.
// Names are quoted with shell_word().
CommandLines job_commands(const Cluster& cluster, JobSets sets, InstanceName name,
                          LeavingOffline leaving = LeavingOffline::Migrates);

// Returns the complete shell script that runs these lines. `functions` are definitions that the lines need.
std::string command_script(const CommandLines& commands, std::string_view functions = {});

// Returns the lines for people to read: indented, and without the checks that let the user stop the script.
std::string command_list(const CommandLines& commands);

}  // namespace htools
