// Runs loops over many lanes with the widest vector instructions that the processor has. A lane is one of the moves
// that are evaluated together: to several targets, or of several movers.
//
// Each operation is rounded by itself, whatever the width, so the results do not depend on the processor.
#pragma once

#include <cstddef>

namespace htools {

namespace detail {

template <class Body>
inline void run_lanes(std::ptrdiff_t count, const Body& body) {
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
  for (std::ptrdiff_t i = 0; i < count; ++i) body(i);
}

#if defined(__x86_64__)
template <class Body>
__attribute__((target("avx2"))) void run_lanes_avx2(std::ptrdiff_t count, const Body& body) {
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
  for (std::ptrdiff_t i = 0; i < count; ++i) body(i);
}
#endif

}  // namespace detail

// The vector instructions that for_lanes() uses: those that every processor of the kind has, or AVX2 (of x86-64).
enum class LaneWidth { Common, Avx2 };

// Returns the widest that the processor has.
inline LaneWidth widest_lanes() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") ? LaneWidth::Avx2 : LaneWidth::Common;
#else
  return LaneWidth::Common;
#endif
}

// Calls body(i) for each i below `count`. No call may read what another one writes.
template <class Body>
void for_lanes([[maybe_unused]] LaneWidth width, std::ptrdiff_t count, const Body& body) {
#if defined(__x86_64__)
  if (width == LaneWidth::Avx2) return detail::run_lanes_avx2(count, body);
#endif
  detail::run_lanes(count, body);
}

// A value that is the same in all lanes.
template <class T>
struct SameLane {
  T value;
  T operator[](std::ptrdiff_t) const { return value; }
};

// A value for each lane. The array must outlive it.
template <class T>
struct EachLane {
  const T* values;
  T operator[](std::ptrdiff_t i) const { return values[i]; }
};

}  // namespace htools
