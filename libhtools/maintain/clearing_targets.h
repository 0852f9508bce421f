// The index of the nodes that can receive instances while other nodes are cleared for a reboot. It finds the first node
// with enough free memory and disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/literal.h"
#include "cluster/cluster.h"
#include "maintain/max_tree.h"
#include "rules/free_capacity.h"

namespace htools {

// An index of the nodes that can receive instances, by their free memory and disk. The owner keeps it up to date: it
// must call update() whenever the free capacity of a node changes.
class ClearingTargets {
 public:
  // Starts with all nodes that receive instances as targets.
  explicit ClearingTargets(const Cluster& cluster);

  // Records the node's free capacity and makes the node a target again if it was excluded. Does nothing for an offline
  // node.
  void update(NodeIndex n, const FreeCapacity& free);
  // Stops the node from being a target until the next update() of that node.
  void exclude(NodeIndex n);

  // Returns the first target of the group, in index order, that may have room for the instance in this role and for
  // which `accepts(target)` is true; none if there is no such target. The index only rules targets out, so `accepts`
  // must make the full check.
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

  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();  // a node that is no target
  static constexpr std::int64_t kAnyAmount = kNone + 1;
  static constexpr std::size_t kNoPosition = std::numeric_limits<std::size_t>::max();

  template <class Accepts>
  NodeIndex first(GroupIndex group, const Amounts& needed, const Accepts& accepts) const {
    const auto [begin, end] = groups_[group.position()];
    if (kLiteral) {
      for (std::size_t position = begin; position < end; ++position) {
        if (free_[position] != Amounts{kNone, kNone} && accepts(nodes_[position])) return nodes_[position];
      }
      return NodeIndex::none();
    }
    for (std::size_t position = begin; (position = free_.first_at_least(position, end, needed)) < end; ++position) {
      if (accepts(nodes_[position])) return nodes_[position];
    }
    return NodeIndex::none();
  }
  // Returns the least free amount that is enough, because after the instance has taken `amount`, some of it must be
  // left: amount + 1, or any amount if the sums may overflow.
  std::int64_t more_than(std::int64_t amount) const { return comparable_ ? amount + 1 : kAnyAmount; }
  std::int64_t needed_disk(const Demand& demand) const {
    return demand.local_storage ? more_than(demand.disk) : kAnyAmount;
  }

  std::vector<NodeIndex> nodes_;  // those that receive, by group and then by index
  // The range [begin, end) in `nodes_` of the nodes of each group.
  std::vector<std::pair<std::size_t, std::size_t>> groups_;
  // The position of each node in `nodes_`, or kNoPosition for an offline node.
  std::vector<std::size_t> position_;
  // The free memory and disk by position in `nodes_`.
  MaxTree<2> free_;
  // True if no sum of amounts can overflow. If false, the index rules nothing out and `accepts` decides alone, because
  // its arithmetic wraps.
  bool comparable_;
};

}  // namespace htools
