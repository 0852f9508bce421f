// Placement outcomes of many instance sizes on one and the same state.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
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
  std::int64_t equal_reductions(const SimulatedSize& size, std::size_t resource);

 private:
  // By resource: the number of turning points up to the size's amount.
  using Cell = std::array<std::size_t, kShrinkableResources.size()>;
  struct CellHash {
    std::size_t operator()(const Cell& cell) const;
  };
  using Turns = std::vector<std::int64_t>;

  void find_turns();
  void add_turns(const Node& node);
  void add_turns(const InstancePolicy& policy);
  Turns& turns(FailMode resource) { return turns_[*shrinkable_resource(resource)]; }

  const SimulationState& state_;
  const SimulationRules& rules_;
  SimulatedSize largest_;
  // Often one size is asked for, succeeds, and changes the state: it alone is not worth looking for the turning points.
  struct First {
    SimulatedSize size;
    Survey outcome;
  };
  std::optional<First> first_;
  bool turns_known_ = false;
  // By resource: amounts such that some comparison has one result below the amount and another from it on. Ascending.
  std::array<Turns, kShrinkableResources.size()> turns_;
  std::unordered_map<Cell, Survey, CellHash> known_;
};

}  // namespace htools
