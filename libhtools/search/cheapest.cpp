#include "search/cheapest.h"

#include <algorithm>
#include <utility>

#include "plan/least_price.h"
#include "search/departing.h"
#include "search/plan_judge.h"
#include "search/relief.h"
#include "search/shorter.h"

namespace htools {
namespace {

// In groups with no more nodes, further searches are made, which take long in larger ones. One is for the lowest score:
// where there is little room, it goes on from its own outcome to placements that a single search does not find.
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
  const auto search_from = [&](const Ordering& plan, const SearchLimits& own_limits) {
    const KnownPlans known{.greedy = nullptr, .good = {&plan}};
    consider(search_plan(start, members, rules, own_limits, effort, watch, known));
  };
  const auto shorten = [&] {
    std::int64_t moves = 0;
    do {
      moves = best.price.moves;
      for (const Ordering& plan : shorter_plans(start, members, rules, best.ordering)) consider(plan);
    } while (best.price.moves < moves);
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
  const bool is_open_search_short = members.nodes.size() <= kMostNodesOfOpenSearch;
  if (is_open_search_short) {
    SearchLimits any_price = limits;
    any_price.until_score.reset();
    consider(judge.beginning(search_plan(start, members, rules, any_price, effort, watch)));
  }
  search_from(best.ordering, limits);
  if (is_open_search_short) {
    // The plan so far may end in a corner into which a search that does not know it does not get.
    const Ordering fresh = search_plan(start, members, rules, limits, effort, watch);
    consider(fresh);
    search_from(fresh, limits);
  }
  if (best.excess > kSameScore && !rules.wishes.emptied.empty() && !rules.balance.moves.evacuation)
    consider(with_further_departures(start, members, rules, best.ordering));
  shorten();
  // At this price, there may be a lower score.
  SearchLimits same_price = limits;
  same_price.max_steps = best.price.moves;
  same_price.max_copied = best.price.copied;
  same_price.until_score.reset();
  if (!best.ordering.steps.empty()) search_from(best.ordering, same_price);
  shorten();
  return std::move(best.ordering);
}

}  // namespace htools
