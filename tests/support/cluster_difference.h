// Compares two states of a cluster and describes the difference in words, for test failures.
#pragma once

#include <string>
#include <string_view>

#include "cluster/cluster.h"

namespace htools::testing {

// These functions return a description of the first difference that they find; empty if the arguments are equal.
std::string_view difference(const Ledger& a, const Ledger& b);

std::string difference(const NodeBooks& a, const NodeBooks& b);

std::string difference(const Node& a, const Node& b);

std::string difference(const Instance& a, const Instance& b);

std::string difference(const Cluster& a, const Cluster& b);

}  // namespace htools::testing
