// Lower bounds on the price of moves that bring instances to places, or away from nodes.
#pragma once

#include <span>

#include "cluster/cluster.h"
#include "plan/cheapest_way.h"
#include "plan/ordering.h"

namespace htools {

// Returns a price below which the instance does not come to its wanted place.
WayPrice least_price_to(const Cluster& cluster, const WantedPlacement& wanted);

// Returns a price below which the instance does not leave those of the nodes that it is on.
WayPrice least_price_off(const Cluster& cluster, const Instance& instance, std::span<const NodeIndex> nodes);

}  // namespace htools
