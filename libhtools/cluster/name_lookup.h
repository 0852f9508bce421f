// Finds elements by the names that people type. htools/cluster.h declares find_node() and find_instance().
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace htools {

// Returns the full name that `key` stands for: `key` itself if it is one of the names, otherwise the name of which it
// is the beginning up to a dot ("web1" for "web1.example.com"). Returns nothing if no name or several names fit.
std::optional<std::string> resolve_name(const std::vector<std::string>& names, std::string_view key);

// The result of looking up several keys: the full names of those that were found and the other keys, both in the given
// order.
struct ResolvedNames {
  std::vector<std::string> found;
  std::vector<std::string> failed;
};
// Looks up each key by resolve_name().
ResolvedNames resolve_names(const std::vector<std::string>& names, const std::vector<std::string>& keys);

// Returns "Did you mean NAME?" for a name of these, full or up to its first dot, that resembles `key`; empty if there
// is none.
std::string suggest_name(const std::vector<std::string>& names, std::string_view key);

// Why resolve_name() finds nothing, and what to do about it: the texts of an InputError.
struct NameComplaint {
  std::string message;  // that there is none, or that there are several
  std::string hint;
  bool is_ambiguous = false;  // there are several
};
// Returns what to say about a key for which resolve_name() finds nothing. `kind` says what the names are of: "node".
NameComplaint complaint_about(std::string_view kind, const std::vector<std::string>& names, std::string_view key);

// Returns the longest suffix that starts with a dot and that all names share, or an empty text. It is a view of the
// first name.
std::string_view common_suffix(const std::vector<std::string_view>& names);

}  // namespace htools
