#include "report/scan_line.h"

#include <fmt/format.h>

#include <cstdint>

#include "base/decimal.h"
#include "base/numbers.h"
#include "base/strings.h"

namespace htools {
namespace {

constexpr std::int64_t kMibPerGib = 1024;

std::string padded(std::string_view name, std::size_t width) {
  const std::size_t used = display_width(name);
  return std::string(name) + std::string(used < width ? width - used : 0, ' ');
}

}  // namespace

std::string scan_header(std::size_t name_width) {
  return fmt::format("{} {:>5} {:>5} {:>5} {:>5} {:>6} {:>6} {:>6} {:>6} {:>10}\n", padded("Name", name_width), "Nodes",
                     "Inst", "BNode", "BInst", "t_mem", "f_mem", "t_disk", "f_disk", "Score");
}

std::string scan_line(std::string_view name, std::size_t name_width, const ScanSummary& summary) {
  return fmt::format("{} {:5} {:5} {:5} {:5} {} {:6} {} {:6} {}\n", padded(name, name_width), summary.nodes,
                     summary.instances, summary.bad_nodes, summary.bad_instances,
                     format_fixed(summary.total_memory, 6, 0), summary.free_memory,
                     format_fixed(summary.total_disk / static_cast<double>(kMibPerGib), 6, 0),
                     floor_div(summary.free_disk, kMibPerGib), format_fixed(summary.score, 8));
}

}  // namespace htools
