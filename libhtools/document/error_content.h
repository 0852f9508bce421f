// The content of documents of the kind htools.error/1: why there is no answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "htools/errors.h"

namespace htools {

// An error, with its place as far as it is known.
struct DocumentError {
  ErrorCode code = ErrorCode::InvalidInput;
  std::string message;
  std::optional<std::string> hint = {};
  std::optional<std::string> file = {};   // the file, or another source
  std::optional<std::int64_t> line = {};  // counted from 1
  std::optional<std::string> field = {};  // the field, or another place in the line
};

// Returns the error for documents. Takes the text of where() apart: "FILE, line 12, field 3 (node memory)".
DocumentError document_error(const InputError& error);

// An error as the whole content.
struct ErrorContent {
  DocumentError error;
};

}  // namespace htools
