// Defines fields that users add to documents for themselves. The suite keeps them, and passes them on.
#pragma once

#include <string>
#include <vector>

namespace htools {

// A field of a user. Its name begins with x_; its value is any JSON, without white space.
struct ExtraField {
  std::string name;
  std::string json;
};
using ExtraFields = std::vector<ExtraField>;

}  // namespace htools
