// Reads instances as an allocator's document describes them: existing ones, and new ones that need a place.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cluster/instance.h"
#include "cluster/nic.h"
#include "json/json.h"

namespace htools {

// Selects how much is kept of network interfaces, which take most of the memory of an instance.
enum class NicDetail : std::uint8_t {
  Networks,  // only the network, and only of interfaces that have one
  All        // all interfaces with everything that is known
};

// Reads everything but the nodes of an instance: its name, facts and network interfaces. Throws InputError ("invalid
// data for instance 'i1': key 'memory': Unable to read Int", "not an object", "invalid NIC mode in instance i1").
Instance read_allocator_instance(const JsonObject& object, std::string_view name, NicDetail nics);

}  // namespace htools
