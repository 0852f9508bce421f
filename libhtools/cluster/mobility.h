// The rule that says how an instance changes to another primary node. Prices, schedules, documents and commands ask it.
#pragma once

#include <cstdint>

#include "cluster/instance.h"

namespace htools {

// How an instance changes to another primary node. Local disks without a mirror go with it in each case
// (InstanceFacts::moves_with_disks()).
enum class Mobility : std::uint8_t {
  Live,      // it runs on while its memory is copied, after its local disks
  Restarts,  // it is stopped, and started on the new node; its memory is not copied
  Off        // it does not run, neither before nor after
};

// Returns how the instance leaves its primary node. Nothing migrates from a node that is down. On other nodes,
// containers restart: guests of that kind (cluster/guest_kind.h), and instances whose source says so
// (InstanceFacts::live). Instances with local disks without a mirror restart on Ganeti, which copies the disks while
// they are stopped; guests of other platforms migrate live, with their local disks. All others migrate live.
Mobility mobility_of(const InstanceFacts& instance, bool is_source_down);

}  // namespace htools
