// How healthy a cluster is: what is wrong in each node group, in numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/errors.h"
#include "cluster/cluster.h"
#include "cluster/members.h"
#include "trial/trial.h"

namespace htools {

// A row of the table of what is counted.
struct HealthCounter {
  std::string_view key;    // for programs
  std::string_view label;  // for people
  // Counts the problems of one node group. Throws InputError if a count cannot be determined.
  std::int64_t (*count)(Trial& trial, const GroupMembers& members);
};

// In the order in which they are counted and shown. The last one is the capacity check (survival/capacity_check.h).
inline constexpr std::size_t kHealthCounterCount = 5;
extern const std::array<HealthCounter, kHealthCounterCount> kHealthCounters;

// The counts of one group.
struct GroupStatistics {
  GroupIndex group;
  std::vector<std::int64_t> counts;  // in the order of the counters, up to the one that failed
  std::optional<InputError> failure;
  double score = 0.0;
};

// Of each group that has nodes, in index order.
std::vector<GroupStatistics> health_statistics(const Cluster& cluster, bool capacity_checks);

// The sums over all groups; empty if there is no group with nodes. Throws the first failure.
std::vector<std::int64_t> summed_counts(const std::vector<GroupStatistics>& groups);

}  // namespace htools
