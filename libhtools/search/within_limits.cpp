#include "search/within_limits.h"

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

constexpr std::int64_t kMibPerGib = 1024, kSecondsPerMinute = 60, kMinutesPerHour = 60;

// A limit of which less than this share is used is loose. Two of them in a row that lead to the same score end the
// search for plans within tighter limits; in a large group, one.
constexpr double kLooseShare = 0.7;
// No limit of fewer units ends it: a few moves may lead nowhere alone.
constexpr std::int64_t kFirstEnd = 8;
// The first limit is at least this share of what the greedy plan uses: as long as there is so much left to do, a looser
// limit always leads to something better.
constexpr double kFirstShare = 0.5;
// The times that a search goes on from its outcome in a large group.
constexpr int kGoesOn = 3;
// Groups with more nodes are large.
constexpr std::size_t kLargeGroup = 100;
constexpr double kAnyAmount = std::numeric_limits<double>::infinity();

// A kind of limit.
struct LimitKind {
  std::optional<double> (*given)(const SearchLimits&);
  void (*set)(SearchLimits&, double);
  double (*used)(const PlanJudge&, const FoundPlan&);
  double unit;
  // Returns the number of units that comes after this one.
  std::int64_t (*next)(std::int64_t);
};

// 1, 2, 5, 10, 20, 50 and so on.
std::int64_t next_round_number(std::int64_t number) {
  std::int64_t power = 1;
  while (power * 10 <= number) power *= 10;
  return number < 2 * power ? 2 * power : number < 5 * power ? 5 * power : 10 * power;
}

// The same up to 20 minutes, then half an hour, an hour, and each time twice as many.
std::int64_t next_round_time(std::int64_t minutes) {
  if (minutes < 20) return next_round_number(minutes);
  return minutes < kMinutesPerHour ? minutes / 30 * 30 + 30 : 2 * minutes;
}

constexpr std::array<LimitKind, 3> kLimitKinds{{
    {[](const SearchLimits& l) { return std::optional<double>(l.max_steps); },
     [](SearchLimits& l, double amount) { l.max_steps = static_cast<std::int64_t>(amount); },
     [](const PlanJudge&, const FoundPlan& plan) { return static_cast<double>(plan.price.moves); }, 1.0,
     next_round_number},
    {[](const SearchLimits& l) { return std::optional<double>(l.max_copied); },
     [](SearchLimits& l, double amount) { l.max_copied = static_cast<std::int64_t>(amount); },
     [](const PlanJudge&, const FoundPlan& plan) { return static_cast<double>(plan.price.copied); },
     static_cast<double>(kMibPerGib), next_round_number},
    {[](const SearchLimits& l) { return l.max_seconds; },
     [](SearchLimits& l, double amount) { l.max_seconds = amount; },
     [](const PlanJudge& judge, const FoundPlan& plan) { return judge.seconds(plan.ordering); },
     static_cast<double>(kSecondsPerMinute), next_round_time},
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
    for (const Ordering* plan : known.good) found_.push_back(*plan);
  }

  // Returns the best plan within all limits.
  Ordering run() {
    for (const LimitKind& kind : kLimitKinds) {
      // In large groups, plans of few moves are good for whatever is limited, and searches take too long for others.
      if (is_large() ? &kind == &kMoves : kind.given(limits_).has_value()) {
        climb(kind, kind.given(limits_).value_or(kAnyAmount));
      }
    }
    return search(limits_).ordering;
  }

 private:
  bool is_large() const { return members_.nodes.size() > kLargeGroup; }
  bool is_stopped() const { return watch_.stop != nullptr && *watch_.stop; }

  // Searches from the greedy plan; and from the best plan that is known, if that is better than what was found.
  FoundPlan search(const SearchLimits& limits) {
    const PlanJudge judge(start_, members_, rules_, limits);
    const auto search_from = [&](const std::vector<const Ordering*>& good) {
      return judge.judged(
          search_plan(start_, members_, rules_, limits, effort_, watch_, {.greedy = &greedy_, .good = good}));
    };
    FoundPlan best = search_from({});
    std::optional<FoundPlan> known;
    for (const Ordering& plan : found_) {
      FoundPlan part = judge.judged(judge.beginning(plan));
      if (judge.is_within_limits(part) && judge.is_better(part, known ? *known : best)) known = std::move(part);
    }
    if (known) {
      best = is_stopped() ? *known : search_from({&known->ordering});
    }
    best = gone_on(std::move(best), limits, judge);
    found_.push_back(best.ordering);
    return best;
  }

  // Searches on from the end of a plan in a large group, a few times if that gains something: there, moves that are
  // good together are often not allowed in any order, but some of them are, and open the way to others.
  FoundPlan gone_on(FoundPlan plan, const SearchLimits& limits, const PlanJudge& judge) const {
    if (!is_large() || plan.ordering.steps.empty()) return plan;
    SearchEffort quick = effort_;
    if (quick.level > 1) --quick.level;
    for (int i = 0; i < kGoesOn && !is_stopped(); ++i) {
      SearchLimits rest = limits;
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

  void climb(const LimitKind& kind, double highest) {
    const PlanJudge any(start_, members_, rules_, limits_);
    const double first = kFirstShare * kind.used(any, any.judged(greedy_)) / kind.unit;
    if (first == 0.0) return;  // moves need none of what is limited
    double last_score = 0.0;
    bool was_loose = false;
    for (std::int64_t number = 1; !is_stopped(); number = kind.next(number)) {
      if (static_cast<double>(number) < first) continue;
      SearchLimits tighter = limits_;
      const double limit = kind.unit * static_cast<double>(number);
      if (!(limit < highest)) return;
      kind.set(tighter, limit);
      const FoundPlan plan = search(tighter);
      const bool is_loose = number >= kFirstEnd && kind.used(any, plan) < kLooseShare * limit;
      if (is_loose && (is_large() || (was_loose && plan.score > last_score - kSameScore))) return;
      was_loose = is_loose;
      last_score = plan.score;
    }
  }

  const Cluster& start_;
  const GroupMembers& members_;
  const SearchRules& rules_;
  const SearchLimits& limits_;
  const SearchEffort& effort_;
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
