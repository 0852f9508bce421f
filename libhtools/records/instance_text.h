// An instance in one line.
#pragma once

#include <cstdint>
#include <string>

#include "cluster/instance.h"
#include "cluster/load.h"

namespace htools {

// The numbers by which a record refers to other records.
struct InstanceNumbers {
  std::int64_t primary;
  std::int64_t secondary;  // -1 if there is none
  std::int64_t index;
};

// The instance as a nested record, "Instance {name = \"web1\", ..., forthcoming = False}", without a line feed.
std::string format_instance(const Instance& instance, const InstanceNumbers& numbers);

// "DynUtil {cpuWeight = 1.0, ...}"
std::string format_load(const Load& load);

}  // namespace htools
