#include "apps/hcheck.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

#include "apps/common/data_source.h"
#include "apps/common/documents.h"
#include "apps/common/progress.h"
#include "apps/output/output.h"
#include "base/decimal.h"
#include "base/strings.h"
#include "document/health_content.h"
#include "examine/health_check.h"
#include "explain/diagnosis.h"
#include "htools/cluster.h"
#include "report/diagnosis_text.h"
#include "report/health_text.h"
#include "report/key_value.h"

namespace htools {
namespace {

HealthFormat format_of(const HcheckOptions& options) {
  return options.output.machine_readable ? HealthFormat::Keys : HealthFormat::Sentences;
}

bool prints_health(const HcheckOptions& options) {
  return options.output.machine_readable || options.general.verbosity >= 1;
}

// Names on standard error what is behind the counts of a group, after the counts.
void print_details(const Cluster& cluster, const GroupStatistics& group, HealthPhase phase) {
  const std::string details = health_details(cluster, group, phase);
  if (details.empty()) return;
  flush_output();
  print_error(details, Highlight::None);
}

// Prints the health of the cluster. If a count has failed, prints the results before it and throws the failure.
void print_health(const HcheckOptions& options, const Cluster& cluster, const std::vector<GroupStatistics>& groups,
                  HealthPhase phase, const std::vector<GroupStatistics>& initial) {
  if (!prints_health(options)) return;
  const HealthFormat format = format_of(options);
  const Highlight highlight = format == HealthFormat::Sentences ? Highlight::Health : Highlight::None;
  for (const GroupStatistics& group : groups) {
    print(health_of_group(cluster, group, phase, format), highlight);
    if (options.general.verbosity > 1) print_details(cluster, group, phase);
    if (group.failure) throw *group.failure;
  }
  print(health_of_cluster(summed_counts(groups), needs_rebalancing(initial), phase, format), highlight);
}

// Says on standard error what hwhy calls a problem and this check, as the reference, does not count.
void print_difference(const Cluster& cluster, const HcheckOptions& options) {
  const DiagnosisOptions wanted{.capacity_checks = false, .cures = false, .balance = options.balance};
  const Diagnosis diagnosis = diagnose(cluster, groups_with_nodes(cluster), wanted);
  if (diagnosis.findings.empty()) return;
  flush_output();
  print_error(
      fmt::format("Note: hwhy finds {} of kinds that hcheck does not count, the first: {}.\n",
                  counted(diagnosis.findings.size(), "problem"), finding_text(cluster, diagnosis.findings.front())),
      Highlight::None);
}

// Says on standard error how many instances have a second copy on an offline node: what the reference prints as their
// number is that of the offline nodes.
void print_offline_copies(const Cluster& cluster) {
  const auto nodes = std::ranges::count_if(cluster.nodes, [](const Node& node) { return node.offline; });
  const auto copies = std::ranges::count_if(cluster.instances, [&](const Instance& i) {
    return i.facts->has_secondary() && !i.secondary.is_none() && cluster.node(i.secondary).offline;
  });
  if (nodes == copies) return;
  flush_output();
  print_error(
      fmt::format("Note: \"Instances having a secondary node offline\" counts offline nodes; {} a second copy on "
                  "these.\n",
                  copies == 0
                      ? "no instance has"
                      : counted(static_cast<std::size_t>(copies), "instance") + (copies == 1 ? " has" : " have")),
      Highlight::None);
}

void print_verdict(const HcheckOptions& options, const Cluster& cluster, const std::vector<GroupStatistics>& initial) {
  if (options.output.machine_readable || options.general.verbosity < 1) return;
  if (!options.simulation) {
    print("Running in no-simulation mode.\n");
  } else {
    const bool needed = needs_rebalancing(initial);
    print(needed ? "Cluster needs rebalancing.\n" : "No need to rebalance cluster, no problems found.\n",
          needed ? Highlight::Notice : Highlight::Good);
    if (!needed && output_form() == OutputForm::Text) print_difference(cluster, options);
  }
}

}  // namespace

int hcheck_main(const CommandLine<HcheckOptions>& command_line) {
  reject_words(command_line.words);
  const HcheckOptions& options = command_line.options;
  LoadedCluster loaded = load_cluster(options.general, options.source, options.utilisation, options.instances);
  Cluster& cluster = loaded.cluster;
  set_node_options(options.general, options.nodes, cluster);

  const bool prints = prints_health(options) || output_form() != OutputForm::Text;
  const HealthCheckOptions wanted{.capacity_checks = options.capacity_checks,
                                  .rebalance = options.simulation && prints,
                                  .recount = options.output.machine_readable,
                                  .balance = options.balance};
  Progress progress(options.general);
  HealthCheckObserver observer;
  observer.on_initial = [&](const HealthCheck& check) {
    print_verdict(options, cluster, check.initial);
    print_health(options, cluster, check.initial, HealthPhase::Initial, check.initial);
    const bool is_for_people = output_form() == OutputForm::Text && !options.output.machine_readable;
    if (is_for_people && prints_health(options)) print_offline_copies(cluster);
  };
  observer.on_step = [&](std::size_t group, std::size_t groups, std::size_t steps, const BalanceStep& step) {
    progress.update([&] {
      return fmt::format("Rebalancing group {} of {}: step {}, score {}", group + 1, groups, steps,
                         format_fixed(step.score, 8));
    });
  };

  if (options.output.machine_readable) print(group_uuid_keys(cluster));
  const HealthCheck check = check_health(cluster, wanted, observer);
  const bool unhealthy = options.simulation && needs_rebalancing(check.initial);
  if (unhealthy || options.output.machine_readable) {
    print_health(options, cluster, check.after, HealthPhase::Final, check.initial);
  }
  if (options.output.machine_readable) print(format_key_value("HCHECK", "OK", "1"));
  if (options.metrics.level) {
    print_piece(health_metrics(metrics_subject(options.metrics, cluster), check));
  }
  if (prints_document()) print_document(document_head(kHcheckTool, loaded), HealthContent{check});
  return unhealthy ? kExitFailure : kExitSuccess;
}

}  // namespace htools
