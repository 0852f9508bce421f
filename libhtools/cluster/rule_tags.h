// Reads the rules that tags say (placement_rules.h): of the cluster "htools:rule:KIND[:should][:across=PREFIX]
// [:at_most=N]:TAG", with "TAG=NODETAG" in place of TAG for run-on and not-on; and "htools:stay" of an instance.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/placement_rules.h"

namespace htools {

inline constexpr std::string_view kRuleTagPrefix = "htools:rule:";
inline constexpr std::string_view kStayTag = "htools:stay";

// Returns the rules that the tags say. Those of the cluster are called by their TAG. `wrong` gets a sentence about each
// tag of the cluster that begins like a rule and is none.
std::vector<PlacementRule> rules_of_tags(const Cluster& cluster, std::vector<std::string>& wrong);

// Reads what stands before the TAG: the kind and the options. Returns the rest; nothing if there is no kind, or an
// option has no possible value.
std::optional<std::string_view> read_rule_head(std::string_view text, PlacementRule& rule);
// Returns the tag of the cluster that says a rule of this kind, with these options, about the instances with `tag` and,
// if it is about nodes, the nodes with `node_tag`.
std::string rule_tag(const PlacementRule& rule, std::string_view tag, std::string_view node_tag);
// Returns the name of the rule that a tag of the cluster says; empty if it says none.
std::string name_of_rule_tag(std::string_view tag);

}  // namespace htools
