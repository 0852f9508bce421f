// Defines the components of the score in one table, from which all code computes, prints or explains the score.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace htools {

// The way in which the values of the nodes become the value of a component.
enum class Aggregation : std::uint8_t {
  Deviation,  // the population standard deviation of the nodes' values
  Sum,        // the sum of the nodes' values
  Pairs       // collisions in the sum of the nodes' counts of (location tag, exclusion tag)
};

// The nodes that a component covers.
enum class NodeSet : std::uint8_t { Online, Offline };

// The components of the score, in the order of the table.
enum class Component : std::uint8_t {
  FreeMemory,
  FreeDisk,
  N1Failures,
  ReservedMemory,
  OfflineAll,
  OfflinePrimaries,
  VcpuRatio,
  CpuLoad,
  MemoryLoad,
  DiskLoad,
  NetworkLoad,
  PrimaryTags,
  Spindles,
  FreeMemoryForthcoming,
  FreeDiskForthcoming,
  VcpuRatioForthcoming,
  SpindlesForthcoming,
  LocationScore,
  LocationExclusion,
  ReservedMemoryTotal
};

// A row of the table of components. The name is the one that the reference (htools of Ganeti 3.0.2) uses.
struct ComponentFacts {
  std::string_view name;
  double weight;
  Aggregation aggregation;
  NodeSet nodes;
};

inline constexpr std::size_t kComponentCount = 20;

// The components, in the order in which the weighted values are summed.
inline constexpr std::array<ComponentFacts, kComponentCount> kComponents{{
    {"free_mem_cv", 0.5, Aggregation::Deviation, NodeSet::Online},
    {"free_disk_cv", 0.5, Aggregation::Deviation, NodeSet::Online},
    {"n1_cnt", 1, Aggregation::Sum, NodeSet::Online},
    {"reserved_mem_cv", 1, Aggregation::Deviation, NodeSet::Online},
    {"offline_all_cnt", 4, Aggregation::Sum, NodeSet::Offline},
    {"offline_pri_cnt", 16, Aggregation::Sum, NodeSet::Offline},
    {"vcpu_ratio_cv", 0.5, Aggregation::Deviation, NodeSet::Online},
    {"cpu_load_cv", 1, Aggregation::Deviation, NodeSet::Online},
    {"mem_load_cv", 1, Aggregation::Deviation, NodeSet::Online},
    {"disk_load_cv", 1, Aggregation::Deviation, NodeSet::Online},
    {"net_load_cv", 1, Aggregation::Deviation, NodeSet::Online},
    {"pri_tags_score", 2, Aggregation::Sum, NodeSet::Online},
    {"spindles_cv", 0.5, Aggregation::Deviation, NodeSet::Online},
    {"free_mem_cv_forth", 0.5, Aggregation::Deviation, NodeSet::Online},
    {"free_disk_cv_forth", 0.5, Aggregation::Deviation, NodeSet::Online},
    {"vcpu_ratio_cv_forth", 0.5, Aggregation::Deviation, NodeSet::Online},
    {"spindles_cv_forth", 0.5, Aggregation::Deviation, NodeSet::Online},
    {"location_score", 1, Aggregation::Sum, NodeSet::Online},
    {"location_exclusion_score", 1, Aggregation::Pairs, NodeSet::Online},
    {"reserved_mem_rtotal", 0.25, Aggregation::Sum, NodeSet::Online},
}};

constexpr std::size_t position(Component c) { return static_cast<std::size_t>(c); }

// The values of all components, in the order of the table: those of a node or of a set of nodes, depending on the
// context. Copies are cheap (160 bytes). Equality compares numbers, so a NaN equals nothing.
struct ComponentValues {
  std::array<double, kComponentCount> by_position{};

  double& operator[](std::size_t position) { return by_position[position]; }
  double operator[](std::size_t position) const { return by_position[position]; }
  double& operator[](Component c) { return by_position[position(c)]; }
  double operator[](Component c) const { return by_position[position(c)]; }
  bool operator==(const ComponentValues&) const = default;
};

// True if no value is infinite or NaN.
inline bool all_finite(const ComponentValues& values) {
  bool finite = true;
  for (double value : values.by_position) finite &= std::isfinite(value);
  return finite;
}

// Returns the sum of weight times value over all components, added from the first to the last, starting from 0.
inline double weighted_sum(const ComponentValues& values) {
  double score = 0.0;
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    score = score + kComponents[k].weight * values[k];
  }
  return score;
}

}  // namespace htools

#ifdef __FAST_MATH__
#error "scores are exact to the last bit: compile without -ffast-math"
#endif
