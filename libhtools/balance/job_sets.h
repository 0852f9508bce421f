// Which steps of a solution can be carried out at the same time.
#pragma once

#include <span>
#include <vector>

#include "cluster/cluster.h"
#include "rules/move.h"

namespace htools {

// Consecutive steps that share no node, as parts of `steps`. They are collected from the last step backwards: a step
// joins the set after it if it shares no node with any step of it.
std::vector<std::span<const BalanceStep>> job_sets(const Cluster& cluster, std::span<const BalanceStep> steps);

}  // namespace htools
