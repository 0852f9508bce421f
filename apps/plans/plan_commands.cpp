#include "apps/plans/plan_commands.h"

#include <cstddef>
#include <vector>

#include "apps/common/cluster_output.h"
#include "jobs/platform_commands.h"
#include "jobs/wave_script.h"
#include "report/plan_text.h"

namespace htools {

void print_plan_commands(const OutputOptions& options, const Cluster& cluster, const Plan& plan, JobSets sets) {
  if (options.command_file == "-") {
    print_commands(
        options, "Commands of the plan, wave by wave:",
        platform_commands(cluster, sets, &InstanceFacts::alias, options.commands, LeavingOffline::FailsOver));
    return;
  }
  std::vector<ScriptWave> waves;
  for (std::size_t w = 0; w < sets.size(); ++w) waves.push_back({sets[w], duration_text(plan.waves[w].seconds)});
  write_script(options, wave_script(cluster, waves, &InstanceFacts::alias, options.commands));
}

}  // namespace htools
