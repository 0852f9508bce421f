#include "search/search.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "balance/balancer.h"
#include "plan/paths.h"
#include "plan/urgent_order.h"
#include "search/greedy.h"
#include "search/search_once.h"
#include "trial/trial.h"

namespace htools {
namespace {

// The times that a search goes on from its own outcome. The time that this takes grows fast with the number of nodes,
// so it is bounded: 100 times for 100 nodes, 20 times for 236, once for 1,000.
int most_repetitions(std::size_t nodes) {
  const std::size_t hundreds = std::max<std::size_t>(1, nodes * nodes / 10'000);
  return static_cast<int>(std::max<std::size_t>(1, 100 / hundreds));
}

// Returns the limits, with the score at which the user wants balancing to end, if that is above the lowest one.
SearchLimits limits_to_end(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                           SearchLimits limits) {
  const double min_score = rules.balance.min_score;
  if (!limits.until_score && !rules.wishes.has_factors() && min_score > BalanceOptions{}.min_score) {
    limits.until_score = balance_lower_bound(start, members) + min_score;
  }
  return limits;
}

}  // namespace

Ordering search_plan(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                     const SearchLimits& given_limits, const SearchEffort& effort, const SearchWatch& watch,
                     const KnownPlans& known) {
  const SearchLimits limits = limits_to_end(start, members, rules, given_limits);
  const auto finished = [&](const Ordering& ordering) {
    return most_urgent_first(start, members, ordering, rules.balance.moves);
  };
  const auto is_stopped = [&] { return watch.stop != nullptr && *watch.stop; };
  const bool goes_on = limits.are_open() && effort.level > 0;
  FoundPlan plan{.ordering = {},
                 .excess = excess_of(start, members, rules.wishes),
                 .score = wished_score(start, members, rules.wishes)};
  Ordering greedy;  // takes long on large clusters, and is needed twice
  KnownPlans from_start = known;
  if (goes_on && known.greedy == nullptr) {
    greedy = greedy_plan(start, members, rules.balance);
    from_start.greedy = &greedy;
  }
  const auto search_from_end = [&](const Ordering& ordering) {
    Trial trial(start);
    for (const OrderedStep& s : ordering.steps) trial.apply(s.step.instance, s.step.move);
    const KnownPlans known_there = ordering.steps.empty() ? from_start : KnownPlans{};
    return search_once(trial.cluster(), members, rules, limits, effort, watch, known_there, false);
  };
  const auto gains = [&](const FoundPlan& before, const FoundPlan& after) {
    return before.excess - after.excess > kSameScore || before.score - after.score >= limits.min_gain;
  };
  // Without limits, goes on from the outcome, so that a second search has nothing to find.
  for (int i = 0; i < (goes_on ? most_repetitions(members.nodes.size()) : 1); ++i) {
    if (i > 0 && is_stopped()) break;
    const FoundPlan more = search_from_end(plan.ordering);
    if (!gains(plan, more) && !limits.until_score) break;
    plan.ordering = i == 0 ? more.ordering
                           : order_anew(start, members, concatenated(plan.ordering, more.ordering), rules.balance.moves,
                                        kWithAnyDetours);
    plan.excess = more.excess;
    plan.score = more.score;
    // (That of the last step, because N+1 flags depend on the way as well.)
    if (!rules.wishes.has_factors() && !plan.ordering.steps.empty()) plan.score = plan.ordering.steps.back().step.score;
  }
  if (!goes_on || plan.ordering.steps.empty() || is_stopped()) return finished(plan.ordering);
  // Where the searches one after the other have led, there may be a cheaper way.
  SearchLimits same_score = limits;
  same_score.until_score = plan.score + kSameScore;
  const KnownPlans for_cheaper{.greedy = from_start.greedy, .good = {&plan.ordering}};
  FoundPlan cheaper = search_once(start, members, rules, same_score, effort, watch, for_cheaper, true);
  return finished(gains(cheaper, search_from_end(cheaper.ordering)) ? plan.ordering : cheaper.ordering);
}

}  // namespace htools
