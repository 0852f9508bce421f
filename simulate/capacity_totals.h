// Computes the sums over all nodes of a cluster that capacity reports consist of.
#pragma once

#include "cluster/cluster.h"
#include "htools/capacity.h"

namespace htools {

CapacityTotals capacity_totals(const Cluster& cluster);

}  // namespace htools
