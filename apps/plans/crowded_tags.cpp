#include "apps/plans/crowded_tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>

#include "cluster/members.h"

namespace htools {
namespace {

// The instances with a tag that a group has, and how many of them each node runs.
struct TagUse {
  std::size_t instances = 0;
  std::map<NodeIndex, std::size_t> on_node;
};

std::map<std::string, TagUse> tag_uses(const Cluster& cluster, const GroupMembers& members) {
  std::map<std::string, TagUse> uses;
  for (const InstanceIndex i : members.instances) {
    const Instance& instance = cluster.instance(i);
    for (const TagView tag : instance.facts->exclusion_tags()) {
      TagUse& use = uses[std::string(tag)];
      ++use.instances;
      ++use.on_node[instance.primary];
    }
  }
  return uses;
}

}  // namespace

std::vector<std::string> crowded_tag_remarks(const Cluster& after, const std::vector<GroupIndex>& groups) {
  std::vector<std::string> remarks;
  for (const GroupIndex g : groups) {
    const GroupMembers members = members_of(after, g);
    const auto nodes = static_cast<std::size_t>(
        std::ranges::count_if(members.nodes, [&](NodeIndex n) { return !after.node(n).offline; }));
    for (const auto& [tag, use] : tag_uses(after, members)) {
      if (use.instances <= nodes) continue;
      const auto fullest = std::ranges::max_element(use.on_node, {}, [](const auto& entry) { return entry.second; });
      remarks.push_back(fmt::format(
          "{} instances with the exclusion tag {} cannot all be apart on {} online nodes: {} runs {} of them.",
          use.instances, tag, nodes, after.node(fullest->first).facts->alias, fullest->second));
    }
  }
  return remarks;
}

}  // namespace htools
