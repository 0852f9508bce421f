// Placement outcomes of many instance sizes on one and the same state.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "placement/survey.h"
#include "simulate/simulation.h"

namespace htools {

// All checks of a placement compare an amount of memory, or of disk, with a number that depends on the state only.
// Between two neighbouring such numbers nothing changes, so sizes are surveyed once per interval.
class Outcomes {
 public:
  // `state` must stay as it is while the outcomes are used.
  Outcomes(const SimulationState& state, const SimulationRules& rules);

  const Survey& of(const SimulatedSize& size);

  // The smallest amount that gives the same outcome as this one, all else being equal (may be far below zero).
  std::int64_t lowest_equal_memory(std::int64_t memory) const { return lowest_equal(memory_steps_, memory); }
  std::int64_t lowest_equal_disk(std::int64_t disk) const { return lowest_equal(disk_steps_, disk); }

 private:
  struct Cell {
    std::size_t memory_interval, disk_interval;
    std::int64_t vcpus, spindles;
    bool operator==(const Cell&) const = default;
  };
  struct CellHash {
    std::size_t operator()(const Cell& cell) const;
  };

  void add_steps(const Node& node);
  static std::int64_t lowest_equal(const std::vector<std::int64_t>& steps, std::int64_t amount);

  const SimulationState& state_;
  const SimulationRules& rules_;
  // Amounts at which some comparison turns: it has one result below the amount, the other from the amount on.
  // Ascending.
  std::vector<std::int64_t> memory_steps_;
  std::vector<std::int64_t> disk_steps_;
  std::unordered_map<Cell, Survey, CellHash> known_;
};

}  // namespace htools
