// Defines a cluster: node groups, nodes and instances, all addressed by their position.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cluster/extra_field.h"
#include "cluster/group.h"
#include "cluster/instance.h"
#include "cluster/node.h"
#include "cluster/placement_rules.h"
#include "htools/ganeti_release.h"
#include "htools/index.h"
#include "htools/policy.h"

namespace htools {

// A cluster. A source fills in the facts only; prepare() (prepare.h) links the instances to the nodes and fills the
// books.
struct Cluster {
  std::vector<Group> groups;
  std::vector<Node> nodes;
  std::vector<Instance> instances;
  std::vector<std::string> tags;
  InstancePolicy policy;  // the cluster's own; groups do not inherit it
  // The number that is shown for the first group and the first node; simulated clusters count from 1.
  std::int64_t first_number = 0;
  std::string ganeti_version = {};  // of the daemons that described the cluster, such as "3.0.2"; empty if unknown
  // True if the source says the loads of instances. Else prepare() gives each instance the load of an average one.
  bool has_loads = false;
  ExtraFields extras = {};
  std::vector<PlacementRule> placement_rules = {};  // as the source lists them; tags may say further ones
  // All rules about where instances may be; null if there are none. prepare() sets it.
  std::shared_ptr<const RuleBook> rule_book = {};
  GanetiRelease rules = GanetiRelease::V30;  // the release whose rules hold; prepare() sets it

  Group& group(GroupIndex i) { return groups[i.position()]; }
  const Group& group(GroupIndex i) const { return groups[i.position()]; }
  Node& node(NodeIndex i) { return nodes[i.position()]; }
  const Node& node(NodeIndex i) const { return nodes[i.position()]; }
  Instance& instance(InstanceIndex i) { return instances[i.position()]; }
  const Instance& instance(InstanceIndex i) const { return instances[i.position()]; }

  std::int64_t number(GroupIndex i) const { return first_number + static_cast<std::int64_t>(i.position()); }
  std::int64_t number(NodeIndex i) const { return first_number + static_cast<std::int64_t>(i.position()); }
  std::int64_t number(InstanceIndex i) const { return static_cast<std::int64_t>(i.position()); }
};

}  // namespace htools
