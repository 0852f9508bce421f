// Decides by amounts alone whether instances find places on a set of nodes, whatever node each of them chooses.
//
// The instances choose one after the other; each takes some node where it fits, and it is not known which one. There
// are three cases: all instances find a place in any case; some do not, in any case; or it depends on the choices,
// which is so if both functions below return false. Only the hard limits count: memory and, for local storage, disk and
// spindles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "htools/index.h"
#include "rules/free_capacity.h"

namespace htools {

// An instance that must find a place.
struct FitItem {
  Demand demand;
  bool migrates = false;                    // true if it can only go to reachable targets
  std::array<bool, 2> allowed{true, true};  // [0]: on targets without exclusive storage; [1]: with it

  bool operator==(const FitItem&) const = default;
};

// Equal items that choose one after the other.
struct FitRun {
  FitItem item;
  std::int64_t count = 1;
};

// A node that takes instances.
struct FitTarget {
  NodeIndex node;
  FreeCapacity free;
  bool reachable = true;  // true if migration tags allow instances to come here
};

// The targets when a node is vacated.
struct FitTargets {
  std::span<const FitTarget> by_memory;   // in descending order of free memory
  NodeIndex vacated = NodeIndex::none();  // is no target, although it may be among them
  bool all_reachable = true;              // true if all of them are
};

// True if all items find a place, whatever they choose, even if any `spare_targets` of the targets had no free
// capacity. The items choose in their order. False if that is not certain.
bool all_certainly_fit(std::span<const FitRun> items, const FitTargets& targets, std::size_t spare_targets = 0);

// True if some item finds no place, whatever the items choose. Stays true if further instances of sizes >= 0 take free
// capacity. False if that is not certain.
bool some_certainly_do_not_fit(std::span<const FitRun> items, const FitTargets& targets);

// Returns an amount of memory in MiB, such that all items certainly fit although one target with no more free memory
// than that has lost any part of its capacity. Returns nothing if the items do not even certainly fit as it is.
std::optional<std::int64_t> spare_memory(std::span<const FitRun> items, const FitTargets& targets);

}  // namespace htools
