#include "search/tradeoff.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "plan/plan.h"
#include "search/greedy.h"
#include "search/stages.h"

namespace htools {
namespace {

// In groups with no more nodes, searches are so short that they are made twice with the same effort.
constexpr std::size_t kMostNodesOfSmallGroups = 50;

std::int64_t share_of(std::int64_t amount, double share) {
  return static_cast<std::int64_t>(static_cast<double>(amount) * share);
}

std::int64_t copied_by(const Cluster& start, const Ordering& plan, const CopyRules& rules) {
  std::int64_t copied = 0;
  for (const OrderedStep& s : plan.steps) copied += cost_of(start, s.step, rules).copied_mib;
  return copied;
}

}  // namespace

std::vector<Ordering> search_tradeoff(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                                      const SearchLimits& limits, const SearchEffort& effort,
                                      const SearchWatch& watch) {
  const Ordering greedy = greedy_plan(start, members, rules.balance);
  std::size_t searches = 0;  // begun so far
  const auto search = [&](const SearchLimits& own, const SearchEffort& how, const KnownPlans& known) {
    const SearchWatch part = stage_of(watch, searches++, 2 * kTradeoffPlans);
    return search_plan(start, members, rules, own, how, part, known);
  };
  std::vector<Ordering> plans{search(limits, effort, {.greedy = &greedy})};
  const auto moves = static_cast<std::int64_t>(plans.front().steps.size());
  const std::int64_t copied = copied_by(start, plans.front(), rules.copying);
  std::vector<SearchLimits> rows{limits};
  for (const double share : kShareOfMoves) {
    rows.push_back(limits);
    rows.back().max_steps = std::max<std::int64_t>(share_of(moves, share), 1);
  }
  for (const double share : kShareOfCopies) {
    rows.push_back(limits);
    rows.back().max_copied = share_of(copied, share);
  }
  plans.resize(moves == 0 ? 1 : copied == 0 ? 1 + kShareOfMoves.size() : rows.size());
  for (std::size_t row = 1; row < plans.size(); ++row) {
    plans[row] = search(rows[row], effort, {.greedy = &greedy});
  }
  // Plans with other limits lead to better ones.
  if (moves > 0) rows.front().max_steps = moves;
  SearchEffort again = effort;
  again.seed += 1;
  if (members.nodes.size() > kMostNodesOfSmallGroups && again.level > 1) --again.level;
  for (std::size_t row = 0; row < plans.size(); ++row) {
    KnownPlans known{.greedy = &greedy};
    for (const Ordering& plan : plans) known.good.push_back(&plan);
    plans[row] = search(rows[row], again, known);
  }
  plans.resize(kTradeoffPlans);
  return plans;
}

}  // namespace htools
