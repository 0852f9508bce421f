// Counts which locations carry which services: the location tags of nodes against the exclusion tags of instances.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cluster/cluster.h"

namespace htools {

// What is at one location: on the nodes with one location tag.
struct LocationContent {
  std::string tag;
  std::vector<NodeIndex> nodes;
  std::size_t primaries = 0;  // instances whose primary node is there
  std::size_t inside = 0;     // those of them whose secondary node is there, too: both copies share the location
};

// Where the instances with one exclusion tag are.
struct ServiceSpread {
  std::string tag;
  std::size_t instances = 0;
  std::size_t same_node = 0;             // of them, those beyond the first on each node
  std::vector<std::size_t> by_location;  // in the order of the locations: instances whose primary node is there
};

// The locations and the services of a cluster.
struct TagSpread {
  std::vector<LocationContent> locations;  // sorted by tag
  std::vector<ServiceSpread> services;     // the largest first
};

// Counts the instances of these groups.
TagSpread tag_spread(const Cluster& cluster, const std::vector<GroupIndex>& groups);

}  // namespace htools
