#include "report/scan_line.h"

#include <fmt/format.h>

#include <cstdint>

#include "base/decimal.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "cluster/members.h"
#include "examine/health.h"
#include "metric/statistics.h"

namespace htools {
namespace {

constexpr std::int64_t kMibPerGib = 1024;

struct Totals {
  double memory = 0.0, disk = 0.0;              // MiB
  std::int64_t free_memory = 0, free_disk = 0;  // MiB
};

Totals totals_of(const Cluster& cluster) {
  Totals totals;
  for (const Node& node : cluster.nodes) {
    totals.memory += node.facts->total_memory;
    totals.disk += node.facts->total_disk;
    totals.free_memory += node.facts->free_memory;
    totals.free_disk += node.books.real.free_disk;
  }
  return totals;
}

std::string padded(std::string_view name, std::size_t width) {
  const std::size_t used = display_width(name);
  return std::string(name) + std::string(used < width ? width - used : 0, ' ');
}

}  // namespace

std::string scan_header(std::size_t name_width) {
  return fmt::format("{} {:>5} {:>5} {:>5} {:>5} {:>6} {:>6} {:>6} {:>6} {:>10}\n", padded("Name", name_width), "Nodes",
                     "Inst", "BNode", "BInst", "t_mem", "f_mem", "t_disk", "f_disk", "Score");
}

std::string scan_line(std::string_view name, std::size_t name_width, const Cluster& cluster) {
  const GroupHealth health = group_health(cluster, all_members(cluster));
  const Totals totals = totals_of(cluster);
  return fmt::format("{} {:5} {:5} {:5} {:5} {} {:6} {} {:6} {}\n", padded(name, name_width), cluster.nodes.size(),
                     cluster.instances.size(), health.bad_nodes.size(), health.bad_instances.size(),
                     format_fixed(totals.memory, 6, 0), totals.free_memory,
                     format_fixed(totals.disk / static_cast<double>(kMibPerGib), 6, 0),
                     floor_div(totals.free_disk, kMibPerGib), format_fixed(score(cluster.nodes), 8));
}

}  // namespace htools
