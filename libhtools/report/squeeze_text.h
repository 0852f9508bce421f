// What an administrator types to switch nodes off or on.
#pragma once

#include "cluster/cluster.h"
#include "jobs/commands.h"
#include "maintain/squeeze.h"

namespace htools {

// The moves with full names of instances, the tags of nodes that are switched off, and the power. Without a final line
// feed if there is nothing to do.
CommandLines squeeze_commands(const Cluster& cluster, const SqueezePlan& plan);

}  // namespace htools
