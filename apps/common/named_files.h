// Files that options name besides the source of the cluster.
#pragma once

#include <string>
#include <string_view>

namespace htools {

// Both throw FileError (messages.h).
std::string read_named_file(const std::string& path);
void write_named_file(const std::string& path, std::string_view content);

}  // namespace htools
