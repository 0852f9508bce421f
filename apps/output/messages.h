// Words the messages for errors and warnings.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "htools/errors.h"

namespace htools {

// The error that a file which the user named cannot be read or written. `file()` is the file, or empty; the message
// names it, too.
class FileError : public std::runtime_error {
 public:
  explicit FileError(const std::string& what, std::string file = {})
      : std::runtime_error(what), file_(std::move(file)) {}
  const std::string& file() const { return file_; }

 private:
  std::string file_;
};

// Returns "SENTENCE (PLACE)", without the place if it is unknown or already part of the sentence.
std::string error_sentence(const InputError& error);

// Returns the error's hint and a line feed; empty if there is no hint.
std::string hint_line(const InputError& error);

// Returns "Error: ", the sentence and a line feed, followed by the line with the hint.
std::string error_message(const InputError& error);

// Returns the text for inconsistent data: a heading, one line for each warning, and an empty line. Returns an empty
// string if there are no warnings.
std::string warning_message(const std::vector<std::string>& warnings);

// Returns "Warning: ", the sentence and a line feed; empty if the sentence is.
std::string warning_line(const std::string& sentence);

}  // namespace htools
