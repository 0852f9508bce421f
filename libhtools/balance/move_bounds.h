// Computes lower bounds of the changes of the score that moves bring, for many moves at a time.
//
// The score is a sum of standard deviations and of plain sums over the nodes. A move has two parts:
//
// - The departure is the change of the nodes that the instance has now. Except for reserved memory, it is the same for
//   all targets, so it is computed once for each instance and kind of move.
// - The arrival is the change of the target: an amount of the instance times a factor of the node (contributions.h).
//
// For each component the sum of squared distances from the mean is kept. From it and the two parts, the standard
// deviation after the move follows in a few operations. All values of a component are scaled by weight / sqrt(number of
// online nodes), so that the weighted deviation is the root of the sum of squares.
//
// A bound is never above the change of the specified score, rounding included, and usually below it by less than 1e-5.
// Only the cost of exclusion tags that meet on the target is left out, so there a bound is lower by that cost. The
// bound of a single target that refuses the instance, because it could not run all of its instances (stopped ones
// included), is above any score, unless soft checks are left out. Other refusals are rare among moves that would lower
// the score. (On 160 nodes with little memory and some stopped instances, balancing takes 0.4 of the time for it.)
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "balance/contributions.h"
#include "balance/location_terms.h"
#include "balance/move_generation.h"
#include "cluster/cluster.h"
#include "cluster/members.h"
#include "htools/moves.h"
#include "metric/components.h"
#include "metric/lanes.h"

namespace htools {

// Lower bounds of the changes of the score that moves bring. A mover is an instance whose moves are bounded; it is
// given by its position in movers().
class MoveBounds {
 public:
  using Array = Eigen::ArrayXd;
  using Singles = Eigen::ArrayXXf;
  // The number of lanes. A lane is one of the moves that are evaluated together by the same vector instructions: to
  // several targets, or of several movers. Arrays by target or mover are padded to a multiple of this number.
  static constexpr Eigen::Index kLanes = 8;
  // The number of targets in a block, if there are at least two blocks: see move_bounds_blocks.cpp.
  static constexpr Eigen::Index kBlock = 32;
  static constexpr std::size_t kKindCount = kMoveKinds.size();
  static constexpr MoveKind kind_at(std::size_t number) { return static_cast<MoveKind>(number); }
  static constexpr std::size_t number(MoveKind kind) { return static_cast<std::size_t>(kind); }

  // Takes the instances whose moves are to be bounded as `movers`; describes() must be true for each.
  // `forthcoming_move` is true if forthcoming instances may move, too. `block` is the number of targets in a block;
  // only tests choose another one. All references must outlive the bounds.
  MoveBounds(const Cluster& cluster, const GroupMembers& members, const MoveRules& rules,
             const LocationTerms& locations, std::vector<InstanceIndex> movers, bool forthcoming_move,
             Eigen::Index block = kBlock);

  // True if moves of the instance can be bounded: it is real, and if the group has nodes with exclusive storage, its
  // number of spindles is known.
  static bool describes(const Instance& instance, bool exclusive_storage);

  // False if there are no targets or movers, or if amounts are negative, not finite or too large for exact arithmetic.
  // Then the bounds mean nothing.
  bool usable() const { return usable_; }

  // Returns the targets: the online nodes of the group, in an order that update() may change (move_bounds_blocks.cpp).
  const std::vector<NodeIndex>& targets() const { return targets_; }
  const std::vector<InstanceIndex>& movers() const { return movers_; }

  // False if no mover has, or ever had, moves of this kind, so that all its bounds are infinite.
  bool has_moves(MoveKind kind) const { return has_kind_[number(kind)]; }
  // Returns one bound for all moves of the mover that are of one kind; infinity if there is no such move. It assumes an
  // imaginary target that is the best in each component, so it is cheap but may be far too low. For failovers to the
  // secondary, which have no target, it is as precise as the bounds below.
  double best_case(std::size_t mover, MoveKind kind) const;
  // Some targets: those at positions from `begin` to `end` - 1.
  struct Run {
    Eigen::Index begin, end;
    double lowest;  // the lowest of their bounds
  };
  // The bounds of the moves of one mover that are of one kind.
  struct TargetBounds {
    Array bounds;           // by target; only those of the runs mean something, and are infinite where there is no move
    std::vector<Run> runs;  // in ascending order, without the targets that are above the limit together
    double rest;            // a bound of the moves to all other targets
    double lowest;          // the lowest of all bounds
    Eigen::Index first;     // the position in the runs of the target with the lowest bound
  };
  // Returns the bounds of the mover's moves of a kind that has a target, at least to all targets where they are up to
  // `limit`. The next call for the same kind overwrites them.
  const TargetBounds& to_targets(std::size_t mover, MoveKind kind, double limit);
  // Makes to_targets() leave out these targets, given by their positions: their bounds are infinite.
  void leave_out(std::vector<std::size_t> targets) { left_out_ = std::move(targets); }
  // Returns what to_targets() has returned last for the kind.
  const TargetBounds& bounds_to_targets(MoveKind kind) const { return by_target_[number(kind)]; }
  // Returns the bounds of the moves to these online nodes that are of a kind that has a target: by mover, the lowest
  // one over the nodes. They are infinite where there is no such move. The array may be longer than the list of movers.
  // The next call overwrites it.
  const Array& from_all_movers(std::span<const NodeIndex> targets, MoveKind kind);
  // Returns the bounds of the moves of some movers to one node that are of a kind that has a target, by position in
  // `movers`. The next call overwrites them.
  const Array& from_movers(NodeIndex target, MoveKind kind, const std::vector<std::size_t>& movers);
  // Notes that a remembered bound of all moves of this kind need not hold for that to the target at this position: it
  // is refused, or exclusion tags may meet there.
  void note_exception(std::size_t mover, MoveKind kind, Eigen::Index target);
  // Unchanged targets that are at least as good as another one, for moves of one kind.
  struct Substitutes {
    std::array<NodeIndex, 2> targets;
    std::vector<std::size_t> others;  // the movers for which this is not known of any, in ascending order
  };
  // Returns substitutes of a node that the last update has changed, if there are. Bounds that hold for moves to them,
  // apart from exceptions, also hold for those to this node.
  std::optional<Substitutes> substitutes_of(NodeIndex target, MoveKind kind, std::span<const NodeIndex> changed) const;

  // Updates the bounds after these nodes, or instances on them, have changed in the cluster. Returns the movers that
  // have one of the nodes.
  std::vector<std::size_t> update(std::span<const NodeIndex> changed);
  // Returns the drift: an upper limit of how far the last update may have lowered the bounds of the mover's moves of
  // the kind, between unchanged nodes. Such bounds change because the means and the sums of squares do.
  double drift(std::size_t mover, MoveKind kind) const {
    return margin_ + static_cast<double>(drift_[number(kind)][static_cast<Eigen::Index>(mover)]);
  }

 private:
  // The changes of the nodes that the instances have now, by moves of one kind. All arrays are by mover;
  // two-dimensional ones have one column for each ScoreColumn, and a last one for reserved memory.
  struct Departures {
    // Change of the weighted plain sums; infinite if the mover has no such move.
    Array sums;
    // kRefused if targets without memory for all of their instances refuse the mover; 0 if soft checks are left out.
    Array refusal;
    // `squares` is the change of the sum of squared distances from the reference mean (see reference_mean_), `shift`
    // that of the sum of values.
    Eigen::ArrayXXd squares, shift;
    // In single precision, without the column for reserved memory: `shift`; and what moving the instance away adds to
    // the sum of squared distances from the reference mean, with the effect on the mean included, lowered by more than
    // the rounding of what is computed with it.
    Singles shift_single, settled_single;
    // Limits for the drift, over all targets: of how far a move can lower the sum of squared distances, or raise it, if
    // all targets are at the mean, and of how much it changes the sum of values.
    Singles lowering, raising, sway;
    // The rest is for kinds after which one of these nodes, here called host, is the secondary and the target is the
    // primary. The host then reserves memory for failures of the target. `sums`, `squares` and `shift` leave that out.
    Array host_reserved;  // MiB that the host reserves without the instance
    Array host_before;    // MiB that the host reserves before the move
    Array host_most;      // the most MiB that the host may reserve after the move
    // The unallocated memory of the host in MiB if the instance does not run on it; the weighted number of its
    // instances, which is its value of N1Failures if it is not N+1 safe; the scaled value of 1 MiB of reserved memory;
    // and the distance of its scaled value before the move from the reference mean.
    Array host_free, host_count, host_factor, host_distance;
  };
  using Row = Eigen::Array<double, Eigen::Dynamic, 1, 0, kComponentCount, 1>;  // by column
  // The change of one node by a move: `sums`, `squares` and `shift` have the same meaning as in Departures.
  struct NodeEffect {
    double sums = 0.0;
    Row squares, shift;
  };
  // What the location terms of a mover depend on: the classes of its nodes (location_terms.h), and the location tags
  // that they share. Reading them from the cluster takes longer than the rest.
  struct MoverPlace {
    std::size_t primary = 0, secondary = 0;
    bool primary_online = false, secondary_online = false;
    bool has_tags = false;  // true if the mover has exclusion tags or desired locations
    std::int64_t shared = 0;
  };
  // The two sides of an evaluation: see move_bounds_evaluation.cpp.
  struct OneMover;
  struct AllMovers;
  struct SomeMovers;
  struct OneTarget;
  struct TargetsFrom;

  // Enters the present values of one node.
  void describe_node(NodeIndex node);
  // Computes the values that depend on all nodes: means, sums of squares, and margins for rounding.
  void summarise_nodes();
  // Enters the amounts of a mover, which never change.
  void describe_mover(std::size_t mover);
  // Computes the departures of a mover for all kinds of moves.
  void describe_departures(std::size_t mover);
  // Enters the place of a mover.
  void describe_place(std::size_t mover);
  // Returns the change of the node if its books become `after`.
  NodeEffect effect_on(NodeIndex node, const NodeBooks& after) const;
  // Enters the departure of one kind of move, from the changes of the instance's nodes.
  void depart(std::size_t mover, MoveKind kind, const NodeEffect& one, const NodeEffect& other);
  void depart(std::size_t mover, MoveKind kind, const NodeEffect& one) {
    depart(mover, kind, one, {0.0, Row::Zero(reserved_ + 1), Row::Zero(reserved_ + 1)});
  }
  // Makes `node` the host of the departure (see Departures). `without` are its books without the instance.
  void host(std::size_t mover, MoveKind kind, NodeIndex node, const NodeBooks& without);
  // Returns the sum of squared distances from the mean after the mover's departure, before any arrival, lowered by more
  // than its rounding.
  double left(const Departures& departures, Eigen::Index mover, Eigen::Index column) const {
    const double shift = departures.shift(mover, column);
    return squares_[column] - slack_[column] + departures.squares(mover, column) -
           shift * (2 * mean_shift_[column] + inverse_count_ * shift);
  }
  // The same in single precision, for all movers: see move_bounds_detail.h.
  struct LeftOfEach;
  LeftOfEach left_of_each(const Departures& departures, Eigen::Index column) const;
  // The arrival of a mover at imaginary targets: see move_bounds_detail.h.
  struct Arrival;
  Arrival arrival_of(const Departures& departures, Eigen::Index mover, Eigen::Index column) const;
  // Computes what turns `settled_single` into `left` for the present state of the nodes.
  void prepare_lefts();
  // Returns the part of the mover's bounds of a kind that does not depend on the target, without reserved memory.
  double start(std::size_t kind, Eigen::Index mover) const;
  // Computes start() of all movers.
  void start_all(std::size_t kind);
  // True if all amounts are neither too large nor too small for single precision.
  bool fits_single_precision() const;
  // Fills reserving_.
  void collect_reservations();
  // Updates reserving_ after instances have moved between these nodes.
  void update_reservations(std::span<const NodeIndex> changed);
  // Fills relative_factor_ and is_signed_.
  void relate_factors();
  // Returns how a target's value of the column may change if it gets this amount of the mover: see
  // move_bounds_detail.h.
  struct ChangeRange;
  ChangeRange range_of_arrival(Eigen::Index mover, double amount, Eigen::Index column) const;
  // What a move may change: see move_bounds_drift.cpp.
  struct ChangeLimits;
  static ChangeLimits limits_at_mean(const ChangeRange& change);
  // For the reserved memory of the node that becomes secondary, or stays secondary while the target becomes primary.
  ChangeLimits limits_of_reservation(Eigen::Index mover, std::size_t kind) const;
  // Enters the limits of the mover's moves for the drift.
  void measure_drift(std::size_t mover);
  // Computes the largest limits from those of the present movers' moves.
  void forget_past_limits();
  // What the last update means for the drift from one column, which is
  // slope * max(0, departure + pull * arrival + turned) + by_sway * sway + constant. The departure is `lowering` if the
  // sum of squares has fallen, else `raising`.
  struct ColumnDrift {
    bool falling = false;
    double slope = 0.0, pull = 0.0, turned = 0.0, by_sway = 0.0, constant = 0.0;
  };
  // The state of the columns before an update.
  struct Before {
    Array squares, mean, mean_shift, lowest_pull, highest_pull;
  };
  ColumnDrift column_drift(const Before& before, Eigen::Index column) const;
  // Fills drift_.
  void compute_drift(const Before& before);
  std::size_t row_of(NodeIndex node) const { return row_of_[node.position()]; }
  // Returns the bound of a failover to the secondary; infinity if there is no such move.
  double failover(std::size_t mover) const;
  // Returns the part of best_case() that is the same for all targets; not of failovers.
  double apart_from_target(std::size_t mover, std::size_t kind) const;
  // The next four functions are about blocks of targets: see move_bounds_blocks.cpp.
  // Sorts the targets into blocks of similar ones.
  void arrange_targets();
  // Enters the ranges of the values of a block.
  void describe_block(Eigen::Index block);
  // Sets block_low_ to bounds of the mover's moves to the targets of each block.
  void bound_blocks(std::size_t mover, std::size_t kind);
  // Sets the runs and the rest: only blocks with a bound up to the limit are in runs.
  void choose_runs(std::size_t mover, std::size_t kind, double limit, TargetBounds& found);
  // Returns a lower bound of location_term() over all moves of the mover.
  double least_location_term(std::size_t mover) const;
  // Returns the part of the change of the score that comes from location tags and that the departure does not contain,
  // for moves to online nodes of this class; failovers have no target.
  double location_term(std::size_t mover, MoveKind kind, std::size_t target_class) const;
  // Adds location_term() to the bounds of the runs.
  void add_location_terms(std::size_t mover, MoveKind kind, TargetBounds& found);
  // The role of the node that reserves memory for the target, or that the target reserves memory for, after a move.
  static MoveRole reserving_role(MoveKind kind) {
    const MoveKindFacts& roles = facts(kind);
    return roles.primary == MoveRole::Target ? roles.secondary : roles.primary;
  }
  // Fills already_for_mover_ and noted_movers_ for moves to the target.
  void note_reservations(NodeIndex target, MoveKind kind);
  void forget_reservations();
  // The next three functions are about substitutes: see move_bounds_substitutes.cpp.
  // True if more reserved memory always raises the score.
  bool total_outweighs_deviation() const;
  // True if `other` is at least as good a target as `t` for all movers, apart from what it reserves for some.
  bool is_substitute(Eigen::Index other, Eigen::Index t, bool as_primary) const;
  // True if that holds for this mover.
  bool may_stand_in(NodeIndex substitute, std::size_t mover, MoveKind kind) const;
  // True if the arrival by this kind of move changes the value of the column (not that for reserved memory).
  bool changes_target(std::size_t kind, Eigen::Index column) const {
    return changes_target_[kind][static_cast<std::size_t>(column)];
  }
  // Lanes of an evaluation.
  struct LaneSpan {
    double* low;            // where the bounds go
    const double* already;  // the MiB that the secondary after a move already reserves for failures of the primary
    Eigen::Index count;
  };
  template <class Movers, class Targets>
  void evaluate(std::size_t kind, const Movers& mover, const Targets& target, const LaneSpan& lanes);
  template <class Movers, class Targets>
  void reserve(std::size_t kind, const Movers& mover, const Targets& target, const LaneSpan& lanes);

  // More than any change of the score. (Infinity could not be multiplied by 0.)
  static constexpr double kRefused = 1e30;
  static constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

  const Cluster& cluster_;
  const GroupMembers& members_;
  MoveRules rules_;
  const LocationTerms& locations_;
  LaneWidth width_ = widest_lanes();
  std::vector<InstanceIndex> movers_;
  std::vector<std::size_t> mover_of_;  // by instance: its number as a mover, or kNoRow
  std::vector<MoverPlace> places_;     // by mover; empty if there are no location terms
  std::vector<NodeIndex> targets_;
  Eigen::Index block_;                 // the number of targets in a block
  std::vector<std::size_t> left_out_;  // positions in targets_: see leave_out()
  std::vector<std::size_t> row_of_;    // by node: its number as a target, or kNoRow
  bool usable_ = true;
  bool exclusive_storage_ = false;  // true if some target has exclusive storage

  std::vector<ScoreColumn> columns_;
  std::vector<Component> components_;  // by column; of several that count as one, the first
  std::array<std::array<bool, kComponentCount>, kKindCount> changes_target_{};  // by kind and column
  Eigen::Index reserved_ = 0;   // the column for reserved memory, which is the last one
  double inverse_count_ = 0.0;  // 1 / number of targets
  Array scale_;                 // by column: weight / sqrt(number of targets)
  // The factor that turns a change of a scaled value of reserved memory into the weighted change of
  // ReservedMemoryTotal.
  double total_ratio_ = 0.0;

  // The scaled values of the targets, their distances from the mean, and the factors of contributions.h, by target and
  // column.
  Eigen::ArrayXXd values_, distance_, factor_, spindle_factor_;
  // The same in single precision, without the column for reserved memory; the distances are doubled.
  Singles distance_twice_, factor_single_, spindle_factor_single_;
  std::vector<double> sums_;  // by node: the weighted components that are plain sums (weighted_sums())
  // The targets' unallocated and reserved memory in MiB, their weighted values of N1Failures if they have one more
  // instance and are not N+1 safe, and the present weighted values.
  Array free_memory_, reserved_memory_, count_with_one_more_, n1_failures_;
  // The memory in MiB that the targets would have left if all of their instances ran, also stopped and forthcoming
  // ones. And whether that may be less than free_memory_, on a target or after a move.
  Array free_for_all_;
  bool memory_is_promised_ = false;
  // The mean of each column; the mean at construction, which departures refer to, so that they stay valid as the mean
  // moves; the difference of the two; the sum of squared distances from the mean; and the amount that is subtracted
  // from that sum to cover rounding; and the largest error of a distance.
  Array mean_, reference_mean_, mean_shift_, squares_, slack_, rounding_;
  // The ranges over all targets, by column.
  Array lowest_distance_, highest_distance_;
  Array lowest_factor_, highest_factor_, lowest_spindle_factor_, highest_spindle_factor_;
  // The largest weighted value of N1Failures that an arrival may remove: on a node that was flagged when the cluster
  // was loaded, but has more unallocated than reserved memory.
  double most_relief_ = 0.0;
  double margin_ = 0.0;  // covers the rounding of the specified evaluation of the score
  // The current weighted deviations plus the rounding margin; subtracting it turns a bound of the new score into a
  // bound of the change.
  double unchanged_ = 0.0;
  // The nodes that reserve memory for the failure of each node, and how much, in MiB.
  std::vector<std::vector<std::pair<NodeIndex, std::int64_t>>> reserving_;

  // The amounts of contributions.h in both roles, and memory in MiB, by mover (and column).
  Eigen::ArrayXXd primary_amount_, secondary_amount_;
  Array spindle_amount_, memory_, used_memory_, secondary_memory_;
  Singles primary_amount_single_, secondary_amount_single_;  // in single precision
  Eigen::ArrayXf spindle_amount_single_;
  std::array<Departures, kKindCount> departures_;
  std::array<bool, kKindCount> has_kind_{};  // by kind: true if some mover has, or had, such moves
  // The largest absolute change of a target's scaled value, by mover and column. For reserved memory, this is the
  // largest one on a target that becomes secondary.
  Singles arrival_;
  // By column, over all movers, and also some past states of them: the largest values of arrival_, of `lowering`, of
  // `raising`, and of both `sway` and the absolute values of `shift`.
  Array largest_arrival_, largest_lowering_, largest_raising_, largest_shift_;
  // The factors of the targets relative to the largest absolute one, with the sign of the amounts; 0 in columns whose
  // amounts have both signs, or that have two factors (is_signed_).
  Eigen::ArrayXXd relative_factor_;
  std::array<bool, kComponentCount> is_signed_{};
  // By column: the range over all targets of the distance times relative_factor_, extended to 0. If that is 0 by the
  // above, the range of distances of both signs.
  Array lowest_pull_, highest_pull_;
  // The largest amounts of the movers. And whether a target may have substitutes: each column has one factor, and
  // amounts of one sign.
  double largest_memory_ = 0.0, largest_used_memory_ = 0.0, largest_secondary_memory_ = 0.0;
  bool have_substitutes_ = false;
  // By kind and node: the movers that are exceptions there (note_exception()), and maybe some that no longer are.
  std::array<std::vector<std::vector<std::size_t>>, kKindCount> exceptions_;
  int updates_ = 0;                               // number of updates so far
  std::array<Eigen::ArrayXf, kKindCount> drift_;  // by kind and mover: see drift()
  // By column, in single precision: the sum of squared distances, lowered by more than the rounding of what is computed
  // with it, and twice mean_shift_.
  Eigen::ArrayXf lowered_squares_, turn_;

  // The ranges of values and factors over the targets of each block, by block and column; empty without blocks. And the
  // most MiB that one of the targets reserves.
  Eigen::ArrayXXd lowest_in_block_, highest_in_block_, lowest_factor_in_block_, highest_factor_in_block_;
  Array most_reserved_in_block_;
  Eigen::Index changes_since_arranged_ = 0;  // of nodes

  // The rest is work space and results.
  // The MiB that the secondary after a move already reserves for failures of the primary after it, by target and by
  // mover (0 between calls); and where they are not 0.
  Array already_on_target_, already_for_mover_;
  std::vector<std::size_t> noted_targets_, noted_movers_;
  std::array<TargetBounds, kKindCount> by_target_;
  Array start_, by_mover_, by_mover_of_target_, of_some_movers_, block_low_;
  std::vector<std::optional<double>> term_of_class_;  // location_term() of one mover and kind
  Eigen::ArrayXf roots_;
};

}  // namespace htools
