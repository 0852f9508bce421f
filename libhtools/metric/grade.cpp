#include "metric/grade.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "cluster/ratios.h"

namespace htools {
namespace {

using UsedFractions = std::array<double, 3>;  // of memory, disk and cpus

UsedFractions used_fractions(const Node& node) {
  const auto vcpus = static_cast<double>(node.books.real.used_vcpus);
  const auto policy_vcpus = static_cast<double>(node.facts->policy_vcpus);
  // Without a limit, what is used counts as a share of the physical cpus.
  const double cpus = node.facts->total_cpus;
  const double max_vcpus = cpus > 0 && policy_vcpus >= kNoRatio * cpus ? cpus : policy_vcpus;
  return {1.0 - node.books.real.memory_ratio, 1.0 - node.books.real.disk_ratio,
          max_vcpus == 0 ? 0.0 : vcpus / max_vcpus};
}

}  // namespace

std::int64_t graded_nodes(const NodeRefs& nodes) {
  return std::count_if(nodes.begin(), nodes.end(), [](const Node& node) { return !node.offline; });
}

std::int64_t grade_of(const NodeRefs& nodes) {
  std::vector<UsedFractions> used;
  for (const Node& node : nodes) {
    if (!node.offline) used.push_back(used_fractions(node));
  }
  const auto count = static_cast<double>(used.size());
  double deviations = 0.0, largest = 0.0;
  for (std::size_t resource = 0; resource < UsedFractions().size(); ++resource) {
    double sum = 0.0, squares = 0.0;
    for (const UsedFractions& node : used) sum += node[resource];
    const double mean = sum / count;
    for (const UsedFractions& node : used) squares += (node[resource] - mean) * (node[resource] - mean);
    deviations += std::sqrt(squares / count);
    largest += mean * std::sqrt(count - 1.0);
  }
  constexpr double kEven = 100.0;
  if (!(largest > 0.0)) return static_cast<std::int64_t>(kEven);  // also if it is not a number
  return static_cast<std::int64_t>(std::floor(std::clamp(kEven * (1.0 - deviations / largest), 0.0, kEven)));
}

}  // namespace htools
