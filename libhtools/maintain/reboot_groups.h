// Divides the nodes of a cluster into groups whose nodes can be rebooted at the same time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cluster/cluster.h"
#include "maintain/node_clearing.h"

namespace htools {

// The options that select the nodes and say which instances must be moved off them.
struct RebootOptions {
  std::optional<std::vector<std::string>> node_tags = {};  // if set, selects only nodes with one of these tags
  bool skip_non_redundant = false;                         // leaves out nodes with a primary instance that is not drbd
  bool ignore_non_redundant = false;                       // does not move away instances that are not drbd
  bool offline_maintenance = false;                        // shuts instances down instead of migrating them
  bool full_evacuation = false;                            // empties the nodes of secondary instances, too
};

// A group of nodes that can be down together, with the moves that must be made first.
struct RebootGroup {
  std::vector<NodeIndex> nodes;
  std::vector<InstanceMove> moves;  // the moves before the reboot; those of each group start from the present cluster
};

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
