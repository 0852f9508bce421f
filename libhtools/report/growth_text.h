// Formats answers about growth as text for people.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cluster/cluster.h"
#include "grow/growth.h"
#include "grow/inflate.h"
#include "grow/obstacle.h"

namespace htools {

// Returns the refusal of an obstacle in words: for N+1, whose loss would leave whom without a place. Empty if it has
// none.
std::string detail_text(const Cluster& cluster, const Obstacle& obstacle);

// Returns the answer for a group or for all of them. With a verbosity above 0, it lists
// resources and the most frequent sizes; above 1, all sizes. A forecast has a chart of this width in columns; 0: none.
std::string growth_text(const Cluster& cluster, const GrowthAnswer& answer, int verbosity, std::size_t chart_width);

// Returns a line for each answer, the last of which is about all groups.
std::string inflation_text(const Cluster& cluster, const std::vector<Inflation>& answers,
                           const std::vector<InflatedResource>& resources);

}  // namespace htools
