#include "search/tradeoff.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "plan/plan.h"

namespace htools {
namespace {

// Limits as shares of what the plan without them needs.
constexpr std::array kShareOfMoves{0.7, 0.5, 0.35, 0.25, 0.15, 0.08, 0.03};
constexpr std::array kShareOfCopies{0.6, 0.4, 0.25, 0.12, 0.05, 0.0};
static_assert(1 + kShareOfMoves.size() + kShareOfCopies.size() == kTradeoffPlans);

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
  std::vector<Ordering> plans{search_plan(start, members, rules, limits, effort, watch)};
  const auto moves = static_cast<std::int64_t>(plans.front().steps.size());
  const std::int64_t copied = copied_by(start, plans.front(), rules.copying);
  SearchEffort less = effort;
  if (less.level > 1) --less.level;
  for (const double share : kShareOfMoves) {
    SearchLimits lower = limits;
    lower.max_steps = std::max<std::int64_t>(share_of(moves, share), 1);
    plans.push_back(moves == 0 ? Ordering{} : search_plan(start, members, rules, lower, less, watch));
  }
  for (const double share : kShareOfCopies) {
    SearchLimits lower = limits;
    lower.max_copied = share_of(copied, share);
    plans.push_back(copied == 0 ? Ordering{} : search_plan(start, members, rules, lower, less, watch));
  }
  return plans;
}

}  // namespace htools
