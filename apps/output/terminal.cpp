#include "apps/output/terminal.h"

#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace htools {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

bool is_capable_terminal(int stream) {
  const std::string_view kind = variable("TERM");
  return !kind.empty() && kind != "dumb" && isatty(stream) != 0;
}

bool shows_colours(ColourChoice choice, int stream) {
  if (choice != ColourChoice::Auto) return choice == ColourChoice::Always;
  return variable("NO_COLOR").empty() && is_capable_terminal(stream);
}

std::size_t terminal_width(int stream) {
  constexpr std::size_t kUsualWidth = 80;
  winsize size{};
  return ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsualWidth;
}

std::size_t columns_of_output() {
  if (isatty(STDOUT_FILENO) == 0) return 0;
  const std::string_view text = variable("COLUMNS");
  std::size_t columns = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && columns > 0;
  return is_number ? columns : terminal_width(STDOUT_FILENO);
}

bool may_be_watched(int stream) {
  struct stat facts {};
  const bool is_pipe = fstat(stream, &facts) == 0 && (S_ISFIFO(facts.st_mode) || S_ISSOCK(facts.st_mode));
  return is_pipe || isatty(stream) != 0;
}

bool is_in_background(int stream) {
  const pid_t foreground = tcgetpgrp(stream);
  return foreground > 0 && foreground != getpgrp();
}

}  // namespace htools
