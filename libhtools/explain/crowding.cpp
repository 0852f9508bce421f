#include "explain/crowding.h"

#include <algorithm>
#include <set>
#include <string_view>

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

}  // namespace

std::optional<Crowd> crowd_of(const Cluster& cluster, const GroupMembers& members, const Finding& finding) {
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
