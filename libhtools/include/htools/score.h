// Defines the score of a cluster: a weighted sum of components, which one table lists. A lower score is better.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "htools/cluster.h"

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

// A score and the values of its components, in the order of kComponents.
struct Score {
  double value = 0.0;           // the weighted sum; 0 without online nodes
  bool has_components = false;  // false if no node is online; then all values are 0
  ComponentValues components;
};

// Return the score of all nodes of a cluster, or of the nodes of one group alone.
Score score_of(const Cluster& cluster);
Score score_of(const Cluster& cluster, GroupIndex group);

// Returns a table with name, value and weight of each component. It consists of its header only if there are no
// components.
std::string to_text(const Score& score);

}  // namespace htools
