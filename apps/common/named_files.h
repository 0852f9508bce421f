// Files that the command line names.
#pragma once

#include <string>
#include <string_view>

namespace htools {

// A file, or the standard input if it is called "-". Throws InputError.
std::string read_input(const std::string& path);

// All throw FileError (messages.h).
std::string read_named_file(const std::string& path);
std::string read_named_input(const std::string& path);
void write_named_file(const std::string& path, std::string_view content);

}  // namespace htools
