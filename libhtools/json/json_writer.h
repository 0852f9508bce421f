// JSON, out: small values that are put together from the inside to the outside. Nothing is written that is not needed:
// no blanks, no line feeds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace htools {

class JsonText;
using JsonMembers = std::vector<std::pair<std::string_view, JsonText>>;

// A value as it is written.
class JsonText {
 public:
  // In double quotes; escaped are these, backslashes and control characters (\b \f \n \r \t, others as \u001f). All
  // else, UTF-8 too, is as it is.
  static JsonText string(std::string_view text);
  static JsonText null();
  static JsonText boolean(bool value);
  static JsonText number(std::int64_t value);
  // Finite; whole numbers are written with all their digits.
  static JsonText real(double value);
  static JsonText array(const std::vector<JsonText>& elements);
  // Members keep their order.
  static JsonText object(const JsonMembers& members);

  const std::string& text() const { return text_; }

 private:
  explicit JsonText(std::string text) : text_(std::move(text)) {}

  std::string text_;
};

}  // namespace htools
