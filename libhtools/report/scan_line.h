// Formats a table with one line per cluster: its size, its free capacity and its score.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "examine/scan_summary.h"

namespace htools {

// Returns the header of the table. `name_width` is the length of the longest cluster name in characters; the first
// column may be wider because of its heading.
std::string scan_header(std::size_t name_width);

// Returns the line of one cluster, with memory in MiB and disk in GiB.
std::string scan_line(std::string_view name, std::size_t name_width, const ScanSummary& summary);

}  // namespace htools
