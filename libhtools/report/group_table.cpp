#include "report/group_table.h"

#include <fmt/format.h>

#include <vector>

#include "base/decimal.h"
#include "report/table.h"

namespace htools {

std::string format_group_table(const Cluster& cluster, std::span<const GroupExamination> groups) {
  const std::vector<Column> columns{{"Group"},           {"Nodes", true},         {"Instances", true},
                                    {"Bad_Nodes", true}, {"Bad_Instances", true}, {"N+1"},
                                    {"Score", true}};
  std::vector<TableRow> rows;
  for (const GroupExamination& g : groups) {
    rows.push_back({cluster.group(g.group).name, fmt::format("{}", g.nodes.size()),
                    fmt::format("{}", g.instances.size()), fmt::format("{}", g.bad_nodes.size()),
                    fmt::format("{}", g.bad_instances.size()), g.is_n1_safe() ? "True" : "False",
                    format_fixed(g.score.value, 8)});
  }
  return format_table("  ", columns, rows);
}

std::string to_text(const Cluster& cluster, const Examination& examination) {
  return fmt::format("{}Cluster is N+1 {}\n", format_group_table(cluster, examination.groups),
                     examination.is_n1_safe() ? "happy" : "unhappy");
}

}  // namespace htools
