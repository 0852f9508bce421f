#include "apps/output/named_files.h"

#include <dirent.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>

#include "apps/output/messages.h"
#include "apps/output/output.h"
#include "base/files.h"
#include "base/suggestions.h"
#include "htools/errors.h"

namespace htools {
namespace {

std::string read_standard_input() {
  constexpr std::size_t kMostBytes = std::size_t{2} << 30;  // the same limit as for files
  std::string content;
  std::array<char, 65536> chunk;
  // Not by streams: those of a process that hsweep starts still hold what it has read itself.
  for (;;) {
    const ssize_t got = ::read(STDIN_FILENO, chunk.data(), chunk.size());
    if (got == 0) return content;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      throw InputError(ErrorCode::UnreadableFile, fmt::format("<stdin>: readFile: {}", std::strerror(errno)));
    content.append(chunk.data(), static_cast<std::size_t>(got));
    if (content.size() > kMostBytes)
      throw InputError(ErrorCode::UnreadableFile, "<stdin>: readFile: resource exhausted (File too large)");
  }
}

// Returns the result of the action. Converts InputError to FileError about the path, which the user gave.
template <class Action>
auto as_file_error(const std::string& path, Action action) {
  try {
    return action();
  } catch (const InputError& error) {
    throw FileError(error.message(), path);
  }
}

// Returns the question whether a file of a similar name was meant; nothing if the file exists, or none is similar. (The
// functions of std::filesystem end the program when memory is short.)
std::string advice_on_path(const std::string& path) {
  constexpr std::size_t kMostEntries = 10'000;
  if (::access(path.c_str(), F_OK) == 0) return "";
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(folder.empty() ? "." : folder.c_str()), ::closedir);
  std::vector<std::string> names;
  while (directory && names.size() < kMostEntries) {
    const dirent* entry = ::readdir(directory.get());
    if (entry == nullptr) break;
    names.emplace_back(entry->d_name);
  }
  std::sort(names.begin(), names.end());
  const std::vector<std::string_view> views(names.begin(), names.end());
  return did_you_mean(path.substr(folder.size()), views, folder);
}

}  // namespace

std::string read_input(const std::string& path) {
  if (path == "-") return read_standard_input();
  try {
    return read_file(path);
  } catch (const InputError& error) {
    throw error.advised(advice_on_path(path));
  }
}

void reject_shared_input(const std::vector<std::optional<std::string>>& paths) {
  if (std::count(paths.begin(), paths.end(), "-") > 1)
    throw InputError(ErrorCode::Usage, "Only one of the files can be standard input.");
}

std::string read_named_file(const std::string& path) {
  return as_file_error(path, [&] { return read_file(path); });
}

std::string read_named_input(const std::string& path) {
  return as_file_error(path, [&] { return read_input(path); });
}

void write_named_file(const std::string& path, std::string_view content) {
  as_file_error(path, [&] { write_file_atomically(path, content); });
}

void write_or_print(const std::optional<std::string>& path, std::string_view content) {
  if (path && path != "-") {
    write_named_file(*path, content);
  } else {
    print(content);
  }
}

}  // namespace htools
