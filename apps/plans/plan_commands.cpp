#include "apps/plans/plan_commands.h"

#include <cstddef>
#include <vector>

#include "apps/common/cluster_output.h"
#include "base/strings.h"
#include "jobs/platform_commands.h"
#include "base/durations.h"

namespace htools {

void print_plan_commands(const OutputOptions& options, const Cluster& cluster, const Plan& plan, JobSets sets,
                         const std::vector<std::string>& remarks) {
  std::vector<std::string> comments;
  for (const std::string& remark : remarks) comments.push_back("# " + remark + "\n");
  if (options.command_file == "-") {
    CommandLines commands =
        platform_commands(cluster, sets, &InstanceFacts::alias, options.commands, LeavingOffline::FailsOver);
    commands.insert(commands.begin(), comments.begin(), comments.end());
    print_commands(options, "Commands of the plan, wave by wave:", commands);
    return;
  }
  std::vector<ScriptWave> waves;
  for (std::size_t w = 0; w < sets.size(); ++w) waves.push_back({sets[w], plan.waves[w].seconds});
  write_wave_script(options, cluster, waves, join(comments, ""));
}

std::vector<CommandsOfStep> commands_of_steps(const OutputOptions& options, const Cluster& cluster, const Plan& plan) {
  std::vector<CommandsOfStep> commands;
  for (const Wave& wave : plan.waves) {
    for (const std::size_t number : wave.steps) {
      const PlannedStep& step = plan.steps[number - 1];
      CommandsOfStep& added = commands.emplace_back(CommandsOfStep{number, step.wave, {}});
      for (const Leg& leg :
           step_commands(cluster, step.step, &InstanceFacts::alias, options.commands, LeavingOffline::FailsOver).legs) {
        added.commands.insert(added.commands.end(), leg.commands.begin(), leg.commands.end());
      }
    }
  }
  return commands;
}

}  // namespace htools
