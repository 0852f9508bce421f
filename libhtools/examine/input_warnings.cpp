#include "examine/input_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "base/strings.h"
#include "cluster/group_lookup.h"
#include "cluster/tags.h"

namespace htools {
namespace {

constexpr std::size_t kMostNamed = 5;

using Names = std::vector<std::string>;

std::string first_of(const Names& names) { return join_first(names, kMostNamed); }

// Returns the names that several of the elements have, in alphabetical order.
template <class Elements>
Names repeated_names(const Elements& elements) {
  std::vector<std::string_view> all;
  all.reserve(elements.size());
  for (const auto& element : elements) all.push_back(element.facts->name);
  std::sort(all.begin(), all.end());
  Names repeated;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const bool is_new = repeated.empty() || repeated.back() != all[i];
    if (all[i] == all[i - 1] && is_new) repeated.emplace_back(all[i]);
  }
  return repeated;
}

// Each of the following functions returns a warning about one kind of mistake, or an empty text.

std::string repeated_nodes(const Cluster& cluster) {
  const Names names = repeated_names(cluster.nodes);
  if (names.empty()) return "";
  return fmt::format("Several nodes have the same name ({}). Instances and options refer to the last one.",
                     first_of(names));
}

std::string repeated_instances(const Cluster& cluster) {
  const Names names = repeated_names(cluster.instances);
  if (names.empty()) return "";
  return fmt::format("Several instances have the same name ({}). Commands cannot tell them apart.", first_of(names));
}

std::string missing_secondaries(const Cluster& cluster) {
  Names names;
  for (const Instance& instance : cluster.instances) {
    if (instance.facts->has_secondary() && instance.secondary.is_none()) names.push_back(instance.facts->name);
  }
  if (names.empty()) return "";
  return fmt::format("Instances of the template drbd have no secondary node: {}. Nothing protects them.",
                     first_of(names));
}

std::string lost(const Cluster& cluster) {
  const std::vector<InstanceIndex> instances = lost_instances(cluster);
  return instances.empty() ? "" : loss_warning(cluster, instances);
}

// A tag that begins like the location tags but has no colon at all: "rack1" where they are "rack:...".
std::string location_tags_without_colon(const Cluster& cluster) {
  const std::vector<std::string> prefixes = read_tag_rules(cluster.tags, {}).location_prefixes;
  if (prefixes.empty()) return "";
  Names found;
  std::string expected;
  for (const Node& node : cluster.nodes) {
    for (const std::string_view tag : node.facts->tags) {
      if (tag.find(':') != std::string_view::npos) continue;
      const auto meant = std::find_if(prefixes.begin(), prefixes.end(), [&](std::string_view prefix) {
        return tag.starts_with(prefix.substr(0, prefix.size() - 1));
      });
      if (meant == prefixes.end()) continue;
      found.push_back(fmt::format("{} of {}", tag, node.facts->name));
      if (expected.empty()) expected = *meant;
    }
  }
  if (found.empty()) return "";
  return fmt::format("Node tags look like locations, but have no colon: {}. Location tags begin with '{}'.",
                     first_of(found), expected);
}

std::string ineffective_tags(const Cluster& cluster) {
  const Names tags = incomplete_declarations(cluster.tags);
  if (tags.empty()) return "";
  return fmt::format("Cluster tags have no effect because they are incomplete: {}. The form is WORD:PREFIX.",
                     first_of(tags));
}

std::string unused_policy(const Cluster& cluster) {
  if (!cluster.policy.given) return "";
  Names names;
  for (const GroupIndex group : groups_with_nodes(cluster)) {
    if (!cluster.group(group).policy.given) names.push_back(cluster.group(group).name);
  }
  if (names.empty()) return "";
  return fmt::format(
      "The policy of the cluster does not apply to the node groups without one of their own: {}. The built-in policy "
      "does.",
      first_of(names));
}

std::string negative_amounts(const Cluster& cluster) {
  Names names;
  for (const Node& node : cluster.nodes) {
    const NodeFacts& facts = *node.facts;
    if (facts.total_memory < 0)
      names.push_back(fmt::format("{} MiB memory of node {}", facts.total_memory, facts.name));
    if (facts.total_disk < 0) names.push_back(fmt::format("{} MiB disk of node {}", facts.total_disk, facts.name));
    if (facts.total_cpus < 0) names.push_back(fmt::format("{} CPUs of node {}", facts.total_cpus, facts.name));
  }
  for (const Instance& instance : cluster.instances) {
    const InstanceFacts& facts = *instance.facts;
    if (facts.memory < 0) names.push_back(fmt::format("{} MiB memory of instance {}", facts.memory, facts.name));
    if (facts.disk < 0) names.push_back(fmt::format("{} MiB disk of instance {}", facts.disk, facts.name));
    if (facts.vcpus < 0) names.push_back(fmt::format("{} vcpus of instance {}", facts.vcpus, facts.name));
  }
  if (names.empty()) return "";
  return fmt::format("Amounts are below 0: {}. Expected at least 0; the answer is of no use until they are corrected.",
                     first_of(names));
}

constexpr std::array kRules{
    repeated_nodes,   repeated_instances, missing_secondaries, lost, location_tags_without_colon,
    ineffective_tags, unused_policy,      negative_amounts};

}  // namespace

std::vector<std::string> idle_exclusion_warnings(const Cluster& cluster,
                                                 const std::vector<std::string>& exclusion_tags) {
  std::vector<std::string> warnings;
  for (const std::string& value : exclusion_tags) {
    std::size_t selected = 0, equal = 0;
    for (const Instance& instance : cluster.instances) {
      for (const std::string_view tag : instance.facts->tags) {
        selected += tag.starts_with(value + ":") ? 1 : 0;
        equal += tag == value ? 1 : 0;
      }
    }
    if (selected > 0 || equal == 0) continue;
    warnings.push_back(fmt::format(
        "--exclusion-tags={0} has no effect: it stands for tags that begin with {1}, which no instance has. "
        "{2} the tag {0} itself: hwhatif --tag-cluster=htools:iextags:{0} makes a cluster that keeps "
        "instances with it apart.",
        value, quoted_word(value + ":"), equal == 1 ? "1 instance has" : fmt::format("{} instances have", equal)));
  }
  return warnings;
}

std::vector<std::string> input_warnings(const Cluster& cluster) {
  std::vector<std::string> warnings;
  for (const auto& rule : kRules) {
    if (std::string warning = rule(cluster); !warning.empty()) warnings.push_back(std::move(warning));
  }
  return warnings;
}

std::vector<InstanceIndex> lost_instances(const Cluster& cluster) {
  std::vector<InstanceIndex> lost;
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    const Instance& instance = cluster.instances[i];
    if (instance.secondary.is_none() || instance.primary == instance.secondary) continue;
    if (cluster.node(instance.primary).offline && cluster.node(instance.secondary).offline) lost.emplace_back(i);
  }
  return lost;
}

std::string loss_warning(const Cluster& cluster, const std::vector<InstanceIndex>& lost) {
  Names names;
  for (const InstanceIndex i : lost) names.push_back(cluster.instance(i).facts->name);
  return fmt::format("Both nodes of instances are offline: {}. Their data is gone; no move can bring it back.",
                     first_of(names));
}

}  // namespace htools
