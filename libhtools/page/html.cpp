#include "page/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/strings.h"

namespace htools {
namespace {

// Characters that control the display instead of being displayed, as first and last code points.
constexpr std::array<std::pair<char32_t, char32_t>, 7> kControlCharacters{{{0x00, 0x1F},
                                                                           {0x7F, 0x9F},
                                                                           {0x061C, 0x061C},
                                                                           {0x200B, 0x200F},
                                                                           {0x2028, 0x202E},
                                                                           {0x2060, 0x206F},
                                                                           {0xFEFF, 0xFEFF}}};

bool is_control(char32_t c) {
  return std::any_of(kControlCharacters.begin(), kControlCharacters.end(),
                     [c](const auto& range) { return range.first <= c && c <= range.second; });
}

void append_escaped(std::string& html, const CodePoint& c) {
  // Code points that are not characters would make the page invalid.
  const bool is_character = c.value && (*c.value & 0xFFFEU) != 0xFFFEU && !(*c.value >= 0xFDD0 && *c.value <= 0xFDEF);
  if (!is_character || is_control(*c.value)) {
    for (const char byte : c.bytes) html += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    return;
  }
  switch (*c.value) {
    case U'&':
      html += "&amp;";
      break;
    case U'<':
      html += "&lt;";
      break;
    case U'>':
      html += "&gt;";
      break;
    case U'"':
      html += "&quot;";
      break;
    case U'\'':
      html += "&#39;";
      break;
    default:
      html += c.bytes;
  }
}

std::string escaped_characters(std::string_view text, std::size_t most) {
  std::string html;
  for (std::size_t shown = 0; !text.empty() && shown < most; ++shown) {
    const CodePoint c = first_code_point(text);
    append_escaped(html, c);
    text.remove_prefix(c.bytes.size());
  }
  return html;
}

// Returns at most the last `size` bytes of a text, from the start of a character on.
std::string_view ending(std::string_view text, std::size_t size) {
  std::string_view end = text.substr(text.size() - std::min(text.size(), size));
  while (!end.empty() && (static_cast<unsigned char>(end.front()) & 0xC0U) == 0x80U) end.remove_prefix(1);
  return end;
}

}  // namespace

std::string escaped(std::string_view text, std::size_t most) {
  if (text.size() > most && display_width(text) > most) {
    const std::size_t end_size = most / 4;
    return escaped_characters(text, most - end_size) + "…" + escaped_characters(ending(text, end_size), end_size);
  }
  return escaped_characters(text, text.size());
}

std::string name_html(std::string_view name) {
  return fmt::format("<bdi>{}</bdi>", escaped(name, kMostNameCharacters));
}

std::string capitalised(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') {
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  }
  return text;
}

std::string sentence(std::string text) {
  if (text.empty()) return text;
  text = capitalised(std::move(text));
  if (text.back() != '.') text += '.';
  return text;
}

HtmlTable::HtmlTable(const std::string& caption, std::vector<HtmlColumn> columns, std::string_view cls)
    : columns_(std::move(columns)),
      head_(fmt::format(
          "<table role=\"table\" class=\"cards{}{}\"><caption>{}</caption><thead role=\"rowgroup\"><tr role=\"row\">",
          cls.empty() ? "" : " ", cls, caption)) {
  for (const HtmlColumn& column : columns_) {
    head_ += fmt::format("<th role=\"columnheader\" scope=\"col\"{}>{}</th>", column.numeric ? " class=\"n\"" : "",
                         column.header);
  }
  head_ += "</tr></thead><tbody role=\"rowgroup\">\n";
}

void HtmlTable::row(const std::vector<HtmlCell>& cells, std::string_view attributes) {
  body_ += fmt::format("<tr role=\"row\"{}>", attributes);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const HtmlColumn& column = columns_[i];
    const std::string key = cells[i].key.empty() ? "" : fmt::format(" data-k=\"{}\"", cells[i].key);
    if (i == 0) {
      body_ += fmt::format("<th role=\"rowheader\" scope=\"row\"{}{}>{}</th>", column.numeric ? " class=\"n\"" : "",
                           key, cells[i].html);
      continue;
    }
    const std::string cls =
        column.numeric ? (column.cls.empty() ? "n" : fmt::format("n {}", column.cls)) : std::string(column.cls);
    body_ +=
        fmt::format("<td role=\"cell\"{}{} data-l=\"{}\">{}</td>", cls.empty() ? "" : fmt::format(" class=\"{}\"", cls),
                    key, column.label.empty() ? column.header : column.label, cells[i].html);
  }
  body_ += "</tr>\n";
  ++rows_;
}

std::string HtmlTable::html() const { return head_ + body_ + "</tbody></table>\n"; }

std::string left_out_note(std::size_t count, std::string_view noun) {
  if (count == 0) return "";
  return fmt::format("<p class=\"note\">{} further {}{} not listed.</p>\n", count, noun, count == 1 ? " is" : "s are");
}

}  // namespace htools
