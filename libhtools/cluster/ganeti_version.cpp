#include "cluster/ganeti_version.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <system_error>

namespace htools {

std::optional<GanetiRelease> rules_of_version(std::string_view version) {
  // The text is printed, so it must not contain anything else.
  constexpr std::string_view kAllowed = "0123456789.~+-_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (version.find_first_not_of(kAllowed) != std::string_view::npos) return std::nullopt;
  std::array<int, 3> numbers{};  // major, minor, revision
  const char* next = version.data();
  const char* const end = version.data() + version.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0 && (next == end || *next++ != '.')) return std::nullopt;
    const auto [after, error] = std::from_chars(next, end, numbers[i]);
    if (error != std::errc() || numbers[i] < 0) return std::nullopt;
    next = after;
  }
  const bool is_candidate = next != end && *next == '~';
  if (is_candidate && numbers == std::array{3, 1, 0}) return GanetiRelease::V30;
  return numbers < std::array{3, 1, 0} ? GanetiRelease::V30 : GanetiRelease::V31;
}

}  // namespace htools
