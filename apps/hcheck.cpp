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

HealthFormat format_of(const Options& options) {
  return options.machine_readable ? HealthFormat::Keys : HealthFormat::Sentences;
}

bool prints_health(const Options& options) { return options.machine_readable || options.verbosity >= 1; }

bool needs_rebalancing(const std::vector<GroupStatistics>& groups) {
  const std::vector<std::int64_t> counts = summed_counts(groups);
  return std::any_of(counts.begin(), counts.end(), [](std::int64_t count) { return count > 0; });
}

// Prints the health of the cluster. If a count has failed, prints the results before it and throws the failure.
void print_health(const Options& options, const Cluster& cluster, const std::vector<GroupStatistics>& groups,
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

void print_verdict(const Options& options, const std::vector<GroupStatistics>& initial) {
  if (options.machine_readable || options.verbosity < 1) return;
  if (!options.simulation) {
    print("Running in no-simulation mode.\n");
  } else {
    print(needs_rebalancing(initial) ? "Cluster needs rebalancing.\n"
                                     : "No need to rebalance cluster, no problems found.\n",
          Highlight::Sentences);
  }
}

// Balances each node group on its own.
void rebalance(Trial& trial, const Options& options) {
  Progress progress(options);
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

int hcheck_main(const CommandLine& command_line) {
  reject_words(command_line);
  const Options& options = command_line.options;
  Cluster cluster = load_cluster(options).cluster;
  apply_node_options(cluster, options);

  if (options.machine_readable) print(group_uuid_keys(cluster));
  const std::vector<GroupStatistics> initial = health_statistics(cluster, options.capacity_checks);
  print_verdict(options, initial);
  print_health(options, cluster, initial, HealthPhase::Initial, initial);

  const bool unhealthy = options.simulation && needs_rebalancing(initial);
  Trial trial(cluster);
  if (unhealthy && prints_health(options)) rebalance(trial, options);
  if (unhealthy || options.machine_readable) {
    const Cluster& after = trial.cluster();
    print_health(options, after, health_statistics(after, options.capacity_checks), HealthPhase::Final, initial);
  }
  if (options.machine_readable) print(format_key_value("HCHECK", "OK", "1"));
  return unhealthy ? kExitFailure : kExitSuccess;
}

}  // namespace htools
