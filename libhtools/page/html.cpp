#include "page/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/strings.h"

namespace htools {
namespace {

// Characters that control the display instead of being displayed, as first and last code points.
constexpr std::array<std::pair<char32_t, char32_t>, 8> kControlCharacters{{{0x00, 0x1F},
                                                                           {0x7F, 0x9F},
                                                                           {0xAD, 0xAD},
                                                                           {0x061C, 0x061C},
                                                                           {0x200B, 0x200F},
                                                                           {0x2028, 0x202E},
                                                                           {0x2060, 0x206F},
                                                                           {0xFEFF, 0xFEFF}}};

// The blocks of scripts that are written from right to left (Hebrew, Arabic, Syriac and others), as first and last code
// points.
constexpr std::array<std::pair<char32_t, char32_t>, 5> kRightToLeft{
    {{0x0590, 0x08FF}, {0xFB1D, 0xFDFF}, {0xFE70, 0xFEFF}, {0x10800, 0x10FFF}, {0x1E800, 0x1EFFF}}};

template <std::size_t count>
bool is_in(const std::array<std::pair<char32_t, char32_t>, count>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [c](const auto& range) { return range.first <= c && c <= range.second; });
}

void append_escaped(std::string& html, const CodePoint& c) {
  // Code points that are not characters would make the page invalid.
  const bool is_character = c.value && (*c.value & 0xFFFEU) != 0xFFFEU && !(*c.value >= 0xFDD0 && *c.value <= 0xFDEF);
  if (!is_character || is_in(kControlCharacters, *c.value)) {
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

std::string sentence_html(std::string_view text) {
  std::string html;
  bool is_isolated = false;
  const std::string shown = escaped(text);
  for (std::string_view left = shown; !left.empty();) {
    const CodePoint c = first_code_point(left);
    const bool is_right_to_left = c.value && is_in(kRightToLeft, *c.value);
    const std::string_view next = left.substr(c.bytes.size(), 1);
    const bool ends_word = c.bytes == " " || c.bytes == ":" || c.bytes == "," || c.bytes == "&" || c.bytes == ")" ||
                           (c.bytes == "." && (next.empty() || next == " "));
    if (is_right_to_left && !is_isolated) html += "<bdi>";
    if (ends_word && is_isolated) html += "</bdi>";
    is_isolated = (is_isolated && !ends_word) || is_right_to_left;
    html += c.bytes;
    left.remove_prefix(c.bytes.size());
  }
  return is_isolated ? html + "</bdi>" : html;
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
