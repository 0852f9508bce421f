#include "simulate/simulation.h"

#include <fmt/format.h>

#include <utility>

#include "cluster/bookkeeping.h"

namespace htools {

Instance simulated_instance(const SimulatedKind& kind, const SimulatedSize& size) {
  Instance instance;
  InstanceFacts& facts = instance.facts.edit();
  facts.memory = size.memory;
  facts.disk = size.disk;
  facts.vcpus = size.vcpus;
  facts.disks = {Disk{size.disk, size.spindles}};
  facts.disk_template = kind.disk_template;
  facts.spindle_use = kind.spindle_use;
  return instance;
}

void SimulationState::add(Instance instance, NodeIndex primary, NodeIndex secondary) {
  instance.facts.edit().name = instance.facts.edit().alias = fmt::format("new-{}", added());
  instance.primary = primary;
  instance.secondary = secondary;
  const InstanceIndex index(cluster().instances.size());
  if (!secondary.is_none()) {
    const TagSet& locations = cluster().node(primary).facts->location_tags;
    instance.location_score = locations.common_with(cluster().node(secondary).facts->location_tags);
    add_secondary(trial.change(secondary), index, instance, primary);
  }
  add_primary(trial.change(primary), index, instance);
  trial.add(std::move(instance));
}

CapacityCheck& SimulationRules::capacity_check(SimulationState& state) const {
  if (!state.check) {
    std::vector<NodeIndex> nodes;
    for (std::size_t i = 0; i < state.cluster().nodes.size(); ++i) nodes.push_back(NodeIndex(i));
    state.check.emplace(state.trial, std::move(nodes), check_options);
  }
  return *state.check;
}

}  // namespace htools
