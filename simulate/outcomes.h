// Determines the placement outcomes of many instance sizes on the same state.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "placement/failure_counts.h"
#include "simulate/shrink.h"
#include "simulate/simulation.h"

namespace htools {

// The outcomes of sizes on one state. All checks of a placement compare an amount of one resource with a threshold that
// depends on the state only. Between two neighbouring amounts at which the result of some comparison changes (turning
// points), nothing changes, so the outcomes are counted only once per interval.
class Outcomes {
 public:
  // Determines outcomes for sizes up to `largest`. `state` must not change while the outcomes are used.
  Outcomes(const SimulationState& state, const SimulationRules& rules, const SimulatedSize& largest);

  // Returns the outcome of a size.
  const OutcomeCounts& of(const SimulatedSize& size);

  // Returns by how many units (see shrink.h) the size can be reduced in that resource without a change of the outcome.
  std::int64_t equal_reductions(const SimulatedSize& size, std::size_t resource);

 private:
  // An interval of sizes: for each resource, the number of turning points up to the size's amount.
  using Cell = std::array<std::size_t, kShrinkableResources.size()>;
  // A hash function for Cell.
  struct CellHash {
    std::size_t operator()(const Cell& cell) const;
  };
  // The turning points of a resource.
  using Turns = std::vector<std::int64_t>;

  // Fills turns_ from all policies and candidate nodes.
  void find_turns();
  void add_turns(const Node& node);
  void add_turns(const InstancePolicy& policy);
  Turns& turns(FailMode resource) { return turns_[*shrinkable_resource(resource)]; }

  const SimulationState& state_;
  const SimulationRules& rules_;
  SimulatedSize largest_;
  // The first size and its outcome. Often only one size is asked for, because it succeeds and changes the state; then
  // finding the turning points does not pay.
  struct First {
    SimulatedSize size;
    OutcomeCounts outcome;
  };
  std::optional<First> first_;
  bool turns_known_ = false;
  // The turning points by resource, in ascending order: amounts such that some comparison has one result below the
  // amount and another from it on.
  std::array<Turns, kShrinkableResources.size()> turns_;
  std::unordered_map<Cell, OutcomeCounts, CellHash> known_;
};

}  // namespace htools
