#include "search/cheapest.h"

#include <algorithm>
#include <utility>

#include "plan/least_price.h"
#include "search/plan_judge.h"
#include "search/relief.h"

namespace htools {
namespace {

// In groups with no more nodes, a search for the lowest score is made as well, which takes long in larger ones: where
// there is little room, it goes on from its own outcome to placements that a single search does not find.
constexpr std::size_t kMostNodesOfOpenSearch = 50;

// True if no plan that empties the nodes costs less, because each instance leaves them at the lowest price.
bool is_proven(const FoundPlan& plan, const Cluster& start, const GroupMembers& members, const Wishes& wishes) {
  WayPrice least;
  for (const InstanceIndex i : members.instances) least += least_price_off(start, start.instance(i), wishes.emptied);
  return plan.excess <= kSameScore && WayPrice{plan.price.copied, plan.price.moves, plan.price.migrated} <= least;
}

}  // namespace

Ordering search_cheapest(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                         SearchLimits limits, const SearchEffort& effort, const SearchWatch& watch) {
  if (!limits.until_score) limits.until_score = kAnyScore;
  const PlanJudge judge(start, members, rules, limits);
  FoundPlan best = judge.judged({});
  const auto consider = [&](const Ordering& plan) {
    FoundPlan found = judge.judged(plan);
    if (judge.is_within_limits(found) && judge.is_better(found, best)) best = std::move(found);
  };
  const auto search = [&](const SearchLimits& own_limits) {
    const KnownPlans known{.greedy = nullptr, .good = {&best.ordering}};
    consider(search_plan(start, members, rules, own_limits, effort, watch, known));
  };
  if (best.excess <= kSameScore && judge.is_enough(best.score)) return {};
  if (rules.wishes.has_limits()) consider(judge.beginning(relieving_moves(start, members, rules, limits.order)));
  if (!rules.wishes.emptied.empty() && !rules.balance.moves.evacuation) {
    // Where only what is on these nodes moves, there are so few placements that hardly any is overlooked.
    SearchRules evacuating = rules;
    evacuating.balance.moves.evacuation = true;
    consider(search_cheapest(start, members, evacuating, limits, effort, watch));
    if (is_proven(best, start, members, rules.wishes) && judge.is_enough(best.score)) return std::move(best.ordering);
  }
  if (members.nodes.size() <= kMostNodesOfOpenSearch) {
    SearchLimits any_price = limits;
    any_price.until_score.reset();
    consider(judge.beginning(search_plan(start, members, rules, any_price, effort, watch)));
  }
  search(limits);
  // At this price, there may be a lower score.
  SearchLimits same_price = limits;
  same_price.max_steps = best.price.moves;
  same_price.max_copied = best.price.copied;
  same_price.until_score.reset();
  if (!best.ordering.steps.empty()) search(same_price);
  return std::move(best.ordering);
}

}  // namespace htools
