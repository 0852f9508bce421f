#include "cluster/name_lookup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "base/strings.h"
#include "base/suggestions.h"
#include "cluster/cluster.h"
#include "htools/cluster.h"

namespace htools {
namespace {

// Returns the only element with this name, or else the only one whose name begins with it up to a dot.
template <class Index, class Element>
std::optional<Index> find(const std::vector<Element>& elements, std::string_view name) {
  std::vector<std::string> names;
  names.reserve(elements.size());
  for (const Element& element : elements) names.push_back(element.facts->name);
  const std::optional<std::string> full = resolve_name(names, name);
  if (!full || std::count(names.begin(), names.end(), *full) != 1) return std::nullopt;
  return Index(static_cast<std::size_t>(std::find(names.begin(), names.end(), *full) - names.begin()));
}

}  // namespace

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

std::optional<NodeIndex> find_node(const Cluster& cluster, std::string_view name) {
  return find<NodeIndex>(cluster.nodes, name);
}

std::optional<InstanceIndex> find_instance(const Cluster& cluster, std::string_view name) {
  return find<InstanceIndex>(cluster.instances, name);
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
