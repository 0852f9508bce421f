// Moving instances off nodes that are to be rebooted.
#pragma once

#include <functional>
#include <vector>

#include "cluster/cluster.h"
#include "maintain/clearing_targets.h"
#include "rules/free_capacity.h"
#include "rules/move.h"
#include "trial/undo_log.h"

namespace htools {

// An instance and its nodes after the moves.
struct InstanceMove {
  InstanceIndex instance;
  NodeIndex primary;
  NodeIndex secondary;  // none unless the disk template has one
};

// The cluster, with instances moved on trial. Only hard limits count.
class NodeClearing {
 public:
  // The cluster must outlive the object and must not change.
  explicit NodeClearing(const Cluster& cluster);

  using OnPart = std::function<void(const std::vector<NodeIndex>& part)>;

  // Divides the nodes into parts such that all nodes of a part can be cleared together: of primary instances that have
  // no copy on a secondary, or of secondary ones. Each instance goes to the first online node of its node's group that
  // takes it and is not of the part; instances that came to a node before its turn move on with its own. A part takes
  // as many of the nodes left as possible, in order. `on_part` is called with the instances moved; each part starts
  // again from where they were before. False if there is a node that cannot be cleared even if it is alone; `on_part`
  // may have been called before.
  bool split_without_primaries(const std::vector<NodeIndex>& nodes, const OnPart& on_part);
  bool split_without_secondaries(const std::vector<NodeIndex>& nodes, const OnPart& on_part);

  // Lets the nodes of all drbd instances whose primary is one of `nodes` change roles, and calls `then` with that done.
  // False, without the call, if a node does not take an instance, or if one has no secondary.
  bool with_migrations(const std::vector<NodeIndex>& nodes, const std::function<void()>& then);

  // What is different from the cluster, in index order; but not instances whose nodes have only changed roles.
  std::vector<InstanceMove> moves() const;

 private:
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
  bool relocate_secondary(InstanceIndex i, NodeIndex from);
  bool migrate(InstanceIndex i);

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
