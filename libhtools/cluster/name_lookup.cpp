#include "cluster/name_lookup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "base/strings.h"
#include "base/suggestions.h"

namespace htools {

std::optional<std::string> resolve_name(const std::vector<std::string>& names, std::string_view key) {
  const std::string prefix = std::string(key) + ".";
  std::optional<std::string> partial;
  std::size_t partial_matches = 0;
  for (const std::string& name : names) {
    if (name == key) return name;
    if (name.starts_with(prefix)) {
      partial = name;
      ++partial_matches;
    }
  }
  return partial_matches == 1 ? partial : std::nullopt;
}

ResolvedNames resolve_names(const std::vector<std::string>& names, const std::vector<std::string>& keys) {
  ResolvedNames result;
  for (const std::string& key : keys) {
    if (auto name = resolve_name(names, key)) {
      result.found.push_back(*name);
    } else {
      result.failed.push_back(key);
    }
  }
  return result;
}

std::string suggest_name(const std::vector<std::string>& names, std::string_view key) {
  std::vector<std::string_view> forms;
  for (const std::string_view name : names) {
    forms.push_back(name);
    const std::size_t dot = name.find('.');
    if (dot != std::string_view::npos) forms.push_back(name.substr(0, dot));
  }
  return did_you_mean(key, forms);
}

NameComplaint complaint_about(std::string_view kind, const std::vector<std::string>& names, std::string_view key) {
  if (std::ranges::count(names, key) > 1) {
    return {fmt::format("several {}s have the name {}", kind, quoted_word(key)),
            "Names must be unique: rename all but one of them.", true};
  }
  const std::string prefix = std::string(key) + ".";
  const auto fitting = std::ranges::count_if(names, [&](const std::string& name) { return name.starts_with(prefix); });
  if (fitting > 1) {
    return {fmt::format("several {}s fit the name {}", kind, quoted_word(key)), "Use the full name.", true};
  }
  return {fmt::format("there is no {} {}", kind, quoted_word(key)), suggest_name(names, key)};
}

std::string_view common_suffix(const std::vector<std::string_view>& names) {
  if (names.empty()) return {};
  const std::string_view first = names.front();
  for (std::size_t dot = first.find('.'); dot != std::string_view::npos; dot = first.find('.', dot + 1)) {
    const std::string_view suffix = first.substr(dot);
    if (std::all_of(names.begin(), names.end(), [&](std::string_view name) { return name.ends_with(suffix); })) {
      return suffix;
    }
  }
  return {};
}

}  // namespace htools
