#include "json/json_writer.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "base/decimal.h"

namespace htools {
namespace {

constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t";
constexpr std::string_view kEscapes = "\"\\bfnrt";  // the characters after the backslash, in the order of kEscaped

void append_string(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (const std::size_t known = kEscaped.find(c); known != std::string_view::npos) {
      out += '\\';
      out += kEscapes[known];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace

JsonText JsonText::string(std::string_view text) {
  std::string out;
  append_string(out, text);
  return JsonText(std::move(out));
}

JsonText JsonText::null() { return JsonText("null"); }

JsonText JsonText::boolean(bool value) { return JsonText(value ? "true" : "false"); }

JsonText JsonText::number(std::int64_t value) { return JsonText(fmt::to_string(value)); }

JsonText JsonText::real(double value) {
  return JsonText(std::trunc(value) == value ? fmt::format("{:.0f}", value) : format_show(value));
}

JsonText JsonText::array(const std::vector<JsonText>& elements) {
  std::string out = "[";
  for (const JsonText& element : elements) {
    if (out.size() > 1) out += ',';
    out += element.text_;
  }
  return JsonText(out += ']');
}

JsonText JsonText::object(const JsonMembers& members) {
  std::string out = "{";
  for (const auto& [key, value] : members) {
    if (out.size() > 1) out += ',';
    append_string(out, key);
    out += ':';
    out += value.text_;
  }
  return JsonText(out += '}');
}

}  // namespace htools
