#include "formats/text_line.h"

#include <fmt/format.h>

#include "base/strings.h"

namespace htools {

std::size_t split_views(std::string_view text, char separator, std::span<std::string_view> pieces) {
  std::size_t size = 0;
  for (bool more = !text.empty(); more && size < pieces.size(); ++size) {
    const std::size_t end = text.find(separator);
    pieces[size] = text.substr(0, end);
    more = end != std::string_view::npos;
    if (more) text.remove_prefix(end + 1);
  }
  return size;
}

TextLine::TextLine(std::string_view source, std::size_t number, std::string_view text,
                   std::span<const std::string_view> field_names)
    : source_(source),
      number_(number),
      text_(text),
      names_(field_names),
      size_(split_views(text, '|', std::span(fields_).first(field_names.size()))) {}

std::string TextLine::quoted() const { return quote_list(split(text_, '|')); }

std::string TextLine::place() const { return fmt::format("{}, line {}", source_, number_); }

std::string TextLine::place(std::size_t field) const {
  return fmt::format("{}, field {} ({})", place(), field + 1, names_[field]);
}

}  // namespace htools
