// Interprets tags: which prefixes the tags of a cluster declare, and which tags of instances and nodes they select.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cluster/instance.h"
#include "cluster/tag_list.h"
#include "cluster/tag_set.h"

namespace htools {

// The declarations that cluster tags make ("htools:iextags:PREFIX" and so on).
struct TagRules {
  std::vector<std::string> exclusion_prefixes;         // of instance tags
  std::vector<std::string> desired_location_prefixes;  // of instance tags
  std::vector<std::string> location_prefixes;          // of node tags
  std::vector<std::string> migration_prefixes;         // of node tags
  // The allowed migrations: a node with the migration tag `second` may receive instances from nodes with the tag
  // `first`.
  std::vector<std::pair<std::string, std::string>> allowed_migrations;
};

// Reads the declarations from the tags of a cluster. `exclusion_tags` are the values of the option --exclusion-tags;
// each value X selects the tags that start with "X:".
TagRules read_tag_rules(const std::vector<std::string>& cluster_tags, const std::vector<std::string>& exclusion_tags);

// Returns those of the tags that begin like a declaration, but declare nothing: "htools:nlocation" without a prefix.
std::vector<std::string> incomplete_declarations(const std::vector<std::string>& cluster_tags);

// Returns the tags that start with one of the prefixes, in their order and with duplicates.
TagList select_tags(const TagList& tags, const std::vector<std::string>& prefixes);

// Sets the exclusion tags and the desired locations of an instance, which its tags select.
void apply_tag_rules(Instance& instance, const TagRules& rules);

// Returns the migration tags that a node with the tags `own` may receive from: these tags and, for each of them, those
// that the rules allow (in one step, not transitively).
TagSet receivable_tags(const TagSet& own, const TagRules& rules);

// What himport says by tags and plans for other platforms depend on: an instance that no command moves; a node that is
// down, so that nothing can migrate away from it; and a node that counts as offline because it is in maintenance, but
// is up, so that instances can migrate away from it.
inline constexpr std::string_view kPinnedTag = "pinned";
inline constexpr std::string_view kHostDownTag = "host-down";
inline constexpr std::string_view kMaintenanceTag = "host-maintenance";

// Returns the text with "%XX" for bytes that a tag in a cluster file cannot have, so that tags can hold names of other
// platforms; and such a text as it was. What is no escape stays.
std::string escaped_for_tag(std::string_view text);
std::string unescaped_from_tag(std::string_view text);

}  // namespace htools
