// Rebooting all nodes of a cluster: which of them can be down at the same time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cluster/cluster.h"
#include "maintain/node_clearing.h"

namespace htools {

// Which nodes are looked at, and what must be moved away.
struct RebootOptions {
  std::optional<std::vector<std::string>> node_tags = {};  // set: only nodes with one of these tags
  bool skip_non_redundant = false;                         // leave out nodes with a primary instance that is not drbd
  bool ignore_non_redundant = false;                       // do not move instances away that are not drbd
  bool offline_maintenance = false;                        // instances are shut down, not migrated
  bool full_evacuation = false;                            // empty the nodes
};

// Nodes that can be down together, and what must be done before.
struct RebootGroup {
  std::vector<NodeIndex> nodes;
  std::vector<InstanceMove> moves;  // before the reboot; starting from the cluster as it is, for each group
};

// The online nodes that the options select, in index order. `group`: only nodes of this one.
std::vector<NodeIndex> nodes_to_reboot(const Cluster& cluster, const RebootOptions& options,
                                       std::optional<GroupIndex> group);

// Divides classes of nodes, none of which are neighbours (node_graph.h), into groups whose instances can be moved away,
// as far as the options ask for it. Throws InputError if there is not enough room. `with_moves`: say which; there may
// be a lot of them.
std::vector<RebootGroup> divide_into_reboot_groups(const Cluster& cluster,
                                                   const std::vector<std::vector<NodeIndex>>& classes,
                                                   const RebootOptions& options, bool with_moves);

// Keeps the selected nodes (ascending) only; a group may become empty. Large groups come first, but the master and its
// group come last.
std::vector<RebootGroup> in_reboot_order(const Cluster& cluster, std::vector<RebootGroup> groups,
                                         const std::vector<NodeIndex>& selected);

}  // namespace htools
