// Describes failed system calls in words.
#pragma once

#include <string>

namespace htools {

// Returns the class of the error and the system's words, such as "does not exist (No such file or directory)", or only
// the words if the error belongs to no class. `error` is a value of errno.
std::string describe_system_error(int error);

}  // namespace htools
