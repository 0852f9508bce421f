#include "grow/inflate.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "cluster/bookkeeping.h"
#include "grow/bounds.h"
#include "grow/node_room.h"
#include "grow/scope.h"
#include "htools/cluster.h"

namespace htools {

namespace {

constexpr std::int64_t kWhole = 1000;  // the factor 1

// Returns the amount times factor / 1000, rounded up.
std::int64_t inflated_amount(std::int64_t amount, std::int64_t factor) {
  if (amount <= 0) return amount;
  const WideAmount product = WideAmount{amount} * factor + kWhole - 1;
  return static_cast<std::int64_t>(std::min<WideAmount>(product / kWhole, std::int64_t{1} << 60));
}

bool inflates(const std::vector<InflatedResource>& resources, InflatedResource r) {
  return std::find(resources.begin(), resources.end(), r) != resources.end();
}

// Returns the instance with larger facts.
Instance inflated_instance(const Instance& instance, const std::vector<InflatedResource>& resources,
                           std::int64_t factor) {
  Instance result = instance;
  InstanceFacts& f = result.facts.edit();
  if (inflates(resources, InflatedResource::Memory)) f.memory = inflated_amount(f.memory, factor);
  if (inflates(resources, InflatedResource::Cpus)) f.vcpus = inflated_amount(f.vcpus, factor);
  if (inflates(resources, InflatedResource::Disk)) {
    f.disk = inflated_amount(f.disk, factor);
    for (Disk& disk : f.disks) disk.size = inflated_amount(disk.size, factor);
  }
  return result;
}

// Returns the cluster with larger instances at the same places. What is missing on nodes stays missing.
Cluster inflated_cluster(const Cluster& cluster, const std::vector<InflatedResource>& resources, std::int64_t factor) {
  Cluster result = cluster;
  const auto on_both_roles = [&](auto of_primary, auto of_secondary) {
    for (std::size_t i = 0; i < result.instances.size(); ++i) {
      const Instance& instance = result.instances[i];
      if (instance.primary != instance.secondary) of_primary(result.node(instance.primary), InstanceIndex(i), instance);
      if (!instance.secondary.is_none())
        of_secondary(result.node(instance.secondary), InstanceIndex(i), instance, instance.primary);
    }
  };
  on_both_roles(remove_primary, remove_secondary);
  for (Instance& instance : result.instances) instance = inflated_instance(instance, resources, factor);
  on_both_roles(add_primary, add_secondary);
  return result;
}

// Returns what the node lacks, of what grows; nothing if all limits are kept.
std::optional<InflationLimit> limit_on(const Cluster& cluster, NodeIndex n,
                                       const std::vector<InflatedResource>& resources) {
  const Node& node = cluster.node(n);
  const NodeFacts& facts = *node.facts;
  const auto limit = [&](GrowthResource r, double needed, double there) {
    return InflationLimit{std::string(name(r)), n, needed, there, {}};
  };
  if (inflates(resources, InflatedResource::Memory)) {
    const auto used = static_cast<double>(node.books.instance_memory);
    const double there = used + static_cast<double>(node.unallocated_memory()) - 1.0;
    if (used > there && used > 0) return limit(GrowthResource::Memory, used, there);
    const auto reserved = static_cast<double>(node.books.reserved_memory);
    if (node.books.n1_failed && reserved > 0) return limit(GrowthResource::Survival, used + reserved, there);
  }
  if (inflates(resources, InflatedResource::Disk)) {
    const std::int64_t kept = std::max<std::int64_t>(1, facts.min_free_disk), free = node.books.real.free_disk;
    const bool has_disks = std::any_of(node.primaries.begin(), node.primaries.end(), [&](InstanceIndex i) {
      return cluster.instance(i).facts->uses_local_storage();
    });
    if (free < kept && (has_disks || !node.secondaries.empty())) {
      return limit(GrowthResource::Disk, facts.total_disk - static_cast<double>(free),
                   facts.total_disk - static_cast<double>(kept));
    }
  }
  if (inflates(resources, InflatedResource::Cpus) && !node.primaries.empty()) {
    const bool is_over = facts.vcpu_ratio_limit >= 0 && facts.vcpu_ratio_limit < node.books.real.vcpu_ratio;
    if (is_over) {
      return limit(GrowthResource::Cpus, static_cast<double>(node.books.real.used_vcpus),
                   facts.vcpu_ratio_limit * facts.total_cpus);
    }
  }
  return std::nullopt;
}

// Returns the first limit that the group exceeds.
std::optional<InflationLimit> first_limit(const Cluster& group, const std::vector<InflatedResource>& resources,
                                          bool capacity_checks) {
  for (std::size_t n = 0; n < group.nodes.size(); ++n) {
    if (group.nodes[n].offline) continue;
    if (auto limit = limit_on(group, NodeIndex(n), resources)) return limit;
  }
  if (!capacity_checks) return std::nullopt;
  const auto homeless = unsafe_node(group);
  if (!homeless) return std::nullopt;
  return InflationLimit{std::string(name(GrowthResource::Survival)), homeless->node, std::nullopt, std::nullopt,
                        group.instance(homeless->instance).facts->alias + " would find no place"};
}

// Returns floor(1000 * most / used) / 1000; nothing if there is no limit below kMostInflation.
std::optional<std::int64_t> largest_factor(WideAmount most, WideAmount used) {
  if (used <= 0) return std::nullopt;
  const WideAmount factor = std::max<WideAmount>(kWhole, most * kWhole / used);
  return factor >= kMostInflation ? std::nullopt : std::optional(static_cast<std::int64_t>(factor));
}

// Returns the memory that the instances could have if any one online node was lost. Offline nodes count as room,
// because the capacity check has them as targets, too.
WideAmount memory_without_largest_node(const Cluster& group) {
  WideAmount limits = 0, largest = 0;
  for (const Node& node : group.nodes) {
    const WideAmount limit = std::max<WideAmount>(0, memory_limit(node));
    limits += limit;
    if (!node.offline) largest = std::max(largest, limit);
  }
  return limits - largest;
}

// Returns a factor that no placement allows to exceed: what the instances take, and what new ones could take as well.
// What is on offline nodes takes nothing from the others.
std::optional<std::int64_t> factor_bound(const Cluster& group, const std::vector<InflatedResource>& resources,
                                         bool capacity_checks) {
  ResourceAmounts used{};
  for (const Node& node : group.nodes) {
    if (node.offline) continue;
    for (const InstanceIndex i : node.primaries) {
      const InstanceFacts& f = *group.instance(i).facts;
      used[static_cast<std::size_t>(GrowthResource::Memory)] += f.used_memory();
      used[static_cast<std::size_t>(GrowthResource::Cpus)] += f.counted_vcpus();
    }
    for (const auto* list : {&node.primaries, &node.secondaries}) {
      for (const InstanceIndex i : *list) {
        const InstanceFacts& f = *group.instance(i).facts;
        if (f.uses_local_storage()) used[static_cast<std::size_t>(GrowthResource::Disk)] += f.disk;
      }
    }
  }
  constexpr auto kSurvival = static_cast<std::size_t>(GrowthResource::Survival);
  used[kSurvival] = used[static_cast<std::size_t>(GrowthResource::Memory)];
  auto free = supply_of(group, capacity_checks);
  if (free[kSurvival]) free[kSurvival] = std::max<WideAmount>(0, memory_without_largest_node(group) - used[kSurvival]);
  constexpr std::array kInflatedBy{InflatedResource::Memory, InflatedResource::Memory, InflatedResource::Disk,
                                   InflatedResource::Cpus};
  std::optional<std::int64_t> bound;
  for (std::size_t r = 0; r < kGrowthResourceCount; ++r) {
    if (!free[r] || !inflates(resources, kInflatedBy[r])) continue;
    const auto factor = largest_factor(used[r] + *free[r], used[r]);
    if (factor) bound = bound ? std::min(*bound, *factor) : *factor;
  }
  return bound;
}

double as_number(std::int64_t factor) { return static_cast<double>(factor) / kWhole; }

Inflation inflation_of(const Cluster& group, const std::vector<InflatedResource>& resources, bool capacity_checks) {
  const auto limit_at = [&](std::int64_t factor) {
    return first_limit(inflated_cluster(group, resources, factor), resources, capacity_checks);
  };
  Inflation result;
  if (const auto bound = factor_bound(group, resources, capacity_checks)) result.bound = as_number(*bound);
  std::int64_t low = kWhole, high = kMostInflation;  // allowed, or where the search begins; and not allowed
  result.limit = first_limit(group, resources, capacity_checks);
  if (!result.limit) {
    result.limit = limit_at(high);
    if (!result.limit) return result;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      if (auto limit = limit_at(middle)) {
        high = middle;
        result.limit = std::move(limit);
      } else {
        low = middle;
      }
    }
  }
  result.factor = as_number(low);
  return result;
}

}  // namespace

std::vector<Inflation> max_inflation(const Cluster& cluster, const std::vector<InflatedResource>& resources,
                                     std::optional<GroupIndex> group, bool capacity_checks) {
  std::vector<Inflation> answers;
  for (const GroupIndex g : group ? std::vector<GroupIndex>{*group} : groups_with_nodes(cluster)) {
    std::vector<bool> only(cluster.groups.size(), false);
    only[g.position()] = true;
    Cluster part = part_of(cluster, only);
    part.group(g).alloc_policy = AllocPolicy::Preferred;
    Inflation answer = inflation_of(part, resources, capacity_checks);
    answer.group = g;
    if (answer.limit) answer.limit->node = node_of_part(cluster, part, answer.limit->node);
    answers.push_back(std::move(answer));
  }
  // Nothing moves across groups, so the group with the smallest factor decides for all.
  Inflation all;
  for (const Inflation& one : answers) {
    if (one.factor && (!all.factor || *one.factor < *all.factor)) all.factor = one.factor, all.limit = one.limit;
    if (one.bound && (!all.bound || *one.bound < *all.bound)) all.bound = one.bound;
  }
  answers.push_back(std::move(all));
  return answers;
}

}  // namespace htools
