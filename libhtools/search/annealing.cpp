#include "search/annealing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <thread>

#include "search/draws.h"

namespace htools {
namespace {

// The temperature is lowered after this many proposals.
constexpr std::int64_t kProposalsPerStage = 256;
// Walks may exceed their limits on the way, since the walls between placements are highest there; only placements
// within the limits count in the end. What is above a limit costs so many times the share of the limit, in units of the
// value at the start. (With hard limits, plans with a limit on copies have scores that are 7 per cent higher.)
constexpr double kFeeForMoves = 10.0, kFeeForCopies = 0.5, kFeeForScore = 20.0;

// At most two relocations of different instances.
class Change {
 public:
  std::span<const Relocation> relocations() const { return {relocations_.data(), count_}; }
  void add(Slot instance, SlotPair to) { relocations_[count_++] = {instance, to}; }

 private:
  std::array<Relocation, 2> relocations_{};
  std::size_t count_ = 0;
};

// Draws changes of a placement.
class ChangeDrawer {
 public:
  ChangeDrawer(const PlacementState& state, const WalkGoal& goal, Draws& draws)
      : state_(state), model_(state.model()), goal_(goal), draws_(draws) {}

  // Returns a change. It may lead nowhere, or to places that are not allowed.
  Change draw() {
    const std::vector<Slot>& moved = state_.moved();
    const std::size_t kind = draws_.below(32);
    if (moved.empty() || (!is_full() && kind < 12)) {
      const Slot mover = any_instance();
      return kind % 3 == 0 ? exchange(mover) : single(mover, random_place(mover));
    }
    const Slot j = draws_.one_of(moved);
    const std::size_t change = draws_.below(19);
    if (change < 1) return single(j, home_of(j));
    if (change < 5) return single(j, random_place(j));
    if (change < 13) return exchange(j, draws_.one_of(moved));
    if (change < 17) return substitute(j);
    return change < 18 ? send_home(j) : make_room(j);
  }

 private:
  Slot any_instance() { return static_cast<Slot>(draws_.below(model_.instances().size())); }
  SlotPair home_of(Slot i) const { return model_.instances()[i].home; }
  Slot any_node() { return draws_.one_of(model_.online()); }

  bool is_full() const { return state_.price().moves >= goal_.max_moves; }
  static Change single(Slot i, SlotPair to) {
    Change change;
    change.add(i, to);
    return change;
  }

  // The instance goes home, and one of the instances that live there goes its way instead.
  Change substitute(Slot j) {
    const SlotPair at = state_.at(j), home = home_of(j);
    Change change = single(j, home);
    const auto is_on = [](SlotPair pair, Slot node) { return pair.primary == node || pair.secondary == node; };
    const bool leaves_primary = !is_on(at, home.primary), leaves_secondary = !is_on(at, home.secondary);
    const Slot left = leaves_primary && !(leaves_secondary && draws_.below(2) == 0) ? home.primary
                      : leaves_secondary && home.secondary != kNoSlot               ? home.secondary
                                                                                    : home.primary;
    const std::vector<Slot>& residents = state_.residents(left);
    if (residents.empty()) return change;
    // Mostly one with the same role there: then the node has as many of either role as before.
    Slot i = draws_.one_of(residents);
    for (int again = 0; again < 3 && (state_.at(i).primary == left) != (home.primary == left); ++again) {
      i = draws_.one_of(residents);
    }
    if (i == j) return change;
    const SlotPair now = state_.at(i);
    if (is_on(at, left)) {  // only the roles have changed
      if (now.secondary != kNoSlot) change.add(i, {now.secondary, now.primary});
      return change;
    }
    const Slot gained =
        !is_on(home, at.primary) && !(at.secondary != kNoSlot && !is_on(home, at.secondary) && draws_.below(2) == 0)
            ? at.primary
        : at.secondary != kNoSlot ? at.secondary
                                  : at.primary;
    SlotPair to = replaced(now, left, gained);
    if (to.secondary != kNoSlot && draws_.below(4) == 0) to = {to.secondary, to.primary};
    change.add(i, to);
    return change;
  }
  // The instance goes home, and another one goes anywhere, or to one of the nodes that are left.
  Change send_home(Slot j) {
    Change change = single(j, home_of(j));
    const Slot i = any_instance();
    if (i == j) return change;
    const SlotPair left = state_.at(j);
    if (draws_.below(2) == 0) {
      change.add(i, random_place(i));
    } else {
      change.add(i, with_node(i, left.secondary == kNoSlot || draws_.below(2) == 0 ? left.primary : left.secondary));
    }
    return change;
  }

  // The instance goes home, and one of those that are there goes anywhere.
  Change make_room(Slot j) {
    const SlotPair home = home_of(j);
    Change change = single(j, home);
    const std::vector<Slot>& there =
        state_.residents(home.secondary == kNoSlot || draws_.below(2) == 0 ? home.primary : home.secondary);
    if (there.empty()) return change;
    const Slot other = draws_.one_of(there);
    if (other != j) change.add(other, random_place(other));
    return change;
  }

  // Returns a place of the instance in which one of its nodes is `node`.
  SlotPair with_node(Slot i, Slot node) {
    const SlotPair base = draws_.below(2) == 0 ? home_of(i) : state_.at(i);
    if (base.secondary == kNoSlot) return {node, kNoSlot};
    if (node == base.primary || node == base.secondary) return {base.secondary, base.primary};
    switch (draws_.below(4)) {
      case 0:
        return {base.primary, node};
      case 1:
        return {node, base.secondary};
      case 2:
        return {node, base.primary};
      default:
        return {base.secondary, node};
    }
  }
  SlotPair random_place(Slot i) {
    if (model_.instances()[i].has_secondary && draws_.below(6) == 0) {
      const SlotPair at = state_.at(i);
      return {at.secondary, at.primary};
    }
    return with_node(i, any_node());
  }

  // The instance exchanges one node with an instance of another node.
  Change exchange(Slot a) {
    const std::vector<Slot>& residents = state_.residents(any_node());
    return residents.empty() ? single(a, random_place(a)) : exchange(a, draws_.one_of(residents));
  }
  // Two instances exchange one node each.
  Change exchange(Slot a, Slot b) {
    if (a == b) return single(a, random_place(a));
    const SlotPair at_a = state_.at(a), at_b = state_.at(b);
    // Mostly both exchange the primary, or both the secondary: then no node has more of either than before.
    const bool primary_a = draws_.below(2) == 0, primary_b = draws_.below(8) == 0 ? !primary_a : primary_a;
    const Slot here = at_a.secondary == kNoSlot || primary_a ? at_a.primary : at_a.secondary;
    const Slot there = at_b.secondary == kNoSlot || primary_b ? at_b.primary : at_b.secondary;
    Change change = single(a, replaced(at_a, here, there));
    change.add(b, replaced(at_b, there, here));
    return change;
  }
  static SlotPair replaced(SlotPair at, Slot old_node, Slot new_node) {
    if (at.secondary == kNoSlot) return {new_node, kNoSlot};
    if (at.primary == new_node || at.secondary == new_node) return {at.secondary, at.primary};
    (at.primary == old_node ? at.primary : at.secondary) = new_node;
    return at;
  }

  const PlacementState& state_;
  const PlacementModel& model_;
  const WalkGoal& goal_;
  Draws& draws_;
};

// Remembers the best placement that a walk has seen.
class Best {
 public:
  explicit Best(const PlacementState& state) : is_dirty_(state.model().instances().size(), 0) {
    for (std::size_t i = 0; i < is_dirty_.size(); ++i) places_.push_back(state.at(static_cast<Slot>(i)));
  }
  void note_change(Slot i) {
    if (is_dirty_[i] != 0) return;
    is_dirty_[i] = 1;
    dirty_.push_back(i);
  }
  void save(const PlacementState& state) {
    for (const Slot i : dirty_) {
      places_[i] = state.at(i);
      is_dirty_[i] = 0;
    }
    dirty_.clear();
  }
  void restore(PlacementState& state) {
    for (const Slot i : dirty_) {
      state.force({i, places_[i]});
      is_dirty_[i] = 0;
    }
    dirty_.clear();
  }

 private:
  std::vector<SlotPair> places_;
  std::vector<char> is_dirty_;
  std::vector<Slot> dirty_;
};

double price_value(const PlacementModel& model, const PlacementPrice& price) {
  const double unit = model.largest_disk() > 0 ? static_cast<double>(model.largest_disk()) : 1.0;
  return static_cast<double>(price.copied) / unit + 0.01 * static_cast<double>(price.moves) +
         1e-7 * static_cast<double>(price.migrated);
}

// What it costs to exceed the limits of a walk.
class Fees {
 public:
  Fees(const WalkGoal& goal, double value)
      : goal_(goal),
        per_move_(kFeeForMoves * value / static_cast<double>(std::max<std::int64_t>(1, goal.max_moves))),
        per_copied_(kFeeForCopies * value / static_cast<double>(std::max<std::int64_t>(1, goal.max_copied))),
        per_score_(kFeeForScore * value / std::max(1e-9, goal.highest_score)) {}

  double for_price(const PlacementPrice& price) const {
    return per_move_ * static_cast<double>(std::max<std::int64_t>(0, price.moves - goal_.max_moves)) +
           per_copied_ * static_cast<double>(std::max<std::int64_t>(0, price.copied - goal_.max_copied));
  }
  double for_score(double score) const { return per_score_ * std::max(0.0, score - goal_.highest_score); }
  // Returns the highest score for which the fee is not above this one.
  double highest_score(double fee) const { return goal_.highest_score + fee / per_score_; }

 private:
  const WalkGoal& goal_;
  double per_move_, per_copied_, per_score_;
};

// Returns the temperature at a stage as a part of the first one. It halves seven times, in steps of equal length, and
// falls evenly in between. (Powers would depend on the library.)
double cooled(std::int64_t stage, std::int64_t stages) {
  constexpr std::int64_t kHalvings = 7;
  const std::int64_t whole = stage * kHalvings / stages, rest = stage * kHalvings % stages;
  return std::ldexp(1.0 - 0.5 * static_cast<double>(rest) / static_cast<double>(stages), static_cast<int>(-whole));
}

bool changes_something(const PlacementState& state, std::span<const Relocation> relocations) {
  return !relocations.empty() &&
         std::ranges::none_of(relocations, [&](const Relocation& r) { return r.to == state.at(r.instance); });
}

bool is_allowed(const PlacementModel& model, std::span<const Relocation> relocations,
                const std::vector<Relocation>& banned) {
  return std::ranges::all_of(relocations, [&](const Relocation& r) {
    return model.is_reachable(model.instances()[r.instance], r.to) &&
           std::ranges::none_of(banned, [&](const Relocation& b) { return b.instance == r.instance && b.to == r.to; });
  });
}

// True if a walk for the score need not go on. (A band that is missed costs far more than rounding errors.)
bool is_enough(const PlacementState& state, const WalkGoal& goal) {
  return !goal.is_price && state.score() <= goal.enough && state.missed_wishes() < 1e-9;
}

}  // namespace

double walk_value(const PlacementState& state, const WalkGoal& goal) {
  return goal.is_price ? price_value(state.model(), state.price()) : state.score();
}

void walk(PlacementState& state, const WalkGoal& goal, const WalkPace& pace, std::uint64_t seed,
          const std::vector<Relocation>& banned, WalkControl& control) {
  Draws draws(seed);
  ChangeDrawer drawer(state, goal, draws);
  Best best(state);
  double value = walk_value(state, goal), best_value = value;
  if (!(value > 0.0)) return;
  const Fees fees(goal, value);
  const std::int64_t stages = std::max<std::int64_t>(1, pace.proposals / kProposalsPerStage);
  for (std::int64_t stage = 0; stage < stages && !control.is_stopped(); ++stage) {
    const double temperature = pace.first_temperature * cooled(stage, stages);
    control.proposals += kProposalsPerStage;
    if (control.on_stage && std::this_thread::get_id() == control.owner) control.on_stage();
    for (std::int64_t p = 0; p < kProposalsPerStage; ++p) {
      const Change change = drawer.draw();
      if (!changes_something(state, change.relocations())) continue;
      const PlacementPrice price = state.price_after(change.relocations());
      const double highest = value + temperature * draws.exponential();
      double value_after = fees.for_price(price) + (goal.is_price ? price_value(state.model(), price) : 0.0);
      if (value_after > highest) continue;
      const double left = highest - value_after;
      const double highest_score = goal.is_price ? fees.highest_score(left) : left;
      const double score = state.evaluate(change.relocations(), highest_score);
      if (!(score <= highest_score)) continue;
      value_after += goal.is_price ? fees.for_score(score) : score;
      if (goal.is_price && state.tried_missed_wishes() > goal.highest_missed_wishes) continue;
      if (!is_allowed(state.model(), change.relocations(), banned)) continue;
      for (const Relocation& r : change.relocations()) best.note_change(r.instance);
      state.apply();
      value = value_after;
      const bool is_within = price.moves <= goal.max_moves && price.copied <= goal.max_copied &&
                             (!goal.is_price || score <= goal.highest_score);
      if (value < best_value - 1e-12 && is_within) {
        best_value = value;
        best.save(state);
        if (is_enough(state, goal)) return;
      }
    }
  }
  best.restore(state);
}

void tuned_walk(PlacementState& state, const WalkGoal& goal, const WalkTeam& team, std::uint64_t seed,
                const std::vector<Relocation>& banned, WalkControl& control) {
  // Short walks take 3 % each, and their temperatures differ by a factor of 4.
  constexpr std::size_t kPilots = 8;
  constexpr double kFactor = 4.0;
  const std::int64_t length = team.proposals * 3 / 100;
  std::vector<WalkPace> paces;
  double temperature = goal.is_price ? 1.0 : std::max(1e-6, state.score() / 64.0);
  for (std::size_t p = 0; p < kPilots; ++p) {
    paces.push_back({length, temperature});
    temperature /= kFactor;
  }
  // Walks all of them from the same placement. Returns the position of the one with the lowest value, whose end becomes
  // the new placement.
  const auto walk_all = [&](std::uint64_t first_seed) {
    std::vector<PlacementState> ends(paces.size(), state);
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t w = next++; w < paces.size(); w = next++) {
        walk(ends[w], goal, paces[w], first_seed + w, banned, control);
      }
    };
    std::vector<std::thread> helpers;
    for (std::size_t t = 1; t < std::min(team.threads, paces.size()); ++t) helpers.emplace_back(work);
    work();
    for (std::thread& helper : helpers) helper.join();
    const auto best = std::min_element(ends.begin(), ends.end(), [&](const auto& a, const auto& b) {
      if (is_enough(a, goal) && is_enough(b, goal)) return a.price() < b.price();
      if (is_enough(a, goal) != is_enough(b, goal)) return is_enough(a, goal);
      return walk_value(a, goal) < walk_value(b, goal);
    });
    for (std::size_t i = 0; i < state.model().instances().size(); ++i) {
      state.force({static_cast<Slot>(i), best->at(static_cast<Slot>(i))});
    }
    return static_cast<std::size_t>(best - ends.begin());
  };
  // Longer walks profit from higher temperatures, so each of them is warmer than the one before.
  temperature = paces[walk_all(seed)].first_temperature;
  paces.clear();
  for (std::size_t w = 0; w < team.walks; ++w) {
    paces.push_back({team.proposals - static_cast<std::int64_t>(kPilots) * length, temperature});
    temperature *= kFactor;
  }
  walk_all(seed + kPilots);
}

}  // namespace htools
