// The one exception of the library: input that cannot be accepted.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace htools {

// What is wrong with an input, and where. `what()` is the sentence for people (without a final newline); `where()`
// names the place as far as it is known ("FILE, line 12, field 3 (node memory)"), or is empty.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& what) : std::runtime_error(what) {}
  InputError(const std::string& what, std::string where) : std::runtime_error(what), where_(std::move(where)) {}

  const std::string& where() const { return where_; }

  // The same error with `prefix` ("OWNER: ") in front of its sentence.
  InputError annotated(const std::string& prefix) const { return {prefix + what(), where_}; }
  // The same error at a place; a place already known is kept.
  InputError at(const std::string& where) const { return where_.empty() ? InputError{what(), where} : *this; }

 private:
  std::string where_;
};

}  // namespace htools
