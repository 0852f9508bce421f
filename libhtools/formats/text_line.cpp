#include "formats/text_line.h"

#include <fmt/format.h>

#include "base/strings.h"

namespace htools {

std::vector<std::string_view> split_views(std::string_view text, char separator, std::size_t most) {
  std::vector<std::string_view> pieces;
  if (text.empty()) return pieces;
  pieces.reserve(most);
  while (pieces.size() < most) {
    const std::size_t end = text.find(separator);
    pieces.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return pieces;
}

TextLine::TextLine(std::string_view source, std::size_t number, std::string_view text,
                   std::span<const std::string_view> field_names)
    : source_(source),
      number_(number),
      text_(text),
      names_(field_names),
      fields_(split_views(text, '|', field_names.size())) {}

std::string TextLine::quoted() const { return quote_list(split(text_, '|')); }

std::string TextLine::place() const { return fmt::format("{}, line {}", source_, number_); }

std::string TextLine::place(std::size_t field) const {
  return fmt::format("{}, field {} ({})", place(), field + 1, names_[field]);
}

}  // namespace htools
