// Finds out which nodes a drill is about, from what people type.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "explain/drill.h"

namespace htools {

// Returns the nodes that a list of targets means, separated by commas. A target is the name of a node, else that of a
// node group, else a tag of nodes; "node:X", "group:X" and "tag:X" say which. Throws InputError for what is none of
// them, and for names that could be several.
std::vector<NodeIndex> nodes_to_lose(const Cluster& cluster, std::string_view targets);

// The sets of scenarios.
enum class LossSet { EachNode, EachPair, EachGroup, EachTag };

// A set of scenarios, as people name it.
struct LossSetChoice {
  LossSet set = LossSet::EachNode;
  std::string tag_prefix = {};  // with a colon at its end; for EachTag
};

// Returns the set that "each-node", "each-pair", "each-group" or "each:TAGPREFIX" means; nothing for other text.
std::optional<LossSetChoice> parse_loss_set(std::string_view text);

// Returns the scenarios of a set other than EachPair, among the nodes of these groups. Nodes that are offline already
// are lost with their group or tag; they make no scenario of their own. Throws InputError if no online node has such a
// tag.
std::vector<LossScenario> scenarios_of(const Cluster& cluster, const LossSetChoice& choice,
                                       const std::vector<GroupIndex>& groups);

// Rehearses a set of losses. Lists at most `most_pairs` pairs.
DrillTable rehearse_set(const Cluster& cluster, const LossSetChoice& choice, const std::vector<GroupIndex>& groups,
                        std::size_t most_pairs);

}  // namespace htools
