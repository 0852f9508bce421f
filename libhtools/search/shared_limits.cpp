#include "search/shared_limits.h"

#include <limits>
#include <utility>

#include "metric/statistics.h"
#include "plan/plan.h"
#include "search/greedy.h"

namespace htools {
namespace {

// The steps that a group would make, and how many of them are made.
struct Candidate {
  std::vector<OrderedStep> steps;
  std::size_t made = 0;
  double score = 0.0;  // after the steps that are made

  bool has_next() const { return made < steps.size(); }
  double gain() const { return score - steps[made].step.score; }
};

}  // namespace

std::vector<LimitShare> divided_limits(const Cluster& start, const std::vector<GroupMembers>& groups,
                                       const SearchRules& rules, const SearchLimits& limits) {
  std::vector<LimitShare> shares(groups.size());
  if (groups.size() <= 1 || (!limits.max_steps && !limits.max_copied)) return shares;  // nothing to divide
  std::vector<Candidate> candidates;
  for (const GroupMembers& members : groups) {
    Ordering plan = greedy_plan(start, members, rules.balance, limits.max_steps.value_or(-1));
    candidates.push_back({.steps = std::move(plan.steps), .score = score(member_nodes(start, members))});
  }
  constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();
  std::int64_t moves_left = limits.max_steps.value_or(kUnlimited), copies_left = limits.max_copied.value_or(kUnlimited);
  while (moves_left > 0) {
    std::size_t best = groups.size();
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const bool is_enough = limits.until_score && candidates[g].score <= *limits.until_score;
      if (!candidates[g].has_next() || is_enough) continue;
      if (best == groups.size() || candidates[g].gain() > candidates[best].gain()) best = g;
    }
    if (best == groups.size()) break;
    Candidate& group = candidates[best];
    const OrderedStep& next = group.steps[group.made];
    const std::int64_t copied = cost_of(start, next.step, rules.copying).copied_mib;
    if (copied > copies_left) {  // as the greedy plan is cut, too
      group.steps.resize(group.made);
      continue;
    }
    ++group.made;
    group.score = next.step.score;
    --moves_left;
    copies_left -= copied;
    ++shares[best].moves;
    shares[best].copied += copied;
  }
  return shares;
}

SearchLimits limits_without(SearchLimits limits, std::span<const LimitShare> kept) {
  for (const LimitShare& share : kept) {
    if (limits.max_steps) *limits.max_steps -= share.moves;
    if (limits.max_copied) *limits.max_copied -= share.copied;
  }
  return limits;
}

}  // namespace htools
