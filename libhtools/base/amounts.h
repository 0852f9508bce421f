// Writes amounts of memory and disk for people.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace htools {

// How amounts are written: with one decimal in the unit that suits them ("10.0 GiB"), or in MiB ("10240 MiB").
enum class AmountForm : std::uint8_t { Rounded, Exact };

// Returns an amount that is given in MiB: "512 MiB", "10.0 GiB", "1.5 TiB". Less than 1 GiB is exact; parts of a MiB
// have two decimals. Negative amounts have a minus sign.
std::string amount_text(std::int64_t mib);
std::string amount_text(double mib);

// Returns an amount in MiB, whatever its size.
std::string exact_amount_text(double mib);

// True if two of these amounts differ, but look the same as amount_text() writes them.
bool look_alike(std::span<const double> mib);

// Returns amounts that a sentence compares. If two of them differ, but would look the same, all are in MiB.
template <std::size_t Count>
std::array<std::string, Count> compared_amounts(const std::array<double, Count>& mib) {
  const bool is_exact = look_alike(mib);
  std::array<std::string, Count> texts;
  for (std::size_t i = 0; i < Count; ++i) texts[i] = is_exact ? exact_amount_text(mib[i]) : amount_text(mib[i]);
  return texts;
}

}  // namespace htools
