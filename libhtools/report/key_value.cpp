#include "report/key_value.h"

#include <algorithm>
#include <boost/locale/utf.hpp>
#include <boost/spirit/home/support/char_encoding/unicode/query.hpp>
#include <iterator>

#include "base/strings.h"

namespace htools {
namespace {

// Returns true if the character is a letter or a number by Boost's Unicode table. The table gives characters that it
// does not know the category of uppercase letters, but not their property, so that category needs a second test.
bool is_letter_or_number(char32_t c) {
  namespace ucd = boost::spirit::ucd;
  if (ucd::get_category(c) == ucd::properties::uppercase_letter) return ucd::is_uppercase(c);
  const auto category = ucd::get_major_category(c);
  return category == ucd::properties::letter || category == ucd::properties::number;
}

bool needs_quotes(std::string_view text) {
  namespace utf = boost::locale::utf;
  const char* position = text.data();
  const char* const end = position + text.size();
  while (position != end) {
    const utf::code_point c = utf::utf_traits<char>::decode(position, end);
    if (!utf::is_valid_codepoint(c) || (c != U'.' && !is_letter_or_number(c))) return true;
  }
  return false;
}

char upper_case(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

}  // namespace

std::string format_key_value(std::string_view prefix, std::string_view key, std::string_view value) {
  std::string line(prefix);
  line += '_';
  std::transform(key.begin(), key.end(), std::back_inserter(line), upper_case);
  line += '=';
  line += needs_quotes(value) ? single_quoted(value) : value;
  line += '\n';
  return line;
}

}  // namespace htools
