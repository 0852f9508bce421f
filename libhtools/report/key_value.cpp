#include "report/key_value.h"

#include <algorithm>
#include <boost/locale/utf.hpp>
#include <boost/spirit/home/support/char_encoding/unicode/query.hpp>

namespace htools {
namespace {

bool needs_quotes(std::string_view text) {
  namespace utf = boost::locale::utf;
  namespace ucd = boost::spirit::ucd;
  const char* position = text.data();
  const char* const end = position + text.size();
  while (position != end) {
    const utf::code_point c = utf::utf_traits<char>::decode(position, end);
    if (!utf::is_valid_codepoint(c)) return true;
    const auto category = ucd::get_major_category(c);
    const bool bare = c == U'.' || category == ucd::properties::letter || category == ucd::properties::number;
    if (!bare) return true;
  }
  return false;
}

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

}  // namespace

std::string format_key_value(std::string_view prefix, std::string_view key, std::string_view value) {
  std::string line(prefix);
  line += '_';
  std::transform(key.begin(), key.end(), std::back_inserter(line), upper);
  const std::string_view quotation_mark = needs_quotes(value) ? "'" : "";
  line.append("=").append(quotation_mark).append(value).append(quotation_mark).append("\n");
  return line;
}

}  // namespace htools
