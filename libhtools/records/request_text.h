// What an instance allocator is asked for, in one line.
#pragma once

#include <string>

#include "allocate/request.h"

namespace htools {

// "Relocate 0 1 [2]", "Allocate (Instance {name = \"web1\", ...}) (AllocDetails 2 Nothing) Nothing" and so on, without
// a line feed. Groups, nodes and instances of the cluster are shown by their positions.
std::string format_request(const AllocatorRequest& request);

}  // namespace htools
