#include "grow/bounds.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "grow/node_room.h"
#include "rules/admission.h"

namespace htools {

namespace {

constexpr std::size_t kMemoryRow = static_cast<std::size_t>(GrowthResource::Memory);
constexpr std::size_t kSurvivalRow = static_cast<std::size_t>(GrowthResource::Survival);
constexpr std::size_t kDiskRow = static_cast<std::size_t>(GrowthResource::Disk);
constexpr std::size_t kCpusRow = static_cast<std::size_t>(GrowthResource::Cpus);

using SizeCounts = std::vector<std::int64_t>;

// Returns how many of `counts` instances fit into `room`, if each of size s takes `amount(s)`: as many small ones as
// possible. This is the most that fit, since any choice of as many takes at least as much.
template <class Amount>
std::int64_t most_that_fit(const SizeCounts& counts, WideAmount room, Amount amount) {
  std::vector<std::pair<WideAmount, std::int64_t>> by_amount;
  for (std::size_t s = 0; s < counts.size(); ++s) {
    if (counts[s] > 0) by_amount.emplace_back(amount(s), counts[s]);
  }
  std::sort(by_amount.begin(), by_amount.end());
  std::int64_t most = 0;
  for (const auto& [each, count] : by_amount) {
    if (room < 0) break;
    const WideAmount fitting = each <= 0 ? WideAmount{count} : std::min<WideAmount>(count, room / each);
    most += static_cast<std::int64_t>(fitting);
    room -= fitting * each;
    if (fitting < count) break;
  }
  return most;
}

// Returns what new instances can take of the memory of a group so that the loss of any node can be borne.
WideAmount survival_supply(const Cluster& cluster, GroupIndex group) {
  WideAmount limits = 0, largest = 0, used = 0;
  for (const Node& node : cluster.nodes) {
    if (node.facts->group != group) continue;
    const WideAmount limit = std::max<WideAmount>(0, memory_limit(node));
    limits += limit;
    largest = std::max(largest, limit);
    for (const InstanceIndex i : node.primaries) {
      const Instance& instance = cluster.instance(i);
      // A drbd instance whose mirror is in another group leaves the group.
      const bool stays = instance.secondary.is_none() || cluster.node(instance.secondary).facts->group == group;
      if (stays) used += instance.facts->used_memory();
    }
  }
  return std::max<WideAmount>(0, limits - largest - used);
}

// Returns what new instances can take of each resource in each group, where they may be placed in it.
std::vector<ResourceSupply> supplies_by_group(const Cluster& cluster, bool capacity_checks) {
  std::vector<ResourceSupply> supplies(cluster.groups.size());
  for (std::size_t g = 0; g < supplies.size(); ++g) {
    supplies[g] = {WideAmount{0}, WideAmount{0}, WideAmount{0}, WideAmount{0}};
    supplies[g][kSurvivalRow] = capacity_checks ? std::optional<WideAmount>(0) : std::nullopt;
    if (capacity_checks && cluster.groups[g].is_allocable()) {
      supplies[g][kSurvivalRow] = survival_supply(cluster, GroupIndex(g));
    }
  }
  for (const Node& node : cluster.nodes) {
    const GroupIndex group = node.facts->group;
    if (!receives(node) || !cluster.group(group).is_allocable()) continue;
    const NodeRoom room(node);
    ResourceSupply& supply = supplies[group.position()];
    *supply[kMemoryRow] += std::max<std::int64_t>(0, node.unallocated_memory() - 1);
    *supply[kDiskRow] += std::max<std::int64_t>(0, room.disk_of_real);
    *supply[kCpusRow] += std::max<std::int64_t>(0, room.vcpus_of_real);
  }
  return supplies;
}

// True if the size could be on some node of an allocable group if nothing else were there.
bool could_ever_fit(const Cluster& cluster, const Instance& instance) {
  const InstanceFacts& f = *instance.facts;
  return std::any_of(cluster.nodes.begin(), cluster.nodes.end(), [&](const Node& node) {
    const Group& group = cluster.group(node.facts->group);
    return receives(node) && group.is_allocable() && f.memory <= memory_limit(node) &&
           f.vcpus <= vcpu_limit(cluster, node) && !check_policy(instance, group.policy, node.facts->exclusive_storage);
  });
}

std::int64_t local_disk(const InstanceFacts& f) { return f.uses_local_storage() ? f.disk : 0; }

// The numbers of instances that nodes can take while those that are there stay, by the roles of instances.
class NodeCounts {
 public:
  NodeCounts(const Cluster& settled, const std::vector<WorkloadSize>& sizes) : sizes_(sizes) {
    for (const Node& node : settled.nodes) {
      const Group& group = settled.group(node.facts->group);
      if (!receives(node) || !group.is_allocable()) continue;
      NodeRoom room(node);
      std::vector<bool> hosts, mirrors;
      for (const WorkloadSize& size : sizes) {
        hosts.push_back(room.can_host(size.instance) &&
                        !check_policy(size.instance, group.policy, node.facts->exclusive_storage));
        mirrors.push_back(size.instance.facts->has_secondary() && room.can_mirror(size.instance));
      }
      nodes_.push_back({room, std::move(hosts), std::move(mirrors), node.facts->group});
    }
  }

  // Returns the most instances that find a place.
  std::int64_t most(SizeCounts counts) const {
    for (std::size_t s = 0; s < counts.size(); ++s) counts[s] = std::min(counts[s], most_alone(s));
    SizeCounts pairs(counts.size(), 0), singles(counts.size(), 0);
    for (std::size_t s = 0; s < counts.size(); ++s) {
      (sizes_[s].instance.facts->has_secondary() ? pairs : singles)[s] = counts[s];
    }
    std::int64_t all = 0, single = 0;
    for (const OfNode& node : nodes_) {
      all += hosted(node, counts);
      single += hosted(node, singles);
    }
    const auto total = [](const SizeCounts& c) { return std::accumulate(c.begin(), c.end(), std::int64_t{0}); };
    all = std::min(all, std::min(single, total(singles)) + std::min(most_pairs(pairs), total(pairs)));
    for (const HostedAmount& amount : kHostedAmounts) {
      all = std::min({all, most_by_largest(counts, amount), most_in_whole_units(counts, amount)});
    }
    return all;
  }

 private:
  // A node, and by size: whether it can be the primary or the secondary of such an instance.
  struct OfNode {
    NodeRoom room;
    std::vector<bool> hosts, mirrors;
    GroupIndex group;
  };

  // What a primary takes of its node, and what the node has.
  struct HostedAmount {
    std::int64_t (*needed)(const InstanceFacts&);
    std::int64_t NodeRoom::*room;
  };
  static constexpr std::array<HostedAmount, 3> kHostedAmounts{
      HostedAmount{[](const InstanceFacts& f) { return f.memory; }, &NodeRoom::memory},
      HostedAmount{[](const InstanceFacts& f) { return f.vcpus; }, &NodeRoom::vcpus},
      HostedAmount{local_disk, &NodeRoom::disk}};

  std::int64_t needed(std::size_t size, const HostedAmount& amount) const {
    return amount.needed(*sizes_[size].instance.facts);
  }
  static std::int64_t room(const OfNode& node, const HostedAmount& amount) {
    return std::max<std::int64_t>(0, node.room.*amount.room);
  }

  // Returns how many instances the node can be the primary of.
  std::int64_t hosted(const OfNode& node, SizeCounts counts) const {
    std::int64_t most = 0;
    for (std::size_t s = 0; s < counts.size(); ++s) {
      if (!node.hosts[s]) counts[s] = 0;
      most += counts[s];
    }
    for (const HostedAmount& amount : kHostedAmounts) {
      if (most == 0) break;
      most =
          std::min(most, most_that_fit(counts, room(node, amount), [&](std::size_t s) { return needed(s, amount); }));
    }
    return most;
  }

  // Returns how many instances of this size nodes can be primaries of, if there are no others.
  std::int64_t most_alone(std::size_t size) const {
    WideAmount sum = 0;
    for (const OfNode& node : nodes_) {
      if (!node.hosts[size]) continue;
      std::int64_t most = std::numeric_limits<std::int64_t>::max();
      for (const HostedAmount& amount : kHostedAmounts) {
        if (needed(size, amount) > 0) most = std::min(most, room(node, amount) / needed(size, amount));
      }
      sum += most;
    }
    return static_cast<std::int64_t>(std::min<WideAmount>(sum, std::numeric_limits<std::int64_t>::max()));
  }

  // Returns the most instances that fit if each takes as much as the smallest of those that are not smaller: of the
  // instances from some amount on, no node takes more than that amount goes into its room.
  std::int64_t most_by_largest(const SizeCounts& counts, const HostedAmount& amount) const {
    std::vector<std::size_t> by_amount(counts.size());
    std::iota(by_amount.begin(), by_amount.end(), std::size_t{0});
    std::sort(by_amount.begin(), by_amount.end(),
              [&](std::size_t a, std::size_t b) { return needed(a, amount) > needed(b, amount); });
    WideAmount most = 0;
    for (const std::size_t s : by_amount) {
      most += counts[s];
      if (needed(s, amount) <= 0) continue;
      WideAmount fitting = 0;
      for (const OfNode& node : nodes_) fitting += room(node, amount) / needed(s, amount);
      most = std::min(most, fitting);
    }
    return static_cast<std::int64_t>(most);
  }

  // Returns the most instances that fit into the sum of the nodes' rooms, of which only whole multiples of the largest
  // amount count that divides what each instance takes.
  std::int64_t most_in_whole_units(const SizeCounts& counts, const HostedAmount& amount) const {
    std::int64_t unit = 0;
    for (std::size_t s = 0; s < counts.size(); ++s) {
      if (counts[s] > 0) unit = std::gcd(unit, needed(s, amount));
    }
    if (unit <= 0) return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    WideAmount sum = 0;
    for (const OfNode& node : nodes_) sum += WideAmount{room(node, amount) / unit} * unit;
    return most_that_fit(counts, sum, [&](std::size_t s) { return needed(s, amount); });
  }

  // Returns how many instances the node can be a primary or a secondary of, as far as disk tells.
  std::int64_t roles(const OfNode& node, SizeCounts counts) const {
    for (std::size_t s = 0; s < counts.size(); ++s) {
      if (!node.hosts[s] && !node.mirrors[s]) counts[s] = 0;
    }
    return most_that_fit(counts, std::max<std::int64_t>(0, node.room.disk),
                         [&](std::size_t s) { return local_disk(*sizes_[s].instance.facts); });
  }

  // Returns the most pairs, group by group: x pairs have 2x roles, and a node has at most x of them.
  std::int64_t most_pairs(const SizeCounts& pairs) const {
    std::vector<GroupIndex> groups;
    for (const OfNode& node : nodes_) groups.push_back(node.group);
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    std::int64_t most = 0;
    for (const GroupIndex group : groups) {
      std::int64_t primaries = 0;
      std::vector<std::int64_t> roles_of;
      for (const OfNode& node : nodes_) {
        if (node.group != group) continue;
        primaries += hosted(node, pairs);
        roles_of.push_back(roles(node, pairs));
      }
      most += std::min(primaries, pairs_of_roles(roles_of));
    }
    return most;
  }

  static std::int64_t pairs_of_roles(const std::vector<std::int64_t>& roles_of) {
    const auto are_possible = [&](std::int64_t x) {
      WideAmount sum = 0;
      for (const std::int64_t r : roles_of) sum += std::min(r, x);
      return sum >= 2 * WideAmount{x};
    };
    std::int64_t low = 0, high = 1;
    for (const std::int64_t r : roles_of) high += r;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (are_possible(middle) ? low : high) = middle;
    }
    return low;
  }

  const std::vector<WorkloadSize>& sizes_;
  std::vector<OfNode> nodes_;
};

// All limits of a workload.
class WorkloadLimits {
 public:
  WorkloadLimits(const Cluster& cluster, const Cluster& settled, const std::vector<WorkloadSize>& sizes,
                 bool capacity_checks)
      : supply_(supply_of(cluster, capacity_checks)),
        group_supplies_(supplies_by_group(cluster, capacity_checks)),
        settled_supplies_(supplies_by_group(settled, capacity_checks)),
        of_nodes_(settled, sizes) {
    for (const WorkloadSize& size : sizes) {
      demands_.push_back(demand_of(size.instance));
      could_fit_.push_back(could_ever_fit(cluster, size.instance));
    }
  }

  std::optional<std::int64_t> by_resource(std::size_t resource, const SizeCounts& counts) const {
    return by_supply(supply_[resource], resource, counts);
  }
  std::int64_t anywhere(const SizeCounts& counts) const {
    return std::min(most_of(supply_, counts), most_of_groups(group_supplies_, counts));
  }
  std::int64_t as_placed(const SizeCounts& counts) const {
    return std::min({anywhere(counts), most_of_groups(settled_supplies_, counts), of_nodes_.most(counts)});
  }

 private:
  // Each instance is in one group, so what fits in each of them adds up to a bound.
  std::int64_t most_of_groups(const std::vector<ResourceSupply>& supplies, const SizeCounts& counts) const {
    WideAmount sum = 0;
    for (const ResourceSupply& supply : supplies) sum += most_of(supply, counts);
    return static_cast<std::int64_t>(std::min<WideAmount>(sum, std::numeric_limits<std::int64_t>::max()));
  }

  std::optional<std::int64_t> by_supply(const std::optional<WideAmount>& supply, std::size_t resource,
                                        const SizeCounts& counts) const {
    if (!supply) return std::nullopt;
    return most_that_fit(counts, *supply, [&](std::size_t s) { return demands_[s][resource]; });
  }
  std::int64_t most_of(const ResourceSupply& supply, SizeCounts counts) const {
    for (std::size_t s = 0; s < counts.size(); ++s) {
      if (!could_fit_[s]) counts[s] = 0;
    }
    std::int64_t most = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    for (std::size_t r = 0; r < kGrowthResourceCount; ++r) {
      if (const auto limit = by_supply(supply[r], r, counts)) most = std::min(most, *limit);
    }
    return most;
  }

  ResourceSupply supply_;
  std::vector<ResourceSupply> group_supplies_, settled_supplies_;
  NodeCounts of_nodes_;
  std::vector<ResourceAmounts> demands_;  // by size
  std::vector<bool> could_fit_;           // by size
};

// Returns how many instances can come in the order of the workload until `limit(counts)`, the most of those counted
// that find a place, is below their number.
template <class Limit>
std::int64_t first_that_fit(const Workload& workload, Limit limit) {
  const auto all_fit = [&](std::size_t count) {
    return limit(workload.counts(count)) >= static_cast<std::int64_t>(count);
  };
  std::size_t low = 0, high = 1;
  while (high <= workload.order.size() && all_fit(high)) low = high, high *= 2;
  high = std::min(high, workload.order.size() + 1);
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (all_fit(middle) ? low : high) = middle;
  }
  return static_cast<std::int64_t>(low);
}

template <class Bounding>
Bounds bounds_by(const WorkloadLimits& limits, Bounding bounding) {
  Bounds bounds;
  bounds.anywhere = *bounding([&](const SizeCounts& counts) { return std::optional(limits.anywhere(counts)); });
  bounds.as_placed = *bounding([&](const SizeCounts& counts) { return std::optional(limits.as_placed(counts)); });
  for (std::size_t r = 0; r < kGrowthResourceCount; ++r) {
    bounds.by_resource[r] = bounding([&](const SizeCounts& counts) { return limits.by_resource(r, counts); });
  }
  return bounds;
}

}  // namespace

ResourceAmounts demand_of(const Instance& instance) {
  const InstanceFacts& f = *instance.facts;
  const WideAmount memory = std::max<std::int64_t>(0, f.memory), disk = std::max<std::int64_t>(0, f.disk);
  return {memory, memory, f.uses_local_storage() ? disk * (f.has_secondary() ? 2 : 1) : 0,
          std::max<std::int64_t>(0, f.vcpus)};
}

ResourceAmounts demand_of(const Workload& workload, std::size_t count) {
  ResourceAmounts sum{};
  const SizeCounts counts = workload.counts(count);
  for (std::size_t s = 0; s < counts.size(); ++s) {
    const ResourceAmounts each = demand_of(workload.sizes[s].instance);
    for (std::size_t r = 0; r < sum.size(); ++r) sum[r] += each[r] * counts[s];
  }
  return sum;
}

ResourceSupply supply_of(const Cluster& cluster, bool capacity_checks) {
  ResourceSupply sum{};
  for (std::size_t r = 0; r < sum.size(); ++r) {
    if (r != kSurvivalRow || capacity_checks) sum[r] = 0;
  }
  for (const ResourceSupply& supply : supplies_by_group(cluster, capacity_checks)) {
    for (std::size_t r = 0; r < sum.size(); ++r) {
      if (sum[r]) *sum[r] += *supply[r];
    }
  }
  return sum;
}

Bounds bounds_of_some(const Cluster& cluster, const Cluster& settled, const Workload& workload, bool capacity_checks) {
  const WorkloadLimits limits(cluster, settled, workload.sizes, capacity_checks);
  return bounds_by(limits, [&](const auto& limit) -> std::optional<std::int64_t> { return limit(workload.counts()); });
}

Bounds bounds_of_first(const Cluster& cluster, const Cluster& settled, const Workload& workload, bool capacity_checks) {
  const WorkloadLimits limits(cluster, settled, workload.sizes, capacity_checks);
  return bounds_by(limits, [&](const auto& limit) -> std::optional<std::int64_t> {
    if (!limit(SizeCounts(workload.sizes.size(), 0))) return std::nullopt;
    return first_that_fit(workload, [&](const SizeCounts& counts) { return *limit(counts); });
  });
}

}  // namespace htools
