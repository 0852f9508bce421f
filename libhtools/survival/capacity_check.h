// The global N+1 check: can every single node be vacated, all its instances finding a place elsewhere in its group?
//
// A node is vacated in this order: drbd instances fail over to their secondaries; freely movable instances move, each
// to the node that gives the group the best score; the others are created anew, largest memory first, each where the
// cluster's score becomes best. Only hard limits count (and, for re-creation, the policy). Offline nodes are targets,
// too.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "rules/move.h"
#include "rules/move_application.h"
#include "rules/refusal.h"
#include "survival/certain_fit.h"
#include "trial/trial.h"

namespace htools {

// Can every node be emptied, with the instances going to the others?
class CapacityCheck {
 public:
  // Which nodes and instances count.
  struct Options {
    std::vector<bool> ignored_groups;  // by group; nodes of these need not be vacatable. May be empty: none
    bool skip_offline = false;         // offline nodes need not be vacatable
    // A drbd instance without a secondary among the nodes: cannot leave its node if it has none, and can if it is
    // elsewhere; or the check cannot be made (InputError).
    bool refuse_incomplete = false;
  };

  // Checks `nodes` (ascending) as if they were the whole cluster. `trial` must outlive the check, which tries things on
  // it and undoes them; later checks see its state at that time.
  CapacityCheck(Trial& trial, std::vector<NodeIndex> nodes, Options options);

  // All nodes can be vacated.
  bool survives();

  // After survives() was false: it stays so however many instances (of sizes >= 0) are added.
  bool fails_for_good() const { return fails_for_good_; }

  // For many checks of states that differ from the present one by one instance more: finds out what that instance
  // cannot change.
  void remember();
  // The instance, wherever it is placed, cannot help a node that is stuck in the remembered state.
  bool fails_with(const Instance& instance) const;
  // Like survives(), for the remembered state with an instance placed there, which is not a drbd one without a
  // secondary. In the cluster's list of instances it may still have other nodes; then these are what it would leave.
  bool survives_with(const Placement& place);
  // Like survives(), node by node up to the first that cannot be vacated.
  bool survives_in_order();

  // How many nodes cannot be vacated.
  std::int64_t stuck_nodes();

  // The first node that cannot be vacated, and the first of its instances that finds no place; nothing if all can.
  std::optional<Homeless> first_homeless();

 private:
  enum class Verdict { Vacatable, Stuck, Unclear };
  struct Occupants;
  // What holds for the remembered state.
  struct Remembered {
    // By node: memory that the failovers of another node take there, the most of all; of nodes that are not unclear.
    std::vector<std::int64_t> failover_memory;
    std::vector<NodeIndex> unclear = {};  // may become vacatable or not
    bool stuck = false;                   // a node stays not vacatable whatever is added
    // Nothing else is known: a drbd instance lacks its secondary, or amounts are so large that they may wrap around.
    bool in_order = false;
  };

  bool is_checked(const Node& node) const;
  bool vacatable(NodeIndex n);
  Occupants occupants_of(NodeIndex n) const;
  bool is_incomplete(const Instance& instance) const;
  bool has_incomplete(const Occupants& occupants) const;
  void forget_targets();
  void clear_taken(const Occupants& occupants);
  // Both leave the memory that the failovers take in taken_. "Vacatable" holds even without `spare_targets` targets.
  Verdict judge(NodeIndex n, const Occupants& occupants, std::size_t spare_targets);
  Verdict judge_by_amounts(NodeIndex n, const Occupants& occupants, std::size_t spare_targets);
  // The first instance that cannot fail over. Leaves the memory that the failovers take in taken_.
  std::optional<InstanceIndex> failover_obstacle(const Occupants& occupants);
  // Vacates the node step by step: the first instance that finds no place.
  std::optional<InstanceIndex> left_behind(NodeIndex n, const Occupants& occupants);
  // The nodes that can take an instance of n, with their books then. `accepts`: what there is to check besides limits.
  template <class Accepts>
  std::vector<NodeChange> targets_for(NodeIndex n, const Instance& instance, Accepts accepts) const;

  Trial& trial_;
  const Cluster& cluster_;  // that of the trial
  std::vector<NodeIndex> nodes_;
  Options options_;
  std::vector<std::vector<NodeIndex>> group_nodes_;  // by group
  std::optional<NodeIndex> last_stuck_;              // likely to be stuck again
  bool fails_for_good_ = false;
  Remembered remembered_;
  // Scratch of one check:
  std::vector<std::vector<FitTarget>> targets_;  // by group: its nodes as targets; empty until needed
  std::vector<std::int64_t> taken_;              // by node: memory that the failovers of a node took
};

}  // namespace htools
