#include "plan/plan.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "balance/balancer.h"
#include "balance/job_sets.h"
#include "cluster/members.h"
#include "cluster/mobility.h"
#include "metric/grade.h"
#include "metric/statistics.h"
#include "plan/mended_nodes.h"
#include "plan/paths.h"
#include "plan/schedule.h"
#include "plan/served_loads.h"
#include "trial/trial.h"

namespace htools {
namespace {

std::int64_t nodes_not_n1(const NodeRefs& nodes) {
  return std::count_if(nodes.begin(), nodes.end(),
                       [](const Node& node) { return !node.offline && node.books.n1_failed; });
}

// True if a plan was to empty the node, and something is on it.
bool has_stayed_on(const Node& node) {
  return node.is_emptied && node.offline && !(node.primaries.empty() && node.secondaries.empty());
}

GroupOutcome outcome_of(const Cluster& before, const Cluster& after, GroupIndex group) {
  const GroupMembers members = members_of(before, group);
  const NodeRefs old_nodes = member_nodes(before, members), new_nodes = member_nodes(after, members);
  return {.group = group,
          .score = {score(old_nodes), score(new_nodes)},
          .lower_bound = balance_lower_bound(before, members),
          .grade = {grade_of(old_nodes), grade_of(new_nodes)},
          .graded_nodes = {graded_nodes(old_nodes), graded_nodes(new_nodes)},
          .is_left_behind = std::any_of(new_nodes.begin(), new_nodes.end(), has_stayed_on),
          .not_n1 = {nodes_not_n1(old_nodes), nodes_not_n1(new_nodes)}};
}

// Watches the score of a node group during a plan, to say which steps are made for the loads of its instances.
class LoadWatch {
 public:
  LoadWatch(const Cluster& cluster, GroupIndex group)
      : members_(members_of(cluster, group)), words_(load_words(cluster, members_)), score_(score_now(cluster)) {}

  // Returns what to call the loads if the step that has led to this state serves them; otherwise nothing.
  std::string_view words_of_step(const Cluster& cluster) {
    if (words_.empty()) return "";
    const Score before = std::exchange(score_, score_now(cluster));
    return serves_loads(before, score_) ? words_ : "";
  }

 private:
  Score score_now(const Cluster& cluster) const {
    return words_.empty() ? Score{} : Statistics::evaluate(member_nodes(cluster, members_)).summary();
  }

  GroupMembers members_;
  std::string_view words_;
  Score score_;
};

// Describes the steps one by one, without their waves. For `start`, see describe_plan().
std::vector<PlannedStep> planned_steps(const Cluster& start, const Cluster& meanwhile,
                                       std::span<const BalanceStep> steps, const CopyRules& rules) {
  std::vector<PlannedStep> planned;
  Trial trial(start);
  const Cluster& cluster = trial.cluster();
  std::map<std::size_t, LoadWatch> loads;  // by position of the group
  std::vector<NodeIndex> made_safe(steps.size());
  for (const MendedNode& node : mended_nodes(start, steps)) {
    if (node.kind != ServedKind::NPlusOne) continue;
    for (const std::size_t s : node.steps) made_safe[s] = node.node;
  }
  for (const BalanceStep& step : steps) {
    PlannedStep& added = planned.emplace_back();
    added.number = planned.size();
    added.step = step;
    added.group = cluster.node(step.before.primary).facts->group;
    LoadWatch& load = loads.try_emplace(added.group.position(), cluster, added.group).first->second;
    const NodeIndex evacuated = evacuated_node(cluster, step);
    added.mandatory = !evacuated.is_none();
    added.cost = cost_of(meanwhile, step, rules);
    const std::vector<NodeIndex> indices = touched_nodes(step);
    std::vector<TouchedNode> nodes;
    for (const NodeIndex n : indices) {
      nodes.push_back({.index = n, .before = cluster.node(n), .after = {}});
    }
    const std::vector<InstanceIndex> separated = separated_by(cluster, step);
    const std::optional<StepReason> ruled = rule_reason(cluster, step);
    trial.apply(step.instance, step.move);
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i].after = cluster.node(indices[i]);
    StepReason reason =
        step_reason(cluster, nodes, evacuated, made_safe[planned.size() - 1], separated, load.words_of_step(cluster));
    if (ruled && reason.serves.kind != ServedKind::Offline && reason.serves.kind != ServedKind::Empty) reason = *ruled;
    added.reason = std::move(reason.text);
    added.serves = std::move(reason.serves);
  }
  return planned;
}

void divide_into_job_sets(const Cluster& cluster, std::span<const BalanceStep> steps, Plan& plan) {
  std::vector<PlannedStep>& planned = plan.steps;
  std::vector<Wave>& waves = plan.waves;
  std::size_t number = 0;
  for (const std::span<const BalanceStep> set : job_sets(cluster, steps)) {
    Wave& wave = waves.emplace_back();
    for (std::size_t i = 0; i < set.size(); ++i) {
      PlannedStep& step = planned[number++];
      step.wave = waves.size();
      wave.steps.push_back(step.number);
      wave.seconds = std::max(wave.seconds, step.cost.seconds);
    }
  }
}

void divide_into_schedule(const Cluster& cluster, std::span<const BalanceStep> steps, const MoveRules& moves,
                          const CopyRules& rules, Plan& plan) {
  const Schedule schedule = schedule_steps(cluster, steps, moves, rules);
  for (const ScheduledWave& scheduled : schedule.waves) {
    Wave& wave = plan.waves.emplace_back();
    wave.seconds = scheduled.seconds;
    for (const std::size_t s : scheduled.steps) {
      plan.steps[s].wave = plan.waves.size();
      wave.steps.push_back(plan.steps[s].number);
    }
  }
  for (const std::size_t s : schedule.longest_chain) plan.longest_chain.push_back(plan.steps[s].number);
  plan.totals.least_seconds = schedule.lower_bound;
}

void add_totals(const std::vector<PlannedStep>& steps, const std::vector<Wave>& waves, PlanTotals& totals) {
  totals.steps = steps.size();
  for (const PlannedStep& step : steps) {
    totals.copied_mib += step.cost.copied_mib;
    totals.migrated_mib += step.cost.migrated_mib;
    totals.stopped += int{step.cost.stopped};
    totals.seconds_one_by_one += step.cost.seconds;
  }
  for (const Wave& wave : waves) totals.seconds += wave.seconds;
}

}  // namespace

MoveCost cost_of(const Cluster& cluster, const BalanceStep& step, const CopyRules& rules) {
  MoveCost cost;
  const std::vector<Transfer> transfers = transfers_of(cluster, step);
  for (const Transfer& t : transfers) (t.is_disk ? cost.copied_mib : cost.migrated_mib) += t.mib;
  const bool changes_primary = step.before.primary != step.after.primary;
  const InstanceFacts& instance = *cluster.instance(step.instance).facts;
  cost.stopped =
      changes_primary && mobility_of(instance, is_down(cluster.node(step.before.primary))) == Mobility::Restarts;
  cost.seconds = seconds_of(cluster, transfers, rules);
  return cost;
}

Plan describe_plan(const Cluster& before, const Cluster& start, const Cluster& after,
                   std::span<const BalanceStep> steps, const std::vector<GroupIndex>& groups, WaveKind wave_kind,
                   const MoveRules& moves, const CopyRules& rules) {
  Plan plan;
  for (const GroupIndex group : groups) plan.groups.push_back(outcome_of(before, after, group));
  // A node that is switched off after the steps, or on before them, is online while they are made.
  Cluster meanwhile = start;
  for (std::size_t n = 0; n < meanwhile.nodes.size(); ++n) meanwhile.nodes[n].offline &= before.nodes[n].offline;
  plan.steps = planned_steps(start, meanwhile, steps, rules);
  if (wave_kind == WaveKind::OfSchedule) {
    divide_into_schedule(start, steps, moves, rules, plan);
  } else {
    divide_into_job_sets(start, steps, plan);
  }
  add_totals(plan.steps, plan.waves, plan.totals);
  return plan;
}

void put_restored_first(Plan& plan, const Cluster& start, std::span<const BalanceStep> restored) {
  if (restored.empty()) return;
  std::vector<PlannedStep> steps;
  Wave first;
  for (const BalanceStep& step : restored) {
    PlannedStep& added = steps.emplace_back();
    added.number = steps.size();
    added.step = step;
    added.group = start.node(step.after.primary).facts->group;
    added.wave = 1;
    added.mandatory = true;
    added.reason = "new disks: its data must come from a backup";
    added.serves = {.kind = ServedKind::Lost};
    added.new_disks = true;
    first.steps.push_back(added.number);
  }
  for (PlannedStep& step : plan.steps) {
    step.number += restored.size();
    if (step.wave > 0) ++step.wave;
  }
  for (Wave& wave : plan.waves) {
    for (std::size_t& number : wave.steps) number += restored.size();
  }
  for (std::size_t& number : plan.longest_chain) number += restored.size();
  plan.steps.insert(plan.steps.begin(), std::make_move_iterator(steps.begin()), std::make_move_iterator(steps.end()));
  plan.waves.insert(plan.waves.begin(), std::move(first));
  plan.totals.steps += restored.size();
}

}  // namespace htools
