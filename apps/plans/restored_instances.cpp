#include "apps/plans/restored_instances.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "goals/restoring.h"
#include "report/refusal_sentence.h"

namespace htools {
namespace {

std::string listed_names(const Cluster& cluster, const std::vector<InstanceIndex>& instances) {
  std::vector<std::string> names;
  for (const InstanceIndex i : instances) names.push_back(cluster.instance(i).facts->alias);
  return join(names, ", ");
}

}  // namespace

void restore_wanted(Trial& trial, const PlanChoice& choice, const std::vector<GroupIndex>& groups, Made& made) {
  if (!choice.restore) return;
  const Cluster& cluster = trial.cluster();
  Restoring restoring = restore_lost(trial, groups);
  made.restored.insert(made.restored.end(), restoring.steps.begin(), restoring.steps.end());
  for (const Unrestored& u : restoring.left) {
    const InstanceFacts& instance = *cluster.instance(u.instance).facts;
    made.remarks.push_back(fmt::format("{} finds no place{}.", instance.alias,
                                       u.nearest ? ": " + refusal_sentence(cluster, instance.name, *u.nearest) : ""));
  }
}

std::vector<std::string> lost_remarks(const Cluster& cluster, const PlanChoice& choice,
                                      const std::vector<BalanceStep>& restored,
                                      const std::vector<InstanceIndex>& lost) {
  std::vector<std::string> remarks;
  std::vector<InstanceIndex> with_new_disks;
  for (const BalanceStep& step : restored) with_new_disks.push_back(step.instance);
  if (!with_new_disks.empty()) {
    remarks.push_back(
        fmt::format("New, empty disks: {}. The data must come from a backup; the time for that is not counted.",
                    listed_names(cluster, with_new_disks)));
  }
  if (!lost.empty()) {
    remarks.push_back(fmt::format("Lost: {}. All nodes that have their data are offline: bring one back, or {}.",
                                  listed_names(cluster, lost),
                                  choice.restore ? "restore a backup" : "plan new disks for a backup with --restore"));
  }
  return remarks;
}

}  // namespace htools
