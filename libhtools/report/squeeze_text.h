// What an administrator types to switch nodes off or on.
#pragma once

#include <string>

#include "cluster/cluster.h"
#include "placement/squeeze.h"

namespace htools {

// Lines of a shell script (report/commands.h): the moves with full names of instances, the tags of nodes that are
// switched off, and the power. Without a final line feed if there is nothing to do.
std::string squeeze_commands(const Cluster& cluster, const SqueezePlan& plan);

}  // namespace htools
