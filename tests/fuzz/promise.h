// What must hold for every input.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace htools::testing {

// Ends the program, so that the fuzzer keeps the input, unless what was promised is true.
inline void promise(bool kept, const char* what) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

}  // namespace htools::testing
