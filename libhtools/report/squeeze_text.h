// Formats the shell commands that an administrator can run to switch nodes off or on.
#pragma once

#include "cluster/cluster.h"
#include "jobs/platform_commands.h"
#include "maintain/squeeze.h"

namespace htools {

// Returns the commands of the plan: the moves, with full names of instances, the tags for nodes that are switched off,
// and the power commands. If there is nothing to do, the only line has no final line feed.
// On other platforms than Ganeti, the user is asked to switch nodes on before the moves to them, and told which ones to
// switch off; there are no tags.
CommandLines squeeze_commands(const Cluster& cluster, const SqueezePlan& plan,
                              CommandPlatform platform = CommandPlatform::Ganeti);

}  // namespace htools
