// Formats nested records, the form in which messages show requests, groups, instances and clusters: "Instance {name =
// \"web1\", disks = [Disk {dskSize = 1024, dskSpindles = Just 2}], movable = True}".
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

// Builds the text of one record, field by field.
class Record {
 public:
  explicit Record(std::string_view type) : text_(std::string(type) + " {") {}

  // Adds a field whose value is formatted already: a name in quotes, a list, or another record.
  Record& add(std::string_view field, std::string_view value) {
    if (text_.back() != '{') text_ += ", ";
    text_.append(field).append(" = ").append(value);
    return *this;
  }
  Record& add(std::string_view field, bool value) { return add(field, value ? "True" : "False"); }
  Record& add(std::string_view field, std::int64_t value) { return add(field, std::to_string(value)); }
  Record& add(std::string_view field, double value) { return add(field, format_show(value)); }
  Record& add(std::string_view field, const char* value) { return add(field, std::string_view(value)); }

  // Returns the text of the whole record. The object must not be used afterwards.
  std::string text() { return std::move(text_) + "}"; }

 private:
  std::string text_;
};

// Returns the number as the argument of a constructor: negative numbers are in parentheses.
inline std::string argument_text(std::int64_t value) {
  return value < 0 ? "(" + std::to_string(value) + ")" : std::to_string(value);
}

// Returns "Just VALUE", where `show` formats the value as an argument, or "Nothing" if the value is absent.
template <class Value, class Show>
std::string maybe_text(const std::optional<Value>& value, Show show) {
  return value ? "Just " + std::string(show(*value)) : "Nothing";
}
inline std::string maybe_text(const std::optional<std::string>& value) { return maybe_text(value, quote); }

// Returns the elements as a list without blanks: "[a,b]".
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
