#include "apps/hsqueeze.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "apps/common/cluster_output.h"
#include "apps/common/data_source.h"
#include "apps/common/execution.h"
#include "apps/common/plan_document.h"
#include "apps/common/progress.h"
#include "apps/output/output.h"
#include "base/strings.h"
#include "jobs/planned_jobs.h"
#include "maintain/squeeze.h"
#include "report/squeeze_text.h"

namespace htools {
namespace {

// The texts of each action, in the order of SqueezeAction.
struct ActionText {
  std::string_view header;
  std::string_view state;    // the state of the cluster afterwards
  std::string_view purpose;  // the purpose of the jobs
};
constexpr std::array<ActionText, 3> kActions{{{"'No action'", "after hsqueeze doing nothing", ""},
                                              {"'Nodes to offline'", "after hsqueeze run", "condensing"},
                                              {"'Nodes to online'", "after hsqueeze expansion", "expanding"}}};

std::string names(const Cluster& cluster, const std::vector<NodeIndex>& nodes, std::string_view separator) {
  std::vector<std::string> names;
  for (NodeIndex n : nodes) names.push_back(cluster.node(n).facts->name);
  return join(names, separator);
}

void print_candidates(const HsqueezeOptions& options, const Cluster& cluster) {
  if (options.general.verbosity <= 1) return;
  print(fmt::format("Offline candidates: {}\nOnline candidates: {}\n", names(cluster, offline_candidates(cluster), ","),
                    names(cluster, online_candidates(cluster), ",")));
}

void print_plan(const HsqueezeOptions& options, const Cluster& cluster, const SqueezePlan& plan,
                const ActionText& text) {
  if (options.output.headers) print(fmt::format("{}\n", text.header));
  for (NodeIndex n : plan.nodes) print(fmt::format("{}\n", cluster.node(n).facts->name));
  if (options.general.verbosity > 1 && plan.action == SqueezeAction::SwitchOn && !plan.sufficient) {
    print("Onlining all nodes will not yield enough capacity\n");
  }
  if (!options.output.command_file) return;
  print_commands(options.output, "Commands to run:", squeeze_commands(cluster, plan, options.output.platform()));
}

SqueezePlan find_plan(const HsqueezeOptions& options, const Cluster& cluster) {
  Progress progress(options.general);
  return plan_squeeze(cluster, options.targets, [&](const SqueezeProgress& p) {
    progress.update(
        [&] { return fmt::format("Trying set {} of {} of nodes to switch: {} moves", p.set, p.sets, p.moves); });
  });
}

}  // namespace

int hsqueeze_main(const CommandLine<HsqueezeOptions>& command_line) {
  reject_words(command_line.words);
  const HsqueezeOptions& options = command_line.options;
  const LoadedCluster loaded = load_cluster(options.general, options.source);
  const Cluster& cluster = loaded.cluster;
  PlanDocument document(kHsqueezeTool, loaded, PlanGoal::SavePower, {.power = options.targets});
  if (options.output.save_prefix) save_cluster(cluster, *options.output.save_prefix, "original", "before hsqueeze run");
  print_candidates(options, cluster);

  const SqueezePlan plan = find_plan(options, cluster);
  const ActionText& text = kActions[static_cast<std::size_t>(plan.action)];
  document.describe(plan, groups_with_nodes(cluster));
  print_plan(options, cluster, plan, text);
  if (options.jobs.execute && plan.action != SqueezeAction::None) {
    document.carry_out([&](std::vector<SubmittedJob>& jobs) {
      execute(options.source, options.jobs, kHsqueezeTool,
              fmt::format("{} by {} nodes", text.purpose, plan.nodes.size()), squeeze_jobs(cluster, plan), jobs);
    });
  }
  if (options.output.save_prefix) save_cluster(*plan.after, *options.output.save_prefix, "squeezed", text.state);
  document.print();
  return kExitSuccess;
}

}  // namespace htools
