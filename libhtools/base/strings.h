// Splits, joins and measures text, and quotes names for messages. Text is UTF-8; a byte that is not valid UTF-8 counts
// as one character with the byte's value as its code point. There are no errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace htools {

// Returns the pieces between the separators: one more than there are separators. Pieces may be empty. Empty text has no
// pieces.
std::vector<std::string> split(std::string_view text, char separator);

// Returns the pieces with `separator` between them.
std::string join(const std::vector<std::string>& pieces, std::string_view separator);

// Returns the first `most` texts and how many others there are: "a, b and 3 more".
std::string join_first(const std::vector<std::string>& texts, std::size_t most);

// Returns `text` in double quotes, with everything but printable ASCII escaped: \" \\, \a \b \t \n \v \f \r, other
// control characters by name (\NUL, \ESC, \DEL), characters from 128 on by decimal code point (\233). A \& separates an
// escape from a character that would continue it (\233\&1, \SO\&H).
std::string quote(std::string_view text);

// Returns a word of the input for a message: in single quotes. If it has control characters or is not UTF-8, it is
// escaped as by quote(), so that it cannot act on a terminal; then long texts are cut off.
std::string quoted_word(std::string_view text);

// Returns a list of texts, quoted as by quote(): ["a","b"]. No texts give [].
std::string quote_list(const std::vector<std::string>& texts);

// Returns `text` in single quotes, for a shell. A single quote in it becomes '\''; everything else stays as it is.
std::string single_quoted(std::string_view text);

// Returns how many bytes from the start are valid UTF-8: in most texts, all of them.
std::size_t valid_utf8_length(std::string_view text);
inline bool is_utf8(std::string_view text) { return valid_utf8_length(text) == text.size(); }

// The first code point of a text and the bytes that encode it. There is no code point if the text begins with an
// invalid byte, which is then `bytes`.
struct CodePoint {
  std::optional<char32_t> value;
  std::string_view bytes;
};
// Returns the first code point of `text`, which must not be empty.
CodePoint first_code_point(std::string_view text);

// Returns a count with its noun: "1 node", "2 nodes".
std::string counted(std::int64_t count, std::string_view noun);
inline std::string counted(std::size_t count, std::string_view noun) {
  return counted(static_cast<std::int64_t>(count), noun);
}

// Returns how many columns `text` takes in a table: its number of code points.
std::size_t display_width(std::string_view text);

// Returns the parts with spaces between them, in lines of at most `width` columns, of which the first has
// `first_width`. A part is never broken: if it is wider, so is its line.
std::vector<std::string> filled_lines(const std::vector<std::string>& parts, std::size_t width,
                                      std::size_t first_width);

}  // namespace htools
