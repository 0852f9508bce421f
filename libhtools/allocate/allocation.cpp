#include "allocate/allocation.h"

#include <utility>

#include "cluster/bookkeeping.h"

namespace htools {

void enter(Trial& trial, const Instance& instance, InstanceIndex index) {
  add_primary(trial.change(instance.primary), index, instance);
  if (!instance.secondary.is_none()) {
    add_secondary(trial.change(instance.secondary), index, instance, instance.primary);
  }
}

Instance placed(const Cluster& cluster, const Instance& instance, const Placement& place) {
  Instance result = instance;
  result.primary = place.primary;
  result.secondary = place.secondary;
  if (!place.secondary.is_none()) {
    result.location_score = cluster.node(place.primary)
                                .facts->location_tags.common_with(cluster.node(place.secondary).facts->location_tags);
  }
  return result;
}

void carry_out(Trial& trial, const Arrival& arrival, const Placement& place, InstanceIndex index_on_nodes) {
  Instance instance = placed(trial.cluster(), arrival.instance, place);
  enter(trial, instance, index_on_nodes);
  if (arrival.index.position() == trial.cluster().instances.size()) {
    trial.add(std::move(instance));
  } else {
    trial.change(arrival.index) = std::move(instance);
  }
}

}  // namespace htools
