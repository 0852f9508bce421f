// Counts the problems of each node group: the numbers that decide whether a cluster is healthy.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "htools/errors.h"
#include "trial/trial.h"

namespace htools {

// The elements that have one kind of problem: nodes or instances.
using Troubled = std::variant<std::vector<NodeIndex>, std::vector<InstanceIndex>>;

// A row of the table of counters. A counter counts one kind of problem.
struct HealthCounter {
  std::string_view key;      // name in lines of KEY=VALUE
  std::string_view label;    // name in output for people
  std::string_view name;     // name in documents and metrics
  std::string_view meaning;  // what it counts, without a full stop
  // Finds the elements of one node group that count. Throws InputError if they cannot be determined.
  Troubled (*find)(Trial& trial, const GroupMembers& members);
};

// The counters, in the order in which they run and are shown. The last one is the capacity check
// (survival/capacity_check.h).
inline constexpr std::size_t kHealthCounterCount = 5;
extern const std::array<HealthCounter, kHealthCounterCount> kHealthCounters;

// The counts and the score of one node group.
struct GroupStatistics {
  GroupIndex group;
  std::vector<std::int64_t> counts;   // in the order of the counters, up to the one that failed
  std::vector<Troubled> troubled;     // what was counted
  std::optional<InputError> failure;  // the error of the counter that failed; empty if none did
  double score = 0.0;
};

// Returns the statistics of each group that has nodes, in index order. The capacity check is left out unless
// `capacity_checks` is set.
std::vector<GroupStatistics> health_statistics(const Cluster& cluster, bool capacity_checks);

// Returns the sums of the counts over all groups; empty if there are no groups. Throws the first failure of a group.
std::vector<std::int64_t> summed_counts(const std::vector<GroupStatistics>& groups);

}  // namespace htools
