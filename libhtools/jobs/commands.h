// What an administrator types to carry out a solution.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "rules/move.h"

namespace htools {

// Sets of steps that can be carried out at the same time (balance/job_sets.h).
using JobSets = std::span<const std::span<const BalanceStep>>;

// The actions of a move, in short: "f" (failover), "fa:NODE" (failover to), "r:NODE" (replace the secondary), separated
// by blanks. Nodes are shown by their aliases.
std::string move_text(const Cluster& cluster, const Move& move);

// A word of a shell: the text, in single quotes if it is more than a plain word. Throws InputError if no program can
// get it as an argument.
std::string shell_word(std::string_view text);

// "-- " if the operand that follows could be taken for an option, or nothing. To be put in front of the first operand.
std::string_view end_of_options(std::string_view operand);

// Lines of a shell script, each with its line feed if it has one; there may be others inside of quotes.
using CommandLines = std::vector<std::string>;

// By what instances are named: &Instance::name or &Instance::alias. Nodes are always named by their aliases.
using InstanceName = std::string InstanceFacts::*;

// The commands of all steps, set by set, with a chance to stop before each step. Names are shell words.
CommandLines job_commands(const Cluster& cluster, JobSets sets, InstanceName name);

// The script of such lines.
std::string command_script(const CommandLines& commands);

// The same lines for people to read: indented, without the chances to stop.
std::string command_list(const CommandLines& commands);

}  // namespace htools
