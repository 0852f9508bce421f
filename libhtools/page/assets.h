// The style sheet and the script of the page, and their hashes. CMake makes the definitions from page.css and page.js.
#pragma once

#include <string_view>

namespace htools {

// A text that the page contains, and its SHA-256 hash in hexadecimal digits.
struct PageAsset {
  std::string_view text;
  std::string_view sha256;
};

extern const PageAsset kPageStyle;
extern const PageAsset kPageScript;

}  // namespace htools
