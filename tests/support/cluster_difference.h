// What two states of a cluster differ in, in words.
#pragma once

#include <string>
#include <string_view>

#include "cluster/cluster.h"

namespace htools::testing {

// All of these: empty if they do not differ.
std::string_view difference(const Ledger& a, const Ledger& b);

std::string difference(const NodeBooks& a, const NodeBooks& b);

std::string difference(const Node& a, const Node& b);

std::string difference(const Instance& a, const Instance& b);

std::string difference(const Cluster& a, const Cluster& b);

}  // namespace htools::testing
