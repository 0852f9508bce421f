// The one exception of the library: input that cannot be accepted.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace htools {

// What is wrong with an input, and where. `message()` is the sentence for people (without a final newline), of which
// `what()` shows all up to a NUL that it may quote; `where()` names the place as far as it is known ("FILE, line 12,
// field 3 (node memory)"), or is empty.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::string message, std::string where = {})
      : std::runtime_error(message), message_(std::move(message)), where_(std::move(where)) {}

  const std::string& message() const { return message_; }
  const std::string& where() const { return where_; }

  // The same error with `prefix` ("OWNER: ") in front of its sentence.
  InputError annotated(const std::string& prefix) const { return InputError(prefix + message_, where_); }
  // The same error at a place; a place already known is kept.
  InputError at(const std::string& where) const { return where_.empty() ? InputError(message_, where) : *this; }

 private:
  std::string message_;
  std::string where_;
};

}  // namespace htools
