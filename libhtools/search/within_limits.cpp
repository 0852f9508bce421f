#include "search/within_limits.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "search/greedy.h"
#include "search/plan_judge.h"
#include "trial/trial.h"

namespace htools {
namespace {

constexpr std::int64_t kMibPerGib = 1024, kSecondsPerMinute = 60;

// A limit of which less than this share is used is loose. Two of them in a row that lead to the same score end the
// search for plans within tighter limits; in a large group, one.
constexpr double kLooseShare = 0.7;
// No limit of fewer units ends it: a few moves may lead nowhere alone.
constexpr double kFirstEnd = 8.0;
// The first limit on moves is at least this share of those of the greedy plan: as long as there is so much left to do,
// one more move always leads to something better.
constexpr double kFirstShare = 0.5;
// The times that a search goes on from its outcome in a large group.
constexpr int kGoesOn = 3;
// Groups with more nodes are large; with more than the second number, a single search takes so long that it must do.
constexpr std::size_t kLargeGroup = 50, kHugeGroup = 500;
constexpr double kAnyAmount = std::numeric_limits<double>::infinity();

// A kind of limit.
struct LimitKind {
  std::optional<double> (*given)(const SearchLimits&);
  void (*set)(SearchLimits&, double);
  double (*used)(const PlanJudge&, const FoundPlan&);
  double unit;
};

// Returns the next number that people choose as a limit: one of these, with any zeros after it. `number` is at least 1.
template <std::size_t N>
std::int64_t next_round_number(std::int64_t number, const std::array<int, N>& round_numbers) {
  std::int64_t power = 1;
  while (round_numbers.back() * power <= number) power *= 10;
  return power * *std::ranges::find_if(round_numbers, [&](int round) { return round * power > number; });
}
constexpr std::array kRoundNumbers{1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 24, 30, 40, 50, 60, 80, 100};
constexpr std::array kRoundNumbersOfLargeGroups{1, 2, 5, 10};

constexpr std::array<LimitKind, 3> kLimitKinds{{
    {[](const SearchLimits& l) { return std::optional<double>(l.max_steps); },
     [](SearchLimits& l, double amount) { l.max_steps = static_cast<std::int64_t>(amount); },
     [](const PlanJudge&, const FoundPlan& plan) { return static_cast<double>(plan.price.moves); }, 1.0},
    {[](const SearchLimits& l) { return std::optional<double>(l.max_copied); },
     [](SearchLimits& l, double amount) { l.max_copied = static_cast<std::int64_t>(amount); },
     [](const PlanJudge&, const FoundPlan& plan) { return static_cast<double>(plan.price.copied); },
     static_cast<double>(kMibPerGib)},
    {[](const SearchLimits& l) { return l.max_seconds; },
     [](SearchLimits& l, double amount) { l.max_seconds = amount; },
     [](const PlanJudge& judge, const FoundPlan& plan) { return judge.seconds(plan.ordering); },
     static_cast<double>(kSecondsPerMinute)},
}};
constexpr const LimitKind& kMoves = kLimitKinds.front();

// Finds plans within limits of one kind that are tighter than the given ones, one after the other.
class TighterLimits {
 public:
  // `greedy` is the greedy plan without limits.
  TighterLimits(const Cluster& start, const GroupMembers& members, const SearchRules& rules, const SearchLimits& limits,
                const SearchEffort& effort, const SearchWatch& watch, const KnownPlans& known, const Ordering& greedy)
      : start_(start),
        members_(members),
        rules_(rules),
        limits_(limits),
        effort_(effort),
        watch_(watch),
        greedy_(greedy) {
    // There are so many limits on GiB and minutes that each search may be shorter.
    if (!limits.max_steps && !is_large() && effort_.level > 1) --effort_.level;
    for (const Ordering* plan : known.good) found_.push_back(*plan);
  }

  // Returns the best plan within all limits.
  Ordering run() {
    FoundPlan best = searched(limits_, {});
    if (is_huge()) return std::move(best.ordering);
    for (const LimitKind& kind : kLimitKinds) {
      // In large groups, plans of few moves are good for whatever is limited, and searches take too long for others.
      if (is_large() ? &kind == &kMoves : kind.given(limits_).has_value()) climb(kind, best);
    }
    return gone_on(improved(std::move(best), limits_)).ordering;
  }

 private:
  bool is_large() const { return members_.nodes.size() > kLargeGroup; }
  bool is_huge() const { return members_.nodes.size() > kHugeGroup; }
  bool is_stopped() const { return watch_.stop != nullptr && *watch_.stop; }

  FoundPlan searched(const SearchLimits& limits, const std::vector<const Ordering*>& good) const {
    return PlanJudge(start_, members_, rules_, limits)
        .judged(search_plan(start_, members_, rules_, limits, effort_, watch_, {.greedy = &greedy_, .good = good}));
  }

  // Returns the best of the plan and of those known within the limits; one that is known, with what a search from it
  // gains.
  FoundPlan improved(FoundPlan plan, const SearchLimits& limits) const {
    const PlanJudge judge(start_, members_, rules_, limits);
    bool is_known = false;
    for (const Ordering& known : found_) {
      FoundPlan part = judge.judged(judge.beginning(known));
      if (!judge.is_within_limits(part) || !judge.is_better(part, plan)) continue;
      plan = std::move(part);
      is_known = true;
    }
    if (!is_known || is_large() || is_stopped()) return plan;
    FoundPlan again = searched(limits, {&plan.ordering});
    return judge.is_better(again, plan) ? std::move(again) : std::move(plan);
  }

  // Searches on from the end of a plan in a large group, a few times if that gains something: there, moves that are
  // good together are often not allowed in any order, but some of them are, and open the way to others.
  FoundPlan gone_on(FoundPlan plan) const {
    if (!is_large() || plan.ordering.steps.empty()) return plan;
    const PlanJudge judge(start_, members_, rules_, limits_);
    SearchEffort quick = effort_;
    if (quick.level > 1) --quick.level;
    for (int i = 0; i < kGoesOn && !is_stopped(); ++i) {
      SearchLimits rest = limits_;
      if (rest.max_steps) *rest.max_steps -= plan.price.moves;
      if (rest.max_copied) *rest.max_copied -= plan.price.copied;
      if (rest.max_seconds) *rest.max_seconds -= judge.seconds(plan.ordering);
      if (rest.are_open() || rest.max_steps.value_or(1) <= 0) break;
      Trial trial(start_);
      for (const OrderedStep& s : plan.ordering.steps) trial.apply(s.step.instance, s.step.move);
      const Ordering more = search_plan(trial.cluster(), members_, rules_, rest, quick, watch_);
      if (more.steps.empty()) break;
      FoundPlan both = judge.judged(concatenated(plan.ordering, more));
      if (!judge.is_within_limits(both) || !judge.is_better(both, plan)) break;
      plan = std::move(both);
    }
    return plan;
  }

  std::int64_t next_number(std::int64_t number) const {
    return is_large() ? next_round_number(number, kRoundNumbersOfLargeGroups)
                      : next_round_number(number, kRoundNumbers);
  }

  // Finds plans within tighter limits of the kind, up to the limit or until looser ones change nothing; `open` is the
  // plan that a search finds within the limits as they are.
  void climb(const LimitKind& kind, const FoundPlan& open) {
    const PlanJudge any(start_, members_, rules_, limits_);
    const double highest = kind.given(limits_).value_or(kAnyAmount);
    const double greedy_use = kind.used(any, any.judged(greedy_)) / kind.unit;
    // No limit that the greedy plan or the open search exceeds ends the search.
    const double first_end = std::max({kFirstEnd, greedy_use, is_large() ? 0.0 : kind.used(any, open) / kind.unit});
    double last_score = 0.0;
    bool was_loose = false;
    for (std::int64_t number = 1; !is_stopped(); number = next_number(number)) {
      if (&kind == &kMoves && static_cast<double>(number) < kFirstShare * greedy_use) continue;
      SearchLimits tighter = limits_;
      const double limit = kind.unit * static_cast<double>(number);
      if (!(limit < highest)) return;
      kind.set(tighter, limit);
      const FoundPlan plan = improved(searched(tighter, {}), tighter);
      found_.push_back(plan.ordering);
      const bool is_loose = static_cast<double>(number) >= first_end && kind.used(any, plan) < kLooseShare * limit;
      if (is_loose && (is_large() || (was_loose && plan.score > last_score - kSameScore))) return;
      was_loose = is_loose;
      last_score = plan.score;
    }
  }

  const Cluster& start_;
  const GroupMembers& members_;
  const SearchRules& rules_;
  const SearchLimits& limits_;
  SearchEffort effort_;
  const SearchWatch& watch_;
  const Ordering& greedy_;
  std::vector<Ordering> found_;
};

}  // namespace

Ordering search_within(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                       const SearchLimits& limits, const SearchEffort& effort, const SearchWatch& watch,
                       const KnownPlans& known) {
  if (effort.level == 0 || limits.are_open()) return search_plan(start, members, rules, limits, effort, watch, known);
  const Ordering greedy = known.greedy != nullptr ? *known.greedy : greedy_plan(start, members, rules.balance);
  Ordering plan = TighterLimits(start, members, rules, limits, effort, watch, known, greedy).run();
  const PlanJudge judge(start, members, rules, limits);
  const bool is_stopped = watch.stop != nullptr && *watch.stop;
  if (!limits.until_score || judge.is_enough(judge.judged(plan).score) || is_stopped) return plan;
  SearchLimits any_price = limits;
  any_price.until_score.reset();
  KnownPlans all = known;
  all.greedy = &greedy;
  const Ordering lowest = judge.beginning(search_within(start, members, rules, any_price, effort, watch, all));
  all.good.insert(all.good.end(), {&plan, &lowest});
  return search_plan(start, members, rules, limits, effort, watch, all);
}

}  // namespace htools
