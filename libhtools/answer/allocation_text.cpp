#include "answer/allocation_text.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "base/decimal.h"
#include "base/strings.h"

namespace htools {
namespace {

std::string score_text(const AllocationScore& score) {
  if (const double* plain = std::get_if<double>(&score)) return format_fixed(*plain, 8);
  const auto& loss = std::get<LostAllocations>(score);
  return fmt::format("([{}],{})", fmt::join(loss.lost, ","), loss.remaining_disk);
}

// Returns the failures with their counts, "FailMem: 4, FailDisk: 1"; empty if nothing failed.
std::string failures_text(const FailCounts& failures) {
  std::vector<std::string> reasons;
  for (std::size_t mode = 0; mode < kFailModeCount; ++mode) {
    if (failures.count[mode] != 0) {
      reasons.push_back(fmt::format("{}: {}", kFailModeNames[mode], failures.count[mode]));
    }
  }
  return join(reasons, ", ");
}

std::string problem_text(GroupProblem problem, std::string_view group, std::string_view instance) {
  switch (problem) {
    case GroupProblem::NoOnlineNodes:
      return "No online nodes";
    case GroupProblem::NotEnoughOnlineNodes:
      return "Not enough online nodes";
    case GroupProblem::UnsupportedNodeCount:
      return "Unsupported number of nodes, only one or two  supported";
    case GroupProblem::NotConnected:
      break;
  }
  return fmt::format("The group {} is not connected to a network required by instance {}", group, instance);
}

std::string group_line(const Cluster& cluster, const GroupTrial& trial, std::string_view instance) {
  const Group& group = cluster.group(trial.group);
  if (const auto* problem = std::get_if<GroupProblem>(&trial.outcome)) {
    return fmt::format("Group {}: error {}", group.name, problem_text(*problem, group.name, instance));
  }
  return fmt::format("Group {} ({}): {}", group.name, name(group.alloc_policy),
                     describe(cluster, std::get<Allocation>(trial.outcome)));
}

std::string describe_group(const Cluster& cluster, const GroupTrial& trial, std::string_view instance) {
  const auto* problem = std::get_if<GroupProblem>(&trial.outcome);
  return problem != nullptr ? problem_text(*problem, cluster.group(trial.group).name, instance)
                            : group_line(cluster, trial, instance);
}

}  // namespace

std::vector<std::string> node_names(const Cluster& cluster, const Placement& placement) {
  std::vector<std::string> names{cluster.node(placement.primary).facts->name};
  if (!placement.secondary.is_none()) names.push_back(cluster.node(placement.secondary).facts->name);
  return names;
}

std::string describe(const Cluster& cluster, const Allocation& allocation) {
  const std::string reasons = failures_text(allocation.failures);
  if (!allocation.choice) {
    return fmt::format("No valid allocation solutions, failure reasons: {}",
                       reasons.empty() ? "unknown reasons" : reasons);
  }
  std::int64_t failures = 0;
  for (const std::int64_t count : allocation.failures.count) failures += count;
  return fmt::format("score: {}, successes {}, failures {} ({}) for node(s) {}", score_text(allocation.choice->score),
                     allocation.successes, failures, reasons,
                     join(node_names(cluster, allocation.choice->placement), "/"));
}

std::string describe(const Cluster& cluster, const AllocationAnswer& answer, const Applicant& applicant) {
  if (!answer.group_known) {
    return fmt::format("Wrong number of elems found with name {}", applicant.group.value_or(""));
  }
  if (!answer.any_group) return describe_group(cluster, answer.trials.front(), applicant.instance);
  std::vector<std::string> lines;
  if (answer.selected) {
    lines.push_back(fmt::format("Selected group: {}", cluster.group(answer.trials[*answer.selected].group).name));
  }
  for (GroupIndex g : answer.unconnected) {
    lines.push_back(fmt::format("group {} is not connected to a network required by instance {}", cluster.group(g).name,
                                applicant.instance));
  }
  for (const GroupTrial& trial : answer.trials) lines.push_back(group_line(cluster, trial, applicant.instance));
  return join(lines, ", ");
}

}  // namespace htools
