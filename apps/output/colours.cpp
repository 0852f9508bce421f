#include "apps/output/colours.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace htools {
namespace {

// The parameters of the control sequence "select graphic rendition".
constexpr std::string_view kBold = "1", kRed = "31", kGreen = "32", kYellow = "33", kBoldRed = "1;31";

std::string painted(std::string_view text, std::string_view colour) {
  return std::string("\x1b[").append(colour).append("m").append(text).append("\x1b[0m");
}

// Returns `line` with `length` characters from `start` on in the colour.
std::string painted_part(std::string_view line, std::size_t start, std::size_t length, std::string_view colour) {
  return std::string(line.substr(0, start))
      .append(painted(line.substr(start, length), colour))
      .append(line.substr(start + length));
}

struct Beginning {
  std::string_view text;
  std::string_view colour;
};

constexpr std::array kMessages = std::to_array<Beginning>({
    {"Error:", kBoldRed},
    {"Error for ", kBoldRed},
    {"Error while parsing command line arguments:", kBoldRed},
    {"Command line error:", kBoldRed},
    {"Warning:", kYellow},
});

// The facts that earlier lines show about a table.
struct TableState {
  bool in_rows = false;  // the header is above
  bool has_marks = false;
};

std::string plain(std::string_view line, TableState&) { return std::string(line); }

std::string message(std::string_view line, TableState&) {
  const auto* const beginning =
      std::find_if(kMessages.begin(), kMessages.end(), [&](const Beginning& b) { return line.starts_with(b.text); });
  return beginning != kMessages.end() ? painted_part(line, 0, beginning->text.size(), beginning->colour)
                                      : std::string(line);
}

std::string sentence(std::string_view line, std::string_view colour) {
  return line.empty() ? std::string() : painted(line, colour);
}
std::string good(std::string_view line, TableState&) { return sentence(line, kGreen); }
std::string notice(std::string_view line, TableState&) { return sentence(line, kYellow); }
std::string bad(std::string_view line, TableState&) { return sentence(line, kRed); }

// True if the line is a row of the table; a text has only one. Rows begin with a blank; the titles above the table and
// the pieces of names that contain line feeds do not.
bool is_row(std::string_view line, const TableState& state) { return state.in_rows && line.starts_with(' '); }

std::string other_line(std::string_view line, TableState& state) {
  if (state.in_rows || !line.starts_with(' ')) return std::string(line);
  state.in_rows = true;
  state.has_marks = line.starts_with(" F ");
  return painted(line, kBold);
}

std::string table_line(std::string_view line, TableState& state) {
  if (!is_row(line, state)) return other_line(line, state);
  if (state.has_marks && line.starts_with(" - ")) return painted_part(line, 1, 1, kYellow);
  if (state.has_marks && line.starts_with(" * ")) return painted_part(line, 1, 1, kBoldRed);
  return std::string(line);
}

// Paints the N+1 column of a row, which is the last but one; the score follows it.
std::string group_line(std::string_view line, TableState& state) {
  if (!is_row(line, state)) return other_line(line, state);
  constexpr std::string_view kUnsafe = "False";
  const std::string_view to_column = line.substr(0, line.find_last_not_of(' ', line.rfind(' ')) + 1);
  if (!to_column.ends_with(kUnsafe)) return std::string(line);
  return painted_part(line, to_column.size() - kUnsafe.size(), kUnsafe.size(), kRed);
}

// Paints headings, and values above zero in lines like "    WORDS: VALUE". Values with a decimal point are scores.
std::string health_line(std::string_view line, TableState& state) {
  if (!line.starts_with(' ')) return line.empty() ? plain(line, state) : painted(line, kBold);
  const std::size_t colon = line.rfind(": ");
  if (colon == std::string_view::npos) return plain(line, state);
  const std::size_t start = colon + 2;
  const std::string_view value = line.substr(start);
  const bool is_well = value == "0" || value == "False" || value.find('.') != std::string_view::npos;
  return is_well ? plain(line, state) : painted_part(line, start, value.size(), kRed);
}

// How answers begin.
constexpr std::array kAnswers = std::to_array<Beginning>({
    {"Yes", kGreen},
    {"Nothing is wrong.", kGreen},
    {"No, ", kRed},
    {"Lost:", kBoldRed},
    {"No longer N+1 safe", kRed},
    {"No plan that meets", kRed},
    {"No plan within --", kRed},
});

// Words anywhere in an answer, each with what stands around it; the first that occurs in a line is painted.
struct Mark {
  std::string_view before, word, after, colour;
};
constexpr std::array kMarks = std::to_array<Mark>({
    {". ", "down", ": ", kBoldRed},
    {": ", "down", ": ", kBoldRed},
    {". ", "at-risk", ": ", kRed},
    {": ", "at-risk", ": ", kRed},
    {". ", "breach", ": ", kYellow},
    {": ", "breach", ": ", kYellow},
    {". ", "unreliable", ": ", kYellow},
    {": ", "unreliable", ": ", kYellow},
    {": ", "mandatory", ": ", kYellow},
    {": ", "refused", "", kRed},
    {": ", "stale", "", kYellow},
    {"): ", "no", ", ", kRed},
    {"): ", "yes", ", ", kGreen},
    {"", "no room for", " ", kRed},
});

std::string answer_line(std::string_view line, TableState& state) {
  const auto* const beginning =
      std::find_if(kAnswers.begin(), kAnswers.end(), [&](const Beginning& b) { return line.starts_with(b.text); });
  if (beginning != kAnswers.end()) return painted_part(line, 0, beginning->text.size(), beginning->colour);
  for (const Mark& mark : kMarks) {
    const std::size_t at = line.find(std::string(mark.before).append(mark.word).append(mark.after));
    if (at != std::string_view::npos) return painted_part(line, at + mark.before.size(), mark.word.size(), mark.colour);
  }
  return plain(line, state);
}

// The painters in the order of Highlight.
constexpr std::array<std::string (*)(std::string_view, TableState&), 9> kLinePainters{
    plain, message, table_line, group_line, health_line, good, notice, bad, answer_line};

}  // namespace

std::string coloured(std::string_view text, Highlight kind) {
  TableState state;
  const auto paint = kLinePainters[static_cast<std::size_t>(kind)];
  std::string result;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    result += paint(text.substr(0, length), state);
    text.remove_prefix(length);
    if (text.empty()) break;
    result += '\n';
    text.remove_prefix(1);
  }
  return result;
}

}  // namespace htools
