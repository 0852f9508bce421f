#include "apps/plans/tradeoff_plans.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>

#include "apps/plans/balanced_plan.h"
#include "apps/plans/goal_variants.h"
#include "apps/plans/watched_search.h"
#include "apps/plans/worthwhile.h"
#include "base/amounts.h"
#include "base/durations.h"
#include "base/strings.h"
#include "cluster/members.h"
#include "goals/emptying.h"
#include "htools/errors.h"
#include "plan/schedule.h"
#include "report/table.h"
#include "search/shared_limits.h"
#include "search/tradeoff.h"
#include "trial/trial.h"

namespace htools {
namespace {

constexpr std::size_t kMostRows = 15;

// True if the first plan is nowhere worse than the second and somewhere better.
bool beats(const PlanChoiceRow& a, const PlanChoiceRow& b) {
  const auto worse = [](const PlanChoiceRow& x, const PlanChoiceRow& y) {
    return x.is_met < y.is_met || x.score > y.score || x.totals.steps > y.totals.steps ||
           x.totals.copied_mib > y.totals.copied_mib || x.totals.seconds > y.totals.seconds;
  };
  return !worse(a, b) && worse(b, a);
}
bool is_equal(const PlanChoiceRow& a, const PlanChoiceRow& b) {
  const auto key = [](const PlanChoiceRow& r) {
    return std::tuple(r.is_met, r.score, r.totals.steps, r.totals.copied_mib, r.totals.seconds);
  };
  return key(a) == key(b);
}

// True if the plans of several groups together exceed what each of them is within.
bool exceeds(const PlanTotals& totals, const SearchLimits& limits) {
  return (limits.max_steps && std::cmp_greater(totals.steps, *limits.max_steps)) ||
         (limits.max_copied && totals.copied_mib > *limits.max_copied) ||
         (limits.max_seconds && totals.seconds > *limits.max_seconds);
}

bool are_met(const Cluster& cluster, const std::vector<GroupMembers>& groups, const Wishes& wishes) {
  return std::ranges::all_of(groups,
                             [&](const GroupMembers& g) { return !(excess_of(cluster, g, wishes) > kShareTolerance); });
}

// Returns the position of the plan that is farthest below the line from doing nothing to the lowest score, in a picture
// of the scores over `amount`, and so pays best for it.
template <class Amount>
std::size_t knee(const std::vector<TradeoffPlan>& plans, double score_before, const Amount& amount) {
  double lowest = score_before, most = 0.0;
  for (const TradeoffPlan& p : plans) {
    lowest = std::min(lowest, p.row.score);
    most = std::max(most, amount(p.row));
  }
  std::size_t best = plans.size();
  double best_distance = 0.0;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const double gained = (score_before - plans[i].row.score) / (score_before - lowest);
    const double paid = amount(plans[i].row) / most;
    if (!(gained - paid > best_distance)) continue;
    best_distance = gained - paid;
    best = i;
  }
  return best;
}

void mark_knees(std::vector<TradeoffPlan>& plans, double score_before) {
  const auto mark = [&](const auto& amount) {
    const std::size_t k = knee(plans, score_before, amount);
    if (k < plans.size()) plans[k].row.is_knee = true;
  };
  mark([](const PlanChoiceRow& r) { return static_cast<double>(r.totals.steps); });
  mark([](const PlanChoiceRow& r) { return static_cast<double>(r.totals.copied_mib); });
}

double total_score(const Plan& plan, bool before) {
  double sum = 0.0;
  for (const GroupOutcome& g : plan.groups) sum += before ? g.score.before : g.score.after;
  return sum;
}

// Returns the plan with that number.
const TradeoffPlan& chosen(const std::vector<TradeoffPlan>& plans, std::size_t number) {
  if (number >= 1 && number <= plans.size()) return plans[number - 1];
  throw InputError(
      ErrorCode::InvalidValue,
      plans.empty()
          ? "--choose: there is no plan to choose, because none that gains anything within the limits was found"
          : fmt::format("--choose={}: there are {} plans", number, plans.size()),
      {}, "--tradeoff shows them.");
}

// Searches for plans between doing nothing and the lowest score.
std::vector<TradeoffPlan> balancing_plans(const Cluster& start, const HplanOptions& options,
                                          const std::vector<GroupIndex>& groups, const SearchWatch& watch) {
  std::vector<TradeoffPlan> all(kTradeoffPlans);
  const SearchRules rules{.balance = options.balance, .copying = options.copying, .wishes = options.plan.wishes};
  const SearchLimits limits = search_limits(options);
  SearchLimits left = limits;
  std::vector<GroupMembers> group_members;
  for (const GroupIndex group : groups) group_members.push_back(members_of(start, group));
  const std::vector<LimitShare> shares = divided_limits(start, group_members, rules, limits);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const SearchLimits own = limits_without(left, std::span(shares).subspan(g + 1));
    const std::vector<Ordering> plans =
        search_tradeoff(start, group_members[g], rules, own, search_effort(options.plan), watch);
    LimitShare used;  // by the plan that uses most
    for (std::size_t p = 0; p < plans.size(); ++p) {
      TradeoffPlan both = all[p];
      std::int64_t copied = 0;
      for (const OrderedStep& s : plans[p].steps) {
        both.made.steps.push_back(s.step);
        copied += cost_of(start, s.step, options.copying).copied_mib;
      }
      if (limits.max_seconds) {
        both.row.totals.seconds =
            schedule_steps(start, both.made.steps, options.balance.moves, options.copying).seconds;
        if (both.row.totals.seconds > *limits.max_seconds) continue;
      }
      all[p] = std::move(both);
      used.moves = std::max(used.moves, static_cast<std::int64_t>(plans[p].steps.size()));
      used.copied = std::max(used.copied, copied);
    }
    // The other groups' plans are made beside the longest of these.
    left.beside =
        std::ranges::max_element(all, {}, [](const TradeoffPlan& p) { return p.row.totals.seconds; })->made.steps;
    left = limits_without(left, {&used, 1});
  }
  return all;
}

}  // namespace

PlanChoices choices_of(const std::vector<TradeoffPlan>& plans) {
  PlanChoices choices;
  for (const TradeoffPlan& plan : plans) choices.plans.push_back(plan.row);
  return choices;
}

Made chosen_plan(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups, MakePlan make) {
  const Tradeoff found = tradeoff_plans(trial.cluster(), options, groups, make);
  const TradeoffPlan& plan = chosen(found.plans, static_cast<std::size_t>(*options.plan.choose));
  Made made = plan.made;
  if (found.interruption) made.remarks.push_back(*found.interruption);
  made.choices = choices_of(found.plans);
  made.choices->chosen = plan.row.choice;
  switch_off(trial, made.emptied);
  for (const BalanceStep& step : made.steps) trial.apply(step.instance, step.move);
  return made;
}

Tradeoff tradeoff_plans(const Cluster& before, const HplanOptions& options, const std::vector<GroupIndex>& groups,
                        MakePlan make) {
  Tradeoff result;
  std::vector<TradeoffPlan> all;
  if (make == worthwhile && !options.plan.wishes.has_limits() && !options.plan.triggers.has_limits()) {
    WatchedSearch watched(options.general);
    all = balancing_plans(before, options, groups, watched.watch());
    result.interruption = watched.interruption("these are the best plans");
  } else {
    for (Made& made : goal_variants(before, options, groups, make)) {
      if (made.is_interrupted)
        result.interruption = "The search was interrupted; these are the best plans that it had found.";
      all.push_back({.row = {}, .made = std::move(made)});
    }
  }
  const SearchLimits limits = search_limits(options);
  std::vector<GroupMembers> group_members;
  for (const GroupIndex group : groups) group_members.push_back(members_of(before, group));
  std::vector<TradeoffPlan> kept;
  double score_before = 0.0;
  for (TradeoffPlan& plan : all) {
    Trial trial(before);
    switch_off(trial, plan.made.emptied);
    const Cluster meanwhile = trial.cluster();
    for (const BalanceStep& step : plan.made.steps) trial.apply(step.instance, step.move);
    const Plan described = describe_plan(before, meanwhile, trial.cluster(), plan.made.steps, groups,
                                         WaveKind::OfSchedule, options.balance.moves, options.copying);
    score_before = total_score(described, true);
    plan.row.totals = described.totals;
    plan.row.score = total_score(described, false);
    const Wishes& wishes = options.plan.wishes;
    if (wishes.has_limits()) plan.row.is_met = are_met(trial.cluster(), group_members, wishes);
    const auto is_known = [&](const TradeoffPlan& other) { return is_equal(other.row, plan.row); };
    if (plan.made.steps.empty() || exceeds(plan.row.totals, limits) || std::ranges::any_of(kept, is_known)) continue;
    kept.push_back(std::move(plan));
  }
  for (const TradeoffPlan& plan : kept) {
    if (std::ranges::none_of(kept, [&](const TradeoffPlan& other) { return beats(other.row, plan.row); }))
      result.plans.push_back(plan);
  }
  std::vector<TradeoffPlan>& front = result.plans;
  std::ranges::stable_sort(front, {}, [](const TradeoffPlan& p) {
    return std::tuple(p.row.totals.steps, p.row.totals.copied_mib, p.row.score);
  });
  front.resize(std::min(front.size(), kMostRows));
  for (std::size_t i = 0; i < front.size(); ++i) front[i].row.choice = i + 1;
  mark_knees(front, score_before);
  return result;
}

std::string tradeoff_table(const std::vector<TradeoffPlan>& plans, double score_before, std::size_t width) {
  constexpr std::size_t kLongestBar = 30;
  static const std::vector<Column> kColumns{
      {"Choice", true},          {"Score", true}, {"Moves", true}, {"Disk copied", true},
      {"Memory migrated", true}, {"Time", true},  {"", false}};
  std::vector<TableRow> rows;
  std::size_t longest_remark = 0;
  for (const TradeoffPlan& p : plans) {
    const PlanTotals& t = p.row.totals;
    std::string last = p.row.is_knee ? "knee" : "";
    if (p.row.is_met && !*p.row.is_met) last += last.empty() ? "missed" : ", missed";
    longest_remark = std::max(longest_remark, last.size());
    rows.push_back({fmt::format("{}", p.row.choice), fmt::format("{:.8f}", p.row.score), fmt::format("{}", t.steps),
                    amount_text(t.copied_mib), amount_text(t.migrated_mib), duration_text(t.seconds), last});
  }
  std::string table = format_unpadded_table("", kColumns, rows);
  const std::size_t without_remarks = display_width(std::string_view(table).substr(0, table.find('\n')));
  const std::size_t taken = without_remarks + 1 + longest_remark + 1;
  if (width <= taken) return table;
  const std::size_t longest_bar = std::min(kLongestBar, width - taken - 1);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const double share = score_before > 0.0 ? std::clamp(plans[i].row.score / score_before, 0.0, 1.0) : 0.0;
    const double length = share * static_cast<double>(longest_bar);
    rows[i].back() = fmt::format("{:<{}} {}", rows[i].back(), longest_remark,
                                 std::string(static_cast<std::size_t>(std::lround(length)), '#'));
  }
  return format_unpadded_table("", kColumns, rows);
}

}  // namespace htools
