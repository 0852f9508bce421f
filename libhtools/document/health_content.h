// The content of documents of the kind htools.health/1: what is wrong with a cluster, and what balancing would fix.
#pragma once

#include <vector>

#include "examine/health_check.h"
#include "explain/diagnosis.h"
#include "explain/finding.h"

namespace htools {

// A health check and, if they were looked for, all problems. These two must outlive this.
struct HealthContent {
  const HealthCheck& check;
  const std::vector<Finding>* findings = nullptr;
  std::vector<InstanceIndex> one_copy = {};  // instances whose data is on a local disk of one node alone
  std::vector<UnevenGroup> uneven = {};      // groups that are used unevenly
};

}  // namespace htools
