// Reads facts that the documents of several formats state in the same way. Errors are InputErrors without an owner.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cluster/group.h"
#include "cluster/hypervisor.h"
#include "cluster/instance.h"
#include "json/json.h"

namespace htools {

// Read names. Their errors are like "Can't parse value for 'AllocPolicy': Unable to read String" and "Invalid string
// value for type ...".
inline AllocPolicy json_alloc_policy(JsonValue v) { return parse_alloc_policy(json_name(v, "AllocPolicy")); }
inline DiskTemplate json_disk_template(JsonValue v) { return parse_disk_template(json_name(v, "DiskTemplate")); }
inline Hypervisor json_hypervisor(JsonValue v) { return parse_hypervisor(json_name(v, "Hypervisor")); }
inline InstanceStatus json_instance_status(JsonValue v) {
  return parse_instance_status(json_name(v, "InstanceStatus"));
}

// Returns the tags of an array of texts.
TagList json_tags(JsonValue value);

inline std::vector<std::int64_t> json_ints(JsonValue value) { return json_list(value, json_int); }

// Returns the result of `convert`. Its errors begin with "Cannot convert value 'V', error: ".
template <class Convert>
auto json_converted(JsonValue value, Convert convert) {
  try {
    return convert(value);
  } catch (const InputError& error) {
    throw error.annotated("Cannot convert value '" + show_json(value) + "', error: ");
  }
}

// Reads the spindles of each disk, some of which may be null. If the value is not an array, the error is "Expecting
// array, got 'V'".
std::vector<std::optional<std::int64_t>> json_spindles(JsonValue value);

// Returns the version of Ganeti that the information about a cluster names; empty if it names none.
std::string json_ganeti_version(const JsonObject& info);

// Returns the disks that have both a size and spindles: as many as the shorter list has.
std::vector<Disk> pair_disks(const std::vector<std::int64_t>& sizes,
                             const std::vector<std::optional<std::int64_t>>& spindles);

}  // namespace htools
