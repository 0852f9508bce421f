#include "cluster/tags.h"

#include <algorithm>
#include <optional>

namespace htools {

namespace {

constexpr std::string_view kExclusion = "htools:iextags";
constexpr std::string_view kDesiredLocation = "htools:desiredlocation";
constexpr std::string_view kLocation = "htools:nlocation";
constexpr std::string_view kMigration = "htools:migration";
constexpr std::string_view kAllowedMigration = "htools:allowmigration";

// Returns the text after "DECLARATION:" in the tag, or nothing if the tag is not such a declaration.
std::optional<std::string> declared(std::string_view tag, std::string_view declaration) {
  if (!tag.starts_with(declaration)) return std::nullopt;
  tag.remove_prefix(declaration.size());
  if (!tag.starts_with(':')) return std::nullopt;
  return std::string(tag.substr(1));
}

// Splits "A::B". Returns nothing if there is no "::", or more than one.
std::optional<std::pair<std::string, std::string>> split_pair(const std::string& text) {
  const std::size_t at = text.find("::");
  if (at == std::string::npos) return std::nullopt;
  std::string second = text.substr(at + 2);
  if (second.find("::") != std::string::npos) return std::nullopt;
  return std::pair{text.substr(0, at), std::move(second)};
}

}  // namespace

TagRules read_tag_rules(const std::vector<std::string>& cluster_tags, const std::vector<std::string>& exclusion_tags) {
  TagRules rules;
  for (const std::string& tag : exclusion_tags) rules.exclusion_prefixes.push_back(tag + ":");
  for (const std::string& tag : cluster_tags) {
    if (auto p = declared(tag, kExclusion); p && !p->empty()) rules.exclusion_prefixes.push_back(*p);
    if (auto p = declared(tag, kDesiredLocation); p && !p->empty()) rules.desired_location_prefixes.push_back(*p);
    if (auto p = declared(tag, kLocation)) rules.location_prefixes.push_back(*p + ":");
    if (auto p = declared(tag, kMigration)) rules.migration_prefixes.push_back(*p + ":");
    if (auto p = declared(tag, kAllowedMigration)) {
      if (auto pair = split_pair(*p)) rules.allowed_migrations.push_back(*pair);
    }
  }
  return rules;
}

std::vector<std::string> select_tags(const TagList& tags, const std::vector<std::string>& prefixes) {
  std::vector<std::string> selected;
  if (prefixes.empty()) return selected;
  for (const TagView tag : tags) {
    const auto matches = [&](const std::string& prefix) { return tag.starts_with(prefix); };
    if (std::any_of(prefixes.begin(), prefixes.end(), matches)) selected.push_back(tag);
  }
  return selected;
}

void apply_tag_rules(Instance& instance, const TagRules& rules) {
  instance.facts.edit().exclusion_tags = select_tags(instance.facts->tags, rules.exclusion_prefixes);
  instance.facts.edit().desired_location_tags =
      TagSet(select_tags(instance.facts->tags, rules.desired_location_prefixes));
}

TagSet receivable_tags(const TagSet& own, const TagRules& rules) {
  std::vector<std::string> tags = own.tags();
  for (const auto& [from, to] : rules.allowed_migrations) {
    if (std::binary_search(own.tags().begin(), own.tags().end(), to)) tags.push_back(from);
  }
  return TagSet(std::move(tags));
}

}  // namespace htools
