// Formats a request to an instance allocator as one line of text.
#pragma once

#include <string>

#include "allocate/request.h"

namespace htools {

// Returns the request as text without a line feed, for example "Relocate 0 1 [2]" or "Allocate (Instance {name =
// \"web1\", ...}) (AllocDetails 2 Nothing) Nothing". Groups, nodes and instances of the cluster are shown by their
// positions.
std::string format_request(const AllocatorRequest& request);

}  // namespace htools
