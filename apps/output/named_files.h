// Reads and writes files that the command line names.
#pragma once

#include <string>
#include <string_view>

namespace htools {

// Returns the content of the file, or of standard input if the path is "-". Throws InputError.
std::string read_input(const std::string& path);

// The functions below throw FileError (messages.h). read_named_input() reads standard input if the path is "-".
std::string read_named_file(const std::string& path);
std::string read_named_input(const std::string& path);
void write_named_file(const std::string& path, std::string_view content);

}  // namespace htools
