// Keeps a placement of all instances of a model, and scores changes of it without making them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/rule_check.h"
#include "search/model.h"

namespace htools {

// An instance that goes to other nodes.
struct Relocation {
  Slot instance;
  SlotPair to;
};

// What all instances that are not at home cost together.
struct PlacementPrice {
  std::int64_t moves = 0;
  std::int64_t copied = 0;    // MiB
  std::int64_t migrated = 0;  // MiB
  bool operator==(const PlacementPrice&) const = default;
  auto operator<=>(const PlacementPrice&) const = default;
};

// A placement of instances. Scores are those of the metric up to rounding: the sums are updated, not evaluated anew.
// With wishes of the user, they have other weights, and penalties for nodes that miss the limits.
class PlacementState {
 public:
  // Starts with all instances at home. The model must outlive the state.
  explicit PlacementState(const PlacementModel& model);

  const PlacementModel& model() const { return model_; }
  SlotPair at(Slot instance) const { return places_[instance]; }
  // Returns what it costs to bring the instance from its home to where it is.
  const SlotPrice& price_of(Slot instance) const { return prices_[instance]; }
  double score() const { return score_; }
  // Returns the part of the score that counts things, such as tags that meet, rather than measuring how nodes differ;
  // and the penalty for wishes that are missed.
  double counted_score() const { return counted_score_of(sums_); }
  // Returns the part of the score that is a penalty, for nodes outside of their bands and for instances on nodes that
  // are to be emptied; and what it would be after what evaluate() has scored last.
  double missed_wishes() const { return sums_.missed_wishes; }
  double tried_missed_wishes() const { return after_.missed_wishes; }
  const PlacementPrice& price() const { return price_; }
  // The instances that are not at home, in no particular order.
  const std::vector<Slot>& moved() const { return moved_; }
  // The instances whose primary, or whose secondary is the node.
  const std::vector<Slot>& residents(Slot node) const { return residents_[node]; }

  // Returns the price after some relocations of different instances.
  PlacementPrice price_after(std::span<const Relocation> relocations) const;

  // Returns the score after at most two relocations of different instances; infinity if they break a limit, or if the
  // score is above `highest`.
  double evaluate(std::span<const Relocation> relocations, double highest);
  // Makes the relocations that evaluate() has scored last, and found allowed.
  void apply();

  // Brings the instance to the nodes whatever the limits say.
  void force(const Relocation& relocation);

 private:
  static constexpr std::size_t kMaxTouched = 8;
  static constexpr std::size_t kMaxPeerChanges = 4;

  // What the first look at a change needs, close together in memory.
  struct NodeColumns {
    ColumnValues values;
    ColumnValues slopes;
    double memory_slope;
    bool is_online;
    bool is_sound;  // online, and does not fail N+1
  };
  // What a change brings to a node.
  struct ColumnShift {
    Slot node;
    ColumnValues amounts;
  };
  struct NodeState {
    Amounts left;
    std::int64_t free_memory;  // MiB
    std::int64_t reserved;     // MiB
    std::int64_t instances;    // primaries and secondaries
    RoleCounts newcomers;      // instances that did not run, or keep data, on this node at the start
    bool fails_n1;
  };
  struct Touched {
    Slot node;
    Amounts needs;
    std::int64_t reserved;  // after the change
    std::int64_t primaries;
    std::int64_t instances;
    RoleCounts newcomers;
    bool fails_n1;
  };
  struct PeerChange {
    Slot node, primary;
    std::int64_t memory;
  };

  // Sums up how the relocations change the columns.
  void sum_up_columns(std::span<const Relocation> relocations);
  // Does this for the first columns, and returns the part of the score that they make.
  template <int count>
  double shifted_score(std::span<const Relocation> relocations);
  // Sums up what else they change. If `checked`, returns false if they break a limit.
  template <bool checked>
  bool sum_up_rest(std::span<const Relocation> relocations);
  // Returns what components that are no columns fall by at most; infinity if that would take a closer look.
  double most_other_gain(std::span<const Relocation> relocations) const;
  template <int count>
  void shift(Slot node, const ColumnValues& amounts, double sign);
  void touch(Slot node, const ModelInstance& instance, bool as_primary, int sign);
  void change_peer(Slot node, Slot primary, std::int64_t memory);
  Touched& touched(Slot node);
  bool is_within_limits() const;
  // False if a new primary node would replace the old one, and the instance could not run on its secondary node
  // meanwhile, for want of memory or because of its tags, neither at the start nor now.
  bool may_pass_by_secondary(const Relocation& relocation) const;
  // False if a new secondary node could not run the instance if stopped instances were started there, neither at the
  // start nor in the end. touched() has what changes.
  bool may_become_secondary(const Relocation& relocation);
  // True if the node may get a failure of N+1 that it does not have at the start: from an instance that has lost a
  // node, or because it has such a failure already.
  bool may_fail_n1(Slot node, std::span<const Relocation> relocations) const;
  bool keeps_tags_apart(std::span<const Relocation> relocations) const;
  // False if a placement rule that binds would be broken more than now.
  bool keeps_rules(std::span<const Relocation> relocations);
  // Counts the instance at another primary node in its rules about places.
  void count_in_places(Slot instance, Slot from, Slot to);
  void move_tags(Slot instance, Slot from, Slot to);
  std::int64_t reserved_after(Slot node) const;
  // Returns the penalty of a node that carries so much more than now, for what is outside of its band.
  double penalty(Slot node, const Amounts& needs) const;

  const PlacementModel& model_;
  double online_, inverse_online_;
  // By how much the score can fall if the reserved ratio of a node falls, or rises, by 1.
  double fallen_reservation_gain_, risen_reservation_gain_;
  std::vector<NodeColumns> columns_;
  std::vector<NodeState> nodes_;
  std::vector<std::vector<SlotCount>> peers_;
  std::vector<std::vector<SlotCount>> tags_;  // exclusion tags of primaries, by node
  std::vector<std::int64_t> tag_pairs_;       // by pair of location and exclusion tag
  std::vector<PlaceCounts> place_counts_;     // of the model's rules about places
  std::vector<SlotPair> places_;
  std::vector<SlotPrice> prices_;
  std::vector<std::vector<Slot>> residents_;
  std::vector<Slot> moved_;
  std::vector<std::size_t> moved_position_;

  // The parts of the score.
  struct ColumnSums {
    ColumnValues sum{}, squares{};
  };
  struct Sums {
    double reserved_sum = 0.0, reserved_squares = 0.0;  // of reserved ratios, less reserved_mean_
    double missed_wishes = 0.0;                         // penalties for what misses the wishes of the user
    std::int64_t n1 = 0, offline_all = 0, offline_primaries = 0, tag_conflicts = 0, location_score = 0, collisions = 0;
  };
  double other_score_of(const Sums& sums) const;
  double counted_score_of(const Sums& sums) const;
  double reserved_mean_ = 0.0;
  ColumnSums column_sums_;
  Sums sums_;
  double score_ = 0.0, columns_score_ = 0.0;
  PlacementPrice price_;

  // What evaluate() leaves for apply().
  std::array<Relocation, 2> tried_{};
  std::size_t tried_count_ = 0;
  std::array<ColumnShift, kMaxTouched> shifts_{};
  std::size_t shift_count_ = 0;
  std::array<Touched, kMaxTouched> touched_{};
  std::size_t touched_count_ = 0;
  std::array<PeerChange, 2 * kMaxPeerChanges> peer_changes_{};
  std::size_t peer_change_count_ = 0;
  ColumnSums column_sums_after_;
  Sums after_;
  double score_after_ = 0.0, columns_score_after_ = 0.0;
};

}  // namespace htools
