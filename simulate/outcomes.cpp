#include "simulate/outcomes.h"

#include <algorithm>

#include "base/numbers.h"

namespace htools {

namespace {

// Returns the number of turning points that are not above `amount`.
std::ptrdiff_t turns_up_to(const std::vector<std::int64_t>& turns, std::int64_t amount) {
  return std::upper_bound(turns.begin(), turns.end(), amount) - turns.begin();
}

// Returns the smallest number of vcpus, up to `largest`, whose comparison with the node's ratio limit differs from that
// of 0 vcpus, or nothing if there is none.
std::optional<std::int64_t> vcpu_turn(const Node& node, const Ledger& ledger, std::int64_t largest) {
  const auto over = [&](std::int64_t vcpus) {
    return node.facts->vcpu_ratio_limit < static_cast<double>(ledger.used_vcpus + vcpus) / node.facts->total_cpus;
  };
  std::int64_t same = 0, other = largest;
  if (largest <= 0 || over(same) == over(other)) return std::nullopt;
  while (other - same > 1) {
    const std::int64_t middle = same + (other - same) / 2;
    (over(middle) == over(0) ? same : other) = middle;
  }
  return other;
}

}  // namespace

std::size_t Outcomes::CellHash::operator()(const Cell& cell) const {
  std::size_t h = 0;
  for (std::size_t part : cell) h = h * 1000003 + part;
  return h;
}

Outcomes::Outcomes(const SimulationState& state, const SimulationRules& rules, const SimulatedSize& largest)
    : state_(state), rules_(rules), largest_(largest) {}

void Outcomes::find_turns() {
  if (turns_known_) return;
  turns_known_ = true;
  for (const Group& group : state_.cluster().groups) add_turns(group.policy);
  for (const auto& nodes : rules_.candidates.lists) {
    for (NodeIndex n : nodes) add_turns(state_.cluster().node(n));
  }
  for (Turns& t : turns_) {
    std::sort(t.begin(), t.end());
    t.erase(std::unique(t.begin(), t.end()), t.end());
  }
}

void Outcomes::add_turns(const InstancePolicy& policy) {
  const auto add = [this](FailMode resource, std::int64_t min, std::int64_t max) {
    turns(resource).insert(turns(resource).end(), {min, max + 1});
  };
  for (const MinMaxSpecs& pair : policy.minmax) {
    add(FailMode::Memory, pair.min.memory, pair.max.memory);
    add(FailMode::Disk, pair.min.disk_size, pair.max.disk_size);
    add(FailMode::Cpu, pair.min.vcpus, pair.max.vcpus);
    add(FailMode::Spindles, pair.min.spindle_use, pair.max.spindle_use);
  }
}

// Adds one turning point for each comparison of the admission checks (rules/admission.cpp), solved for the amount.
void Outcomes::add_turns(const Node& node) {
  const NodeBooks& b = node.books;
  const std::int64_t unallocated = node.unallocated_memory();
  Turns& memory = turns(FailMode::Memory);
  memory.push_back(unallocated);  // no memory left on a primary; too little for the reservation on a secondary
  memory.push_back(unallocated - b.reserved_memory);  // the N+1 flag of a primary
  memory.push_back(b.forthcoming_free_memory);        // no memory left, with forthcoming instances
  if (rules_.candidates.pairs) {
    // The N+1 flag of a secondary depends on the memory that it reserves for the peer.
    for (const PeerMap::Entry& peer : node.peers.entries()) memory.push_back(unallocated - peer.memory);
  }
  for (const Ledger* ledger : {&b.real, &b.forthcoming}) {
    turns(FailMode::Disk).push_back(ledger->free_disk);                                  // no disk left
    turns(FailMode::Disk).push_back(ledger->free_disk - node.facts->min_free_disk + 1);  // less than must stay free
    turns(FailMode::Spindles).push_back(ledger->free_spindles + 1);
    if (const auto turn = vcpu_turn(node, *ledger, largest_.vcpus)) turns(FailMode::Cpu).push_back(*turn);
  }
}

const OutcomeCounts& Outcomes::of(const SimulatedSize& size) {
  const auto look = [&] {
    return count_outcomes(state_.cluster(), rules_.candidates, simulated_instance(rules_.kind, size));
  };
  if (!first_) first_ = {size, look()};
  if (first_->size == size) return first_->outcome;
  find_turns();
  Cell cell{};
  for (std::size_t r = 0; r < cell.size(); ++r) {
    cell[r] = static_cast<std::size_t>(turns_up_to(turns_[r], size.*kShrinkableResources[r].amount));
  }
  const auto known = known_.find(cell);
  if (known != known_.end()) return known->second;
  return known_.emplace(cell, look()).first->second;
}

std::int64_t Outcomes::equal_reductions(const SimulatedSize& size, std::size_t resource) {
  find_turns();
  const std::int64_t amount = size.*kShrinkableResources[resource].amount;
  const std::ptrdiff_t below = turns_up_to(turns_[resource], amount);
  const std::int64_t lowest_equal = below == 0 ? 0 : turns_[resource][static_cast<std::size_t>(below - 1)];
  const std::int64_t units = (amount - std::max<std::int64_t>(0, lowest_equal)) / kShrinkableResources[resource].unit;
  return std::clamp<std::int64_t>(units, 0, possible_reductions(size, resource));
}

}  // namespace htools
