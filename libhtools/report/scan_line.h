// Formats a table with one line per cluster: its size, its free capacity and its score.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cluster/cluster.h"

namespace htools {

// Returns the header of the table. `name_width` is the length of the longest cluster name in characters; the first
// column may be wider because of its heading.
std::string scan_header(std::size_t name_width);

// Returns the line of one cluster. Memory (MiB) and disk (GiB) are totals of all nodes; survival/health.h defines bad
// nodes and instances.
std::string scan_line(std::string_view name, std::size_t name_width, const Cluster& cluster);

}  // namespace htools
