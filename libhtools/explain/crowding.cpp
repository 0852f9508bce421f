#include "explain/crowding.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace htools {
namespace {

// Returns the kind of a location, such as `rack` of the tag `rack:1`.
std::string_view kind_of_location(std::string_view tag) { return tag.substr(0, tag.find(':')); }

// Returns how many of the online nodes could be at different locations of this kind: a node without one is a place of
// its own.
std::size_t count_locations(const Cluster& cluster, const GroupMembers& members, std::string_view kind) {
  std::set<std::string_view> locations;
  std::size_t nodes_elsewhere = 0;
  for (const NodeIndex n : members.nodes) {
    if (cluster.node(n).offline) continue;
    const auto& tags = cluster.node(n).facts->location_tags.tags();
    const auto own = std::ranges::find(tags, kind, kind_of_location);
    if (own == tags.end()) {
      ++nodes_elsewhere;
    } else {
      locations.insert(*own);
    }
  }
  return locations.size() + nodes_elsewhere;
}

// Returns the crowd of a rule that wants instances apart, if all the places that take them are too few.
std::optional<Crowd> crowd_of_rule(const Cluster& cluster, const GroupMembers& members, const ResolvedRule& rule) {
  if (rule.given.kind != RuleKind::Apart || !rule.given.from.empty()) return std::nullopt;
  std::set<std::uint32_t> places;
  for (const NodeIndex n : members.nodes) {
    if (!cluster.node(n).offline) places.insert(rule.places[n.position()]);
  }
  Crowd crowd{.places = places.size(), .is_of_locations = !rule.given.across.empty(), .at_most = rule.at_most};
  crowd.instances = static_cast<std::size_t>(std::ranges::count_if(rule.instances, [&](InstanceIndex i) {
    return std::ranges::binary_search(members.nodes, cluster.instance(i).primary);
  }));
  const auto room = static_cast<std::int64_t>(crowd.places) * rule.at_most;
  return std::cmp_greater(crowd.instances, room) ? std::optional(crowd) : std::nullopt;
}

}  // namespace

std::optional<Crowd> crowd_of(const Cluster& cluster, const GroupMembers& members, const Finding& finding) {
  if (finding.rule) return crowd_of_rule(cluster, members, cluster.rule_book->rule(*finding.rule));
  Crowd crowd{.is_of_locations = finding.kind == FindingKind::LocationExclusion};
  if (finding.kind != FindingKind::ExclusionTags && !crowd.is_of_locations) return std::nullopt;
  for (const NodeIndex n : members.nodes) {
    if (cluster.node(n).offline) continue;
    ++crowd.places;
    for (const InstanceIndex i : cluster.node(n).primaries) {
      const auto& tags = cluster.instance(i).facts->exclusion_tags();
      if (std::ranges::find(tags, finding.tag) != tags.end()) ++crowd.instances;
    }
  }
  if (crowd.is_of_locations) crowd.places = count_locations(cluster, members, kind_of_location(finding.location));
  return crowd.instances > crowd.places ? std::optional(crowd) : std::nullopt;
}

}  // namespace htools
