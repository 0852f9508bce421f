// Nested records, the form in which messages show requests, groups, instances and clusters:
// "Instance {name = \"web1\", disks = [Disk {dskSize = 1024, dskSpindles = Just 2}], movable = True}".
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/decimal.h"
#include "base/strings.h"

namespace htools {

// Makes the text of one record, field by field.
class Record {
 public:
  explicit Record(std::string_view type) : text_(std::string(type) + " {") {}

  // A value that is text already: a name in quotes, a list, another record.
  Record& add(std::string_view field, std::string_view value) {
    if (text_.back() != '{') text_ += ", ";
    text_.append(field).append(" = ").append(value);
    return *this;
  }
  Record& add(std::string_view field, bool value) { return add(field, value ? "True" : "False"); }
  Record& add(std::string_view field, std::int64_t value) { return add(field, std::to_string(value)); }
  Record& add(std::string_view field, double value) { return add(field, format_show(value)); }
  Record& add(std::string_view field, const char* value) { return add(field, std::string_view(value)); }

  std::string text() { return std::move(text_) + "}"; }

 private:
  std::string text_;
};

// A number as the argument of something: negative ones are in parentheses.
inline std::string argument_text(std::int64_t value) {
  return value < 0 ? "(" + std::to_string(value) + ")" : std::to_string(value);
}

// A value that may be absent; `show` makes an argument of it.
template <class Value, class Show>
std::string maybe_text(const std::optional<Value>& value, Show show) {
  return value ? "Just " + std::string(show(*value)) : "Nothing";
}
inline std::string maybe_text(const std::optional<std::string>& value) { return maybe_text(value, quote); }

// "[a,b]"
template <class Elements, class Show>
std::string list_text(const Elements& elements, Show show) {
  std::string text = "[";
  for (const auto& element : elements) {
    if (text.size() > 1) text += ',';
    text += show(element);
  }
  return text + "]";
}

}  // namespace htools
