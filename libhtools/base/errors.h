// Defines the one exception of the library: InputError, for input that cannot be accepted.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace htools {

// An error in an input: what is wrong, and where. `message()` is the sentence for people (without a final newline);
// `what()` shows it only up to the first NUL that it may quote. `where()` names the place as far as it is known ("FILE,
// line 12, field 3 (node memory)"), or is empty. `hint()` is a sentence of advice ("Did you mean drbd?"), or empty.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::string message, std::string where = {}, std::string hint = {})
      : std::runtime_error(message), message_(std::move(message)), where_(std::move(where)), hint_(std::move(hint)) {}

  const std::string& message() const { return message_; }
  const std::string& where() const { return where_; }
  const std::string& hint() const { return hint_; }

  // Returns the same error with `prefix` ("OWNER: ") in front of its message.
  InputError annotated(const std::string& prefix) const { return InputError(prefix + message_, where_, hint_); }
  // Returns the same error with the place `where`, unless it has a place already.
  InputError at(const std::string& where) const { return where_.empty() ? InputError(message_, where, hint_) : *this; }

 private:
  std::string message_;
  std::string where_;
  std::string hint_;
};

}  // namespace htools
