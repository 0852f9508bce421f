// One line per cluster: how large it is, what is left, and how good its score.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cluster/cluster.h"

namespace htools {

// The names of the columns. `name_width`: of the longest cluster name, in characters; the heading may be longer.
std::string scan_header(std::size_t name_width);

// Memory in MiB and disk in GiB, of all nodes; bad nodes and instances as in survival/health.h.
std::string scan_line(std::string_view name, std::size_t name_width, const Cluster& cluster);

}  // namespace htools
