// Machine-readable lines.
#pragma once

#include <string>
#include <string_view>

namespace htools {

// The line "PREFIX_KEY=VALUE", with the key in upper case (ASCII). A value with anything but letters, numbers (of any
// script) and dots is put in single quotes; single quotes in it are written as for a shell ('\''). An empty value stays
// bare.
std::string format_key_value(std::string_view prefix, std::string_view key, std::string_view value);

}  // namespace htools
