// Judges placement rules word by word, from what a source says: an independent opinion about the engines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cluster/cluster.h"
#include "htools/balance.h"
#include "tests/support/random.h"

namespace htools::testing {

// Returns how much of the rule is broken: instances out of place, instances too many, or places less one.
std::int64_t literally_broken(const Cluster& cluster, const PlacementRule& rule);

// Makes the steps one after the other. Returns what is wrong with the first one that breaks a binding rule, makes one
// worse or brings an instance to a node that a rule forbids; empty if none does.
std::string broken_by_steps(Cluster cluster, const std::vector<BalanceStep>& steps);

// Returns a few random rules about the instances and nodes of the cluster, by name and by tag. Some are broken.
std::vector<PlacementRule> random_rules(Random& random, const Cluster& cluster);

}  // namespace htools::testing
