// The jobs that carry out a solution.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "jobs/commands.h"
#include "jobs/opcodes.h"
#include "maintain/squeeze.h"

namespace htools {

// Jobs that can be carried out at the same time.
struct PlannedJobs {
  std::string description;
  std::vector<Job> jobs;
};

// One job for each step. Descriptions are `what` and the full names of the instances: "WHAT instances i1,i2".
std::vector<PlannedJobs> move_jobs(const Cluster& cluster, JobSets sets, std::string_view what);

// Nodes are tagged and switched off after the moves, and switched on before them. Without nodes there is nothing to be
// switched.
std::vector<PlannedJobs> squeeze_jobs(const Cluster& cluster, const SqueezePlan& plan);

}  // namespace htools
