#include "apps/output/named_files.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "apps/output/messages.h"
#include "base/files.h"
#include "htools/errors.h"

namespace htools {
namespace {

std::string read_standard_input() {
  constexpr std::size_t kMostBytes = std::size_t{2} << 30;  // the same limit as for files
  std::string content;
  std::array<char, 65536> chunk;
  for (std::size_t got = chunk.size(); got == chunk.size();) {
    got = std::fread(chunk.data(), 1, chunk.size(), stdin);
    content.append(chunk.data(), got);
    if (content.size() > kMostBytes)
      throw InputError(ErrorCode::UnreadableFile, "<stdin>: readFile: resource exhausted (File too large)");
  }
  if (std::ferror(stdin) != 0)
    throw InputError(ErrorCode::UnreadableFile, fmt::format("<stdin>: readFile: {}", std::strerror(errno)));
  return content;
}

// Returns the result of the action. Converts InputError to FileError, whose messages name files that the user gave.
template <class Action>
auto as_file_error(Action action) {
  try {
    return action();
  } catch (const InputError& error) {
    throw FileError(error.message());
  }
}

}  // namespace

std::string read_input(const std::string& path) { return path == "-" ? read_standard_input() : read_file(path); }

std::string read_named_file(const std::string& path) {
  return as_file_error([&] { return read_file(path); });
}

std::string read_named_input(const std::string& path) {
  return as_file_error([&] { return read_input(path); });
}

void write_named_file(const std::string& path, std::string_view content) {
  as_file_error([&] { write_file_atomically(path, content); });
}

}  // namespace htools
