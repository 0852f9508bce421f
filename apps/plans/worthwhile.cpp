#include "apps/plans/worthwhile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/plans/balanced_plan.h"
#include "cluster/members.h"
#include "explain/problems.h"
#include "htools/errors.h"
#include "htools/score.h"
#include "metric/grade.h"
#include "metric/statistics.h"
#include "plan/urgent_order.h"
#include "search/lowest.h"
#include "search/plan_judge.h"
#include "search/worth.h"

namespace htools {
namespace {

// From this grade on, a group in which nothing is wrong is left alone.
constexpr std::int64_t kGoodGrade = 95;

// An option that says itself how far a plan goes.
struct PlanLimit {
  std::string_view option;
  bool is_target;  // it asks for something that is to be reached, so that --worth cannot end the plan before
  bool (*is_given)(const HplanOptions& options);
};
constexpr std::array kPlanLimits{
    PlanLimit{"--unlimited", true, [](const HplanOptions& o) { return o.plan.unlimited; }},
    PlanLimit{"--until-score", true, [](const HplanOptions& o) { return o.plan.until_score.has_value(); }},
    PlanLimit{"--at-most and --spread", true, [](const HplanOptions& o) { return o.plan.wishes.has_limits(); }},
    PlanLimit{"--weigh", true, [](const HplanOptions& o) { return o.plan.wishes.has_factors(); }},
    PlanLimit{"--min-score", true,
              [](const HplanOptions& o) { return o.balance.min_score != BalanceOptions{}.min_score; }},
    PlanLimit{"--max-length", false, [](const HplanOptions& o) { return o.balance.max_steps >= 0; }},
    PlanLimit{"--max-copied", false, [](const HplanOptions& o) { return o.plan.max_copied.has_value(); }},
    PlanLimit{"--max-duration", false, [](const HplanOptions& o) { return o.plan.max_duration.has_value(); }},
    PlanLimit{"--min-gain", false,
              [](const HplanOptions& o) { return o.balance.min_gain != BalanceOptions{}.min_gain; }},
    PlanLimit{"--evac-mode", false, [](const HplanOptions& o) { return o.balance.moves.evacuation; }},
    PlanLimit{"--effort=0", false, [](const HplanOptions& o) { return o.plan.effort == 0; }},
};

// How a group is after a plan.
struct GroupState {
  std::int64_t grade = 0;
  std::size_t problems = 0;
  std::size_t urgent = 0;  // problems: instances are down, or would be after the loss of a node
};

GroupState state_after(const GroupSearch& s, const Ordering& plan) {
  Trial trial(s.start);
  for (const OrderedStep& step : plan.steps) trial.apply(step.step.instance, step.step.move);
  GroupState state{.grade = grade_of(member_nodes(trial.cluster(), s.members))};
  if (s.members.nodes.empty()) return state;
  const GroupIndex group = s.start.node(s.members.nodes.front()).facts->group;
  for (const Finding& finding : problems_of(trial, group, s.members, true)) {
    ++state.problems;
    if (facts(finding.kind).severity <= Severity::AtRisk) ++state.urgent;
  }
  return state;
}

// Returns the score after the urgent steps of a plan, which come first; nothing if there are none.
std::optional<double> score_when_safe(const Cluster& start, const Ordering& plan, bool force) {
  std::vector<BalanceStep> steps;
  for (const OrderedStep& s : plan.steps) steps.push_back(s.step);
  const std::vector<Urgency> urgency = urgent_order(start, steps, force).urgency;
  std::optional<double> score;
  for (std::size_t s = 0; s < steps.size() && urgency[s] <= Urgency::Rule; ++s) score = steps[s].score;
  return score;
}

// Searches for the plan of one group that is worth its moves, and notes in `made` what lies beyond. The plan fixes
// whatever urgent problem the one with the lowest score fixes.
Ordering worthwhile_plan(const GroupSearch& s, const std::optional<double>& worth, Made& made) {
  Ordering lowest = search_lowest(s.start, s.members, s.rules, s.limits, s.effort, s.watch);
  const double score_before = score(member_nodes(s.start, s.members));
  PlanBeyond& beyond = made.beyond ? *made.beyond : made.beyond.emplace();
  beyond.steps += lowest.steps.size();
  beyond.score += lowest.steps.empty() ? score_before : lowest.steps.back().step.score;
  if (lowest.steps.empty()) return lowest;

  const GroupState before = state_after(s, {}), best = state_after(s, lowest);
  if (!worth && before.grade >= kGoodGrade && best.problems >= before.problems) {
    made.remarks.push_back(
        fmt::format("{}, and the grade{} is {}: no moves are made. --worth=1 makes those that are worth it.",
                    before.problems == 0 ? "Nothing is wrong" : "Nothing is wrong that the moves found would fix",
                    s.of_group, before.grade));
    return {};
  }
  const auto is_enough = [&](const Ordering& plan) { return state_after(s, plan).urgent <= best.urgent; };
  const PlanJudge judge(s.start, s.members, s.rules, s.limits);
  const std::vector<Ordering> front = search_front(s.start, s.members, s.rules, s.limits, s.effort, s.watch, lowest);
  const WorthScale scale{.score_before = score_before,
                         .moves = worthwhile_moves(s.members, lowest),
                         .worth = worth.value_or(1.0),
                         .score_when_safe = score_when_safe(s.start, lowest, s.rules.balance.moves.force)};
  for (const PlanEnd& end : ends_by_worth(front, scale)) {
    Ordering plan = beginning_of(front[end.plan], end.steps);
    if (!judge.is_within_limits(judge.judged(plan)) || !is_enough(plan)) continue;
    std::optional<Ordering> cheaper = search_cheaper(s.start, s.members, s.rules, s.limits, s.effort, s.watch, plan);
    return cheaper && is_enough(*cheaper) ? *std::move(cheaper) : plan;
  }
  return lowest;
}

}  // namespace

Made worthwhile(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups) {
  const std::optional<double>& worth = options.plan.worth;
  const auto is_given = [&](const PlanLimit& limit) { return limit.is_given(options); };
  for (const PlanLimit& limit : kPlanLimits) {
    if (!worth || !limit.is_target || !is_given(limit)) continue;
    throw InputError(ErrorCode::Usage, fmt::format("--worth does not go with {}.", limit.option), {},
                     "The one ends a plan where more moves bring little, the other where it has reached something.");
  }
  if (options.plan.unlimited) {
    return balanced(trial, options, groups, [](const GroupSearch& s, Made&) {
      return search_lowest(s.start, s.members, s.rules, s.limits, s.effort, s.watch);
    });
  }
  if (!worth && std::ranges::any_of(kPlanLimits, is_given)) return balanced(trial, options, groups);
  Made made = balanced(trial, options, groups,
                       [&](const GroupSearch& search, Made& so_far) { return worthwhile_plan(search, worth, so_far); });
  double reached = 0.0;
  for (const GroupIndex group : groups) reached += score_of(trial.cluster(), group).value;
  if (made.beyond && reached - made.beyond->score < options.balance.min_gain) made.beyond.reset();
  return made;
}

}  // namespace htools
