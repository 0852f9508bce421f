// Writes JSON. Small values are built first and then combined into larger ones. There are no spaces and no line feeds
// between tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace htools {

class JsonText;
// The members of an object: keys and values.
using JsonMembers = std::vector<std::pair<std::string_view, JsonText>>;

// A JSON value in its written form.
class JsonText {
 public:
  // Returns `text` in double quotes. Double quotes, backslashes and control characters are escaped (\b \f \n \r \t,
  // others as \u001f). Everything else, including UTF-8, stays as it is.
  static JsonText string(std::string_view text);
  static JsonText null();
  static JsonText boolean(bool value);
  static JsonText number(std::int64_t value);
  // Returns a text that is a number, true or false in JSON already, as it stands.
  static JsonText literal(std::string text) { return JsonText(std::move(text)); }
  // Returns a number that must be finite. Whole numbers are written with all their digits, without fraction or
  // exponent.
  static JsonText real(double value);
  static JsonText array(const std::vector<JsonText>& elements);
  // Returns an object whose members keep their order.
  static JsonText object(const JsonMembers& members);

  const std::string& text() const { return text_; }

 private:
  explicit JsonText(std::string text) : text_(std::move(text)) {}

  std::string text_;
};

}  // namespace htools
