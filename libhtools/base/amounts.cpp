#include "base/amounts.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

#include "base/decimal.h"

namespace htools {
namespace {

constexpr double kAmountStep = 1024.0;         // from one unit to the next
constexpr double kSmallestNextUnit = 1023.95;  // with one decimal, this much would look like a whole next unit

}  // namespace

std::string exact_amount_text(double mib) { return format_fixed(mib, mib == std::trunc(mib) ? 0 : 2) + " MiB"; }

std::string amount_text(double mib) {
  constexpr std::array<std::string_view, 4> kUnits{"GiB", "TiB", "PiB", "EiB"};
  if (!(std::abs(mib) >= kAmountStep)) return exact_amount_text(mib);
  double amount = mib / kAmountStep;
  std::size_t unit = 0;
  for (; std::abs(amount) >= kSmallestNextUnit && unit + 1 < kUnits.size(); ++unit) amount /= kAmountStep;
  return fmt::format("{} {}", format_fixed(amount, 1), kUnits[unit]);
}

std::string amount_text(std::int64_t mib) { return amount_text(static_cast<double>(mib)); }

bool look_alike(std::span<const double> mib) {
  for (std::size_t a = 0; a < mib.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (mib[a] != mib[b] && amount_text(mib[a]) == amount_text(mib[b])) return true;
    }
  }
  return false;
}

}  // namespace htools
