#include "apps/hcheck.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/common/data_source.h"
#include "apps/common/output.h"
#include "apps/common/progress.h"
#include "balance/balancer.h"
#include "base/decimal.h"
#include "cluster/members.h"
#include "report/health_text.h"
#include "report/key_value.h"
#include "survival/health_statistics.h"

namespace htools {
namespace {

HealthFormat format_of(const HcheckOptions& options) {
  return options.output.machine_readable ? HealthFormat::Keys : HealthFormat::Sentences;
}

bool prints_health(const HcheckOptions& options) {
  return options.output.machine_readable || options.general.verbosity >= 1;
}

bool needs_rebalancing(const std::vector<GroupStatistics>& groups) {
  const std::vector<std::int64_t> counts = summed_counts(groups);
  return std::any_of(counts.begin(), counts.end(), [](std::int64_t count) { return count > 0; });
}

// Prints the health of the cluster. If a count has failed, prints the results before it and throws the failure.
void print_health(const HcheckOptions& options, const Cluster& cluster, const std::vector<GroupStatistics>& groups,
                  HealthPhase phase, const std::vector<GroupStatistics>& initial) {
  if (!prints_health(options)) return;
  const HealthFormat format = format_of(options);
  const Highlight highlight = format == HealthFormat::Sentences ? Highlight::Health : Highlight::None;
  for (const GroupStatistics& group : groups) {
    print(health_of_group(cluster, group, phase, format), highlight);
    if (group.failure) throw *group.failure;
  }
  print(health_of_cluster(summed_counts(groups), needs_rebalancing(initial), phase, format), highlight);
}

void print_verdict(const HcheckOptions& options, const std::vector<GroupStatistics>& initial) {
  if (options.output.machine_readable || options.general.verbosity < 1) return;
  if (!options.simulation) {
    print("Running in no-simulation mode.\n");
  } else {
    print(needs_rebalancing(initial) ? "Cluster needs rebalancing.\n"
                                     : "No need to rebalance cluster, no problems found.\n",
          Highlight::Sentences);
  }
}

// Balances each node group on its own.
void rebalance(Trial& trial, const HcheckOptions& options) {
  Progress progress(options.general);
  const std::vector<GroupMembers> groups = members_by_group(trial.cluster());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].nodes.empty()) continue;
    std::size_t steps = 0;
    balance(trial, groups[g], options.balance, [&](const BalanceStep& step) {
      ++steps;
      progress.update([&] {
        return fmt::format("Rebalancing group {} of {}: step {}, score {}", g + 1, groups.size(), steps,
                           format_fixed(step.score, 8));
      });
    });
  }
}

}  // namespace

int hcheck_main(const CommandLine<HcheckOptions>& command_line) {
  reject_words(command_line.words);
  const HcheckOptions& options = command_line.options;
  Cluster cluster = load_cluster(options.general, options.source, options.utilisation, options.instances).cluster;
  apply_node_options(cluster, options.nodes);

  if (options.output.machine_readable) print(group_uuid_keys(cluster));
  const std::vector<GroupStatistics> initial = health_statistics(cluster, options.capacity_checks);
  print_verdict(options, initial);
  print_health(options, cluster, initial, HealthPhase::Initial, initial);

  const bool unhealthy = options.simulation && needs_rebalancing(initial);
  Trial trial(cluster);
  if (unhealthy && prints_health(options)) rebalance(trial, options);
  if (unhealthy || options.output.machine_readable) {
    const Cluster& after = trial.cluster();
    print_health(options, after, health_statistics(after, options.capacity_checks), HealthPhase::Final, initial);
  }
  if (options.output.machine_readable) print(format_key_value("HCHECK", "OK", "1"));
  return unhealthy ? kExitFailure : kExitSuccess;
}

}  // namespace htools
