#include "search/worth.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

#include "search/greedy.h"
#include "search/stages.h"
#include "search/tradeoff.h"

namespace htools {

double worthwhile_moves(const GroupMembers& members, const Ordering& lowest) {
  constexpr double kShareOfInstances = 0.5;
  constexpr std::size_t kFewMoves = 10;
  return std::max(kShareOfInstances * static_cast<double>(members.instances.size()),
                  static_cast<double>(std::min(lowest.steps.size(), kFewMoves)));
}

std::vector<Ordering> search_front(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                                   const SearchLimits& limits, const SearchEffort& effort, const SearchWatch& watch,
                                   const Ordering& lowest) {
  const Ordering greedy = greedy_plan(start, members, rules.balance);
  std::vector<Ordering> front{lowest};
  SearchEffort quick = effort;  // there are several searches, and each may start from the plans of those before it
  if (quick.level > 1) --quick.level;
  const double most = std::min(static_cast<double>(lowest.steps.size()), worthwhile_moves(members, lowest));
  for (std::size_t row = 0; row < kShareOfMoves.size(); ++row) {
    SearchLimits fewer = limits;
    fewer.max_steps = static_cast<std::int64_t>(kShareOfMoves[row] * most);
    if (*fewer.max_steps == 0) break;
    KnownPlans known{.greedy = &greedy};
    for (const Ordering& plan : front) known.good.push_back(&plan);
    Ordering found =
        search_plan(start, members, rules, fewer, quick, stage_of(watch, row, kShareOfMoves.size()), known);
    front.push_back(std::move(found));
  }
  return front;
}

std::vector<PlanEnd> ends_by_worth(std::span<const Ordering> plans, const WorthScale& scale) {
  std::vector<PlanEnd> ends{{.score = scale.score_before}};
  double lowest = scale.score_before;
  for (std::size_t p = 0; p < plans.size(); ++p) {
    for (std::size_t s = 0; s < plans[p].steps.size(); ++s) {
      ends.push_back({.plan = p, .steps = s + 1, .score = plans[p].steps[s].step.score});
      lowest = std::min(lowest, ends.back().score);
    }
  }
  // Below the first share of the whole gain, what the urgent steps leave counts by itself, but for the second one at
  // least.
  constexpr double kOverruledShare = 0.5, kLeastShare = 0.1;
  constexpr double kLeast = std::numeric_limits<double>::min();
  const double whole_gain = std::max(scale.score_before - lowest, kLeast);
  const double later_gain =
      std::max(scale.score_when_safe.value_or(scale.score_before) - lowest, kLeastShare * whole_gain);
  const double gain = later_gain < kOverruledShare * whole_gain ? later_gain : whole_gain;
  const double moves = std::max(scale.moves, 1.0);
  const auto key = [&](const PlanEnd& end) {
    const double worth = (scale.score_before - end.score) / gain - scale.worth * static_cast<double>(end.steps) / moves;
    return std::tuple(-worth, end.score, end.steps);
  };
  std::ranges::stable_sort(ends, {}, key);
  return ends;
}

Ordering beginning_of(Ordering plan, std::size_t steps) {
  plan.steps.resize(steps);
  for (OrderedStep& s : plan.steps) {
    if (s.enables && *s.enables >= steps) s.enables.reset();
  }
  return plan;
}

}  // namespace htools
