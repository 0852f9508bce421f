#include "examine/tag_spread.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace htools {
namespace {

// By tag: its position in a list.
using TagPositions = std::map<std::string_view, std::size_t>;

// The positions of the location tags of a node.
std::vector<std::size_t> locations_of(const Cluster& cluster, NodeIndex node, const TagPositions& positions) {
  std::vector<std::size_t> found;
  for (const std::string& tag : cluster.node(node).facts->location_tags.tags()) found.push_back(positions.at(tag));
  return found;
}

std::vector<LocationContent> locations_with_nodes(const Cluster& cluster, const std::set<GroupIndex>& groups) {
  std::map<std::string_view, std::vector<NodeIndex>> nodes;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    const NodeFacts& facts = *cluster.nodes[n].facts;
    if (!groups.contains(facts.group)) continue;
    for (const std::string& tag : facts.location_tags.tags()) nodes[tag].push_back(NodeIndex(n));
  }
  std::vector<LocationContent> locations;
  for (const auto& [tag, members] : nodes) locations.push_back({.tag = std::string(tag), .nodes = members});
  return locations;
}

// Counts the instances of a location.
void count_primaries(const Cluster& cluster, LocationContent& location) {
  for (const NodeIndex n : location.nodes) {
    for (const InstanceIndex i : cluster.node(n).primaries) {
      const NodeIndex secondary = cluster.instance(i).secondary;
      ++location.primaries;
      if (!secondary.is_none() && std::binary_search(location.nodes.begin(), location.nodes.end(), secondary)) {
        ++location.inside;
      }
    }
  }
}

}  // namespace

TagSpread tag_spread(const Cluster& cluster, const std::vector<GroupIndex>& groups) {
  const std::set<GroupIndex> wanted(groups.begin(), groups.end());
  TagSpread spread{.locations = locations_with_nodes(cluster, wanted), .services = {}};
  TagPositions locations;
  for (LocationContent& location : spread.locations) {
    count_primaries(cluster, location);
    locations.emplace(location.tag, locations.size());
  }
  std::map<std::string_view, ServiceSpread> services;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    const Node& node = cluster.nodes[n];
    if (!wanted.contains(node.facts->group)) continue;
    const std::vector<std::size_t> here = locations_of(cluster, NodeIndex(n), locations);
    std::set<std::string_view> tags_here;
    for (const InstanceIndex i : node.primaries) {
      const TagList& tags = cluster.instance(i).facts->exclusion_tags();
      for (const std::string_view tag : std::set<std::string_view>(tags.begin(), tags.end())) {
        ServiceSpread& service = services[tag];
        service.by_location.resize(spread.locations.size());
        ++service.instances;
        if (!tags_here.insert(tag).second) ++service.same_node;
        for (const std::size_t location : here) ++service.by_location[location];
      }
    }
  }
  for (auto& [tag, service] : services) {
    service.tag = tag;
    spread.services.push_back(std::move(service));
  }
  std::stable_sort(spread.services.begin(), spread.services.end(),
                   [](const ServiceSpread& a, const ServiceSpread& b) { return a.instances > b.instances; });
  return spread;
}

}  // namespace htools
