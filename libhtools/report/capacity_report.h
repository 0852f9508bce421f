// Formats the results of a capacity simulation: blocks of text for people, and the same facts as key=value lines for
// programs.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "simulate/capacity.h"
#include "simulate/capacity_totals.h"

namespace htools {

// The prefix of the keys for programs.
inline constexpr std::string_view kCapacityKeyPrefix = "HTS";

// The two phases of a simulation: instances of decreasing size, and instances of the standard size.
enum class Phase { Tiered, Standard };

// The facts that all blocks of one run need.
struct CapacityReport {
  const Cluster& initial;
  CapacityTotals initial_totals;
  SimulatedKind kind;
  bool exclusive_storage;  // true if some node has exclusive storage; then spindles are shown
};
CapacityReport capacity_report(const Cluster& initial, const SimulatedKind& kind);

std::string cluster_text(const CapacityReport& report);
std::string cluster_keys(const CapacityReport& report);

std::string spec_text(const CapacityReport& report, Phase phase, const SimulatedSize& size);
std::string spec_keys(const CapacityReport& report, Phase phase, const SimulatedSize& size);

// The result of a phase in two parts. instances_text() counts the instances; result_text() adds the reasons for
// failures and the efficiencies. They are separate because the output of a phase without statistics ends after the
// first part.
std::string instances_text(const CapacityReport& report, Phase phase, const PhaseResult& result);
std::string result_text(const CapacityReport& report, const PhaseResult& result);

// Returns the number of placed instances by size, and the reasons why no further one fits.
std::string phase_text(const PhaseResult& result);

// Returns the result of a phase as key=value lines. Throws InputError if the books do not count the same number of
// instances as were placed, which happens with forthcoming instances.
std::string result_keys(const CapacityReport& report, Phase phase, const PhaseResult& result);

// Returns one line per new instance, in the order of placement.
std::string allocation_map(const CapacityReport& report, const PhaseResult& result);

}  // namespace htools
