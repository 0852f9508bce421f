#include "simulate/outcomes.h"

#include <algorithm>
#include <limits>

namespace htools {

namespace {

void sort_unique(std::vector<std::int64_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

std::size_t interval(const std::vector<std::int64_t>& steps, std::int64_t amount) {
  return static_cast<std::size_t>(std::upper_bound(steps.begin(), steps.end(), amount) - steps.begin());
}

}  // namespace

std::size_t Outcomes::CellHash::operator()(const Cell& cell) const {
  std::size_t h = cell.memory_interval;
  for (std::size_t part :
       {cell.disk_interval, static_cast<std::size_t>(cell.vcpus), static_cast<std::size_t>(cell.spindles)}) {
    h = h * 1000003 + part;
  }
  return h;
}

Outcomes::Outcomes(const SimulationState& state, const SimulationRules& rules) : state_(state), rules_(rules) {
  for (const Group& group : state.cluster.groups) {
    for (const MinMaxSpecs& pair : group.policy.minmax) {
      memory_steps_.insert(memory_steps_.end(), {pair.min.memory, pair.max.memory + 1});
      disk_steps_.insert(disk_steps_.end(), {pair.min.disk_size, pair.max.disk_size + 1});
    }
  }
  for (const auto& nodes : rules.candidates.lists) {
    for (NodeIndex n : nodes) add_steps(state.cluster.node(n));
  }
  sort_unique(memory_steps_);
  sort_unique(disk_steps_);
}

// One line per comparison of the admission checks (cluster/admission.cpp), solved for the amount.
void Outcomes::add_steps(const Node& node) {
  const NodeBooks& b = node.books;
  const std::int64_t unallocated = node.unallocated_memory();
  memory_steps_.push_back(unallocated);                      // nothing left; a secondary's need
  memory_steps_.push_back(unallocated - b.reserved_memory);  // N+1 flag of the primary
  memory_steps_.push_back(b.forthcoming_free_memory);        // the same with forthcoming instances
  if (rules_.candidates.pairs) {
    for (const PeerMap::Entry& peer : node.peers.entries())
      memory_steps_.push_back(unallocated - peer.memory);  // secondary
  }
  for (const Ledger* ledger : {&b.real, &b.forthcoming}) {
    disk_steps_.push_back(ledger->free_disk);                           // nothing left
    disk_steps_.push_back(ledger->free_disk - node.min_free_disk + 1);  // below the reserved disk
  }
}

const Survey& Outcomes::of(const SimulatedSize& size) {
  const Cell cell{interval(memory_steps_, size.memory), interval(disk_steps_, size.disk), size.vcpus, size.spindles};
  const auto known = known_.find(cell);
  if (known != known_.end()) return known->second;
  const Instance instance = simulated_instance(rules_.kind, size);
  return known_.emplace(cell, survey(state_.cluster, rules_.candidates, instance)).first->second;
}

std::int64_t Outcomes::lowest_equal(const std::vector<std::int64_t>& steps, std::int64_t amount) {
  const std::size_t below = interval(steps, amount);
  return below == 0 ? std::numeric_limits<std::int64_t>::min() : steps[below - 1];
}

}  // namespace htools
