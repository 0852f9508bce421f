// How failures are told.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "htools/errors.h"

namespace htools {

// A file that the user named cannot be read or written.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "SENTENCE (PLACE)"; without the place if it is not known, or named in the sentence already.
std::string error_sentence(const InputError& error);

// The error's advice and a line feed; empty if there is none.
std::string hint_line(const InputError& error);

// "Error: ", the sentence and a line feed; then the line of advice.
std::string error_message(const InputError& error);

// For inconsistent data: a heading, one line per warning, and an empty line. Empty without warnings.
std::string warning_message(const std::vector<std::string>& warnings);

}  // namespace htools
