#include "base/durations.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

namespace htools {

std::string duration_text(double seconds) {
  constexpr double kMost = 1e15;
  if (!(seconds < kMost)) return "forever";
  const auto in_units_of = [&](std::int64_t unit) {
    return static_cast<std::int64_t>(std::llround(seconds / static_cast<double>(unit)));
  };
  constexpr std::int64_t kMinute = 60, kHour = 60 * kMinute;
  if (const std::int64_t whole = in_units_of(1); whole < 120) return fmt::format("{} s", whole);
  const std::int64_t minutes = in_units_of(kMinute);
  if (minutes < 120) return fmt::format("{} min", minutes);
  if (minutes < 2880) return fmt::format("{} h {} min", minutes / 60, minutes % 60);
  const std::int64_t hours = in_units_of(kHour);
  return fmt::format("{} d {} h", hours / 24, hours % 24);
}

}  // namespace htools
