// Describes failed system calls in words.
#pragma once

#include <string>

namespace htools {

// Returns the system's words for `error`, a value of errno: "No such file or directory".
std::string system_error_words(int error);

// Returns the class of the error in the words of the reference and the system's words, such as "does not exist (No such
// file or directory)", or only the words if the error belongs to no class. `error` is a value of errno.
std::string describe_system_error(int error);

}  // namespace htools
