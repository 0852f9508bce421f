#include "fuzz/engines.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "allocate/allocator.h"
#include "answer/allocator_response.h"
#include "answer/refusal_text.h"
#include "balance/balancer.h"
#include "balance/job_sets.h"
#include "base/numbers.h"
#include "cluster/members.h"
#include "cluster/prepare.h"
#include "examine/health_statistics.h"
#include "formats/text_reader.h"
#include "formats/text_writer.h"
#include "fuzz/promise.h"
#include "htools/errors.h"
#include "jobs/commands.h"
#include "json/json.h"
#include "maintain/node_colouring.h"
#include "maintain/node_graph.h"
#include "maintain/reboot_groups.h"
#include "maintain/squeeze.h"
#include "metric/statistics.h"
#include "records/request_text.h"
#include "report/capacity_report.h"
#include "report/health_text.h"
#include "report/instance_table.h"
#include "report/node_table.h"
#include "report/scan_line.h"
#include "report/solution.h"
#include "simulate/capacity.h"

namespace htools::testing {
namespace {

constexpr std::size_t kMostNodes = 24;
constexpr std::size_t kMostInstances = 48;

bool is_small(const Cluster& cluster) {
  return cluster.nodes.size() <= kMostNodes && cluster.instances.size() <= kMostInstances;
}

// True if the totals of all nodes are whole numbers from 0 to 2^50. With larger numbers, arithmetic wraps around, as it
// does in the reference, and saved totals lose their last digits.
bool has_ordinary_amounts(const Cluster& cluster) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 50;
  const auto ordinary = [](auto amount) { return amount >= 0 && amount <= static_cast<decltype(amount)>(kLargest); };
  for (const Node& node : cluster.nodes) {
    if (!ordinary(node.facts->total_memory) || !ordinary(node.facts->total_disk) || !ordinary(node.facts->total_cpus))
      return false;
    if (node.facts->total_memory != static_cast<double>(truncate_to_int(node.facts->total_memory))) return false;
    if (node.facts->total_disk != static_cast<double>(truncate_to_int(node.facts->total_disk))) return false;
    if (node.facts->total_cpus != static_cast<double>(truncate_to_int(node.facts->total_cpus))) return false;
  }
  return true;
}

// Checks that a state which can be written and read in the text form is the same when it is written again.
void save_and_reload(const Cluster& cluster) {
  std::string saved;
  std::optional<Cluster> loaded;
  try {
    saved = write_text_cluster(cluster);
    loaded = read_text_cluster(saved, "saved state");
  } catch (const InputError&) {
    return;  // some states have no text form
  }
  if (!has_ordinary_amounts(cluster)) return;
  PrepareOptions as_saved;
  as_saved.static_kvm_node_memory = 0;
  prepare(*loaded, as_saved);
  promise(loaded->nodes.size() == cluster.nodes.size(), "no node is lost by saving");
  promise(loaded->instances.size() == cluster.instances.size(), "no instance is lost by saving");
  promise(write_text_cluster(*loaded) == saved, "a saved and loaded state is saved as it was");
}

void show(Cluster& cluster) {
  std::vector<std::string> fields;
  for (const NodeField& field : kNodeFields) fields.emplace_back(field.name);
  const GroupMembers all = all_members(cluster);
  format_node_table(cluster, fields);
  format_instance_table(cluster, all.instances);
  scan_line("name", 4, summarise(cluster));
}

void balance_groups(Cluster& loaded) {
  BalanceOptions options;
  options.max_steps = 3;
  Trial trial(loaded);
  const Cluster& cluster = trial.cluster();
  for (const GroupMembers& members : members_by_group(cluster)) {
    if (members.nodes.empty()) continue;
    const SolutionLines lines(cluster, members);
    const std::vector<BalanceStep> steps = balance(trial, members, options).steps;
    std::size_t number = 0;
    for (const BalanceStep& step : steps) lines.line(++number, step);
    job_commands(cluster, job_sets(cluster, steps), &InstanceFacts::name);
  }
}

void check_groups(Cluster& cluster) {
  for (const GroupStatistics& group : health_statistics(cluster, true)) {
    health_of_group(cluster, group, HealthPhase::Initial, HealthFormat::Sentences);
  }
}

void simulate(Cluster& cluster) {
  const CapacityOptions options{.kind = {.disk_template = DiskTemplate::Drbd, .spindle_use = 1},
                                .max_instances = 6,
                                .independent_groups = true,
                                .accept_existing_errors = true};
  const CapacityReport report = capacity_report(cluster, options.kind);
  cluster_text(report);
  cluster_keys(report);
  const CapacityPlan plan = plan_simulation(cluster, check_health(cluster, options, true), options);
  const SimulatedSize size{.memory = 1024, .disk = 10240, .vcpus = 2, .spindles = 1};
  const PhaseResult tiered = simulate_tiered(cluster, {size}, plan, options.max_instances);
  result_text(report, tiered);
  allocation_map(report, tiered);
  const PhaseResult fixed = simulate_fixed_size(cluster, size, plan, options.max_instances);
  result_keys(report, Phase::Standard, fixed);
}

void reboot(Cluster& cluster) {
  const RebootOptions options{.full_evacuation = true};
  const std::vector<NodeIndex> selected = nodes_to_reboot(cluster, options, std::nullopt);
  if (selected.empty()) return;
  const NodeGraph graph(cluster, selected, options.offline_maintenance);
  std::vector<RebootGroup> groups =
      divide_into_reboot_groups(cluster, best_colouring(colour_nodes(graph)).classes, options, true);
  std::size_t count = 0;
  for (const RebootGroup& group : in_reboot_order(cluster, std::move(groups), selected)) count += group.nodes.size();
  promise(count == selected.size(), "every selected node is rebooted once");
}

void squeeze(Cluster& cluster) { plan_squeeze(cluster, {}); }

constexpr std::array<void (*)(Cluster&), 6> kEngines{balance_groups, check_groups, simulate, reboot, squeeze, show};

}  // namespace

void exercise(Cluster cluster, std::size_t engine) {
  prepare(cluster, {});
  save_and_reload(cluster);
  if (is_small(cluster)) kEngines[engine % kEngines.size()](cluster);
}

void exercise_request(Cluster cluster, const AllocatorRequest& request) {
  prepare(cluster, {});
  save_and_reload(cluster);
  if (!is_small(cluster)) return;
  GroupMembers all = all_members(cluster);
  AllocatorState state{Trial(cluster), std::move(all.nodes), std::move(all.instances)};
  const AllocationRules rules{.force = false, .capacity_checks = true, .allowed_nodes = {}, .explain = true};
  format_request(request);
  uses_lost_allocations(cluster, request);
  const AllocatorResult result = answer_request(state, request, rules);
  format_refusals(state.cluster(), request, result);
  const JsonDocument response(format_response(state.cluster(), request, result));
  promise(response.root().kind() == JsonKind::Object, "a response is a JSON object");
}

}  // namespace htools::testing
