#include "explain/diagnosis.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "cluster/data_copies.h"
#include "cluster/members.h"
#include "examine/health_statistics.h"
#include "explain/cure.h"
#include "explain/problems.h"
#include "metric/grade.h"
#include "metric/statistics.h"
#include "trial/trial.h"

namespace htools {

Diagnosis diagnose(const Cluster& cluster, const std::vector<GroupIndex>& groups, const DiagnosisOptions& options) {
  Diagnosis diagnosis;
  Trial trial(cluster);
  for (GroupStatistics& statistics : health_statistics(cluster, options.capacity_checks)) {
    if (std::find(groups.begin(), groups.end(), statistics.group) == groups.end()) continue;
    const GroupMembers members = members_of(cluster, statistics.group);
    const std::int64_t grade = grade_of(member_nodes(cluster, members));
    if (grade < kUnevenBelow) diagnosis.uneven.push_back({statistics.group, grade});
    std::vector<Finding> found = problems_of(trial, statistics.group, members, options.capacity_checks);
    if (options.cures) find_cures(trial, members, options, found);
    std::move(found.begin(), found.end(), std::back_inserter(diagnosis.findings));
    diagnosis.check.initial.push_back(std::move(statistics));
  }
  std::stable_sort(diagnosis.findings.begin(), diagnosis.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.kind < b.kind; });
  diagnosis.one_copy = instances_with_one_copy(cluster, groups);
  return diagnosis;
}

}  // namespace htools
