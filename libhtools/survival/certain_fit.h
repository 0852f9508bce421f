// Do some instances find a place on some nodes, whatever the choice of node for each? A matter of amounts only.
//
// The instances choose one after the other, each a node where it fits; which one is not known. There are three answers:
// all will find one in any case, some will not in any case, or it depends on the choices. Limits are the hard ones:
// memory, and for local storage disk and spindles.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "rules/free_capacity.h"

namespace htools {

// An instance that has to find a place.
struct FitItem {
  Demand demand;
  bool migrates = false;                    // only to reachable targets
  std::array<bool, 2> allowed{true, true};  // on targets without and with exclusive storage

  bool operator==(const FitItem&) const = default;
};

// A node that takes instances. The default one has no room.
struct FitTarget {
  FreeCapacity free;
  bool reachable = true;  // by migration
};

// Also if any `spare_targets` of the targets had no room.
bool all_certainly_fit(const std::vector<FitItem>& items, const std::vector<FitTarget>& targets,
                       std::size_t spare_targets = 0);

// Stays true when instances of sizes >= 0 take more of the room.
bool some_certainly_do_not_fit(std::vector<FitItem> items, const std::vector<FitTarget>& targets);

}  // namespace htools
