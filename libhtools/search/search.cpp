#include "search/search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "balance/balancer.h"
#include "metric/statistics.h"
#include "plan/paths.h"
#include "plan/plan.h"
#include "plan/schedule.h"
#include "search/annealing.h"
#include "search/model.h"
#include "search/placement_state.h"
#include "trial/trial.h"

namespace htools {
namespace {

// Proposals per node and walk, by level of effort.
constexpr std::array<std::int64_t, 10> kProposals{0, 150, 450, 1300, 5000, 15000, 45000, 140000, 400000, 1200000};
// Long walks, by level of effort: from the default level on, several threads have something to do.
constexpr std::array<std::size_t, 10> kWalks{0, 1, 1, 1, 1, 2, 2, 4, 4, 4};
// The times that a search is repeated because its outcome could not be reached or was too long.
constexpr int kRounds = 5;
// The times that a search goes on from the end of a plan that has missed its target.
constexpr int kMostDepth = 1;
// The times that a search goes on from its own outcome. The time that this takes grows fast with the number of nodes,
// so it is bounded: 100 times for 100 nodes, 20 times for 236, once for 1,000.
int most_repetitions(std::size_t nodes) {
  const std::size_t hundreds = std::max<std::size_t>(1, nodes * nodes / 10'000);
  return static_cast<int>(std::max<std::size_t>(1, 100 / hundreds));
}
// The number of orders of a plan that are tried. (If none reaches the placement, another placement is searched.)
constexpr std::uint64_t kAttempts = 2;
// Scores that differ by less are equal: the sums of the search differ from those of the metric in the last digits.
constexpr double kSameScore = 1e-9;

// A plan, and what counts when plans are compared.
struct Candidate {
  Ordering ordering;
  double excess = 0.0;        // by which the limits of the wishes are missed
  double score = 0.0;         // with the wished weights
  PlacementPrice price = {};  // of the steps
};

// Returns one plan followed by another one.
Ordering concatenated(const Ordering& first, const Ordering& second) {
  Ordering both = first;
  for (OrderedStep s : second.steps) {
    if (s.enables) *s.enables += first.steps.size();
    both.steps.push_back(s);
  }
  return both;
}

class Search {
 public:
  Search(const Cluster& start, const GroupMembers& members, const SearchRules& rules, const SearchLimits& limits,
         const SearchEffort& effort, const SearchWatch& watch, int depth = 0)
      : depth_(depth),
        start_(start),
        members_(members),
        rules_(rules),
        limits_(limits),
        effort_(effort),
        watch_(watch),
        model_(start, members, rules.balance.moves, rules.wishes) {
    control_.stop = watch.stop;
  }

  Candidate run() {
    const double start_score = wished_score(start_, members_, rules_.wishes);
    best_ = judged({});
    if (Candidate plain = greedy(); is_better(plain, best_)) best_ = std::move(plain);  // wishes may be against it
    if (effort_.level == 0 || !model_.is_useful()) return best_;
    proposals_ = (kProposals[effort_.level] * static_cast<std::int64_t>(members_.nodes.size())) >> (2 * depth_);
    // Where a greedy plan gains nothing, as in the outcome of a search, less is left to find: many short searches, each
    // from the outcome of the one before, are better than one long one.
    if (limits_.are_open()) proposals_ /= start_score - best_.score < limits_.min_gain ? 16 : 2;
    total_ = proposals_ * static_cast<std::int64_t>(2 * kWalks[effort_.level]);
    control_.on_stage = [&] {
      if (!watch_.on_progress) return;
      watch_.on_progress(best_.score,
                         std::min(1.0, static_cast<double>(control_.proposals) / static_cast<double>(total_)));
    };
    std::int64_t proposals = proposals_;
    PlacementState state = state_after(best_);
    max_moves_ = limits_.max_steps.value_or(WalkGoal{}.max_moves);
    max_copied_ = limits_.max_copied.value_or(WalkGoal{}.max_copied);
    for (int round = 0; round < most_rounds() && !is_stopped(); ++round) {
      if (!improve(state, proposals, static_cast<std::uint64_t>(round))) break;
      proposals = proposals_ / 2;
    }
    return best_;
  }

 private:
  bool is_stopped() const { return control_.is_stopped(); }
  // Without limits, the search goes on from its outcome anyway.
  int most_rounds() const { return limits_.are_open() ? 1 : depth_ > 0 ? 2 : kRounds; }

  // Returns the plan with its score and price.
  Candidate judged(Ordering ordering) const {
    Candidate c{.ordering = std::move(ordering)};
    Trial trial(start_);
    for (const OrderedStep& s : c.ordering.steps) {
      const MoveCost cost = cost_of(start_, s.step, rules_.copying);
      trial.apply(s.step.instance, s.step.move);
      c.price.copied += cost.copied_mib;
      c.price.migrated += cost.migrated_mib;
    }
    c.price.moves = static_cast<std::int64_t>(c.ordering.steps.size());
    c.excess = excess_of(trial.cluster(), members_, rules_.wishes);
    c.score = wished_score(trial.cluster(), members_, rules_.wishes);
    return c;
  }

  double seconds(const Ordering& ordering) const {
    std::vector<BalanceStep> steps;
    for (const OrderedStep& s : ordering.steps) steps.push_back(s.step);
    return schedule_steps(start_, steps, rules_.balance.moves, rules_.copying).seconds;
  }
  bool is_short_enough(const Ordering& ordering) const {
    return !limits_.max_seconds || seconds(ordering) <= static_cast<double>(*limits_.max_seconds);
  }
  bool is_within_limits(const Candidate& c) const {
    return (!limits_.max_steps || c.price.moves <= *limits_.max_steps) &&
           (!limits_.max_copied || c.price.copied <= *limits_.max_copied) && is_short_enough(c.ordering);
  }
  bool is_enough(double score) const { return limits_.until_score && score <= *limits_.until_score; }

  // True if the first plan is better than the second.
  bool is_better(const Candidate& a, const Candidate& b) const {
    if (std::abs(a.excess - b.excess) > kSameScore) return a.excess < b.excess;
    if (is_enough(a.score) != is_enough(b.score)) return is_enough(a.score);
    const auto rank = [](const PlacementPrice& p) { return std::tuple(p.copied, p.moves, p.migrated); };
    if (!is_enough(a.score) && std::abs(a.score - b.score) > kSameScore) return a.score < b.score;
    return rank(a.price) < rank(b.price);
  }

  // Returns the greedy plan, cut where it would exceed a limit or has reached what is asked for.
  Candidate greedy() const {
    BalanceOptions options = rules_.balance;
    options.max_steps = limits_.max_steps.value_or(-1);
    Trial trial(start_);
    Ordering all;
    for (const BalanceStep& step : balance(trial, members_, options).steps) all.steps.push_back({step, std::nullopt});
    std::int64_t copied = 0;
    std::size_t length = 0;
    const double start_score = htools::score(member_nodes(start_, members_));
    while (length < all.steps.size() && !is_enough(length == 0 ? start_score : all.steps[length - 1].step.score)) {
      copied += cost_of(start_, all.steps[length].step, rules_.copying).copied_mib;
      if (limits_.max_copied && copied > *limits_.max_copied) break;
      ++length;
    }
    all.steps.resize(length);
    if (!is_short_enough(all)) {  // the longest part that is
      std::size_t fits = 0, too_long = length;
      while (too_long - fits > 1) {
        Ordering part = all;
        part.steps.resize((fits + too_long) / 2);
        (is_short_enough(part) ? fits : too_long) = part.steps.size();
      }
      all.steps.resize(fits);
    }
    return judged(std::move(all));
  }

  PlacementState state_after(const Candidate& c) const {
    PlacementState state(model_);
    reset(state, c);
    return state;
  }
  // Brings the state to where the plan leads.
  void reset(PlacementState& state, const Candidate& c) const {
    for (std::size_t i = 0; i < model_.instances().size(); ++i) {
      state.force({static_cast<Slot>(i), model_.instances()[i].home});
    }
    for (const OrderedStep& s : c.ordering.steps) {
      const Slot i = model_.slot(s.step.instance);
      const std::optional<SlotPair> to = model_.slots(s.step.after);
      if (i != kNoSlot && to) state.force({i, *to});
    }
  }

  // Sends instances home, those that cost the least score first, until the limits are met.
  void trim(PlacementState& state, const WalkGoal& goal) const {
    while (state.price().moves > goal.max_moves || state.price().copied > goal.max_copied) {
      std::optional<Relocation> best;
      double best_score = std::numeric_limits<double>::infinity();
      for (const Slot i : state.moved()) {
        const Relocation home{i, model_.instances()[i].home};
        const double score = state.evaluate({&home, 1}, best_score);
        if (!(score < best_score)) continue;
        best_score = score;
        best = home;
      }
      if (!best) best = {state.moved().back(), model_.instances()[state.moved().back()].home};
      state.force(*best);
    }
  }

  // Looks for the lowest score within the limits, and then for the lowest price at that score; or for the lowest price
  // at the score that is wanted.
  void walk_all(PlacementState& state, std::int64_t proposals, std::uint64_t seed) {
    const std::size_t walks = kWalks[effort_.level];
    WalkGoal goal{.max_moves = max_moves_, .max_copied = max_copied_};
    trim(state, goal);
    const bool is_there = is_enough(state.score() - kSameScore) && state.missed_wishes() < kSameScore;
    if (is_there) {  // a better score at the same price leaves more to give away
      goal.max_moves = std::min(goal.max_moves, state.price().moves);
      goal.max_copied = std::min(goal.max_copied, state.price().copied);
    }
    const std::int64_t share = limits_.until_score ? 4 : 8;  // tenths
    if (limits_.until_score && !is_there) goal.enough = *limits_.until_score - kSameScore;
    tuned_walk(state, goal, {proposals * share / 10, walks, effort_.threads}, seed, banned_, control_);
    goal = {.is_price = true, .max_moves = max_moves_, .max_copied = max_copied_};
    goal.highest_score = state.score() + kSameScore / 10;
    goal.highest_missed_wishes = state.missed_wishes() + kSameScore / 10;
    if (is_there || is_enough(state.score() - state.missed_wishes()))
      goal.highest_score = *limits_.until_score + state.missed_wishes() - kSameScore / 10;
    tuned_walk(state, goal, {proposals * (10 - share) / 10, walks, effort_.threads}, seed + 50, banned_, control_);
  }

  // Searches on from the state, and orders the moves to what it has found. Returns true if another search may find
  // more.
  bool improve(PlacementState& state, std::int64_t proposals, std::uint64_t round) {
    walk_all(state, proposals, effort_.seed * 1000 + round * 100);
    std::vector<WantedPlacement> target;
    for (const Slot i : state.moved()) {
      target.push_back({model_.instances()[i].index, model_.placement(state.at(i))});
    }
    std::sort(target.begin(), target.end(),
              [](const auto& a, const auto& b) { return a.instance.position() < b.instance.position(); });
    Trial trial(start_);
    Ordering ordering = order_moves(trial, members_, target, rules_.balance.moves, kAttempts);
    const std::vector<Unreached> unreached = std::exchange(ordering.unreached, {});
    const Candidate found = judged(std::move(ordering));
    const bool fits = is_within_limits(found);
    const Candidate kept = fits ? found : judged(beginning(found.ordering));
    if (is_within_limits(kept) && is_better(kept, best_)) best_ = kept;
    for (const Unreached& u : unreached) ban(u.wanted.instance, u.wanted.placement);
    if (!fits) avoid_excess(found, state, round);
    if (fits && (!unreached.empty() || found.price.moves < limits_.max_steps.value_or(0))) continue_from(found);
    if (!unreached.empty()) reset(state, best_);
    return !fits || !unreached.empty();
  }

  // Returns the part of a plan up to the step with the lowest score, of those that are within the limits.
  Ordering beginning(Ordering ordering) const {
    std::size_t length = 0;
    std::int64_t copied = 0;
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t s = 0; s < ordering.steps.size(); ++s) {
      copied += cost_of(start_, ordering.steps[s].step, rules_.copying).copied_mib;
      if (limits_.max_steps && std::cmp_greater_equal(s, *limits_.max_steps)) break;
      if (limits_.max_copied && copied > *limits_.max_copied) break;
      if (!(ordering.steps[s].step.score < lowest)) continue;
      lowest = ordering.steps[s].step.score;
      length = s + 1;
    }
    ordering.steps.resize(length);
    for (OrderedStep& s : ordering.steps) {
      if (s.enables && *s.enables >= length) s.enables.reset();
    }
    return ordering;
  }

  void ban(InstanceIndex instance, const Placement& placement) {
    const std::optional<SlotPair> place = model_.slots(placement);
    if (place && model_.slot(instance) != kNoSlot) banned_.push_back({model_.slot(instance), *place});
  }

  // Changes what is searched after the order of a plan has made it longer or dearer than its placement: first without
  // the places that are reached by detours only, then with lower limits, too.
  void avoid_excess(const Candidate& found, PlacementState& state, std::uint64_t round) {
    bool has_detours = false;
    for (const OrderedStep& s : found.ordering.steps) {
      if (!s.enables) continue;
      const BalanceStep& enabled = found.ordering.steps[*s.enables].step;
      const Slot i = model_.slot(enabled.instance);
      if (i == kNoSlot || state.at(i) == model_.instances()[i].home) continue;
      has_detours = true;
      banned_.push_back({i, state.at(i)});
      state.force({i, model_.instances()[i].home});
    }
    if (!has_detours || round > 0) tighten(found);
  }

  // Searches on from the end of a plan that did not reach all that was wanted.
  void continue_from(const Candidate& found) {
    if (depth_ >= kMostDepth || limits_.are_open() || is_stopped()) return;
    Trial trial(start_);
    for (const OrderedStep& s : found.ordering.steps) trial.apply(s.step.instance, s.step.move);
    SearchLimits rest = limits_;
    if (rest.max_steps) *rest.max_steps -= found.price.moves;
    if (rest.max_copied) *rest.max_copied -= found.price.copied;
    const Candidate more = Search(trial.cluster(), members_, rules_, rest, effort_, watch_, depth_ + 1).run();
    const Candidate both = judged(concatenated(found.ordering, more.ordering));
    if (is_within_limits(both) && is_better(both, best_)) best_ = both;
  }

  // Searches with lower limits from now on, because the order of a plan has made it longer or dearer than its
  // placement.
  void tighten(const Candidate& found) {
    if (limits_.max_steps && found.price.moves > *limits_.max_steps) {
      max_moves_ = std::max<std::int64_t>(0, max_moves_ - (found.price.moves - *limits_.max_steps));
    }
    if (limits_.max_copied && found.price.copied > *limits_.max_copied) {
      max_copied_ = std::max<std::int64_t>(0, max_copied_ - (found.price.copied - *limits_.max_copied));
    }
    if (!limits_.max_seconds) return;
    const double needed = seconds(found.ordering), allowed = static_cast<double>(*limits_.max_seconds);
    if (needed > allowed) {
      max_copied_ = static_cast<std::int64_t>(static_cast<double>(std::min(max_copied_, found.price.copied)) * 0.95 *
                                              allowed / needed);
    }
  }

  const int depth_;
  const Cluster& start_;
  const GroupMembers& members_;
  const SearchRules& rules_;
  const SearchLimits limits_;
  const SearchEffort& effort_;
  const SearchWatch& watch_;
  const PlacementModel model_;
  WalkControl control_;
  Candidate best_;
  std::int64_t proposals_ = 0, total_ = 0;
  std::int64_t max_moves_ = 0, max_copied_ = 0;
  std::vector<Relocation> banned_;
};

// Returns the moves that lead directly where two plans lead one after the other; the two plans if that is not possible,
// or takes more moves.
Ordering joined(const Cluster& start, const GroupMembers& members, const MoveRules& rules, const Ordering& first,
                const Ordering& second) {
  Ordering both = concatenated(first, second);
  Trial there(start);
  for (const OrderedStep& s : both.steps) there.apply(s.step.instance, s.step.move);
  std::vector<WantedPlacement> target;
  for (const InstanceIndex i : members.instances) {
    const Placement to = placement_of(there.cluster().instance(i));
    if (!(to == placement_of(start.instance(i)))) target.push_back({i, to});
  }
  Trial trial(start);
  Ordering direct = order_moves(trial, members, target, rules, kAttempts);
  return direct.unreached.empty() && direct.steps.size() <= both.steps.size() ? direct : both;
}

}  // namespace

Ordering search_plan(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                     const SearchLimits& limits, const SearchEffort& effort, const SearchWatch& watch) {
  const auto is_stopped = [&] { return watch.stop != nullptr && *watch.stop; };
  const bool goes_on = limits.are_open() && effort.level > 0;
  Candidate plan{.ordering = {},
                 .excess = excess_of(start, members, rules.wishes),
                 .score = wished_score(start, members, rules.wishes)};
  // Without limits, goes on from the outcome, so that a second search has nothing to find.
  for (int i = 0; i < (goes_on ? most_repetitions(members.nodes.size()) : 1); ++i) {
    if (i > 0 && is_stopped()) break;
    Trial trial(start);
    for (const OrderedStep& s : plan.ordering.steps) trial.apply(s.step.instance, s.step.move);
    const Candidate more = Search(trial.cluster(), members, rules, limits, effort, watch).run();
    const bool gains = plan.excess - more.excess > kSameScore || plan.score - more.score >= limits.min_gain;
    if (!gains && !limits.until_score) break;
    plan.ordering = i == 0 ? more.ordering : joined(start, members, rules.balance.moves, plan.ordering, more.ordering);
    plan.excess = more.excess;
    plan.score = more.score;
    // (That of the last step, because N+1 flags depend on the way as well.)
    if (!rules.wishes.has_factors() && !plan.ordering.steps.empty()) plan.score = plan.ordering.steps.back().step.score;
  }
  return std::move(plan.ordering);
}

}  // namespace htools
