// Lets a program contain many mutants of itself, and choose one at run time. tests/mutants/places.py replaces an
// operator, a constant or a condition by a call of one of these functions. HTOOLS_MUTANT=N in the environment makes the
// functions that are called with the number N do something else; without it all do what the source says.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <type_traits>

// A literal in braces may be converted to a smaller type, a call may not.
#pragma GCC diagnostic ignored "-Wnarrowing"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-compare"

namespace mutant {

// The number of the active mutant; 0 if none is.
inline int active = 0;
// Which mutants the run has reached.
inline unsigned char reached[1 << 17];

// Reads the number when the program starts. When it ends, writes the numbers of the mutants that it has reached to the
// file that HTOOLS_MUTANTS_REACHED names.
class Run {
 public:
  Run() {
    if (const char* number = std::getenv("HTOOLS_MUTANT")) active = std::atoi(number);
  }
  ~Run() {
    const char* path = std::getenv("HTOOLS_MUTANTS_REACHED");
    std::FILE* file = path ? std::fopen(path, "w") : nullptr;
    if (!file) return;
    for (int n = 0; n < static_cast<int>(sizeof reached); ++n) {
      if (reached[n]) std::fprintf(file, "%d\n", n);
    }
    std::fclose(file);
  }
};
inline const Run run;

#define HTOOLS_MUTANT_INLINE [[gnu::always_inline]] constexpr

// True if the mutant is to act. Constants that the compiler computes do not change.
HTOOLS_MUTANT_INLINE bool on(int number) {
  if (std::is_constant_evaluated()) return false;
  reached[number] = 1;
  return active == number;
}

template <class T>
HTOOLS_MUTANT_INLINE bool flip(int number, const T& condition) {
  return static_cast<bool>(condition) != on(number);
}

template <class T>
HTOOLS_MUTANT_INLINE T literal(int number, T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value != on(number);
  } else {
    return on(number) ? static_cast<T>(value + 1) : value;
  }
}

#define HTOOLS_MUTANT_BINARY(NAME, OPERATOR, OTHER)      \
  template <class A, class B>                            \
  HTOOLS_MUTANT_INLINE auto NAME(int number, A a, B b) { \
    return on(number) ? a OTHER b : a OPERATOR b;        \
  }
HTOOLS_MUTANT_BINARY(less, <, <=)
HTOOLS_MUTANT_BINARY(less_equal, <=, <)
HTOOLS_MUTANT_BINARY(greater, >, >=)
HTOOLS_MUTANT_BINARY(greater_equal, >=, >)
HTOOLS_MUTANT_BINARY(plus, +, -)
HTOOLS_MUTANT_BINARY(minus, -, +)
HTOOLS_MUTANT_BINARY(times, *, /)
HTOOLS_MUTANT_BINARY(divided, /, *)
HTOOLS_MUTANT_BINARY(modulo, %, *)
HTOOLS_MUTANT_BINARY(bits_and, &, |)
HTOOLS_MUTANT_BINARY(bits_or, |, &)
HTOOLS_MUTANT_BINARY(bits_xor, ^, &)
HTOOLS_MUTANT_BINARY(left_shift, <<, >>)
HTOOLS_MUTANT_BINARY(right_shift, >>, <<)

#define HTOOLS_MUTANT_ASSIGNMENT(NAME, OPERATOR, OTHER) \
  template <class A, class B>                           \
  HTOOLS_MUTANT_INLINE A& NAME(int number, A& a, B b) { \
    return on(number) ? a OTHER b : a OPERATOR b;       \
  }
HTOOLS_MUTANT_ASSIGNMENT(add, +=, -=)
HTOOLS_MUTANT_ASSIGNMENT(subtract, -=, +=)
HTOOLS_MUTANT_ASSIGNMENT(multiply, *=, /=)
HTOOLS_MUTANT_ASSIGNMENT(divide, /=, *=)
HTOOLS_MUTANT_ASSIGNMENT(set_bits, |=, &=)
HTOOLS_MUTANT_ASSIGNMENT(keep_bits, &=, |=)

template <class T>
HTOOLS_MUTANT_INLINE T& increment(int number, T& value) {
  return on(number) ? --value : ++value;
}
template <class T>
HTOOLS_MUTANT_INLINE T& decrement(int number, T& value) {
  return on(number) ? ++value : --value;
}
template <class T>
HTOOLS_MUTANT_INLINE T increment_after(int number, T& value) {
  return on(number) ? value-- : value++;
}
template <class T>
HTOOLS_MUTANT_INLINE T decrement_after(int number, T& value) {
  return on(number) ? value++ : value--;
}
template <class T>
HTOOLS_MUTANT_INLINE auto negate(int number, const T& value) {
  return on(number) ? +value : -value;
}

template <class T>
HTOOLS_MUTANT_INLINE const T& min(int number, const T& a, const T& b) {
  return (b < a) != on(number) ? b : a;
}
template <class T>
HTOOLS_MUTANT_INLINE const T& max(int number, const T& a, const T& b) {
  return (a < b) != on(number) ? b : a;
}

#undef HTOOLS_MUTANT_ASSIGNMENT
#undef HTOOLS_MUTANT_BINARY
#undef HTOOLS_MUTANT_INLINE

}  // namespace mutant
