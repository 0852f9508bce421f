// Do some instances find a place on some nodes, whatever the choice of node for each? A matter of amounts only.
//
// The instances choose one after the other, each a node where it fits; which one is not known. There are three answers:
// all will find one in any case, some will not in any case, or it depends on the choices. Limits are the hard ones:
// memory, and for local storage disk and spindles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "cluster/instance.h"
#include "cluster/node.h"

namespace htools {

// An instance that has to find a place, as far as the amount of room is concerned.
struct RoomItem {
  std::int64_t memory = 0;    // MiB
  std::int64_t disk = 0;      // MiB; 0 if it takes no local storage
  std::int64_t spindles = 0;  // 0 if unknown
  bool local = false;
  bool known_spindles = false;
  bool migrates = false;                    // only to reachable targets
  std::array<bool, 2> allowed{true, true};  // on targets without and with exclusive storage

  bool operator==(const RoomItem&) const = default;
};
RoomItem room_item(const Instance& instance);

// A node that takes instances. The default one has no room.
struct RoomTarget {
  // MiB; a target that takes an instance must keep more than nothing, of disk, too
  std::int64_t memory = std::numeric_limits<std::int64_t>::min() / 4;
  std::int64_t disk = 0;  // MiB
  std::int64_t spindles = 0;
  bool exclusive = false;  // exclusive storage: spindles count
  bool reachable = true;   // by migration
};
RoomTarget room_target(const Node& node);

// Also if any `spare_targets` of the targets had no room.
bool all_certainly_fit(const std::vector<RoomItem>& items, const std::vector<RoomTarget>& targets,
                       std::size_t spare_targets = 0);

// Stays true when instances of sizes >= 0 take more of the room.
bool some_certainly_do_not_fit(std::vector<RoomItem> items, const std::vector<RoomTarget>& targets);

}  // namespace htools
