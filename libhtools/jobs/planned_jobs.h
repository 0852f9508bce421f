// Builds the Ganeti jobs that carry out a solution.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "jobs/commands.h"
#include "jobs/opcodes.h"
#include "maintain/squeeze.h"

namespace htools {

// A set of jobs that can be carried out at the same time.
struct PlannedJobs {
  std::string description;
  std::vector<Job> jobs;
};

// Returns one job for each step, set by set. The description of a set is `what` and the full names of its instances:
// "WHAT instances i1,i2".
std::vector<PlannedJobs> move_jobs(const Cluster& cluster, JobSets sets, std::string_view what,
                                   LeavingOffline leaving = LeavingOffline::Migrates);

// Returns the jobs of the plan. Nodes that are switched off are tagged and switched off after the moves; nodes that are
// switched on are switched on before the moves. If the plan has no nodes, the result contains the moves only.
std::vector<PlannedJobs> squeeze_jobs(const Cluster& cluster, const SqueezePlan& plan);

}  // namespace htools
