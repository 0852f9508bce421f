#include "jobs/planned_jobs.h"

#include <fmt/format.h>

#include <iterator>
#include <optional>
#include <utility>

#include "balance/job_sets.h"
#include "base/strings.h"
#include "plan/paths.h"

namespace htools {
namespace {

Opcode opcode_of(const Cluster& cluster, const BalanceStep& step, const StepAction& a) {
  const Instance& instance = cluster.instance(step.instance);
  std::optional<std::string> target;
  if (a.action != MoveAction::Failover) target = cluster.node(step.move.target).facts->name;
  if (a.action == MoveAction::ReplaceSecondary) return replace_secondary(instance.facts->name, *target);
  if (instance.facts->moves_with_disks()) return move_instance(instance.facts->name, *target);
  const bool migrates = !instance.facts->forthcoming && instance.facts->live && a.may_migrate;
  return migrates ? migrate_instance(instance.facts->name, target) : fail_over_instance(instance.facts->name, target);
}

std::vector<std::string> names_of(const Cluster& cluster, const std::vector<NodeIndex>& nodes) {
  std::vector<std::string> names;
  for (const NodeIndex n : nodes) names.push_back(cluster.node(n).facts->name);
  return names;
}

Job job_of(const Cluster& cluster, const BalanceStep& step, LeavingOffline leaving) {
  Job job;
  if (makes_new_disks(cluster, step, leaving)) {
    const std::vector<NodeIndex> nodes = nodes_of(step.after);
    return {recreate_disks(cluster.instance(step.instance).facts->name, names_of(cluster, nodes))};
  }
  for (const StepAction& a : actions_of(cluster, step, leaving)) job.push_back(opcode_of(cluster, step, a));
  return job;
}

// Returns one set of jobs for each node, which adds the standby tag.
std::vector<PlannedJobs> tag_jobs(const std::vector<std::string>& nodes) {
  std::vector<PlannedJobs> sets;
  for (const std::string& node : nodes) {
    sets.push_back({fmt::format("Tagging node {} with standby", node), {{tag_node(node, std::string(kStandbyTag))}}});
  }
  return sets;
}

std::vector<PlannedJobs> power_jobs(const std::vector<std::string>& nodes, bool on) {
  if (nodes.empty()) return {};
  Job job;
  for (const std::string& node : nodes) job.push_back(set_node_offline(node, !on));
  job.push_back(switch_power(nodes, on));
  return {{on ? "Powering on nodes" : "Powering off nodes", {std::move(job)}}};
}

void append(std::vector<PlannedJobs>& sets, std::vector<PlannedJobs> more) {
  sets.insert(sets.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

std::vector<PlannedJobs> move_jobs(const Cluster& cluster, JobSets sets, std::string_view what,
                                   LeavingOffline leaving) {
  std::vector<PlannedJobs> planned;
  for (const std::span<const BalanceStep> steps : sets) {
    std::vector<std::string> instances;
    std::vector<Job> jobs;
    for (const BalanceStep& step : steps) {
      instances.push_back(cluster.instance(step.instance).facts->name);
      jobs.push_back(job_of(cluster, step, leaving));
    }
    planned.push_back({fmt::format("{} instances {}", what, join(instances, ",")), std::move(jobs)});
  }
  return planned;
}

std::vector<PlannedJobs> squeeze_jobs(const Cluster& cluster, const SqueezePlan& plan) {
  const std::vector<std::string> nodes = names_of(cluster, plan.nodes);
  const bool on = plan.action == SqueezeAction::SwitchOn;
  std::vector<PlannedJobs> sets = on ? power_jobs(nodes, on) : std::vector<PlannedJobs>();
  append(sets, move_jobs(cluster, job_sets(cluster, plan.steps), "Moving"));
  if (!on) {
    append(sets, tag_jobs(nodes));
    append(sets, power_jobs(nodes, on));
  }
  return sets;
}

}  // namespace htools
