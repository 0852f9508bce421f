// Says what the fields of an error are.
#pragma once

#include "document/error_content.h"
#include "fields/fields.h"

namespace htools {

// The fields of an error.
template <>
struct Fields<DocumentError> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "code", [](const DocumentError& e) { return Word<kErrorCodes>::of(e.code); }, "The kind of error.");
    field("message", &DocumentError::message, "What is wrong, as a sentence.");
    field("hint", &DocumentError::hint, "Advice; null if there is none.");
    field("file", &DocumentError::file, "The file or other source; null if there is none.");
    field("line", &DocumentError::line, "The line, counted from 1; null if it is unknown.");
    field("field", &DocumentError::field, "The place in the line; null if it is unknown.");
  }
};

}  // namespace htools
