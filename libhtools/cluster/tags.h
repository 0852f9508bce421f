// Tags with a meaning: which prefixes a cluster declares, and what they select on instances and nodes.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cluster/instance.h"
#include "cluster/tag_set.h"

namespace htools {

// The declarations that cluster tags make ("htools:iextags:PREFIX" and so on).
struct TagRules {
  std::vector<std::string> exclusion_prefixes;         // of instance tags
  std::vector<std::string> desired_location_prefixes;  // of instance tags
  std::vector<std::string> location_prefixes;          // of node tags
  std::vector<std::string> migration_prefixes;         // of node tags
  // a node with migration tag `second` may receive from nodes with migration tag `first`
  std::vector<std::pair<std::string, std::string>> allowed_migrations;
};

// `exclusion_tags`: values of the --exclusion-tags option; each X selects the tags that start with "X:".
TagRules read_tag_rules(const std::vector<std::string>& cluster_tags, const std::vector<std::string>& exclusion_tags);

// The tags that start with one of the prefixes, in their order, duplicates kept.
std::vector<std::string> select_tags(const std::vector<std::string>& tags, const std::vector<std::string>& prefixes);

// Sets what the instance's tags select: its exclusion tags and desired locations.
void apply_tag_rules(Instance& instance, const TagRules& rules);

// The node's own migration tags plus, for each of them, what it may receive from (one step, not transitive).
TagSet receivable_tags(const TagSet& own, const TagRules& rules);

}  // namespace htools
