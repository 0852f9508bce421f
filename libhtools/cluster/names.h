// One shape for the fixed vocabularies of the field: a table of names in their defined order.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/errors.h"
#include "base/strings.h"
#include "base/suggestions.h"

namespace htools {

// Finds the enumerator that `names` calls `text`. Exact and case-sensitive; throws InputError with the vocabulary's
// name ("Invalid string value for type DiskTemplate: ...").
template <class Enum, std::size_t N>
Enum parse_name(std::string_view text, const std::array<std::string_view, N>& names, std::string_view vocabulary) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == text) return static_cast<Enum>(i);
  }
  throw InputError("Invalid string value for type " + std::string(vocabulary) + ": " + quote(text), {},
                   did_you_mean(text, names));
}

}  // namespace htools
