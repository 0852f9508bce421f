// Failures of calls to the system, in words.
#pragma once

#include <string>

namespace htools {

// The sort of failure and the system's words: "does not exist (No such file or directory)"; the system's words alone
// for what belongs to no sort.
std::string describe_system_error(int error);

}  // namespace htools
