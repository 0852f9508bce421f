#include "simulate/capacity.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "base/literal.h"
#include "htools/errors.h"
#include "simulate/capacity_totals.h"
#include "simulate/fixed_size.h"
#include "simulate/tiered.h"

namespace htools {

namespace {

// Returns the groups that cannot lose each of their nodes.
std::vector<GroupIndex> groups_that_fail(const Cluster& cluster, bool skip_offline) {
  std::vector<std::vector<NodeIndex>> nodes(cluster.groups.size());
  std::vector<bool> has_primaries(cluster.groups.size(), false);
  for (std::size_t i = 0; i < cluster.nodes.size(); ++i) {
    const std::size_t group = cluster.nodes[i].facts->group.position();
    nodes[group].push_back(NodeIndex(i));
    if (!cluster.nodes[i].primaries.empty()) has_primaries[group] = true;
  }
  Trial trial(cluster);
  std::vector<GroupIndex> failed;
  for (std::size_t g = 0; g < nodes.size(); ++g) {
    if (!kLiteral && !has_primaries[g])
      continue;  // nothing needs another place; a check of each of many groups takes long
    CapacityCheck check(trial, std::move(nodes[g]), {.ignored_groups = {}, .skip_offline = skip_offline});
    if (!check.survives()) failed.emplace_back(g);
  }
  return failed;
}

SimulatedSize size_of(const Instance& instance) {
  return {instance.facts->memory, instance.facts->disk, instance.facts->vcpus,
          instance.facts->total_spindles().value_or(0)};
}

std::vector<PlacedSize> placed_sizes(const Cluster& after, std::size_t initial_count) {
  std::vector<PlacedSize> placed;
  for (const Instance& instance : std::span(after.instances).subspan(initial_count)) {
    const SimulatedSize size = size_of(instance);
    if (placed.empty() || placed.back().size != size) placed.push_back({size, 0});
    placed.back().count += 1;
  }
  return placed;
}

PhaseResult result_of(SimulationState& state, const std::optional<FailCounts>& failures, bool refused = false) {
  const auto after = std::make_shared<const Cluster>(std::move(state.trial).take());
  return {.after = after,
          .initial_count = state.initial_count,
          .placed = placed_sizes(*after, state.initial_count),
          .totals = capacity_totals(*after),
          .failures = failures,
          .refused = refused};
}

// Returns the result of a phase in which nothing may be placed.
PhaseResult refused_phase(const Cluster& cluster) {
  FailCounts failures;
  failures[FailMode::N1] = 1;
  SimulationState state(cluster);
  return result_of(state, failures, true);
}

void require_candidates(const CapacityPlan& plan) {
  if (!plan.rules.candidates.empty()) return;
  throw InputError(ErrorCode::Unanswerable, plan.rules.candidates.pairs
                                                ? "failure during allocation: Not enough online nodes"
                                                : "failure during allocation: No online nodes");
}

}  // namespace

InitialHealth check_health(const Cluster& cluster, const CapacityOptions& options, bool with_groups) {
  InitialHealth health;
  for (std::size_t i = 0; i < cluster.nodes.size(); ++i) {
    if (!cluster.nodes[i].offline && cluster.nodes[i].books.n1_failed) health.bad_nodes.push_back(NodeIndex(i));
  }
  if (with_groups) health.bad_groups = groups_that_fail(cluster, options.accept_existing_errors);
  return health;
}

CapacityPlan plan_simulation(const Cluster& cluster, const InitialHealth& health, const CapacityOptions& options) {
  std::vector<bool> allocable;
  for (const Group& group : cluster.groups) allocable.push_back(group.is_allocable());
  if (!options.accept_existing_errors) {
    for (NodeIndex n : health.bad_nodes) allocable[cluster.node(n).facts->group.position()] = false;
  }
  CapacityPlan plan;
  if (options.independent_groups) {
    plan.rules.check_options.ignored_groups.resize(cluster.groups.size(), false);
    for (GroupIndex g : health.bad_groups) {
      allocable[g.position()] = false;
      plan.rules.check_options.ignored_groups[g.position()] = true;
    }
  }
  plan.rules.kind = options.kind;
  plan.rules.capacity_checks = options.capacity_checks;
  plan.rules.check_options.skip_offline = options.accept_existing_errors;
  plan.rules.candidates = find_candidates(cluster, allocable, options.kind.disk_template);

  const bool any_group_left = std::find(allocable.begin(), allocable.end(), true) != allocable.end();
  plan.refused =
      !health.bad_nodes.empty() && !options.accept_existing_errors && !(options.independent_groups && any_group_left);
  return plan;
}

PhaseResult simulate_tiered(const Cluster& cluster, const std::vector<SimulatedSize>& sizes, const CapacityPlan& plan,
                            std::int64_t max_instances) {
  if (plan.refused) return refused_phase(cluster);
  SimulationState state(cluster);
  std::optional<FailCounts> failures;
  for (const SimulatedSize& size : sizes) {
    std::optional<std::int64_t> limit;
    if (max_instances != -1) {
      if (max_instances <= state.added()) continue;
      limit = max_instances - state.added();
    }
    require_candidates(plan);
    failures = allocate_tiered(state, size, limit, plan.rules);
  }
  return result_of(state, failures);
}

PhaseResult simulate_fixed_size(const Cluster& cluster, const SimulatedSize& size, const CapacityPlan& plan,
                                std::int64_t max_instances) {
  if (plan.refused) return refused_phase(cluster);
  require_candidates(plan);
  SimulationState state(cluster);
  const auto limit = max_instances == -1 ? std::nullopt : std::optional(max_instances);
  const bool hopeless = !plan.rules.candidates.pairs && is_hopeless(state, plan.rules);
  const FailCounts failures = allocate_fixed_size(state, size, limit, plan.rules, hopeless);
  return result_of(state, failures);
}

std::int64_t count_fitting(const Cluster& cluster, const SimulatedSize& size, DiskTemplate disk_template) {
  const CapacityOptions options{.kind = {.disk_template = disk_template}};
  try {
    const CapacityPlan plan = plan_simulation(cluster, check_health(cluster, options, false), options);
    return simulate_fixed_size(cluster, size, plan, options.max_instances).added();
  } catch (const InputError&) {
    return 0;
  }
}

}  // namespace htools
