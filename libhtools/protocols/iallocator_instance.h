// Instances as an allocator's document describes them: existing ones, and those that want a place.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cluster/instance.h"
#include "cluster/nic.h"
#include "json/json.h"

namespace htools {

// How much is kept of network interfaces, which take most of the memory of an instance.
enum class NicDetail : std::uint8_t {
  Networks,  // only the networks, of interfaces that have one
  All
};

// All but the nodes: name, facts, and network interfaces. Throws InputError ("invalid data for instance
// 'i1': key 'memory': Unable to read Int", "not an object", "invalid NIC mode in instance i1").
Instance read_allocator_instance(const JsonObject& object, std::string_view name, NicDetail nics);

}  // namespace htools
