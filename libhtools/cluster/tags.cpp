#include "cluster/tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <system_error>

namespace htools {

namespace {

constexpr std::string_view kExclusion = "htools:iextags";
constexpr std::string_view kDesiredLocation = "htools:desiredlocation";
constexpr std::string_view kLocation = "htools:nlocation";
constexpr std::string_view kMigration = "htools:migration";
constexpr std::string_view kAllowedMigration = "htools:allowmigration";
constexpr std::array kDeclarations{kExclusion, kDesiredLocation, kLocation, kMigration, kAllowedMigration};

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

std::vector<std::string> incomplete_declarations(const std::vector<std::string>& cluster_tags) {
  std::vector<std::string> incomplete;
  for (const std::string& tag : cluster_tags) {
    const auto declares_nothing = [&](std::string_view declaration) {
      return tag.starts_with(declaration) && declared(tag, declaration).value_or("").empty();
    };
    if (std::any_of(kDeclarations.begin(), kDeclarations.end(), declares_nothing)) incomplete.push_back(tag);
  }
  return incomplete;
}

TagList select_tags(const TagList& tags, const std::vector<std::string>& prefixes) {
  TagList selected;
  if (prefixes.empty()) return selected;
  for (const TagView tag : tags) {
    const auto matches = [&](const std::string& prefix) { return tag.starts_with(prefix); };
    if (std::any_of(prefixes.begin(), prefixes.end(), matches)) selected.push_back(tag);
  }
  selected.shrink_to_fit();
  return selected;
}

void apply_tag_rules(Instance& instance, const TagRules& rules) {
  instance.facts.edit().set_exclusion_tags(select_tags(instance.facts->tags, rules.exclusion_prefixes));
  instance.facts.edit().desired_location_tags =
      TagSet(select_tags(instance.facts->tags, rules.desired_location_prefixes).texts());
}

TagSet receivable_tags(const TagSet& own, const TagRules& rules) {
  std::vector<std::string> tags = own.tags();
  for (const auto& [from, to] : rules.allowed_migrations) {
    if (std::binary_search(own.tags().begin(), own.tags().end(), to)) tags.push_back(from);
  }
  return TagSet(std::move(tags));
}

std::string escaped_for_tag(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte == 0x7f || c == ',' || c == '|' || c == '%') {
      escaped += fmt::format("%{:02X}", byte);
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string unescaped_from_tag(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    const std::string_view digits = text.substr(i + 1, 2);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    const bool is_escape = text[i] == '%' && digits.size() == 2 && error == std::errc() && end == digits.data() + 2;
    plain += is_escape ? static_cast<char>(value) : text[i];
    if (is_escape) i += 2;
  }
  return plain;
}

}  // namespace htools
