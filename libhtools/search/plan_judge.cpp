#include "search/plan_judge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "balance/balancer.h"
#include "metric/statistics.h"
#include "plan/departures.h"
#include "plan/plan.h"
#include "plan/schedule.h"
#include "plan/small_groups.h"
#include "plan/urgent_order.h"
#include "search/greedy.h"
#include "search/wishes.h"
#include "trial/trial.h"

namespace htools {

FoundPlan PlanJudge::judged(const Ordering& ordering) const {
  FoundPlan c{.ordering = urgent_first(ordering)};
  Trial trial(start_);
  for (const OrderedStep& s : c.ordering.steps) {
    const MoveCost cost = cost_of(start_, s.step, rules_.copying);
    trial.apply(s.step.instance, s.step.move);
    c.price.copied += cost.copied_mib;
    c.price.migrated += cost.migrated_mib;
  }
  c.price.moves = static_cast<std::int64_t>(c.ordering.steps.size());
  c.stranded = stranded(trial.cluster(), members_);
  c.excess = excess_of(trial.cluster(), members_, rules_.wishes);
  c.score = wished_score(trial.cluster(), members_, rules_.wishes);
  return c;
}

double PlanJudge::seconds(const Ordering& ordering) const {
  std::vector<BalanceStep> steps = limits_.beside;
  for (const OrderedStep& s : ordering.steps) steps.push_back(s.step);
  return schedule_steps(start_, steps, rules_.balance.moves, rules_.copying).seconds;
}

bool PlanJudge::is_short_enough(const Ordering& ordering) const {
  return !limits_.max_seconds || seconds(ordering) <= static_cast<double>(*limits_.max_seconds);
}

bool PlanJudge::is_within_limits(const FoundPlan& c) const {
  return (!limits_.max_steps || c.price.moves <= *limits_.max_steps) &&
         (!limits_.max_copied || c.price.copied <= *limits_.max_copied) && is_short_enough(c.ordering);
}

bool PlanJudge::is_enough(double score) const { return limits_.until_score && score <= *limits_.until_score; }

bool PlanJudge::is_better(const FoundPlan& a, const FoundPlan& b) const {
  if (a.stranded != b.stranded) return a.stranded < b.stranded;
  if (std::abs(a.excess - b.excess) > kSameScore) return a.excess < b.excess;
  if (is_enough(a.score) != is_enough(b.score)) return is_enough(a.score);
  const bool is_same_score = !(std::abs(a.score - b.score) > kSameScore);
  if (!is_enough(a.score) && !is_same_score) return a.score < b.score;
  const auto rank = [&](const PlacementPrice& p) { return price_rank(limits_.order, p.copied, p.moves, p.migrated); };
  if (rank(a.price) != rank(b.price)) return rank(a.price) < rank(b.price);
  return !is_same_score && a.score < b.score;
}

FoundPlan PlanJudge::greedy(const Ordering* known) const {
  const std::int64_t max_steps = limits_.max_steps.value_or(-1);
  const BalanceOptions& options = rules_.balance;
  FoundPlan best = judged(cut(known != nullptr ? *known : greedy_plan(start_, members_, options, max_steps)));
  const auto consider = [&](Ordering plan) {
    FoundPlan other = judged(cut(std::move(plan)));
    if (is_better(other, best)) best = std::move(other);
  };
  if (moves_local_disks()) {
    BalanceOptions without = options;
    without.moves.local_moves = false;
    consider(greedy_plan(start_, members_, without, max_steps));
  }
  if ((has_stranded_ && !limits_.are_open()) || !rules_.wishes.emptied.empty()) {
    Trial trial(start_);
    const auto consider_after = [&](const Ordering& emptying) {
      for (const OrderedStep& s : emptying.steps) trial.apply(s.step.instance, s.step.move);
      consider(concatenated(emptying, greedy_plan(trial.cluster(), members_, options, max_steps)));
    };
    if (const auto way = cheapest_emptying(trial, members_, rules_.wishes.emptied, options.moves, {})) {
      const Attempt attempt(trial);
      consider_after(ordering_of(way->steps));
    }
    if (has_stranded_ && limits_.max_copied) {  // many start elsewhere without a copy, though the greedy way has one
      MoveRules without_copies = options.moves;
      without_copies.disk_moves = false;
      const Attempt attempt(trial);
      consider_after(greedy_plan(start_, members_, evacuation(without_copies), max_steps));
    }
    const Ordering emptying = greedy_plan(start_, members_, evacuation(options.moves), max_steps);
    consider_after(emptying);
    consider(concatenated(emptying, departures(trial, members_, rules_.wishes.emptied, options.moves)));
  }
  return best;
}

std::vector<FoundPlan> PlanJudge::cheapest_to_score() const {
  if (!limits_.until_score) return {};
  Trial trial(start_);
  const MoveRules& moves = rules_.balance.moves;
  const auto way = best_way_to(trial, members_, moves, limits_.order, [&](Trial& t) {
    return excess_of(t.cluster(), members_, rules_.wishes) <= kSameScore &&
           is_enough(wished_score(t.cluster(), members_, rules_.wishes));
  });
  if (!way) return {};
  const Ordering found = ordering_of(way->steps);
  return {judged(order_anew(start_, members_, found, moves, {.orders = 0, .detours = 0})), judged(found)};
}

FoundPlan PlanJudge::greedy_without_copies() const {
  BalanceOptions options = rules_.balance;
  options.moves.disk_moves = false;
  return judged(cut(greedy_plan(start_, members_, options, limits_.max_steps.value_or(-1))));
}

bool PlanJudge::moves_local_disks() const {
  return rules_.balance.moves.local_moves && std::ranges::any_of(members_.instances, [&](InstanceIndex i) {
           const InstanceFacts& instance = *start_.instance(i).facts;
           return instance.movable && facts(instance.disk_template).mirror == MirrorType::None;
         });
}

Ordering PlanJudge::urgent_first(const Ordering& ordering) const {
  // Without instances on nodes that are down, the order changes no comparison, and search_plan() sees to it in the end.
  return has_stranded_ ? most_urgent_first(start_, members_, ordering, rules_.balance.moves) : ordering;
}

Ordering PlanJudge::cut(Ordering all) const {
  all = urgent_first(all);
  const std::int64_t max_steps = limits_.max_steps.value_or(-1);
  std::int64_t copied = 0;
  std::size_t length = 0;
  all.steps.resize(with_stranded(all, length_to_goal(all).value_or(all.steps.size())));
  const auto is_long_enough = [&] { return max_steps >= 0 && std::cmp_greater_equal(length, max_steps); };
  while (length < all.steps.size() && !is_long_enough()) {
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
  return all;
}

std::optional<std::size_t> PlanJudge::length_to_goal(const Ordering& plan) const {
  if (!limits_.until_score) return std::nullopt;
  Trial trial(start_);
  std::optional<std::size_t> best;
  double least_excess = std::numeric_limits<double>::infinity();
  for (std::size_t length = 0;; ++length) {
    const double excess = excess_of(trial.cluster(), members_, rules_.wishes);
    if (excess < least_excess - kSameScore) {
      least_excess = excess;
      best.reset();
    }
    const bool is_least = excess <= least_excess + kSameScore;
    if (is_least && !best && is_enough(wished_score(trial.cluster(), members_, rules_.wishes))) best = length;
    if (length == plan.steps.size() || (best && excess <= kSameScore)) return best;
    trial.apply(plan.steps[length].step.instance, plan.steps[length].step.move);
  }
}

std::size_t PlanJudge::with_stranded(const Ordering& plan, std::size_t length) const {
  while (length < plan.steps.size() && urgency_of(start_, plan.steps[length].step) <= Urgency::Departure) ++length;
  return length;
}

Ordering PlanJudge::beginning(Ordering ordering) const {
  std::size_t length = 0, affordable = 0;
  std::int64_t copied = 0;
  std::array<std::size_t, 2> made{};  // steps with the urgencies Start and Departure
  std::tuple best(made, std::numeric_limits<double>::infinity());
  for (std::size_t s = 0; s < ordering.steps.size(); ++s) {
    copied += cost_of(start_, ordering.steps[s].step, rules_.copying).copied_mib;
    if (limits_.max_steps && std::cmp_greater_equal(s, *limits_.max_steps)) break;
    if (limits_.max_copied && copied > *limits_.max_copied) break;
    affordable = s + 1;
    const auto urgency = static_cast<std::size_t>(urgency_of(start_, ordering.steps[s].step));
    if (urgency < made.size()) ++made[urgency];
    const double score = ordering.steps[s].step.score;
    if (made <= std::get<0>(best) && !(score < std::get<1>(best))) continue;
    best = {made, score};
    length = affordable;
  }
  ordering.steps.resize(limits_.until_score ? affordable : length);
  length = with_stranded(ordering, length_to_goal(ordering).value_or(length));
  ordering.steps.resize(length);
  for (OrderedStep& s : ordering.steps) {
    if (s.enables && *s.enables >= length) s.enables.reset();
  }
  return ordering;
}

}  // namespace htools
