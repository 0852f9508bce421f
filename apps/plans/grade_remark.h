// Says why a plan for the balance lowers a grade.
#pragma once

#include <string>
#include <vector>

#include "cluster/cluster.h"
#include "plan/plan.h"

namespace htools {

// Returns a sentence for each node group whose grade is lower after the plan, although its loads count: the score
// counts them, and the grade does not. The sentence names the option that leaves them out.
std::vector<std::string> grade_remarks(const Cluster& cluster, const Plan& plan);

}  // namespace htools
