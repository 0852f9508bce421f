// Reads and writes files that the command line names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace htools {

// Returns the content of the file, or of standard input if the path is "-". Throws InputError, which suggests a file of
// a similar name if there is none of this one.
std::string read_input(const std::string& path);

// Throws InputError if several of the paths are "-": only one of them can be read then.
void reject_shared_input(const std::vector<std::optional<std::string>>& paths);

// The functions below throw FileError (messages.h). read_named_input() reads standard input if the path is "-".
std::string read_named_file(const std::string& path);
std::string read_named_input(const std::string& path);
void write_named_file(const std::string& path, std::string_view content);

// Writes to the file, or prints if there is no path or it is "-".
void write_or_print(const std::optional<std::string>& path, std::string_view content);

}  // namespace htools
