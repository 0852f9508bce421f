#include "plan/least_price.h"

#include <algorithm>
#include <cstddef>

#include "cluster/mobility.h"
#include "plan/paths.h"

namespace htools {
namespace {

// Returns a price below which the instance does not get `new_nodes` other nodes, in `steps` moves.
WayPrice least_price(const Cluster& cluster, const Instance& instance, std::size_t new_nodes, std::int64_t steps,
                     bool changes_primary) {
  const InstanceFacts& facts = *instance.facts;
  WayPrice price{.copied = 0, .steps = steps, .migrated = 0};
  if (facts.forthcoming) return price;
  if (facts.uses_local_storage()) price.copied = static_cast<std::int64_t>(new_nodes) * facts.disk;
  const Mobility mobility = mobility_of(facts, is_down(cluster.node(instance.primary)));
  if (changes_primary && mobility == Mobility::Live) price.migrated = facts.memory;
  return price;
}

}  // namespace

WayPrice least_price_to(const Cluster& cluster, const WantedPlacement& wanted) {
  const Instance& instance = cluster.instance(wanted.instance);
  const Placement now = placement_of(instance);
  const auto is_new = [&](NodeIndex n) { return n != now.primary && n != now.secondary; };
  const auto new_nodes = static_cast<std::size_t>(std::ranges::count_if(nodes_of(wanted.placement), is_new));
  return least_price(cluster, instance, new_nodes, moves_between(now, wanted.placement),
                     now.primary != wanted.placement.primary);
}

WayPrice least_price_off(const Cluster& cluster, const Instance& instance, std::span<const NodeIndex> nodes) {
  const auto is_one = [&](NodeIndex n) { return std::ranges::find(nodes, n) != nodes.end(); };
  const auto left = static_cast<std::size_t>(std::ranges::count_if(nodes_of(placement_of(instance)), is_one));
  if (left == 0) return {};
  return least_price(cluster, instance, left, static_cast<std::int64_t>(left), is_one(instance.primary));
}

}  // namespace htools
