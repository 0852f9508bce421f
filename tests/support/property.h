// Runs property tests: statements that are tried on random cases, each of which has a seed. scale.h defines how many
// cases are tried. The message of a failure contains the seed; HTOOLS_PROPERTY_SEED=S tries only seed S.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::testing {

// Returns the only seed to try, or null if all seeds are tried. With only one seed, tests do not check their tallies.
inline const char* only_seed() { return std::getenv("HTOOLS_PROPERTY_SEED"); }

template <class List, class Element>
bool contains(const List& list, const Element& element) {
  return std::find(list.begin(), list.end(), element) != list.end();
}

// Rounds the amounts of the facts so that some limits are met exactly. The reported free amounts become those that the
// instances leave.
inline void round_amounts(Cluster& facts) {
  const auto rounded = [](auto amount, std::int64_t unit) { return static_cast<std::int64_t>(amount) / unit * unit; };
  for (Node& node : facts.nodes) {
    node.facts.edit().node_memory = rounded(node.facts->node_memory, 512);
    node.facts.edit().free_memory = rounded(node.facts->total_memory, 512) - node.facts->node_memory;
    node.facts.edit().free_disk = rounded(node.facts->total_disk, 1024);
    node.facts.edit().total_memory = static_cast<double>(node.facts->free_memory + node.facts->node_memory);
    node.facts.edit().total_disk = static_cast<double>(node.facts->free_disk);
  }
  for (Instance& instance : facts.instances) {
    instance.facts.edit().memory = rounded(instance.facts->memory + 256, 512);
    instance.facts.edit().disk = rounded(instance.facts->disk + 1023, 1024);
    for (Disk& disk : instance.facts.edit().disks) disk.size = instance.facts->disk;
    facts.node(instance.primary).facts.edit().free_memory -= instance.facts->used_memory();
    if (!instance.facts->uses_local_storage() || instance.facts->forthcoming) continue;
    facts.node(instance.primary).facts.edit().free_disk -= instance.facts->disk;
    if (!instance.secondary.is_none()) facts.node(instance.secondary).facts.edit().free_disk -= instance.facts->disk;
  }
  for (Node& node : facts.nodes) {
    node.facts.edit().free_memory = std::max<std::int64_t>(0, node.facts->free_memory);
    node.facts.edit().free_disk = std::max<std::int64_t>(0, node.facts->free_disk);
  }
}

// Calls `property` with random draws for each seed from 1 to `full`, scaled (scale.h). `family` keeps the draws of
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
