#include "grow/purchase.h"

#include <algorithm>
#include <tuple>

#include "grow/bounds.h"
#include "grow/placing.h"
#include "grow/scope.h"

namespace htools {

namespace {

// The largest number of nodes that can be bought.
constexpr std::size_t kMostBought = 10000;

// Returns the smallest number from `low` to `high` for which `is_enough` is true; high + 1 if there is none. The
// predicate is taken to stay true once it is.
template <class Enough>
std::size_t smallest_enough(std::size_t low, std::size_t high, Enough is_enough) {
  std::size_t too_few = low, step = 0;  // all numbers below `too_few` are too small
  while (true) {
    const std::size_t tried = std::min(high, low + step);
    if (is_enough(tried)) {
      high = tried;
      break;
    }
    too_few = tried + 1;
    if (tried == high) return high + 1;
    step = step == 0 ? 1 : 2 * step;
  }
  while (too_few < high) {
    const std::size_t middle = too_few + (high - too_few) / 2;
    if (is_enough(middle)) {
      high = middle;
    } else {
      too_few = middle + 1;
    }
  }
  return high;
}

// Returns the instances of the workload in descending order of vcpus, memory and disk.
std::vector<std::uint32_t> largest_first_order(const Workload& workload) {
  std::vector<std::uint32_t> order = workload.order;
  const auto size = [&](std::uint32_t s) {
    const InstanceFacts& f = *workload.sizes[s].instance.facts;
    return std::tuple(f.vcpus, f.memory, f.disk);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return size(a) > size(b); });
  return order;
}

}  // namespace

SettledGroups settled_groups(const Cluster& cluster, bool capacity_checks) {
  std::vector<bool> settled(cluster.groups.size(), true);
  std::vector<GroupIndex> unsafe;
  for (std::size_t g = 0; capacity_checks && g < settled.size(); ++g) {
    std::vector<bool> only(settled.size(), false);
    only[g] = true;
    if (!unsafe_node(part_of(cluster, only))) continue;
    settled[g] = false;
    unsafe.push_back(GroupIndex(g));
  }
  return {unsafe.empty() ? cluster : part_of(cluster, settled), unsafe};
}

NodesNeeded fewest_nodes(const Cluster& cluster, GroupIndex group, const Workload& workload,
                         const PurchaseRules& rules) {
  const auto wanted = static_cast<std::int64_t>(workload.order.size());
  const auto with = [&](std::size_t count) {
    return with_nodes(cluster, group, rules.node, count, rules.node_options);
  };
  const auto has_room = [&](std::size_t count, std::int64_t Bounds::*bound) {
    const Cluster larger = with(count);
    return bounds_of_some(larger, larger, workload, rules.capacity_checks).*bound >= wanted;
  };
  const auto all_fit = [&](const std::vector<std::uint32_t>& order, std::size_t count) {
    const SettledGroups settled = settled_groups(with(count), rules.capacity_checks);
    if (std::find(settled.unsafe.begin(), settled.unsafe.end(), group) != settled.unsafe.end()) return false;
    return place_workload(settled.part, workload.sizes, order,
                          {.capacity_checks = rules.capacity_checks, .stops_at_refusal = true})
               .total == wanted;
  };
  NodesNeeded needed;
  const std::size_t bound =
      smallest_enough(0, kMostBought, [&](std::size_t count) { return has_room(count, &Bounds::anywhere); });
  needed.bound = needed.bound_as_placed = static_cast<std::int64_t>(bound);
  if (bound > kMostBought) return needed;
  const std::size_t least =
      smallest_enough(bound, kMostBought, [&](std::size_t count) { return has_room(count, &Bounds::as_placed); });
  needed.bound_as_placed = static_cast<std::int64_t>(least);
  if (least > kMostBought) return needed;
  // With two more nodes for each instance, further ones are of no use.
  const std::size_t most = std::min(kMostBought, least + 2 * workload.order.size() + 2);
  const std::vector<std::uint32_t> sorted = largest_first_order(workload);
  const std::size_t nodes =
      smallest_enough(least, most, [&](std::size_t count) { return all_fit(workload.order, count); });
  const std::size_t nodes_if_sorted =
      nodes == least ? nodes
                     : smallest_enough(least, nodes - 1, [&](std::size_t count) { return all_fit(sorted, count); });
  needed.largest_first = nodes_if_sorted < nodes;
  if (std::min(nodes, nodes_if_sorted) <= most) {
    needed.nodes = static_cast<std::int64_t>(std::min(nodes, nodes_if_sorted));
  }
  return needed;
}

}  // namespace htools
