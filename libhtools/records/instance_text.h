// Formats an instance as one line of text.
#pragma once

#include <cstdint>
#include <string>

#include "cluster/instance.h"
#include "cluster/load.h"

namespace htools {

// The numbers by which a record refers to other records.
struct InstanceNumbers {
  std::int64_t primary;
  std::int64_t secondary;  // -1 if the instance has no secondary
  std::int64_t index;
};

// Returns the instance as a nested record without a line feed: "Instance {name = \"web1\", ..., forthcoming = False}".
std::string format_instance(const Instance& instance, const InstanceNumbers& numbers);

// Returns the load as a nested record: "DynUtil {cpuWeight = 1.0, ...}".
std::string format_load(const Load& load);

}  // namespace htools
