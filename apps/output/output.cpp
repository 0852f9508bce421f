#include "apps/output/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <new>

#include "base/strings.h"

namespace htools {
namespace {

[[noreturn]] void fail(int error_number) {
  throw OutputError(fmt::format("<stdout>: {}", std::strerror(error_number)), error_number == EPIPE);
}

struct Range {
  char32_t first, last;
};
// The characters that are not visible, but move the cursor, change colours, reorder text or end a line. Those from 0x80
// to 0x9F have this effect in terminals that do not use UTF-8.
constexpr std::array kControls = std::to_array<Range>({
    {0x00, 0x09},
    {0x0B, 0x1F},
    {0x7F, 0x9F},
    {0x061C, 0x061C},  // direction marks
    {0x200E, 0x200F},
    {0x2028, 0x202E},  // line and paragraph separators, overrides of the direction
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

std::atomic<ColourChoice> chosen_colours = ColourChoice::Auto;
std::atomic<bool> status_is_shown = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler looks at it");

OutputForm chosen_form = OutputForm::Text;
bool piece_is_printed = false;

constexpr std::string_view kToEmptyLine = "\r\x1b[K";

// A text in the form that a stream receives. Allocates memory only for control characters and colours, so that even the
// lack of memory can be reported.
struct Shown {
  Shown(std::string_view original, int stream, Highlight highlight) : text(original) {
    if (isatty(stream) != 0 && has_controls(original)) text = changed = without_controls(original);
    if (highlight != Highlight::None && shows_colours(chosen_colours, stream)) colour(highlight);
  }
  Shown(const Shown&) = delete;
  Shown& operator=(const Shown&) = delete;

  std::string_view text;
  std::string changed;

 private:
  void colour(Highlight highlight) try { text = changed = coloured(text, highlight); } catch (const std::bad_alloc&) {
    // The text is readable without colours.
  }
};

// Returns the beginning of `text` that fits in the columns. The text must not contain control characters. Characters
// beyond ASCII may take two columns.
std::string_view fitting(std::string_view text, std::size_t columns) {
  std::size_t length = 0;
  while (length < text.size()) {
    const std::string_view character = first_code_point(text.substr(length)).bytes;
    const std::size_t width = character.size() == 1 ? 1 : 2;
    if (width > columns) break;
    columns -= width;
    length += character.size();
  }
  return text.substr(0, length);
}

void write_output(std::string_view text, Highlight highlight) {
  if (status_is_shown && isatty(STDOUT_FILENO) != 0) remove_status();
  const Shown shown(text, STDOUT_FILENO, highlight);
  if (std::fwrite(shown.text.data(), 1, shown.text.size(), stdout) != shown.text.size()) fail(errno);
}

void write_error(std::string_view text) {
  (void)std::fwrite(text.data(), 1, text.size(), stderr);  // there is no other stream to report a failure
}

}  // namespace

void prepare_output() {
  for (const int signal : {SIGPIPE, SIGXFSZ}) (void)std::signal(signal, SIG_IGN);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // open() takes the lowest free descriptor, which is this one. Writing to it fails, as for a closed stream.
    if (fcntl(stream, F_GETFD) == -1 && open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) == -1) return;
  }
}

void use_colours(ColourChoice choice) { chosen_colours = choice; }

void use_output_form(OutputForm form) { chosen_form = form; }

OutputForm output_form() { return chosen_form; }

void print(std::string_view text, Highlight highlight) {
  if (chosen_form == OutputForm::Text) write_output(text, highlight);
}

void print_progress(std::string_view text) {
  if (chosen_form != OutputForm::Text) return print_error(text, Highlight::None);
  write_output(text, Highlight::None);
  flush_output();
}

void print_piece(std::string_view piece) {
  piece_is_printed = true;
  write_output(piece, Highlight::None);
}

bool has_printed_piece() { return piece_is_printed; }

void flush_output() {
  if (std::fflush(stdout) != 0) fail(errno);
}

void print_error(std::string_view text, Highlight highlight) {
  if (text.empty()) return;
  remove_status();
  write_error(Shown(text, STDERR_FILENO, highlight).text);
}

void show_status(std::string_view line) {
  const std::string shown = without_controls(line);
  status_is_shown = true;
  write_error(fmt::format("\r{}\x1b[K", fitting(shown, terminal_width(STDERR_FILENO) - 1)));
}

void remove_status() {
  if (status_is_shown.exchange(false)) write_error(kToEmptyLine);
}

void remove_status_and_end(int signal) {
  if (status_is_shown) {
    [[maybe_unused]] const auto written = write(STDERR_FILENO, kToEmptyLine.data(), kToEmptyLine.size());
  }
  (void)std::signal(signal, SIG_DFL);
  (void)std::raise(signal);  // takes effect when this handler returns
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
