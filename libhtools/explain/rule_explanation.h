// Lists the placement rules of a cluster, kept and broken.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/cluster.h"
#include "rules/rule_check.h"

namespace htools {

// A rule and how it stands.
struct RuleStanding {
  std::uint32_t rule = 0;  // its number in the cluster's book
  std::vector<InstanceIndex> instances = {};
  RuleExtent extent = {};
  std::vector<InstanceIndex> offenders = {};  // that break it
};

// All rules, and what follows from them together.
struct RuleExplanation {
  std::vector<RuleStanding> rules = {};
  std::vector<std::vector<std::uint32_t>> contradictions = {};  // sets of rules, by number
  std::vector<InstanceIndex> bound = {};  // instances that their rules keep where they are, wherever there is room

  // True if no rule that binds is broken.
  bool are_kept(const Cluster& cluster) const;
};

RuleExplanation explain_rules(const Cluster& cluster);

}  // namespace htools
