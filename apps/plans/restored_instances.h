// Instances whose data is lost, in plans.
#pragma once

#include <string>
#include <vector>

#include "apps/options/hplan_options.h"
#include "apps/plans/made_plan.h"
#include "cluster/cluster.h"
#include "trial/trial.h"

namespace htools {

// With --restore, gives the lost instances of the groups new disks, on the trial. Says which ones find no place.
void restore_wanted(Trial& trial, const PlanChoice& choice, const std::vector<GroupIndex>& groups, Made& made);

// Says which instances get new disks, and which no plan can bring back; nothing if there are none.
std::vector<std::string> lost_remarks(const Cluster& cluster, const PlanChoice& choice,
                                      const std::vector<BalanceStep>& restored, const std::vector<InstanceIndex>& lost);

}  // namespace htools
