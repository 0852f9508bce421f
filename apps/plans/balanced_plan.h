// Plans that are searched for: the lowest score within limits.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/options/hplan_options.h"
#include "apps/plans/made_plan.h"
#include "search/search.h"

namespace htools {

// Return what the options say about a search.
SearchLimits search_limits(const HplanOptions& options);
SearchEffort search_effort(const PlanChoice& choice);

// A search for the plan of one node group.
struct GroupSearch {
  const Cluster& start;
  const GroupMembers& members;
  const SearchRules& rules;
  const SearchLimits& limits;  // what other groups leave of them
  SearchEffort effort;
  SearchWatch watch;
  std::string of_group;  // " in group NAME" for sentences, if there are several groups
};
// Finds the plan of a group. It may add remarks to what has been made so far.
using FindPlan = std::function<Ordering(const GroupSearch& search, Made& made)>;

// Finds the plan with the lowest score.
Ordering plan_of_group(const GroupSearch& search, Made& made);

// Finds a plan for each group, and makes its moves on the trial. Ctrl-C ends the search; then the best plan so far
// counts.
Made balanced(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups,
              const FindPlan& find = plan_of_group);

}  // namespace htools
