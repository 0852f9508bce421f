// Formats key=value lines for programs.
#pragma once

#include <string>
#include <string_view>

namespace htools {

// Returns the line "PREFIX_KEY=VALUE" with the key in upper case (ASCII). A value that contains anything but letters,
// numbers (of any script) and dots is put in single quotes, and single quotes in it are escaped as for a shell ('\'').
// An empty value is not quoted.
std::string format_key_value(std::string_view prefix, std::string_view key, std::string_view value);

}  // namespace htools
