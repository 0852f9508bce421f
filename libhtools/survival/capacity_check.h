// Makes the capacity check, also called global N+1 check: it finds out whether each single node can be vacated, that
// is, whether all its primary instances find a place on other nodes of its group.
//
// A node is vacated in this order: drbd instances fail over to their secondaries; freely movable instances move, each
// to the node that gives the group the best score; the others are created anew, largest memory first, each where the
// score of all checked nodes becomes best. Only hard limits count (and, for instances that are created anew, the
// policy). Offline nodes are targets, too.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cluster/cluster.h"
#include "htools/moves.h"
#include "rules/move_application.h"
#include "rules/refusal.h"
#include "survival/certain_fit.h"
#include "survival/group_targets.h"
#include "survival/move_estimates.h"
#include "survival/occupants.h"
#include "trial/followed_scores.h"
#include "trial/trial.h"

namespace htools {

// The capacity check of a set of nodes. A node is called vacatable if its instances find places elsewhere, else stuck.
class CapacityCheck {
 public:
  // Selects the nodes and instances that count.
  struct Options {
    std::vector<bool> ignored_groups;  // by group: true if its nodes need not be vacatable; empty: no group is ignored
    bool skip_offline = false;         // true if offline nodes need not be vacatable
    // Decides about drbd instances that have no secondary, or one that is not among the checked nodes. If true, the
    // check throws InputError for them. If false, an instance without a secondary cannot leave its node, and a
    // secondary elsewhere is treated like any other.
    bool refuse_incomplete = false;
  };

  // Takes the nodes to check in ascending order; they are treated as the whole cluster. `trial` must outlive the check.
  // Each call judges the state of the trial at that time; it tries changes on the trial and undoes them.
  CapacityCheck(Trial& trial, std::vector<NodeIndex> nodes, Options options);
  CapacityCheck(const CapacityCheck&) = delete;
  CapacityCheck& operator=(const CapacityCheck&) = delete;

  // True if all nodes that count are vacatable.
  bool survives();

  // Does the same for some of the nodes, in ascending order; the others are taken to be vacatable.
  bool survives(const std::vector<NodeIndex>& nodes);
  // Returns those of the nodes that may be stuck, as far as amounts of free capacity tell. The others are vacatable,
  // and would also be without some of the instances (of sizes >= 0) that are there.
  std::vector<NodeIndex> uncertain(const std::vector<NodeIndex>& nodes);
  // True if some node is stuck and stays so however many instances (of sizes >= 0) are added, as far as amounts of free
  // capacity tell.
  bool is_hopeless();
  // Returns all nodes that are checked.
  const std::vector<NodeIndex>& all() const { return nodes_; }

  // Call after survives() has returned false. True if it will return false however many instances (of sizes >= 0) are
  // added.
  bool fails_for_good() const { return fails_for_good_; }

  // Prepares for many checks of states that differ from the present one by one more instance: finds the verdicts that
  // this instance cannot change, wherever it is placed.
  void remember();
  // True if the check fails wherever the instance is placed, because some node is stuck in the remembered state and
  // stays so. If false, the check may still fail.
  bool fails_with(const Instance& instance) const;
  // Does what survives() does, but faster. The state must be the remembered one with one more instance, placed on
  // `place`; it must have a secondary if it is a drbd instance. In the cluster's list of instances it may still have
  // other nodes; the check then takes it off those.
  bool survives_with(const Placement& place);
  // Does what survives() does, but always checks the nodes in their order, up to the first that is stuck.
  bool survives_in_order();

  // Returns the nodes that are stuck.
  std::vector<NodeIndex> stuck_nodes();

  // Returns the first node that is stuck, and the first of its instances that finds no place; nothing if all nodes are
  // vacatable.
  std::optional<Homeless> first_homeless();
  // Returns the first instance of the node that finds no place; nothing if the node is vacatable or does not count.
  std::optional<Homeless> homeless_of(NodeIndex n);

 private:
  // The result of a quick judgement: vacatable for certain, stuck for certain (and so after any addition of instances
  // of sizes >= 0), or unclear; then only the step-by-step evacuation decides.
  enum class Verdict { Vacatable, Stuck, Unclear };
  // What follows from the state of the checked nodes of one group.
  struct Group {
    Group(const Trial& trial, std::vector<NodeIndex> members)
        : nodes(std::move(members)), targets(trial, nodes), scores(trial, nodes), estimates(trial, nodes) {}
    std::vector<NodeIndex> nodes;
    GroupTargets targets;
    FollowedScores scores;
    MoveEstimates estimates;
  };
  // The facts about the remembered state that survives_with() uses.
  struct Remembered {
    // The most memory, in MiB, that the failovers of any one other node take on each node. Failovers of the nodes in
    // `unclear` are left out.
    std::vector<std::int64_t> failover_memory;
    std::vector<NodeIndex> unclear = {};  // nodes whose verdict one more instance may change
    bool stuck = false;                   // true if some node stays stuck whatever is added
    // True if the other members are of no use and the nodes must be checked in order: refuse_incomplete concerns some
    // drbd instance, or amounts are so large that they may overflow.
    bool in_order = false;
  };

  // Returns the first instance of a stuck node that finds no place.
  std::optional<InstanceIndex> known_left_behind(NodeIndex n);
  // Does what homeless_of() does, in the state that was last looked at.
  std::optional<Homeless> known_homeless_of(NodeIndex n);
  // True if the options require the node to be vacatable.
  bool is_checked(const Node& node) const;
  // True if the node is vacatable. Sets fails_for_good_ unless the node has no primaries.
  bool vacatable(NodeIndex n);
  // True if refuse_incomplete is set and concerns the drbd instance.
  bool is_incomplete(const Instance& instance) const;
  // Throws the InputError for an incomplete instance.
  [[noreturn]] static void refuse(const Instance& incomplete);
  bool has_incomplete(const Occupants& occupants) const;
  // Judges the node by amounts alone, for its present instances. Unclear if one of them is incomplete.
  Verdict quick_verdict(NodeIndex n);
  void clear_taken(const Occupants& occupants);
  // Judge whether the node can be vacated. Vacatable means that it can even if any `spare_targets` of the targets had
  // no free capacity. Both use taken_, which failover_obstacle() fills: judge() calls it, judge_by_amounts() expects
  // it.
  Verdict judge(NodeIndex n, const Occupants& occupants, std::size_t spare_targets);
  Verdict judge_by_amounts(NodeIndex n, const Occupants& occupants, std::size_t spare_targets);
  // Returns the first drbd instance that cannot fail over; nothing if all can. Adds the memory that the failovers take
  // to taken_; the caller clears it with clear_taken(). Throws InputError for an incomplete instance.
  std::optional<InstanceIndex> failover_obstacle(const Occupants& occupants);
  // Returns the targets for the instances of the node in the present state of the trial, in which these drbd instances
  // have failed over as far as taken_ says. The result is valid until the next call and until the trial changes.
  FitTargets targets_of(NodeIndex n, std::span<const InstanceIndex> failed_over = {});

  Group& group_of(NodeIndex n) const { return *groups_[cluster_.node(n).facts->group.position()]; }

  // Vacates the node on the trial as the rules are written, and undoes that (also where placement rules bind): each
  // instance tries each target, whose score is evaluated in full. Returns the first instance that finds no place;
  // nothing if all do. Throws InputError for an incomplete instance (capacity_check_plain.cpp).
  std::optional<InstanceIndex> plainly_left_behind(NodeIndex n);
  // Each moves one instance in this way, and returns false if it finds no place. `targets` are the other nodes of the
  // group.
  bool move_plainly(InstanceIndex i, const std::vector<NodeIndex>& targets, const NodeRefs& group);
  bool recreate_plainly(InstanceIndex i, const std::vector<NodeIndex>& targets);

  // The rest vacates nodes step by step (capacity_check_evacuation.cpp).

  // Vacates the node on the trial, and undoes that. Returns the first instance that finds no place; nothing if all do.
  // The drbd instances must be able to fail over.
  std::optional<InstanceIndex> left_behind(NodeIndex n, const Occupants& occupants);
  void fail_over(const std::vector<InstanceIndex>& instances);
  // How the first moves of an evacuation certainly go, and what they lead to.
  struct Course {
    enum class End : std::uint8_t {
      LeavesRoom,  // the instances after these moves certainly find places
      Nowhere,     // the next instance finds no place
      Unclear      // the next move takes exact scores, or there is none
    };
    std::vector<NodeIndex> targets;  // of the moves, in their order
    End end = End::Unclear;
  };
  // Returns how moving the freely movable instances of the node goes, as far as estimates of scores tell. They must be
  // on the node, and so must all items.
  Course clear_course(NodeIndex n, const Occupants& occupants);
  // The outcome of moving an instance: it finds no place, it has found one, or it finds one after which amounts decide
  // that all others find places, too.
  enum class Move { Nowhere, Somewhere, LeavesRoom };
  // Moves the instance to the node with the best score. `rest` are the instances that need places after it; none if it
  // is not on `n`, so that amounts say nothing.
  Move move(NodeIndex n, InstanceIndex i, std::optional<std::span<const FitRun>> rest);
  // True if the rest certainly finds places after the instance has gone to the target with the best score. Amounts say
  // so for most targets; bounds of the scores exclude the others.
  bool best_leaves_room(NodeIndex n, std::span<const FitRun> rest, const Instance& instance,
                        const std::vector<NodeChange>& targets, const std::vector<ScoredNodes::Candidate>& candidates,
                        const ChangedScores& scores);
  // Creates the instance anew on the node with the best score. Returns false if there is none.
  bool recreate(NodeIndex n, InstanceIndex i);
  // Returns the nodes that can take the instance when `n` is vacated, with their books then. They are within the hard
  // limits, and `accepts(node)` is true for them.
  template <class Accepts>
  std::vector<NodeChange> targets_for(NodeIndex n, const Instance& instance, Accepts accepts);

  Trial& trial_;
  const Cluster& cluster_;  // the cluster of the trial
  std::vector<NodeIndex> nodes_;
  Options options_;
  std::vector<std::unique_ptr<Group>> groups_;  // by group; null if no node of it is checked
  std::optional<NodeIndex> last_stuck_;         // checked first, because it is likely to be stuck again
  bool fails_for_good_ = false;
  Remembered remembered_;
  KnownOccupants occupants_;
  FollowedScores all_scores_;  // of all nodes
  // The rest is work space of one check.
  std::vector<std::int64_t> taken_;     // by node: MiB that the failovers of the judged node take; else 0
  std::vector<FitTarget> own_targets_;  // those of the judged node, if they differ from those of its group
};

}  // namespace htools
