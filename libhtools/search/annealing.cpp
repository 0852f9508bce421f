#include "search/annealing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "base/threads.h"
#include "search/changes.h"
#include "search/draws.h"

namespace htools {
namespace {

// How long a walk is, and how much it may lose on the way.
struct WalkPace {
  std::int64_t proposals = 0;
  double first_temperature = 0.0;  // in units of what is to be lowered; falls to a 32nd
  int doublings = 0;               // of the fee that rises
};

// The temperature is lowered after this many proposals.
constexpr std::int64_t kProposalsPerStage = 256;
// In the course of a walk, it halves so many times.
constexpr int kHalvings = 5;
// Walks may exceed their limits on the way, since the walls between placements are highest there; only placements
// within the limits count in the end. What is above a limit costs so many times the share of the limit, in units of the
// value at the start. (With hard limits, plans with a limit on copies have scores that are 7 per cent higher.)
constexpr double kFeeForMoves = 10.0, kFeeForCopies = 0.5, kFeeForScore = 20.0;
// One of these fees rises in the course of a walk, that for moves if the score is lowered, and that for the score if
// the price is: it doubles so many times, and less often after a round in vain, perhaps because walks did not find back
// to their limits. (With fees that stay the same, drbd plans at an equal score copy 6 per cent more, and 11 with no
// more moves than the balancer makes.)
constexpr int kDoublings = 5, kFewerDoublings = 2;

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

// Returns the part of the price that the walk lowers, in units of the largest disk.
double lowered_price(const PlacementModel& model, const WalkGoal& goal, const PlacementPrice& price) {
  // Largest disks, per move and per MiB: cheapest is what copies least, then what moves least. (With twenty times as
  // much for moves, plans copy up to a fifth more at the end than before.)
  constexpr double kPerMove = 5e-4, kPerCopied = 5e-2, kPerMigrated = 5e-9;
  if (goal.lowered == WalkValue::Score) return 0.0;
  const double copied =
      static_cast<double>(price.copied) / static_cast<double>(std::max<std::int64_t>(1, model.largest_disk()));
  if (goal.lowered == WalkValue::Copies) return copied;
  const double moves = static_cast<double>(price.moves), migrated = kPerMigrated * static_cast<double>(price.migrated);
  return goal.lowered == WalkValue::Price ? copied + kPerMove * moves + migrated
                                          : moves + kPerCopied * copied + migrated;
}

// Smaller differences of values are none.
constexpr double kSameValue = 1e-12;

// What it costs to exceed the limits of a walk.
class Fees {
 public:
  // `value` is the value of the state, where the walk starts. The fee for the score counts shares of what the limit
  // leaves to deviations: tags that meet may be there to stay, and be most of the score.
  Fees(const WalkGoal& goal, double value, const PlacementState& state)
      : goal_(goal),
        per_move_(kFeeForMoves * value / static_cast<double>(std::max<std::int64_t>(1, goal.max_moves))),
        per_copied_(kFeeForCopies * value / static_cast<double>(std::max<std::int64_t>(1, goal.max_copied))),
        per_score_(kFeeForScore * value / std::max(1e-9, goal.highest_score - state.counted_score())),
        risen_(rising()) {}

  // Sets the fee that rises to a part of what it is in the end.
  void rise_to(double part) { rising() = risen_ * part; }

  double for_price(const PlacementPrice& price) const {
    return per_move_ * static_cast<double>(std::max<std::int64_t>(0, price.moves - goal_.max_moves)) +
           per_copied_ * static_cast<double>(std::max<std::int64_t>(0, price.copied - goal_.max_copied));
  }
  double for_score(double score) const { return per_score_ * std::max(0.0, score - goal_.highest_score); }
  // Returns the highest score for which the fee is not above this one.
  double highest_score(double fee) const { return goal_.highest_score + fee / per_score_; }

 private:
  double& rising() { return goal_.lowered == WalkValue::Score ? per_move_ : per_score_; }

  const WalkGoal& goal_;
  double per_move_, per_copied_, per_score_;
  double risen_;
};

// Returns what is left of 1 at a stage. It halves so many times, in steps of equal length, and falls evenly in between.
// (Powers would depend on the library.)
double fallen(std::int64_t stage, std::int64_t stages, int halvings) {
  const std::int64_t whole = stage * halvings / stages, rest = stage * halvings % stages;
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
  return goal.lowered == WalkValue::Score && state.score() <= goal.enough && state.missed_wishes() < 1e-9;
}

// Returns the value that the walk lowers: the score, or the price.
double walk_value(const PlacementState& state, const WalkGoal& goal) {
  return goal.lowered == WalkValue::Score ? state.score() : lowered_price(state.model(), goal, state.price());
}

// Walks, and leaves the state at the best placement that was seen. The state must obey the goal's limits at the start.
// `banned` has placements that are never entered.
void walk(PlacementState& state, const WalkGoal& goal, const WalkPace& pace, std::uint64_t seed,
          const std::vector<Relocation>& banned, WalkControl& control) {
  Draws draws(seed);
  ChangeDrawer drawer(state, goal.max_moves, goal.lowered == WalkValue::Copies, draws);
  Best best(state);
  double value = walk_value(state, goal), best_value = value;
  if (!(value > 0.0)) return;
  Fees fees(goal, value, state);
  const bool lowers_score = goal.lowered == WalkValue::Score;
  double temperature = pace.first_temperature;
  // Returns the value after relocations; nothing if they are not made.
  const auto accepted_value = [&](std::span<const Relocation> relocations,
                                  const PlacementPrice& price) -> std::optional<double> {
    if (!changes_something(state, relocations)) return std::nullopt;
    const double highest = value + temperature * draws.exponential();
    const double fixed = fees.for_price(price) + lowered_price(state.model(), goal, price);
    if (fixed > highest) return std::nullopt;
    const double highest_score = lowers_score ? highest - fixed : fees.highest_score(highest - fixed);
    const double score = state.evaluate(relocations, highest_score);
    if (!(score <= highest_score)) return std::nullopt;
    if (!lowers_score && state.tried_missed_wishes() > goal.highest_missed_wishes) return std::nullopt;
    if (!is_allowed(state.model(), relocations, banned)) return std::nullopt;
    return fixed + (lowers_score ? score : fees.for_score(score));
  };
  const std::int64_t stages = std::max<std::int64_t>(1, pace.proposals / kProposalsPerStage);
  for (std::int64_t stage = 0; stage < stages && !control.is_stopped(); ++stage) {
    temperature = pace.first_temperature * fallen(stage, stages, kHalvings);
    fees.rise_to(std::ldexp(1.0, -pace.doublings) / fallen(stage, stages, pace.doublings));
    value =
        walk_value(state, goal) + fees.for_price(state.price()) + (lowers_score ? 0.0 : fees.for_score(state.score()));
    control.proposals += kProposalsPerStage;
    if (control.on_stage && std::this_thread::get_id() == control.owner) control.on_stage();
    for (std::int64_t p = 0; p < kProposalsPerStage; ++p) {
      const PlacementChange change = drawer.draw();
      const PlacementPrice price = state.price_after(change.relocations());
      const std::optional<double> after = accepted_value(change.relocations(), price);
      drawer.note(after.has_value());
      if (!after) continue;
      for (const Relocation& r : change.relocations()) best.note_change(r.instance);
      state.apply();
      value = *after;
      const bool is_within = price.moves <= goal.max_moves && price.copied <= goal.max_copied &&
                             (lowers_score || state.score() <= goal.highest_score);
      if (value < best_value - kSameValue && is_within) {
        best_value = value;
        best.save(state);
        if (is_enough(state, goal)) return;
      }
    }
  }
  best.restore(state);
}

// Returns what one of the milder changes of the placement loses: most changes lose more. Walks begin with such a
// temperature. Good ones differ by a factor of hundreds between clusters.
double mild_loss(PlacementState& state, const WalkGoal& goal, std::uint64_t seed) {
  constexpr int kSamples = 4000;
  constexpr double kMilder = 0.03;  // the share of changes that lose less
  Draws draws(seed);
  ChangeDrawer drawer(state, goal.max_moves, goal.lowered == WalkValue::Copies, draws);
  const double value = walk_value(state, goal);
  const bool lowers_score = goal.lowered == WalkValue::Score;
  const double highest_score = lowers_score ? std::numeric_limits<double>::max() : goal.highest_score;
  std::vector<double> losses;
  for (int s = 0; s < kSamples; ++s) {
    const PlacementChange change = drawer.draw();
    if (!changes_something(state, change.relocations())) continue;
    const PlacementPrice price = state.price_after(change.relocations());
    if (price.moves > goal.max_moves || price.copied > goal.max_copied) continue;
    const double score = state.evaluate(change.relocations(), highest_score);
    const double loss = (lowers_score ? score : lowered_price(state.model(), goal, price)) - value;
    if (score <= highest_score && loss > kSameValue) losses.push_back(loss);
  }
  if (losses.empty()) return value / 64.0;
  const auto mild = losses.begin() + static_cast<std::ptrdiff_t>(kMilder * static_cast<double>(losses.size()));
  std::nth_element(losses.begin(), mild, losses.end());
  return *mild;
}

// Walks at all paces from the same placement. Leaves the state at the end with the lowest value, and returns the
// position of its pace.
std::size_t best_walk(PlacementState& state, const WalkGoal& goal, const std::vector<WalkPace>& paces,
                      std::size_t threads, std::uint64_t first_seed, const std::vector<Relocation>& banned,
                      WalkControl& control) {
  std::vector<PlacementState> ends(paces.size(), state);
  std::atomic<std::size_t> next = 0;
  run_in_threads(std::min(threads, paces.size()), [&] {
    for (std::size_t w = next++; w < paces.size(); w = next++) {
      walk(ends[w], goal, paces[w], first_seed + w, banned, control);
    }
  });
  const auto best = std::min_element(ends.begin(), ends.end(), [&](const auto& a, const auto& b) {
    if (is_enough(a, goal) && is_enough(b, goal)) return a.price() < b.price();
    if (is_enough(a, goal) != is_enough(b, goal)) return is_enough(a, goal);
    return walk_value(a, goal) < walk_value(b, goal);
  });
  for (std::size_t i = 0; i < state.model().instances().size(); ++i) {
    state.force({static_cast<Slot>(i), best->at(static_cast<Slot>(i))});
  }
  return static_cast<std::size_t>(best - ends.begin());
}

}  // namespace

void tuned_walk(PlacementState& state, const WalkGoal& goal, const WalkTeam& team, std::uint64_t seed,
                const std::vector<Relocation>& banned, WalkControl& control) {
  // Each round goes on from the best end of the one before. (With one round, scores with as many moves as the balancer
  // makes are 2 per cent higher, and 9 per cent if the walks are nine times as long: hot walks lose what the ones
  // before have found, and it takes them long to find it again.)
  constexpr std::int64_t kMostRounds = 8, kShortestWalk = 4000;
  const std::int64_t rounds = std::clamp<std::int64_t>(team.proposals / kShortestWalk, 1, kMostRounds);
  // The temperatures of a round differ by a factor of 4, and lie around the one that was best in the round before.
  double middle = mild_loss(state, goal, seed);
  int doublings = kDoublings;
  for (std::int64_t round = 0; round < rounds && !is_enough(state, goal); ++round) {
    std::vector<WalkPace> paces;
    // The first round tries twice as many temperatures, in walks of half the length.
    const std::size_t walks = round == 0 ? 2 * team.walks : team.walks;
    const std::int64_t proposals = team.proposals / rounds / (round == 0 ? 2 : 1);
    for (std::size_t w = 0; w < walks; ++w) {
      const int halvings = static_cast<int>(walks) - 1 - 2 * static_cast<int>(w);
      paces.push_back({proposals, std::ldexp(middle, -halvings), doublings});
    }
    const double before = walk_value(state, goal);
    const std::size_t best = best_walk(state, goal, paces, team.threads, seed, banned, control);
    middle = paces[best].first_temperature;
    if (!(walk_value(state, goal) < before)) doublings = std::max(0, doublings - kFewerDoublings);
    seed += walks;
  }
}

}  // namespace htools
