#include "base/size_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/numbers.h"
#include "base/strings.h"
#include "base/suggestions.h"
#include "htools/errors.h"

namespace htools {
namespace {

// An integer for products of a 64-bit integer and a unit's numerator, which need fewer than 100 bits.
__extension__ using WideInt = __int128;

// A unit and its size in MiB.
struct Unit {
  std::string_view letter;     // case-sensitive
  std::string_view long_name;  // matches in any case
  std::int64_t numerator;      // MiB per unit = numerator / denominator
  std::int64_t denominator;
};

// The units. The factor of those with powers of 1000 is (1000/1024)^2 = 15625/16384.
constexpr std::array kUnits = {
    Unit{"", "MiB", 1, 1},
    Unit{"m", "MiB", 1, 1},
    Unit{"g", "GiB", 1024, 1},
    Unit{"t", "TiB", std::int64_t{1024} * 1024, 1},
    Unit{"M", "MB", 15625, 16384},
    Unit{"G", "GB", std::int64_t{15625} * 1000, 16384},
    Unit{"T", "TB", std::int64_t{15625} * 1000 * 1000, 16384},
};

// A unit of rates beside those of sizes, in MiB per second.
struct RateUnit {
  std::string_view name;  // matches in any case
  double mib;
};
constexpr double kMibPerMegabit = 1e6 / 8 / (1024.0 * 1024.0);
constexpr std::array kRateUnits = {RateUnit{"mbit", kMibPerMegabit}, RateUnit{"gbit", 1000 * kMibPerMegabit}};

bool equals_in_any_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char c, char d) { return lower(c) == lower(d); });
}

// Returns advice about an unknown unit: a unit that may have been meant, or a list of all units.
std::string unit_hint(std::string_view name) {
  constexpr std::span<const Unit> kWritten(kUnits.begin() + 1, kUnits.end());
  std::vector<std::string_view> names;
  std::vector<std::string> units;
  for (const Unit& unit : kWritten) {
    names.push_back(unit.long_name);
    units.push_back(fmt::format("{} ({})", unit.letter, unit.long_name));
  }
  const std::string suggestion = did_you_mean(name, names);
  return suggestion.empty() ? fmt::format("Units are {}.", join(units, ", ")) : suggestion;
}

// Returns the unit of that name. Throws InputError if there is none.
const Unit& find_unit(std::string_view name) {
  const auto unit = std::find_if(kUnits.begin(), kUnits.end(), [=](const Unit& candidate) {
    return name == candidate.letter || equals_in_any_case(name, candidate.long_name);
  });
  if (unit == kUnits.end())
    throw InputError(ErrorCode::Syntax, fmt::format("Unknown unit '{}'", name), {}, unit_hint(name));
  return *unit;
}

// Returns what stands after the integer and the spaces.
std::string_view unit_name(const IntPrefix& prefix) {
  return prefix.rest.substr(std::min(prefix.rest.find_first_not_of(' '), prefix.rest.size()));
}

}  // namespace

std::int64_t parse_size(std::string_view text) {
  const auto prefix = read_int_prefix(text);
  if (!prefix) throw InputError(ErrorCode::Syntax, fmt::format("Can't parse string '{}'", text));
  const Unit& unit = find_unit(unit_name(*prefix));

  using Limits = std::numeric_limits<std::int64_t>;
  const WideInt size = WideInt{prefix->value.value_or(0)} * unit.numerator / unit.denominator;
  if (!prefix->value || size < Limits::min() || size > Limits::max()) {
    throw InputError(ErrorCode::Syntax, fmt::format("size out of the 64-bit range: '{}'", text));
  }
  return static_cast<std::int64_t>(size);
}

double parse_rate(std::string_view text) {
  if (const auto prefix = read_int_prefix(text); prefix && prefix->value) {
    for (const RateUnit& unit : kRateUnits) {
      if (equals_in_any_case(unit_name(*prefix), unit.name)) return static_cast<double>(*prefix->value) * unit.mib;
    }
  }
  return static_cast<double>(parse_size(text));
}

}  // namespace htools
