// The global N+1 check: can every single node be vacated, all its instances finding a place elsewhere in its group?
//
// A node is vacated in this order: drbd instances fail over to their secondaries; freely movable instances move, each
// to the node that gives the group the best score; the others are created anew, largest memory first, each where the
// cluster's score becomes best. Only hard limits count (and, for re-creation, the policy). Offline nodes are targets,
// too.
#pragma once

#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "placement/room.h"

namespace htools {

class CapacityCheck {
 public:
  struct Options {
    std::vector<bool> ignored_groups;  // by group; nodes of these need not be vacatable. May be empty: none
    bool skip_offline = false;         // offline nodes need not be vacatable
  };

  // Checks `nodes` (ascending) as if they were the whole cluster. The cluster is changed while a check runs and left as
  // it was. Later checks see its state at that time.
  CapacityCheck(Cluster& cluster, std::vector<NodeIndex> nodes, Options options);

  // All nodes can be vacated. A drbd instance without a secondary cannot leave its node; one with a secondary outside
  // of `nodes` can.
  bool survives();

  // After survives() was false: it stays so however many instances (of sizes >= 0) are added.
  bool fails_for_good() const { return fails_for_good_; }

 private:
  enum class Verdict { Vacatable, Stuck, Unclear };
  struct Occupants;

  bool is_checked(const Node& node) const;
  bool vacatable(NodeIndex n);
  Occupants occupants_of(NodeIndex n) const;
  // Leaves the memory that the failovers take in taken_.
  bool failover_possible(NodeIndex n, const Occupants& occupants);
  Verdict judge_by_room(NodeIndex n, const Occupants& occupants);
  bool vacate_step_by_step(NodeIndex n, const Occupants& occupants);

  Cluster& cluster_;
  std::vector<NodeIndex> nodes_;
  Options options_;
  std::vector<std::vector<NodeIndex>> group_nodes_;  // by group
  std::optional<NodeIndex> last_stuck_;              // likely to be stuck again
  bool fails_for_good_ = false;
  // Scratch of one check:
  std::vector<std::vector<RoomTarget>> room_;  // by group: its nodes as targets; empty until needed
  std::vector<std::int64_t> taken_;            // by node: memory that the failovers of a node took
};

}  // namespace htools
