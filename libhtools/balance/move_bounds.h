// Lower bounds of what moves do to the score, many moves at a time.
//
// The score is a sum of standard deviations and of plain sums over the nodes. What a move does to the two nodes that
// the instance has is the same for all targets, and worked out once per instance (its departures). What it does to the
// target is an amount of the instance times a factor of the node (arrivals.h). With the sum of squared distances from
// the mean of each component at hand, the new deviation follows from the two in a few operations. Everything is kept
// scaled by weight / sqrt(number of online nodes), so that a weighted deviation is the root of a sum of squares.
//
// A bound is below the difference of the specified scores, rounding included, and usually by less than 1e-9; only where
// a move brings exclusion tags together it is off by what that costs.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "balance/arrivals.h"
#include "balance/location_terms.h"
#include "balance/move_generation.h"
#include "cluster/cluster.h"
#include "cluster/members.h"
#include "metric/components.h"
#include "rules/move.h"

namespace htools {

// Lower bounds of the scores after moves, many moves at a time.
class MoveBounds {
 public:
  using Array = Eigen::ArrayXd;
  static constexpr Eigen::Index kLanes = 8;  // evaluated together
  using Lanes = Eigen::Array<double, kLanes, 1>;
  static constexpr std::size_t kKindCount = kMoveKinds.size();
  static constexpr MoveKind kind_at(std::size_t number) { return static_cast<MoveKind>(number); }
  static constexpr std::size_t number(MoveKind kind) { return static_cast<std::size_t>(kind); }

  // `movers`: the instances whose moves are of interest (see describes()). `forthcoming_move`: there are movable
  // instances that are forthcoming. Everything must outlive the bounds.
  MoveBounds(const Cluster& cluster, const GroupMembers& members, const MoveRules& rules,
             const LocationTerms& locations, std::vector<InstanceIndex> movers, bool forthcoming_move);

  // Real instances can be described, unless they take an unknown number of spindles of exclusive storage.
  static bool describes(const Instance& instance, bool exclusive_storage);

  // False if amounts are negative, not finite, or too large for exact arithmetic: then the bounds mean nothing.
  bool usable() const { return usable_; }

  // The targets are the online nodes.
  const std::vector<NodeIndex>& targets() const { return targets_; }
  const std::vector<InstanceIndex>& movers() const { return movers_; }

  // A bound of all moves of a mover, from what would be best for it in each component; it may be far below.
  double best_case(std::size_t mover) const;
  // The bound of a failover to the secondary; infinite if there is no such move.
  double failover(std::size_t mover) const;
  // For a mover: the bounds by target, for each kind that has one; infinite where there is no such move. The arrays may
  // be longer than the targets.
  const std::array<Array, kKindCount>& to_all_targets(std::size_t mover);
  // For an online node: the lowest bound over the kinds, by mover; infinite where there is no such move. May be
  // longer than the movers.
  const Array& from_all_movers(NodeIndex target);

  // To be told when nodes (and instances on them) have changed. Returns the movers that have one of the nodes.
  std::vector<std::size_t> update(std::span<const NodeIndex> changed);
  // By how much the bounds of a mover's moves between unchanged nodes may have come down with the last update.
  double drift(std::size_t mover) const { return drift_[static_cast<Eigen::Index>(mover)]; }

 private:
  // What the moves of one kind do to the nodes that the instance has, by mover. The last column is reserved memory.
  struct Departures {
    Array sums;                      // change of the weighted sums; infinite if the mover has no such move
    Eigen::ArrayXXd squares, shift;  // change of the sum of squared distances from the reference mean; of the sum
    // From these, for the nodes as they are now:
    Array start;           // change of the score by what does not depend on the target
    Eigen::ArrayXXd left;  // sums of squares without regard to the target
    // For kinds after which one of these nodes is secondary of the target, and reserves memory for it:
    Array host_reserved;  // MiB without that memory
    Array host_before;    // MiB reserved before the move
    Array host_free, host_count, host_factor, host_distance;
  };
  using Row = Eigen::Array<double, Eigen::Dynamic, 1, 0, kComponentCount, 1>;  // by column
  // The same for one node and its books after the move.
  struct NodeEffect {
    double sums = 0.0;
    Row squares, shift;
  };
  // MiB that one node of a move reserves already for another, by lane (target, or mover).
  struct Reservations {
    Array target_for_primary, target_for_secondary, primary_for_target, secondary_for_target;
    void reset(Eigen::Index lanes);
  };
  struct OneMover;
  struct AllMovers;
  struct OneTarget;
  struct AllTargets;

  void describe_node(NodeIndex node);
  void summarise_nodes();
  void describe_mover(std::size_t mover);
  void describe_departures(std::size_t mover);
  NodeEffect effect_on(NodeIndex node, const NodeBooks& after) const;
  void depart(std::size_t mover, MoveKind kind, const NodeEffect& one, const NodeEffect& other);
  void depart(std::size_t mover, MoveKind kind, const NodeEffect& one) {
    depart(mover, kind, one, {0.0, Row::Zero(reserved_ + 1), Row::Zero(reserved_ + 1)});
  }
  void host(std::size_t mover, MoveKind kind, NodeIndex node, const NodeBooks& without);
  void leave();
  void collect_reservations();
  void measure_arrival_of_reservations();
  void measure_departures(std::size_t mover);
  void add_column_drift(Eigen::Index column, double old_squares, double old_mean_shift, double mean_change);
  std::size_t row_of(NodeIndex node) const { return row_of_[node.position()]; }
  double best_case(std::size_t mover, std::size_t kind) const;
  double least_location_term(InstanceIndex instance) const;
  double location_term(InstanceIndex instance, MoveKind kind, NodeIndex target) const;
  Component component_of(Eigen::Index column) const;
  bool changes_target(std::size_t kind, Eigen::Index column) const;
  template <class Movers, class Targets>
  void evaluate(const Movers& mover, const Targets& target, Eigen::Index at, std::array<Lanes, kKindCount>& low) const;
  template <class Movers, class Targets>
  void reserve(std::size_t kind, const Movers& mover, const Targets& target, Eigen::Index at, Lanes& low) const;

  static constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

  const Cluster& cluster_;
  const GroupMembers& members_;
  MoveRules rules_;
  const LocationTerms& locations_;
  std::vector<InstanceIndex> movers_;
  std::vector<std::size_t> mover_of_;  // by instance
  std::vector<NodeIndex> targets_;
  std::vector<std::size_t> row_of_;  // by node: its number as a target
  bool usable_ = true;
  bool exclusive_storage_ = false;

  std::vector<ScoreColumn> columns_;
  Eigen::Index reserved_ = 0;  // the last column
  double inverse_count_ = 0.0;
  Array scale_;               // by column
  double total_ratio_ = 0.0;  // weight of the reserved total, relative to the scaled reserved column

  // By target and column.
  Eigen::ArrayXXd values_, distance_, factor_, spindle_factor_;
  std::vector<double> sums_;  // by node: components that are plain sums, weighted
  // By target.
  Array free_memory_, reserved_memory_, count_with_one_more_, n1_failures_;
  // By column.
  Array mean_, reference_mean_, mean_shift_, squares_, slack_;
  Array lowest_distance_, highest_distance_;
  Array lowest_factor_, highest_factor_, lowest_spindle_factor_, highest_spindle_factor_;
  double most_relief_ = 0.0;  // N+1 failures that may go away when an instance arrives
  double margin_ = 0.0;       // for the rounding of the specified evaluation
  double unchanged_ = 0.0;    // what is subtracted to get a difference: the deviations as they are, and the margin
  std::vector<std::vector<std::pair<NodeIndex, std::int64_t>>> reserving_;  // by node: who reserves memory for it

  // By mover (and column).
  Eigen::ArrayXXd primary_amount_, secondary_amount_;
  Array spindle_amount_, used_memory_, secondary_memory_;
  std::array<Departures, kKindCount> departures_;
  std::array<bool, kKindCount> has_kind_{};  // some mover has, or had, such moves
  // For the drift, by mover and column: ranges over all kinds and targets.
  Eigen::ArrayXXd lowest_departure_, highest_departure_, largest_shift_, arrival_;
  Array distance_range_;  // by column
  Array drift_;           // by mover

  // Work space and results.
  Reservations reservations_;
  std::array<Array, kKindCount> by_target_;
  Array by_mover_;
};

}  // namespace htools
