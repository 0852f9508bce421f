// The nodes that instances are moved to when others are cleared, and which of them has room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "cluster/cluster.h"
#include "maintain/max_tree.h"
#include "rules/free_capacity.h"

namespace htools {

// Kept up to date by its owner, who tells whenever the room on a node changes.
class ClearingTargets {
 public:
  // All online nodes.
  explicit ClearingTargets(const Cluster& cluster);

  // The node's room has changed, or it is a target again. Does nothing for an offline node.
  void update(NodeIndex n, const FreeCapacity& free);
  // No target, until the next update.
  void exclude(NodeIndex n);

  // The first target of the group, in index order, that may have room for the instance in this role and that
  // `accepts(target)`, which has to check it; none if there is none.
  template <class Accepts>
  NodeIndex first_for_primary(GroupIndex group, const Demand& demand, const Accepts& accepts) const {
    return first(group, {more_than(demand.memory), needed_disk(demand)}, accepts);
  }
  template <class Accepts>
  NodeIndex first_for_secondary(GroupIndex group, const Demand& demand, const Accepts& accepts) const {
    return first(group, {kAnyAmount, needed_disk(demand)}, accepts);
  }

 private:
  using Amounts = MaxTree<2>::Numbers;  // memory and disk, MiB

  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();  // of a node that is no target
  static constexpr std::int64_t kAnyAmount = kNone + 1;
  static constexpr std::size_t kNoPosition = std::numeric_limits<std::size_t>::max();

  template <class Accepts>
  NodeIndex first(GroupIndex group, const Amounts& needed, const Accepts& accepts) const {
    const auto [begin, end] = groups_[group.position()];
    for (std::size_t position = begin; (position = free_.first_at_least(position, end, needed)) < end; ++position) {
      if (accepts(nodes_[position])) return nodes_[position];
    }
    return NodeIndex::none();
  }
  // Something has to be left.
  std::int64_t more_than(std::int64_t amount) const { return comparable_ ? amount + 1 : kAnyAmount; }
  std::int64_t needed_disk(const Demand& demand) const {
    return demand.local_storage ? more_than(demand.disk) : kAnyAmount;
  }

  std::vector<NodeIndex> nodes_;                             // by group, then by index
  std::vector<std::pair<std::size_t, std::size_t>> groups_;  // where each one's part of `nodes_` begins and ends
  std::vector<std::size_t> position_;                        // by node: in `nodes_`
  MaxTree<2> free_;                                          // by position in `nodes_`
  bool comparable_;  // no sum of amounts can overflow; otherwise the checks, whose arithmetic wraps, decide alone
};

}  // namespace htools
