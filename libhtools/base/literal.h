// Says whether this program leaves out every shortcut.
#pragma once

namespace htools {

// True in the program `literal` (cmake/literal.cmake), which the tests compare with. Its engines try each candidate as
// the rules are written and evaluate each score in full: without bounds, classes of equal candidates, caches and
// arithmetic on several values at once. It answers slowly, and must print what the other program prints
// (scripts/conformance --literal).
#ifdef HTOOLS_LITERAL
inline constexpr bool kLiteral = true;
#else
inline constexpr bool kLiteral = false;
#endif

}  // namespace htools
