#include "explain/loss_scenarios.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <utility>

#include "base/strings.h"
#include "base/suggestions.h"
#include "cluster/group_lookup.h"
#include "cluster/name_lookup.h"
#include "htools/cluster.h"
#include "htools/errors.h"

namespace htools {
namespace {

using Nodes = std::optional<std::vector<NodeIndex>>;

Nodes node_named(const Cluster& cluster, std::string_view name) {
  const auto node = find_node(cluster, name);
  return node ? Nodes{{*node}} : std::nullopt;
}

template <class Predicate>
std::vector<NodeIndex> nodes_where(const Cluster& cluster, Predicate predicate) {
  std::vector<NodeIndex> nodes;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    if (predicate(cluster.nodes[n])) nodes.emplace_back(n);
  }
  return nodes;
}

Nodes group_named(const Cluster& cluster, std::string_view name) {
  const auto group = find_group(cluster, name);
  if (!group) return std::nullopt;
  return nodes_where(cluster, [&](const Node& node) { return node.facts->group == *group; });
}

Nodes tagged(const Cluster& cluster, std::string_view tag) {
  std::vector<NodeIndex> nodes = nodes_where(cluster, [&](const Node& node) {
    return std::find(node.facts->tags.begin(), node.facts->tags.end(), tag) != node.facts->tags.end();
  });
  return nodes.empty() ? std::nullopt : Nodes(std::move(nodes));
}

// A kind of target: how people mark it, and how its nodes are found.
struct TargetKind {
  std::string_view name;
  Nodes (*find)(const Cluster& cluster, std::string_view name);
};
constexpr std::array<TargetKind, 3> kTargetKinds{{{"node", node_named}, {"group", group_named}, {"tag", tagged}}};

// Returns "Did you mean ...?" for the names of nodes, groups and tags; empty if none is near.
std::string suggestion_for(const Cluster& cluster, std::string_view typed) {
  std::vector<std::string_view> names;
  for (const Node& node : cluster.nodes) {
    names.push_back(node.facts->name);
    names.push_back(node.facts->alias);
    for (const TagView tag : node.facts->tags) names.push_back(tag);
  }
  for (const Group& group : cluster.groups) names.push_back(group.name);
  names.insert(names.end(), {"each-node", "each-pair", "each-group"});
  std::string advice = did_you_mean(typed, names);
  return advice.empty() ? "Name nodes, node groups or tags of nodes, separated by commas; each-node, each-pair and "
                          "each-group lose "
                          "one after the other."
                        : advice;
}

std::vector<NodeIndex> nodes_of_target(const Cluster& cluster, std::string_view target) {
  Nodes found;
  std::vector<std::string> kinds;
  for (const TargetKind& kind : kTargetKinds) {
    const std::string mark = std::string(kind.name) + ":";
    if (target.starts_with(mark)) {
      if (Nodes marked = kind.find(cluster, target.substr(mark.size()))) return *marked;
    }
    if (Nodes nodes = kind.find(cluster, target)) {
      kinds.push_back(mark + std::string(target));
      found = std::move(nodes);
    }
  }
  if (kinds.size() > 1) {
    throw InputError(ErrorCode::UnknownName, fmt::format("'{}' could mean several things", target), {},
                     fmt::format("Say which one: {}.", join(kinds, " or ")));
  }
  if (!found) {
    std::vector<std::string> names;
    for (const Node& node : cluster.nodes) names.push_back(node.facts->name);
    if (const NameComplaint complaint = complaint_about("node", names, target); complaint.is_ambiguous) {
      throw InputError(ErrorCode::UnknownName, complaint.message, {}, complaint.hint);
    }
    throw InputError(ErrorCode::UnknownName, fmt::format("there is no node, node group or node tag '{}'", target), {},
                     suggestion_for(cluster, target));
  }
  return *found;
}

// Returns one scenario for each tag of online nodes that begins with the prefix, in alphabetical order.
std::vector<LossScenario> tag_scenarios(const Cluster& cluster, const std::string& prefix,
                                        const std::function<bool(const Node&)>& counts) {
  std::map<std::string, std::vector<NodeIndex>> by_tag;
  for (const NodeIndex n : nodes_where(cluster, counts)) {
    for (const TagView tag : cluster.node(n).facts->tags) {
      if (tag.starts_with(prefix)) by_tag[tag].push_back(n);
    }
  }
  std::erase_if(by_tag, [&](const auto& entry) {
    return std::all_of(entry.second.begin(), entry.second.end(), [&](NodeIndex n) { return cluster.node(n).offline; });
  });
  if (by_tag.empty()) {
    throw InputError(ErrorCode::UnknownName, fmt::format("no online node has a tag that begins with '{}'", prefix), {},
                     "Name the part of the tags before the colon: each:rack for tags such as rack:a1.");
  }
  std::vector<LossScenario> scenarios;
  for (auto& [tag, nodes] : by_tag) scenarios.push_back({tag, std::move(nodes)});
  return scenarios;
}

}  // namespace

std::vector<NodeIndex> nodes_to_lose(const Cluster& cluster, std::string_view targets) {
  std::vector<NodeIndex> nodes;
  for (const std::string& target : split(targets, ',')) {
    const std::vector<NodeIndex> own = nodes_of_target(cluster, target);
    nodes.insert(nodes.end(), own.begin(), own.end());
  }
  if (nodes.empty()) {
    throw InputError(ErrorCode::InvalidValue, fmt::format("'{}' has no nodes that could be lost", targets), {},
                     "Name a node, a node group that has nodes, or a tag of nodes.");
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

std::optional<LossSetChoice> parse_loss_set(std::string_view text) {
  constexpr std::string_view kEachTag = "each:";
  if (text == "each-node") return LossSetChoice{LossSet::EachNode};
  if (text == "each-pair") return LossSetChoice{LossSet::EachPair};
  if (text == "each-group") return LossSetChoice{LossSet::EachGroup};
  if (!text.starts_with(kEachTag) || text.size() == kEachTag.size()) return std::nullopt;
  std::string prefix(text.substr(kEachTag.size()));
  if (!prefix.ends_with(':')) prefix += ':';
  return LossSetChoice{LossSet::EachTag, std::move(prefix)};
}

std::vector<LossScenario> scenarios_of(const Cluster& cluster, const LossSetChoice& choice,
                                       const std::vector<GroupIndex>& groups) {
  const auto counts = [&](const Node& node) {
    return std::find(groups.begin(), groups.end(), node.facts->group) != groups.end();
  };
  if (choice.set == LossSet::EachTag) return tag_scenarios(cluster, choice.tag_prefix, counts);
  std::vector<LossScenario> scenarios;
  if (choice.set == LossSet::EachGroup) {
    for (const GroupIndex g : groups) {
      scenarios.push_back({cluster.group(g).name, nodes_where(cluster, [&](const Node& node) {
                             return counts(node) && node.facts->group == g;
                           })});
    }
    return scenarios;
  }
  for (const NodeIndex n : nodes_where(cluster, counts)) {
    if (!cluster.node(n).offline) scenarios.push_back({cluster.node(n).facts->name, {n}});
  }
  return scenarios;
}

DrillTable rehearse_set(const Cluster& cluster, const LossSetChoice& choice, const std::vector<GroupIndex>& groups,
                        std::size_t most_pairs) {
  if (choice.set != LossSet::EachPair) return rehearse_each(cluster, scenarios_of(cluster, choice, groups));
  std::vector<NodeIndex> nodes;
  for (const LossScenario& scenario : scenarios_of(cluster, {LossSet::EachNode}, groups)) {
    nodes.push_back(scenario.nodes.front());
  }
  return rehearse_pairs(cluster, nodes, most_pairs);
}

}  // namespace htools
