#include "apps/common/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstring>

namespace htools {
namespace {

[[noreturn]] void fail(int error_number) {
  throw OutputError(fmt::format("<stdout>: {}", std::strerror(error_number)), error_number == EPIPE);
}

// Also the controls from U+0080 to U+009F, which are C2 80 to C2 9F in UTF-8.
std::size_t control_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if ((byte(0) < 0x20 && byte(0) != '\n') || byte(0) == 0x7F) return 1;
  return text.size() > 1 && byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) < 0xA0 ? 2 : 0;
}

// A text as a stream gets it.
struct Shown {
  Shown(std::string_view original, int stream) : text(original) {
    if (isatty(stream) != 0) text = escaped = without_controls(original);
  }
  Shown(const Shown&) = delete;
  Shown& operator=(const Shown&) = delete;

  std::string_view text;
  std::string escaped;
};

}  // namespace

void prepare_output() {
  (void)std::signal(SIGPIPE, SIG_IGN);
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
    const std::size_t length = control_length(text);
    for (std::size_t i = 0; i < length; ++i) shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
    if (length == 0) shown += text.front();
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return shown;
}

}  // namespace htools
