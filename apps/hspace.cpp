#include "apps/hspace.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "apps/common/cluster_output.h"
#include "apps/common/data_source.h"
#include "apps/common/documents.h"
#include "apps/common/progress.h"
#include "apps/output/output.h"
#include "base/decimal.h"
#include "base/strings.h"
#include "document/capacity_content.h"
#include "htools/errors.h"
#include "htools/score.h"
#include "report/capacity_report.h"
#include "report/key_value.h"
#include "simulate/capacity.h"
#include "simulate/capacity_warnings.h"

namespace htools {

namespace {

SimulatedSize size_from_option(const InstanceSpec& spec) {
  return {spec.memory, spec.disk_size, spec.vcpus, spec.spindle_use};
}

// Returns the sizes for the tiered phase: from the options, or else the maximum sizes of the cluster's policy.
std::vector<SimulatedSize> tiered_sizes(const HspaceOptions& options, const InstancePolicy& policy) {
  if (options.simulation.tiered_spec) return {size_from_option(*options.simulation.tiered_spec)};
  std::vector<SimulatedSize> sizes;
  for (const MinMaxSpecs& pair : policy.minmax) sizes.push_back(size_from_option(pair.max));
  if (sizes.empty()) throw InputError(ErrorCode::Unanswerable, "Empty list of specs received from the cluster");
  return sizes;
}

CapacityOptions capacity_options(const HspaceOptions& options, const InstancePolicy& policy) {
  if (policy.disk_templates.empty())
    throw InputError(ErrorCode::Unanswerable, "null list of disk templates received from cluster");
  return {.kind = {options.simulation.disk_template.value_or(policy.disk_templates.front()),
                   options.simulation.spindle_use.value_or(policy.std.spindle_use)},
          .max_instances = options.simulation.max_instances,
          .capacity_checks = options.simulation.capacity_checks,
          .independent_groups = options.simulation.independent_groups,
          .accept_existing_errors = options.simulation.accept_existing_errors};
}

void print_initial_notes(const HspaceOptions& options, const LoadedCluster& loaded) {
  if (options.general.verbosity > 1) print_error(common_suffix_line(loaded));
  print_node_table(options.output, loaded.cluster, "Initial cluster");
  if (options.general.verbosity > 2) {
    const Score score = score_of(loaded.cluster);
    print_error(fmt::format("Initial coefficients: overall {}\n{}", format_fixed(score.value, 8), to_text(score)));
  }
}

std::string node_numbers(const Cluster& cluster, const std::vector<NodeIndex>& nodes, NodeIndex except) {
  std::vector<std::string> numbers;
  for (NodeIndex n : nodes) {
    if (n != except) numbers.push_back(fmt::format("{}", cluster.number(n)));
  }
  return "[" + join(numbers, ",") + "]";
}

// Returns the numbers of the candidate nodes ("Left"), or of each candidate primary with its possible secondaries
// ("Right").
std::string candidates_text(const Cluster& cluster, const Candidates& candidates) {
  if (!candidates.pairs) {
    return "Left " + node_numbers(cluster, candidates.empty() ? std::vector<NodeIndex>{} : candidates.lists.front(),
                                  NodeIndex::none());
  }
  std::vector<std::string> by_primary(cluster.nodes.size()), entries;
  for (const auto& nodes : candidates.lists) {
    for (NodeIndex n : nodes) {
      by_primary[n.position()] = fmt::format("({},{})", cluster.number(n), node_numbers(cluster, nodes, n));
    }
  }
  for (std::string& entry : by_primary) {
    if (!entry.empty()) entries.push_back(std::move(entry));
  }
  return "Right [" + join(entries, ",") + "]";
}

void print_health(const Cluster& cluster, const InitialHealth& health, const CapacityPlan& plan) {
  std::vector<std::string> nodes, groups;
  for (NodeIndex n : health.bad_nodes) nodes.push_back(cluster.node(n).facts->name);
  for (GroupIndex g : health.bad_groups) groups.push_back(cluster.group(g).name);
  if (!nodes.empty()) print_error(fmt::format("Bad nodes: {}\n", quote_list(nodes)));
  if (!groups.empty()) print_error(fmt::format("Bad groups: {}\n", quote_list(groups)));
  print_error(fmt::format("Allocatable nodes: {}\n", candidates_text(cluster, plan.rules.candidates)));
}

// Warns about questions whose answers are probably not wanted. The tiered size of a policy is no mistake if it is too
// large, since tiered allocation makes it smaller.
void warn_about_question(const HspaceOptions& options, const Cluster& cluster, const CapacityOptions& capacity,
                         const SimulatedSize& standard) {
  const SimulationOptions& asked = options.simulation;
  warn(options.general,
       {asked.disk_template ? "" : default_template_warning(capacity),
        asked.tiered_spec ? size_warning(cluster, capacity.kind, size_from_option(*asked.tiered_spec), "tiered") : "",
        size_warning(cluster, capacity.kind, standard, "standard")});
}

std::string_view title_of(Phase phase) { return phase == Phase::Tiered ? "Tiered allocation" : "Standard allocation"; }

// Returns an observer that shows the progress: "Tiered allocation: 120 instances placed, trying MEM 1024, DSK 10240,
// CPU 2". Returns no observer if the progress is not shown.
SimulationObserver observer_of(Progress& progress, std::string_view phase) {
  if (!progress.is_on()) return {};
  return [&progress, phase](std::int64_t added, const SimulatedSize& size) {
    progress.update([&] {
      return fmt::format("{}: {} instances placed, trying MEM {}, DSK {}, CPU {}", phase, added, size.memory, size.disk,
                         size.vcpus);
    });
  };
}

// Returns the failures of the phase by rule. They are about the size that was placed last or, if nothing of the last of
// `sizes` was placed, about that one. Nothing is returned if neither explains the failures.
std::optional<std::vector<RuleRefusals>> refusals_of(const PhaseResult& result, const std::vector<SimulatedSize>& sizes,
                                                     const CapacityPlan& plan) {
  if (!result.failures) return std::nullopt;
  FailCounts failures = *result.failures;
  failures[FailMode::N1] = 0;
  if (failures == FailCounts()) return std::vector<RuleRefusals>{};
  std::vector<SimulatedSize> tried{sizes.back()};
  if (!result.placed.empty()) tried.insert(tried.begin(), result.placed.back().size);
  for (const SimulatedSize& size : tried) {
    auto refusals = count_refusals(*result.after, plan.rules.candidates, simulated_instance(plan.rules.kind, size));
    if (failures_of(refusals) == failures) return refusals;
  }
  return std::nullopt;
}

void report_phase(const HspaceOptions& options, const CapacityReport& report, Phase phase,
                  const CapacityPhase& simulated) {
  const SimulatedSize& size = simulated.size;
  const PhaseResult& result = simulated.result;
  const bool tiered = phase == Phase::Tiered;
  const std::string_view title = title_of(phase);
  print(options.output.machine_readable ? spec_keys(report, phase, size) : spec_text(report, phase, size));
  if (options.general.verbosity > 1) print_error(fmt::format("{} map\n{}", title, allocation_map(report, result)));
  print_node_table(options.output, *result.after, title);
  if (options.output.save_prefix) {
    save_cluster(*result.after, *options.output.save_prefix, tiered ? "tiered" : "standard",
                 tiered ? "after tiered allocation" : "after standard allocation");
  }
  if (options.output.machine_readable) {
    print(result_keys(report, phase, result));
    return;
  }
  print(instances_text(report, phase, result));
  if (!result.failures)
    throw InputError(ErrorCode::Unanswerable,
                     "the limit left nothing to do in tiered allocation, so there are no results");
  print(result_text(report, result));
}

}  // namespace

int hspace_main(const CommandLine<HspaceOptions>& command_line) {
  reject_words(command_line.words);
  const HspaceOptions& options = command_line.options;
  LoadedCluster loaded = load_cluster(options.general, options.source);
  Cluster& cluster = loaded.cluster;
  set_node_options(options.general, options.nodes, cluster);
  const CapacityOptions capacity = capacity_options(options, cluster.policy);

  print_initial_notes(options, loaded);
  const CapacityReport report = capacity_report(cluster, capacity.kind);
  print(options.output.machine_readable ? cluster_keys(report) : cluster_text(report));

  const bool show_health = options.general.verbosity > 3;
  const InitialHealth health = check_health(cluster, capacity, options.simulation.independent_groups || show_health);
  CapacityPlan plan = plan_simulation(cluster, health, capacity);
  if (show_health) print_health(cluster, health, plan);

  const std::vector<SimulatedSize> sizes = tiered_sizes(options, cluster.policy);
  const SimulatedSize size = size_from_option(options.simulation.standard_spec.value_or(cluster.policy.std));
  warn_about_question(options, cluster, capacity, size);
  Progress progress(options.general);
  plan.rules.observer = observer_of(progress, title_of(Phase::Tiered));
  CapacityPhase tiered{sizes.front(), simulate_tiered(cluster, sizes, plan, capacity.max_instances)};
  report_phase(options, report, Phase::Tiered, tiered);
  if (prints_document()) {
    tiered.refusals = refusals_of(tiered.result, sizes, plan);
  } else {
    tiered.result.after.reset();  // it may be large
  }

  plan.rules.observer = observer_of(progress, title_of(Phase::Standard));
  CapacityPhase standard{size, simulate_fixed_size(cluster, size, plan, capacity.max_instances)};
  report_phase(options, report, Phase::Standard, standard);
  if (standard.result.added() == 0 && capacity.max_instances != 0)
    warn(options.general, {group_warning(cluster, capacity)});
  if (options.output.machine_readable) print(format_key_value(kCapacityKeyPrefix, "OK", "1"));
  if (prints_document()) {
    standard.refusals = refusals_of(standard.result, {size}, plan);
    print_document(document_head(kHspaceTool, loaded),
                   CapacityContent{SimulatedCapacity{capacity.kind, report.initial_totals, tiered, standard}, {}});
  }
  return kExitSuccess;
}

}  // namespace htools
