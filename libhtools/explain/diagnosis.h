// Says all that is wrong with a cluster, and what would cure it.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/cluster.h"
#include "examine/health_check.h"
#include "explain/finding.h"
#include "htools/balance.h"

namespace htools {

// A node group that is used unevenly, which is no problem, but what plans are for.
struct UnevenGroup {
  GroupIndex group;
  std::int64_t grade = 0;
};

// All that is wrong with a cluster, and the counts of the health check.
struct Diagnosis {
  HealthCheck check;                         // `initial` only
  std::vector<Finding> findings;             // the worst first
  std::vector<InstanceIndex> one_copy = {};  // whose data is on a local disk of one node alone: no problem, but a risk
  std::vector<UnevenGroup> uneven = {};      // groups whose grade is below kUnevenBelow
};

// What to look for.
struct DiagnosisOptions {
  bool capacity_checks = true;  // look for nodes that cannot be emptied
  bool cures = true;
  BalanceOptions balance = {};  // the moves that cures may make
};

// Finds everything that is wrong with these groups.
Diagnosis diagnose(const Cluster& cluster, const std::vector<GroupIndex>& groups, const DiagnosisOptions& options = {});

}  // namespace htools
