#include "apps/plans/grade_remark.h"

#include <fmt/format.h>

#include <string_view>

#include "cluster/members.h"
#include "plan/served_loads.h"

namespace htools {

std::vector<std::string> grade_remarks(const Cluster& cluster, const Plan& plan) {
  std::vector<std::string> remarks;
  for (const GroupOutcome& g : plan.groups) {
    const std::string_view loads = load_words(cluster, members_of(cluster, g.group));
    if (g.grade.after >= g.grade.before || loads.empty()) continue;
    const std::string group = plan.groups.size() > 1 ? " of group " + cluster.group(g.group).name : "";
    remarks.push_back(
        fmt::format("The grade{} falls from {} to {}: the score also counts the {}, which the grade does not. "
                    "--ignore-dynu leaves that out.",
                    group, g.grade.before, g.grade.after, loads));
  }
  return remarks;
}

}  // namespace htools
