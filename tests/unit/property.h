// Properties: statements that are tried on random cases, more of them on demand.
//
// HTOOLS_PROPERTY_SEEDS=N tries N seeds of every property instead of its own number. HTOOLS_PROPERTY_FIRST=S begins
// with seed S instead of 1. A failure names the seed: to see it again, HTOOLS_PROPERTY_FIRST=<seed>
// HTOOLS_PROPERTY_SEEDS=1.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "tests/unit/random_cluster.h"

namespace htools::testing {

inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// As many seeds as the property has by itself: only then are there enough of every kind of case to insist on.
inline bool usual_seeds() {
  return std::getenv("HTOOLS_PROPERTY_SEEDS") == nullptr && std::getenv("HTOOLS_PROPERTY_FIRST") == nullptr;
}

template <class List, class Element>
bool contains(const List& list, const Element& element) {
  return std::find(list.begin(), list.end(), element) != list.end();
}

// Rounds the amounts of the facts, so that some limits are met exactly. What is reported free is what the instances
// leave.
inline void round_amounts(Cluster& facts) {
  const auto rounded = [](auto amount, std::int64_t unit) { return static_cast<std::int64_t>(amount) / unit * unit; };
  for (Node& node : facts.nodes) {
    node.node_memory = rounded(node.node_memory, 512);
    node.free_memory = rounded(node.total_memory, 512) - node.node_memory;
    node.free_disk = rounded(node.total_disk, 1024);
    node.total_memory = static_cast<double>(node.free_memory + node.node_memory);
    node.total_disk = static_cast<double>(node.free_disk);
  }
  for (Instance& instance : facts.instances) {
    instance.memory = rounded(instance.memory + 256, 512);
    instance.disk = rounded(instance.disk + 1023, 1024);
    for (Disk& disk : instance.disks) disk.size = instance.disk;
    facts.node(instance.primary).free_memory -= instance.used_memory();
    if (!instance.uses_local_storage() || instance.forthcoming) continue;
    facts.node(instance.primary).free_disk -= instance.disk;
    if (!instance.secondary.is_none()) facts.node(instance.secondary).free_disk -= instance.disk;
  }
  for (Node& node : facts.nodes) {
    node.free_memory = std::max<std::int64_t>(0, node.free_memory);
    node.free_disk = std::max<std::int64_t>(0, node.free_disk);
  }
}

// `family` keeps the draws of different properties apart.
template <class Property>
void for_each_seed(std::uint64_t family, std::uint64_t usual_count, Property property) {
  const std::uint64_t first = from_environment("HTOOLS_PROPERTY_FIRST", 1);
  const std::uint64_t count = from_environment("HTOOLS_PROPERTY_SEEDS", usual_count);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    Random random(seed * 1000 + family);
    property(random);
  }
}

}  // namespace htools::testing
