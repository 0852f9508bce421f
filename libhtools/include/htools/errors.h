// Defines the one exception of the library: InputError, for input that cannot be accepted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace htools {

// The kinds of errors, for programs that react to them.
enum class ErrorCode : std::uint8_t {
  InvalidInput,   // anything that is not one of the following
  Usage,          // options or arguments that do not go together, or that a tool does not know
  Syntax,         // text that is not of the expected form: a cluster file, JSON, a number
  InvalidValue,   // a value that is of the right form, but not possible
  UnknownName,    // a node, instance or group that is not there, or whose short name fits several
  Unanswerable,   // the cluster is loaded, but a question about it has no answer
  NotSaved,       // a state that could not be read back, and is not written therefore
  Unreachable,    // a host or daemon that does not answer, or whose answer is an error
  UnreadableFile  // a file that cannot be read or written
};

// The codes as programs see them, in the order of the enumeration.
inline constexpr std::array<std::string_view, 9> kErrorCodes{"invalid-input", "usage",        "syntax",
                                                             "invalid-value", "unknown-name", "unanswerable",
                                                             "not-saved",     "unreachable",  "unreadable-file"};
constexpr std::string_view name(ErrorCode code) { return kErrorCodes[static_cast<std::size_t>(code)]; }

// An error in an input: what is wrong, and where. `message()` is the sentence for people (without a final newline);
// `what()` shows it only up to the first NUL that it may quote. `where()` names the place as far as it is known ("FILE,
// line 12, field 3 (node memory)"), or is empty. `hint()` is a sentence of advice ("Did you mean drbd?"), or empty.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::string message, std::string where = {}, std::string hint = {})
      : InputError(ErrorCode::InvalidInput, std::move(message), std::move(where), std::move(hint)) {}
  InputError(ErrorCode code, std::string message, std::string where = {}, std::string hint = {})
      : std::runtime_error(message),
        code_(code),
        message_(std::move(message)),
        where_(std::move(where)),
        hint_(std::move(hint)) {}

  ErrorCode code() const { return code_; }
  const std::string& message() const { return message_; }
  const std::string& where() const { return where_; }
  const std::string& hint() const { return hint_; }

  // Returns the same error with `prefix` ("OWNER: ") in front of its message.
  InputError annotated(const std::string& prefix) const {
    return InputError(code_, prefix + message_, where_, hint_).with_reference_words(reference_words_);
  }
  // Returns the same error with the place `where`, unless it has a place already.
  InputError at(const std::string& where) const {
    return where_.empty() ? InputError(code_, message_, where, hint_).with_reference_words(reference_words_) : *this;
  }
  // Returns the same error with this hint, unless it has one already.
  InputError advised(const std::string& hint) const {
    return hint_.empty() ? InputError(code_, message_, where_, hint).with_reference_words(reference_words_) : *this;
  }
  // Returns the same error, and keeps the words in which the reference (Ganeti's htools) reports it. Only hscan prints
  // them, where standard output must be that of the reference.
  InputError with_reference_words(std::string words) const {
    InputError error = *this;
    error.reference_words_ = std::move(words);
    return error;
  }
  // Returns the error with the words of the reference as its message, if it has them.
  InputError in_reference_words() const {
    return reference_words_.empty() ? *this : InputError(code_, reference_words_, where_, hint_);
  }

 private:
  ErrorCode code_;
  std::string message_;
  std::string where_;
  std::string hint_;
  std::string reference_words_;
};

}  // namespace htools
