#include "apps/hcheck.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

#include "apps/common/data_source.h"
#include "apps/common/output.h"
#include "apps/common/progress.h"
#include "base/decimal.h"
#include "examine/health_check.h"
#include "report/health_text.h"
#include "report/key_value.h"

namespace htools {
namespace {

HealthFormat format_of(const Options& options) {
  return options.machine_readable ? HealthFormat::Keys : HealthFormat::Sentences;
}

bool prints_health(const Options& options) { return options.machine_readable || options.verbosity >= 1; }

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

}  // namespace

int hcheck_main(const CommandLine& command_line) {
  reject_words(command_line);
  const Options& options = command_line.options;
  Cluster cluster = load_cluster(options).cluster;
  apply_node_options(cluster, options);

  const bool prints = prints_health(options);
  const HealthCheckOptions wanted{.capacity_checks = options.capacity_checks,
                                  .rebalance = options.simulation && prints,
                                  .recount = options.machine_readable,
                                  .balance = options.balance};
  Progress progress(options);
  HealthCheckObserver observer;
  observer.on_initial = [&](const HealthCheck& check) {
    print_verdict(options, check.initial);
    print_health(options, cluster, check.initial, HealthPhase::Initial, check.initial);
  };
  observer.on_step = [&](std::size_t group, std::size_t groups, std::size_t steps, const BalanceStep& step) {
    progress.update([&] {
      return fmt::format("Rebalancing group {} of {}: step {}, score {}", group + 1, groups, steps,
                         format_fixed(step.score, 8));
    });
  };

  if (options.machine_readable) print(group_uuid_keys(cluster));
  const HealthCheck check = check_health(cluster, wanted, observer);
  const bool unhealthy = options.simulation && needs_rebalancing(check.initial);
  if (unhealthy || options.machine_readable) {
    print_health(options, cluster, check.after, HealthPhase::Final, check.initial);
  }
  if (options.machine_readable) print(format_key_value("HCHECK", "OK", "1"));
  return unhealthy ? kExitFailure : kExitSuccess;
}

}  // namespace htools
