// Decides by amounts alone whether instances find places on a set of nodes, whatever node each of them chooses.
//
// The instances choose one after the other; each takes some node where it fits, and it is not known which one. There
// are three cases: all instances find a place in any case; some do not, in any case; or it depends on the choices,
// which is so if both functions below return false. Only the hard limits count: memory and, for local storage, disk and
// spindles.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "rules/free_capacity.h"

namespace htools {

// An instance that must find a place.
struct FitItem {
  Demand demand;
  bool migrates = false;                    // true if it can only go to reachable targets
  std::array<bool, 2> allowed{true, true};  // [0]: on targets without exclusive storage; [1]: with it

  bool operator==(const FitItem&) const = default;
};

// A node that takes instances. The default stands for a node that no instance fits on.
struct FitTarget {
  FreeCapacity free;
  bool reachable = true;  // true if migration tags allow instances to come here
};

// True if all items find a place, whatever they choose, even if any `spare_targets` of the targets had no free
// capacity. The items choose in their order. False if that is not certain.
bool all_certainly_fit(const std::vector<FitItem>& items, const std::vector<FitTarget>& targets,
                       std::size_t spare_targets = 0);

// True if some item finds no place, whatever the items choose. Stays true if further instances of sizes >= 0 take free
// capacity. False if that is not certain.
bool some_certainly_do_not_fit(std::vector<FitItem> items, const std::vector<FitTarget>& targets);

}  // namespace htools
