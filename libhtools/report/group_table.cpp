#include "report/group_table.h"

#include <fmt/format.h>

#include <vector>

#include "base/decimal.h"
#include "report/table.h"

namespace htools {

std::string format_group_table(const Cluster& cluster, std::span<const GroupSummary> summaries) {
  const std::vector<Column> columns{{"Group"},           {"Nodes", true},         {"Instances", true},
                                    {"Bad_Nodes", true}, {"Bad_Instances", true}, {"N+1"},
                                    {"Score", true}};
  std::vector<TableRow> rows;
  for (const GroupSummary& s : summaries) {
    rows.push_back({cluster.group(s.group).name, fmt::format("{}", s.nodes), fmt::format("{}", s.instances),
                    fmt::format("{}", s.bad_nodes), fmt::format("{}", s.bad_instances),
                    s.is_n1_happy() ? "True" : "False", format_fixed(s.score, 8)});
  }
  return format_table("  ", columns, rows);
}

}  // namespace htools
