// Divides the nodes of a cluster into groups whose nodes can be rebooted at the same time.
#pragma once

#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "htools/maintain.h"

namespace htools {

// Returns the online nodes that the options select, in index order. If `group` is set, returns only nodes of that
// group.
std::vector<NodeIndex> nodes_to_reboot(const Cluster& cluster, const RebootOptions& options,
                                       std::optional<GroupIndex> group);

// Divides classes of nodes that are no neighbours (node_graph.h) into groups whose instances can be moved away as far
// as the options ask for it. Fills in the moves of each group only if `with_moves` is true, because there may be very
// many. Throws InputError if there is not enough room.
std::vector<RebootGroup> divide_into_reboot_groups(const Cluster& cluster,
                                                   const std::vector<std::vector<NodeIndex>>& classes,
                                                   const RebootOptions& options, bool with_moves);

// Removes the nodes that are not in `selected` (ascending); a group may become empty. Sorts the groups by descending
// size, but puts the group of the master last, and the master last in its group.
std::vector<RebootGroup> in_reboot_order(const Cluster& cluster, std::vector<RebootGroup> groups,
                                         const std::vector<NodeIndex>& selected);

}  // namespace htools
