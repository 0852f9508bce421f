// What an administrator types to carry out a solution.
#pragma once

#include <span>
#include <string>

#include "cluster/cluster.h"
#include "placement/move.h"

namespace htools {

// Sets of steps that can be carried out at the same time (placement/job_sets.h).
using JobSets = std::span<const std::span<const BalanceStep>>;

// The actions of a move, in short: "f" (failover), "fa:NODE" (failover to), "r:NODE" (replace the secondary), separated
// by blanks. Nodes are shown by their aliases.
std::string move_text(const Cluster& cluster, const Move& move);

// A shell script: the commands of all steps, set by set, with a chance to stop before each step. Instances and nodes
// are named by their aliases; a name that is more than a plain word to a shell is put in single quotes.
std::string command_script(const Cluster& cluster, JobSets sets);

// The same for people to read: indented, without the script's beginning and the chances to stop.
std::string command_list(const Cluster& cluster, JobSets sets);

}  // namespace htools
