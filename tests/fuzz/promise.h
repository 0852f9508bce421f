// Checks statements that must hold for every input.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace htools::testing {

// Aborts the program if the promise is broken, so that the fuzzer keeps the input. `what` is the text of the promise.
inline void promise(bool kept, const char* what) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

}  // namespace htools::testing
