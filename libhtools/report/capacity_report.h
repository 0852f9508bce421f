// The text of a capacity simulation: blocks for people, and the same facts as key=value lines.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "simulate/capacity.h"
#include "simulate/capacity_totals.h"

namespace htools {

// Prefix of the machine-readable keys.
inline constexpr std::string_view kCapacityKeyPrefix = "HTS";

enum class Phase { Tiered, Standard };

// What all blocks of one run need to know.
struct CapacityReport {
  const Cluster& initial;
  CapacityTotals initial_totals;
  SimulatedKind kind;
  bool exclusive_storage;  // some node has it: spindles are shown
};
CapacityReport capacity_report(const Cluster& initial, const SimulatedKind& kind);

std::string cluster_text(const CapacityReport& report);
std::string cluster_keys(const CapacityReport& report);

std::string spec_text(const CapacityReport& report, Phase phase, const SimulatedSize& size);
std::string spec_keys(const CapacityReport& report, Phase phase, const SimulatedSize& size);

// The part of the result that only counts instances; result_text goes on with reasons and efficiencies. They are apart
// because a phase without any statistics ends after the first.
std::string instances_text(const CapacityReport& report, Phase phase, const PhaseResult& result);
std::string result_text(const CapacityReport& report, const PhaseResult& result);

// Throws InputError when the books do not count the same number of instances as were placed (forthcoming instances).
std::string result_keys(const CapacityReport& report, Phase phase, const PhaseResult& result);

// One line per new instance, in the order of placement.
std::string allocation_map(const CapacityReport& report, const PhaseResult& result);

}  // namespace htools
