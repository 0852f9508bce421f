#include "apps/common/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "base/strings.h"

namespace htools {
namespace {

[[noreturn]] void fail(int error_number) {
  throw OutputError(fmt::format("<stdout>: {}", std::strerror(error_number)), error_number == EPIPE);
}

struct Range {
  char32_t first, last;
};
// What does not show as a character, but moves the cursor, colours, reorders or ends a line; also in terminals that
// read other text than UTF-8.
constexpr std::array kControls = std::to_array<Range>({
    {0x00, 0x09},
    {0x0B, 0x1F},
    {0x7F, 0x9F},
    {0x061C, 0x061C},  // marks of direction
    {0x200E, 0x200F},
    {0x2028, 0x202E},  // ends of lines and paragraphs, overrides of direction
    {0x2066, 0x2069},  // isolates
});

bool is_control(char32_t c) {
  return std::any_of(kControls.begin(), kControls.end(), [c](const Range& r) { return c >= r.first && c <= r.last; });
}

bool is_shown(const CodePoint& c) { return c.value && !is_control(*c.value); }

bool has_controls(std::string_view text) {
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    if (!is_shown(c)) return true;
    text.remove_prefix(c.bytes.size());
  }
  return false;
}

// A text as a stream gets it. Memory is needed for control characters only: even its lack has to be told.
struct Shown {
  Shown(std::string_view original, int stream) : text(original) {
    if (isatty(stream) != 0 && has_controls(original)) text = escaped = without_controls(original);
  }
  Shown(const Shown&) = delete;
  Shown& operator=(const Shown&) = delete;

  std::string_view text;
  std::string escaped;
};

}  // namespace

void prepare_output() {
  for (const int signal : {SIGPIPE, SIGXFSZ}) (void)std::signal(signal, SIG_IGN);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The lowest free number is taken, which is this one. Writing to it fails, as to a closed stream.
    if (fcntl(stream, F_GETFD) == -1 && open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) == -1) return;
  }
}

void print(std::string_view text) {
  const Shown shown(text, STDOUT_FILENO);
  if (std::fwrite(shown.text.data(), 1, shown.text.size(), stdout) != shown.text.size()) fail(errno);
}

void flush_output() {
  if (std::fflush(stdout) != 0) fail(errno);
}

void print_error(std::string_view text) {
  const Shown shown(text, STDERR_FILENO);
  (void)std::fwrite(shown.text.data(), 1, shown.text.size(), stderr);  // there is nowhere else to complain
}

std::string without_controls(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    if (is_shown(c)) {
      shown += c.bytes;
    } else {
      for (const char byte : c.bytes) shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    }
    text.remove_prefix(c.bytes.size());
  }
  return shown;
}

}  // namespace htools
