#include "search/lowest.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "search/plan_judge.h"
#include "trial/trial.h"

namespace htools {
namespace {

// The most nodes of a group in which a plan is searched anew for its price.
constexpr std::size_t kMostNodes = 100;

// True if a search from the end of the plan gains something more.
bool can_go_on(const Cluster& start, const GroupMembers& members, const SearchRules& rules, const SearchLimits& limits,
               const SearchEffort& effort, const SearchWatch& watch, const Ordering& plan) {
  Trial trial(start);
  for (const OrderedStep& s : plan.steps) trial.apply(s.step.instance, s.step.move);
  return !search_plan(trial.cluster(), members, rules, limits, effort, watch).steps.empty();
}

}  // namespace

Ordering search_lowest(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                       const SearchLimits& limits, const SearchEffort& effort, const SearchWatch& watch) {
  Ordering lowest = search_plan(start, members, rules, limits, effort, watch);
  std::optional<Ordering> cheaper = search_cheaper(start, members, rules, limits, effort, watch, lowest);
  if (!cheaper) return lowest;
  // Without limits, a second run is to find nothing more.
  const bool goes_on = limits.are_open() && can_go_on(start, members, rules, limits, effort, watch, *cheaper);
  return goes_on ? lowest : *std::move(cheaper);
}

std::optional<Ordering> search_cheaper(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                                       const SearchLimits& limits, const SearchEffort& effort, const SearchWatch& watch,
                                       const Ordering& plan) {
  const bool is_stopped = watch.stop != nullptr && *watch.stop;
  if (plan.steps.empty() || effort.level == 0 || members.nodes.size() > kMostNodes || is_stopped) return std::nullopt;
  SearchLimits to_score = limits;
  to_score.max_steps = static_cast<std::int64_t>(plan.steps.size());
  to_score.until_score = PlanJudge(start, members, rules, limits).judged(plan).score + kSameScore;
  const PlanJudge judge(start, members, rules, to_score);
  FoundPlan other = judge.judged(search_plan(start, members, rules, to_score, effort, watch));
  return judge.is_better(other, judge.judged(plan)) ? std::optional(std::move(other.ordering)) : std::nullopt;
}

}  // namespace htools
