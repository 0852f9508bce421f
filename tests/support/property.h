// Properties: statements that are tried on random cases, each of which has a seed. scale.h says how many are tried.
//
// A failure names the seed. HTOOLS_PROPERTY_SEED=S tries this one alone.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::testing {

// The only seed to try, if there is one. Then tallies are not looked at.
inline const char* only_seed() { return std::getenv("HTOOLS_PROPERTY_SEED"); }

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

// Calls `property` with random draws for each of the seeds from 1 to `full`, scaled. `family` keeps the draws of
// different properties apart.
template <class Property>
void for_each_seed(std::uint64_t family, std::uint64_t full, Property property) {
  const std::uint64_t first = only_seed() == nullptr ? 1 : std::stoull(only_seed());
  const std::uint64_t last = only_seed() == nullptr ? scaled(full) : first;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    CAPTURE(seed);
    Random random(seed * 1000 + family);
    property(random);
  }
}

}  // namespace htools::testing
