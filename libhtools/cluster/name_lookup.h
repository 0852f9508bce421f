// Finding elements by the names that people type.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace htools {

// An exact match wins; otherwise `key` may be a name without its last components ("web1" for "web1.example.com"), if
// exactly one name fits. Returns the full name, or nothing when no name or several names fit.
std::optional<std::string> resolve_name(const std::vector<std::string>& names, std::string_view key);

// Splits keys into resolved full names and keys that failed, both in the given order.
struct ResolvedNames {
  std::vector<std::string> found;
  std::vector<std::string> failed;
};
ResolvedNames resolve_names(const std::vector<std::string>& names, const std::vector<std::string>& keys);

// The longest suffix starting with a dot that all names share; empty if there is none.
std::string common_suffix(const std::vector<std::string>& names);

}  // namespace htools
