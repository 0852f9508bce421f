// What an administrator types to carry out a solution.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cluster/cluster.h"
#include "placement/move.h"

namespace htools {

// Sets of steps that can be carried out at the same time (placement/job_sets.h).
using JobSets = std::span<const std::span<const BalanceStep>>;

// The actions of a move, in short: "f" (failover), "fa:NODE" (failover to), "r:NODE" (replace the secondary), separated
// by blanks. Nodes are shown by their aliases.
std::string move_text(const Cluster& cluster, const Move& move);

// A word of a shell: the text, in single quotes if it is more than a plain word.
std::string shell_word(std::string_view text);

// By what instances are named: &Instance::name or &Instance::alias. Nodes are always named by their aliases.
using InstanceName = std::string Instance::*;

// Lines of a shell script: the commands of all steps, set by set, with a chance to stop before each step. Names are
// shell words.
std::string job_commands(const Cluster& cluster, JobSets sets, InstanceName name);

// The script of such lines.
std::string command_script(std::string_view commands);

// The same lines for people to read: indented, without the chances to stop.
std::string command_list(std::string_view commands);

}  // namespace htools
