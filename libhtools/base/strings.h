// Text: splitting, joining, and the quoted form of names in messages. Text is UTF-8; a byte that is no valid UTF-8
// counts as one character with the byte's value as its code point. There are no errors.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace htools {

// The pieces between the separators: one more than there are separators, pieces may be empty. Empty text has no pieces.
std::vector<std::string> split(std::string_view text, char separator);

std::string join(const std::vector<std::string>& pieces, std::string_view separator);

// `text` in double quotes, everything but printable ASCII escaped: \" \\, \a \b \t \n \v \f \r, other control
// characters by name (\NUL, \ESC, \DEL), characters from 128 on by decimal code point (\233). A \& keeps an escape and
// a character that would continue it apart (\233\&1, \SO\&H).
std::string quote(std::string_view text);

// ["a","b"], quoted as above; [] for no texts.
std::string quote_list(const std::vector<std::string>& texts);

// `text` in single quotes, for a shell: a single quote in it is written as '\'', all else as it is.
std::string single_quoted(std::string_view text);

// How many bytes from the start are valid UTF-8; all of them in most texts.
std::size_t valid_utf8_length(std::string_view text);
inline bool is_utf8(std::string_view text) { return valid_utf8_length(text) == text.size(); }

// The first code point of `text`, which is not empty, and its bytes; no code point if it begins with an invalid byte.
struct CodePoint {
  std::optional<char32_t> value;
  std::string_view bytes;
};
CodePoint first_code_point(std::string_view text);

// Columns of a table cell: the number of code points.
std::size_t display_width(std::string_view text);

}  // namespace htools
