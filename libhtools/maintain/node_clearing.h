// Moves instances off nodes that are to be rebooted, without changing the cluster itself.
#pragma once

#include <functional>
#include <vector>

#include "cluster/cluster.h"
#include "htools/maintain.h"
#include "htools/moves.h"
#include "maintain/clearing_targets.h"
#include "rules/free_capacity.h"
#include "trial/undo_log.h"

namespace htools {

// A lightweight working copy of a cluster on which instances are moved on trial. Only the hard limits count: the
// memory, disk and spindles of a node must suffice (rules/free_capacity.h).
class NodeClearing {
 public:
  // Copies the placement and the free capacity. The cluster must outlive the object and must not change.
  explicit NodeClearing(const Cluster& cluster);

  // A callback that gets the nodes of one part. While it runs, the instances are moved, so moves() describes that part.
  using OnPart = std::function<void(const std::vector<NodeIndex>& part)>;

  // Divides the nodes into parts such that all nodes of a part can be cleared together: of primary instances that have
  // no copy on a secondary, or of secondary instances. Each instance moves to the first online node in the group of its
  // node that has room for it and is not in the part. An instance that came to a node before that node was cleared
  // moves on with the node's own instances. Each part takes, in order, as many of the remaining nodes as possible.
  // Calls `on_part` with the instances moved, and starts each part from the original placement. Returns false if some
  // node cannot be cleared even on its own; `on_part` may have been called for other parts by then.
  bool split_without_primaries(const std::vector<NodeIndex>& nodes, const OnPart& on_part);
  bool split_without_secondaries(const std::vector<NodeIndex>& nodes, const OnPart& on_part);

  // Swaps primary and secondary of all drbd instances whose primary is one of `nodes`, calls `then`, and swaps them
  // back. Returns false, without the call, if a node cannot take one of these instances or if one has no secondary.
  bool with_migrations(const std::vector<NodeIndex>& nodes, const std::function<void()>& then);

  // Returns the instances that are not where the cluster has them, in index order. An instance whose nodes have only
  // swapped roles does not count as moved.
  std::vector<InstanceMove> moves() const;

 private:
  // The state of one node: its free capacity and its instances.
  struct Slot {
    FreeCapacity free;
    std::vector<InstanceIndex> primaries;    // oldest first
    std::vector<InstanceIndex> secondaries;  // oldest first
  };
  using Clear = bool (NodeClearing::*)(NodeIndex);

  static std::vector<Slot> slots_of(const Cluster& cluster);

  bool split(std::vector<NodeIndex> rest, Clear clear, const OnPart& on_part);
  std::vector<NodeIndex> clear_together(const std::vector<NodeIndex>& nodes, Clear clear);
  bool clear_of_primaries(NodeIndex n);
  bool clear_of_secondaries(NodeIndex n);
  bool relocate_primary(InstanceIndex i, NodeIndex from);
  // True if a placement rule forbids that the instance goes there.
  bool is_ruled_out(InstanceIndex i, const Placement& to) const;
  bool relocate_secondary(InstanceIndex i, NodeIndex from);
  bool migrate(InstanceIndex i);

  // These three begin, keep and undo a nested trial of both logs; revert() updates the targets, too.
  void begin();
  void keep();
  void revert();
  Slot& change_slot(NodeIndex n) {
    slot_log_.save(slots_, n.position());
    return slots_[n.position()];
  }
  Placement& change_place(InstanceIndex i) {
    place_log_.save(places_, i.position());
    return places_[i.position()];
  }
  const Slot& slot(NodeIndex n) const { return slots_[n.position()]; }
  const Placement& place(InstanceIndex i) const { return places_[i.position()]; }
  const Demand& demand(InstanceIndex i) const { return demands_[i.position()]; }

  const Cluster& cluster_;
  std::vector<Demand> demands_;    // by instance
  std::vector<Slot> slots_;        // by node
  std::vector<Placement> places_;  // by instance
  UndoLog<Slot> slot_log_;
  UndoLog<Placement> place_log_;
  ClearingTargets targets_;
};

}  // namespace htools
