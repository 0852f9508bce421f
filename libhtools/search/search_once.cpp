#include "search/search_once.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "search/annealing.h"
#include "search/model.h"
#include "search/wishes.h"
#include "trial/trial.h"

namespace htools {
namespace {

// Proposals per node and walk, by level of effort.
constexpr std::array<std::int64_t, 10> kProposals{0, 200, 500, 1600, 5500, 18000, 54000, 160000, 480000, 1440000};
// Groups with fewer nodes get the proposals of so many: a tenth of a second by default.
constexpr std::int64_t kFewNodes = 16;
// Walks at a time, by level of effort.
constexpr std::array<std::size_t, 10> kWalks{0, 2, 2, 2, 2, 2, 2, 4, 4, 4};
// The times that a search is repeated because its outcome could not be reached or was too long.
constexpr int kRounds = 3, kRoundsOfHandful = 8;
// The times that a placement is cut because the order of its moves is too long.
constexpr int kMostCuts = 4;
// The walks that lower the price, with their shares of the proposals in tenths. Copies alone are lowered first: changes
// that cost no more copies are the way to those that cost less. (With a part of these proposals before the walk for
// copies, plans at an equal score copy 2 per cent more.)
struct PriceWalk {
  WalkValue lowered;
  std::int64_t share;
};
constexpr std::array<PriceWalk, 2> kPriceWalks{{{WalkValue::Copies, 8}, {WalkValue::Price, 2}}},
    kWalksForMoves{{{WalkValue::PriceByMoves, 8}, {WalkValue::PriceByMoves, 2}}};
// A search that goes on because an outcome could not be reached ends after so many times the proposals of one search.
constexpr double kMostSearches = 1.5, kMostSearchesOfHandful = 4.0, kMostSearchesOfMany = 1.1;
// Groups with more nodes have many: there, a search that is repeated takes long and finds hardly anything more. Where
// proposals take longer, because of tags, they get fewer. Both keep a search to a second per 100 nodes.
constexpr std::size_t kManyNodes = 100;
constexpr std::int64_t kPartOfTagged = 75;  // in per cent
// The parts of the greedy plan, in per cent, that are kept while the rest is searched, if no better plan was found.
constexpr std::array<std::size_t, 3> kKeptParts{90, 75, 50};
// What is little for a greedy plan to gain, as a part of the score.
constexpr double kLittle = 0.01;
// How an order of moves is looked for: at first without detours, since a search that goes on from where they lead is
// often better. If no order reaches the placement, another placement is searched. Without limits, detours are free.
constexpr OrderingEffort kDirectly{.orders = 0, .detours = 0}, kWithDetours{.orders = 2, .detours = 2000};

class Search {
 public:
  Search(const Cluster& start, const GroupMembers& members, const SearchRules& rules, const SearchLimits& limits,
         const SearchEffort& effort, const SearchWatch& watch, const KnownPlans& known, bool is_rest)
      : is_rest_(is_rest),
        known_(known),
        start_(start),
        members_(members),
        rules_(rules),
        limits_(limits),
        effort_(effort),
        watch_(watch),
        judge_(start_, members_, rules_, limits_),
        model_(start, members, rules.balance.moves, rules.wishes) {
    control_.stop = watch.stop;
  }

  FoundPlan run() {
    const double start_score = wished_score(start_, members_, rules_.wishes);
    best_ = judge_.judged({});
    if (FoundPlan plain = judge_.greedy(known_.greedy); judge_.is_better(plain, best_))
      best_ = std::move(plain);  // wishes may be against it
    for (const Ordering* good : known_.good) note(judge_.judged(*good));
    if (effort_.level == 0) return best_;
    for (const FoundPlan& cheapest : judge_.cheapest_to_score()) note(cheapest);
    if (!model_.is_useful()) {
      note(judge_.greedy_without_copies());
      return best_;
    }
    proposals_ = kProposals[effort_.level] *
                 std::max<std::int64_t>(kFewNodes, static_cast<std::int64_t>(members_.nodes.size())) /
                 (is_rest_ ? 4 : 1);
    if (has_many() && model_.has_locations()) proposals_ = proposals_ * kPartOfTagged / 100;
    // Where a greedy plan gains little, as in the outcome of a search, less is left to find: many short searches, each
    // from the outcome of the one before, are better than one long one.
    const double little = std::max(limits_.min_gain, kLittle * start_score);
    if (limits_.are_open()) proposals_ /= start_score - best_.score < little ? 16 : 2;
    once_ = proposals_ * static_cast<std::int64_t>(kWalks[effort_.level]);
    control_.on_stage = [&] {
      if (!watch_.on_progress) return;
      watch_.on_progress(best_.score,
                         std::min(1.0, static_cast<double>(control_.proposals) / static_cast<double>(2 * once_)));
    };
    std::int64_t proposals = proposals_;
    const FoundPlan plain = best_;
    caps_ = {limits_.max_steps.value_or(WalkGoal{}.max_moves), limits_.max_copied.value_or(WalkGoal{}.max_copied)};
    PlacementState state = first_state();
    for (int round = 0; round < most_rounds() && !is_stopped() && !is_spent(); ++round) {
      if (!improve(state, proposals, static_cast<std::uint64_t>(round))) break;
      proposals = proposals_ / 2;
    }
    for (const std::size_t kept : kKeptParts) {
      if (is_rest_ || judge_.is_better(best_, plain)) break;
      Ordering part = plain.ordering;
      part.steps.resize(part.steps.size() * kept / 100);
      continue_from(judge_.judged(part));
    }
    return best_;
  }

 private:
  bool is_stopped() const { return control_.is_stopped(); }
  // True if the search has taken so long that it makes do with what it has found.
  bool is_spent() const {
    const double most = has_handful() ? kMostSearchesOfHandful : has_many() ? kMostSearchesOfMany : kMostSearches;
    return static_cast<double>(control_.proposals) >= most * static_cast<double>(once_);
  }
  // Few places lead to the same placement again and again.
  bool has_handful() const { return members_.nodes.size() <= kHandful; }
  bool has_many() const { return members_.nodes.size() > kManyNodes; }
  // Without limits, the search goes on from its outcome anyway.
  int most_rounds() const {
    if (is_rest_) return 1;
    if (has_handful()) return kRoundsOfHandful;
    return limits_.are_open() ? 1 : kRounds;
  }

  // Returns where the best plan leads, or one of the known ones, as far as limits allow.
  PlacementState first_state() const {
    PlacementState state(model_);
    const auto go_towards = [&](const Ordering& plan) {
      reset(state, plan);
      trim(state, {.max_moves = caps_.moves, .max_copied = caps_.copied});
      return state.score();
    };
    const Ordering* best = &best_.ordering;
    double lowest = go_towards(*best);
    for (const Ordering* good : known_.good) {
      const double score = go_towards(*good);
      if (score < lowest) best = good;
      lowest = std::min(lowest, score);
    }
    go_towards(*best);
    return state;
  }
  // Brings the state to where the plan leads.
  void reset(PlacementState& state, const Ordering& plan) const {
    for (std::size_t i = 0; i < model_.instances().size(); ++i) {
      state.force({static_cast<Slot>(i), model_.instances()[i].home});
    }
    for (const OrderedStep& s : plan.steps) {
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

  WalkTeam team(std::int64_t proposals) const { return {proposals, kWalks[effort_.level], effort_.threads}; }
  double wanted_score() const { return *limits_.until_score - kSameScore / 10; }
  bool has_wanted_score(const PlacementState& state) const {
    return state.score() <= wanted_score() && state.missed_wishes() < kSameScore;
  }

  // Looks for the lowest score within the limits, and then for the lowest price at that score, or at the score that is
  // wanted.
  void walk_all(PlacementState& state, std::int64_t proposals, std::uint64_t seed) {
    WalkGoal goal{.max_moves = caps_.moves, .max_copied = caps_.copied};
    trim(state, goal);
    std::int64_t left = proposals * 2 / 10;
    if (limits_.until_score) {
      left = std::max<std::int64_t>(0, proposals - walk_to_wanted_score(state, goal, proposals, seed));
    } else {
      tuned_walk(state, goal, team(proposals * 8 / 10), seed, banned_, control_);
    }
    goal.highest_score = state.score() + kSameScore / 10;
    goal.highest_missed_wishes = state.missed_wishes() + kSameScore / 10;
    if (judge_.is_enough(state.score() - state.missed_wishes() + kSameScore / 10)) {
      goal.highest_score = wanted_score() + state.missed_wishes();
    }
    for (const PriceWalk& w : limits_.order == PriceOrder::Cheapest ? kPriceWalks : kWalksForMoves) {
      goal.lowered = w.lowered;
      tuned_walk(state, goal, team(left * w.share / 10), seed += 50, banned_, control_);
    }
  }

  // Walks to the wanted score, and then to it once more from the start of all, with far fewer copies. Returns the
  // proposals of each walk. (Without the second walk, drbd plans at an equal score copy 2 per cent more, and 9 on 160
  // nodes. Further walks with still fewer copies lead to where the next ones get stuck.)
  std::int64_t walk_to_wanted_score(PlacementState& state, WalkGoal goal, std::int64_t proposals, std::uint64_t seed) {
    constexpr std::int64_t kFewCopies = 40;  // in per cent
    const std::int64_t before = control_.proposals;
    goal.enough = wanted_score();
    if (!has_wanted_score(state)) tuned_walk(state, goal, team(proposals * 4 / 10), seed, banned_, control_);
    if (has_wanted_score(state) && state.price().copied > 0) {
      PlacementState with_few(model_);
      goal.max_copied = state.price().copied * kFewCopies / 100;
      tuned_walk(with_few, goal, team(proposals / 10), seed + 150, banned_, control_);
      for (std::size_t i = 0; has_wanted_score(with_few) && i < model_.instances().size(); ++i) {
        state.force({static_cast<Slot>(i), with_few.at(static_cast<Slot>(i))});
      }
    }
    return (control_.proposals - before) / static_cast<std::int64_t>(kWalks[effort_.level]);
  }

  // What placements must not exceed.
  struct Caps {
    std::int64_t moves = 0;
    std::int64_t copied = 0;  // MiB
  };
  // A plan towards a placement, and the instances that it does not bring there.
  struct Reached {
    FoundPlan plan;
    std::vector<Unreached> unreached;
  };
  // Orders the moves to the placement of the state.
  Reached reach(const PlacementState& state, const OrderingEffort& effort) const {
    std::vector<WantedPlacement> target;
    for (const Slot i : state.moved()) {
      target.push_back({model_.instances()[i].index, model_.placement(state.at(i))});
    }
    std::sort(target.begin(), target.end(),
              [](const auto& a, const auto& b) { return a.instance.position() < b.instance.position(); });
    Trial trial(start_);
    Ordering ordering = order_moves(trial, members_, target, rules_.balance.moves, effort);
    std::vector<Unreached> unreached = std::exchange(ordering.unreached, {});
    return {judge_.judged(ordering), std::move(unreached)};
  }
  // Keeps the plan, or as much of it as is within the limits, if it is the best one so far.
  void note(const FoundPlan& plan) {
    FoundPlan kept = judge_.is_within_limits(plan) ? plan : judge_.judged(judge_.beginning(plan.ordering));
    if (judge_.is_within_limits(kept) && judge_.is_better(kept, best_)) best_ = std::move(kept);
  }

  // Searches on from the state, and orders the moves to what it has found. Returns true if another search may find
  // more.
  bool improve(PlacementState& state, std::int64_t proposals, std::uint64_t round) {
    walk_all(state, proposals, effort_.seed * 1000 + round * 250);
    Reached reached = reach(state, kDirectly);
    if (!reached.unreached.empty()) {
      if (judge_.is_within_limits(reached.plan)) continue_from(reached.plan);
      if (!is_rest_) reached = reach(state, limits_.are_open() ? kWithAnyDetours : kWithDetours);
    }
    note(reached.plan);
    const bool fits = judge_.is_within_limits(reached.plan);
    ban(reached.unreached, round);
    // Circles have many variants, but need more moves than what can be reached.
    if (has_handful() && !reached.unreached.empty() && round % 2 == 1) {
      caps_.moves = std::max<std::int64_t>(1, std::min(caps_.moves, std::ssize(state.moved()) - 1));
    }
    if (!fits) {
      cut(state, reached.plan);
      avoid_excess(reached.plan, state, round);
    } else if (!reached.unreached.empty() || reached.plan.price.moves < limits_.max_steps.value_or(0)) {
      continue_from(reached.plan);
    }
    for (const Unreached& u : reached.unreached) {
      const Slot i = model_.slot(u.wanted.instance);
      if (i != kNoSlot) state.force({i, model_.instances()[i].home});
    }
    return !fits || !reached.unreached.empty();
  }

  // Moves less than the plan does, until the order of the moves is within the limits.
  void cut(PlacementState state, FoundPlan plan) {
    Caps caps = caps_;
    for (int again = 0; again < kMostCuts && !judge_.is_within_limits(plan); ++again) {
      caps = tightened(caps, plan);
      trim(state, {.max_moves = caps.moves, .max_copied = caps.copied});
      plan = reach(state, kWithDetours).plan;
      note(plan);
    }
  }

  // Excludes the places that were not reached from what is searched: of few nodes, where each counts, one of them.
  void ban(std::span<const Unreached> unreached, std::uint64_t round) {
    if (has_handful() && !unreached.empty()) unreached = unreached.subspan(round % unreached.size(), 1);
    for (const Unreached& u : unreached) {
      const std::optional<SlotPair> place = model_.slots(u.wanted.placement);
      const Slot i = model_.slot(u.wanted.instance);
      if (place && i != kNoSlot) banned_.push_back({i, *place});
    }
  }

  // Changes what is searched after the order of a plan has made it longer or dearer than its placement: first without
  // the places that are reached by detours only, then with lower limits, too.
  void avoid_excess(const FoundPlan& found, PlacementState& state, std::uint64_t round) {
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
    if (!has_detours || round > 0) caps_ = tightened(caps_, found);
  }

  // Searches on from the end of a plan that did not reach all that was wanted.
  void continue_from(const FoundPlan& found) {
    if (is_rest_ || limits_.are_open() || is_stopped() || is_spent()) return;
    if (limits_.max_steps && found.price.moves >= *limits_.max_steps) return note(found);
    Trial trial(start_);
    for (const OrderedStep& s : found.ordering.steps) trial.apply(s.step.instance, s.step.move);
    SearchLimits rest = limits_;
    if (rest.max_steps) *rest.max_steps -= found.price.moves;
    if (rest.max_copied) *rest.max_copied -= found.price.copied;
    Search search(trial.cluster(), members_, rules_, rest, effort_, watch_, {}, true);
    const FoundPlan more = search.run();
    control_.proposals += search.control_.proposals;
    const FoundPlan both = judge_.judged(concatenated(found.ordering, more.ordering));
    if (judge_.is_within_limits(both) && judge_.is_better(both, best_)) best_ = both;
  }

  // Returns lower limits for placements, because the order of a plan has made it longer or dearer than its placement.
  Caps tightened(Caps caps, const FoundPlan& found) const {
    if (limits_.max_steps && found.price.moves > *limits_.max_steps) {
      caps.moves = std::max<std::int64_t>(0, caps.moves - (found.price.moves - *limits_.max_steps));
    }
    if (limits_.max_copied && found.price.copied > *limits_.max_copied) {
      caps.copied = std::max<std::int64_t>(0, caps.copied - (found.price.copied - *limits_.max_copied));
    }
    if (!limits_.max_seconds) return caps;
    const double needed = judge_.seconds(found.ordering), allowed = static_cast<double>(*limits_.max_seconds);
    if (needed > allowed) {
      caps.copied = static_cast<std::int64_t>(static_cast<double>(std::min(caps.copied, found.price.copied)) * 0.95 *
                                              allowed / needed);
    }
    return caps;
  }

  const bool is_rest_;  // true if the search goes on from the end of a plan of another one
  const KnownPlans known_;
  const Cluster& start_;
  const GroupMembers& members_;
  const SearchRules& rules_;
  const SearchLimits limits_;
  const SearchEffort& effort_;
  const SearchWatch& watch_;
  const PlanJudge judge_;
  const PlacementModel model_;
  WalkControl control_;
  FoundPlan best_;
  std::int64_t proposals_ = 0;  // of each walk of a search
  std::int64_t once_ = 0;       // of all walks of a search together
  Caps caps_;
  std::vector<Relocation> banned_;
};

}  // namespace

FoundPlan search_once(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                      const SearchLimits& limits, const SearchEffort& effort, const SearchWatch& watch,
                      const KnownPlans& known, bool is_rest) {
  return Search(start, members, rules, limits, effort, watch, known, is_rest).run();
}

}  // namespace htools
