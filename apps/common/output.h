// Standard output and standard error. Nothing else of the suite writes to them. On a terminal control characters other
// than line feed, those that change the direction of text, and bytes that are not UTF-8 are shown as \xNN, since names
// come from files and hosts.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace htools {

// Standard output does not take what is written to it.
class OutputError : public std::runtime_error {
 public:
  OutputError(const std::string& what, bool reader_gone) : std::runtime_error(what), reader_gone_(reader_gone) {}
  // Whoever read a pipe has closed it: nobody is there who would want a message.
  bool reader_gone() const { return reader_gone_; }

 private:
  bool reader_gone_;
};

// Once, at the start: a closed pipe and a file that may not grow shall be errors, not signals, and no file that is
// opened later shall take the place of a closed standard stream.
void prepare_output();

// To standard output; buffered unless it is a terminal. Throws OutputError.
void print(std::string_view text);

// Writes out what is buffered. Throws OutputError. To be called at the end of the program.
void flush_output();

// To standard error.
void print_error(std::string_view text);

// `text` as it is shown on a terminal.
std::string without_controls(std::string_view text);

}  // namespace htools
