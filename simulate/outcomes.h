// Placement outcomes of many instance sizes on one and the same state.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "placement/survey.h"
#include "simulate/shrink.h"
#include "simulate/simulation.h"

namespace htools {

// All checks of a placement compare an amount of one resource with something that depends on the state only. Between
// two neighbouring amounts at which some comparison turns nothing changes, so sizes are surveyed once per interval.
class Outcomes {
 public:
  // For sizes up to `largest`. `state` must stay as it is while the outcomes are used.
  Outcomes(const SimulationState& state, const SimulationRules& rules, const SimulatedSize& largest);

  const Survey& of(const SimulatedSize& size);

  // How many units of the resource (see shrink.h) the size can be reduced by without another outcome.
  std::int64_t equal_reductions(const SimulatedSize& size, std::size_t resource) const;

 private:
  // By resource: the number of turning points up to the size's amount.
  using Cell = std::array<std::size_t, kShrinkableResources.size()>;
  struct CellHash {
    std::size_t operator()(const Cell& cell) const;
  };
  using Turns = std::vector<std::int64_t>;

  void add_turns(const Node& node, std::int64_t largest_vcpus);
  void add_turns(const InstancePolicy& policy);
  Turns& turns(FailMode resource) { return turns_[*shrinkable_resource(resource)]; }

  const SimulationState& state_;
  const SimulationRules& rules_;
  // By resource: amounts such that some comparison has one result below the amount and another from it on. Ascending.
  std::array<Turns, kShrinkableResources.size()> turns_;
  std::unordered_map<Cell, Survey, CellHash> known_;
};

}  // namespace htools
