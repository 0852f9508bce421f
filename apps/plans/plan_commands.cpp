#include "apps/plans/plan_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apps/common/cluster_output.h"
#include "base/durations.h"
#include "base/strings.h"
#include "jobs/platform_commands.h"

namespace htools {
namespace {

// Returns the heading of a list of commands, which run one after the other; a script makes the moves of a wave at once.
// How long it takes to fill new disks is unknown.
std::string list_heading(const Plan& plan) {
  if (plan.steps.empty()) return "Commands of the plan:";
  const bool is_known = std::ranges::none_of(plan.steps, [](const PlannedStep& step) { return step.new_disks; });
  if (!is_known) return "Commands of the plan, one after the other:";
  const std::string serial = duration_text(plan.totals.seconds_one_by_one);
  const std::string parallel = duration_text(plan.totals.seconds);
  return fmt::format("Commands of the plan, one after the other ({}{}):", serial,
                     serial == parallel ? "" : "; -CFILE writes a script that takes " + parallel);
}

}  // namespace

OutputOptions with_platform_of(const Cluster& cluster, const OutputOptions& options) {
  OutputOptions known = options;
  if (!known.commands) known.commands = commanded_platform(cluster, CommandPlatform::Ansible);
  return known;
}

void print_plan_commands(const OutputOptions& options, const Cluster& cluster, const Plan& plan, JobSets sets,
                         const std::vector<std::string>& remarks) {
  std::vector<std::string> comments;
  for (const std::string& remark : remarks) comments.push_back("# " + remark + "\n");
  if (options.command_file == "-") {
    CommandLines commands =
        platform_commands(cluster, sets, &InstanceFacts::alias, options.platform(), LeavingOffline::FailsOver);
    commands.insert(commands.begin(), comments.begin(), comments.end());
    print_commands(options, list_heading(plan), commands);
    return;
  }
  std::vector<ScriptWave> waves;
  for (std::size_t w = 0; w < sets.size(); ++w) {
    const Wave& wave = plan.waves[w];
    // How long it takes to fill new disks is unknown.
    const bool is_known = !plan.steps[wave.steps.front() - 1].new_disks;
    waves.push_back({sets[w], is_known ? std::optional(wave.seconds) : std::nullopt});
  }
  write_wave_script(options, cluster, waves, join(comments, ""));
}

std::vector<CommandsOfStep> commands_of_steps(const OutputOptions& options, const Cluster& cluster, const Plan& plan) {
  std::vector<CommandsOfStep> commands;
  for (const Wave& wave : plan.waves) {
    for (const std::size_t number : wave.steps) {
      const PlannedStep& step = plan.steps[number - 1];
      CommandsOfStep& added = commands.emplace_back(CommandsOfStep{number, step.wave, {}});
      for (const Leg& leg :
           step_commands(cluster, step.step, &InstanceFacts::alias, options.platform(), LeavingOffline::FailsOver)
               .legs) {
        added.commands.insert(added.commands.end(), leg.commands.begin(), leg.commands.end());
      }
    }
  }
  return commands;
}

}  // namespace htools
