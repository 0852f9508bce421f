#include "report/drill_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "base/decimal.h"
#include "report/diagnosis_text.h"
#include "report/refusal_sentence.h"
#include "report/table.h"

namespace htools {
namespace {

constexpr std::size_t kMostShownRestarts = 10;

// Returns the restarts by target: "node3: web1, web2".
std::string restart_lines(const Cluster& cluster, const Drill& drill, bool in_full) {
  if (drill.restarts.empty()) return "";
  std::map<NodeIndex, std::vector<InstanceIndex>> by_target;
  for (const Restart& restart : drill.restarts) by_target[restart.to].push_back(restart.instance);
  std::string text =
      fmt::format("{} elsewhere{}:\n",
                  counted(drill.restarts.size(), "instance") + (drill.restarts.size() == 1 ? " starts" : " start"),
                  drill.is_packed ? ", packed tightly, since not all find room where the score is lowest" : "");
  std::size_t shown = 0;
  for (const auto& [node, instances] : by_target) {
    if (!in_full && shown == kMostShownRestarts) {
      text += fmt::format("  and {} more nodes (-v lists all)\n", by_target.size() - shown);
      break;
    }
    text += fmt::format("  {}: {}\n", cluster.node(node).facts->name,
                        names_text(cluster, instances, in_full ? instances.size() : kMostNamesInSentence));
    ++shown;
  }
  return text;
}

std::string homeless_lines(const Cluster& cluster, const Drill& drill) {
  if (drill.homeless.empty()) return "";
  std::string text = fmt::format(
      "{} no room:\n", counted(drill.homeless.size(), "instance") + (drill.homeless.size() == 1 ? " finds" : " find"));
  for (const WithoutRoom& homeless : drill.homeless) {
    const std::string& name = cluster.instance(homeless.instance).facts->name;
    text += fmt::format("  {}: {}\n", name,
                        homeless.nearest ? refusal_sentence(cluster, name, *homeless.nearest)
                                         : "there is no other online node in its group");
  }
  return text;
}

std::string score_or_none(const std::optional<double>& score) { return score ? format_fixed(*score, 8) : "none"; }

std::string rest_lines(const Cluster& cluster, const Drill& drill) {
  std::string text;
  if (!drill.unprotected.empty()) {
    text +=
        fmt::format("{} without a second copy until the disks are replaced.\n",
                    counted(drill.unprotected.size(), "instance") + (drill.unprotected.size() == 1 ? " runs" : " run"));
  }
  for (const GroupScores& group : drill.scores) {
    if (!group.score.after)
      text += fmt::format("No online node is left in group {}.\n", cluster.group(group.group).name);
  }
  if (drill.nodes_left > 0) {
    // That a node cannot be emptied is not proven, only that no way was found.
    text += !drill.not_n1.empty()          ? "The nodes that are left are not all N+1 safe then:\n"
            : !drill.not_evacuable.empty() ? "Not all nodes that are left were found to be N+1 safe then:\n"
                                           : "The nodes that are left are N+1 safe then.\n";
  }
  if (!drill.not_n1.empty())
    text += fmt::format("  lack memory for a failover: {}\n", names_text(cluster, drill.not_n1));
  if (!drill.not_evacuable.empty())
    text += fmt::format("  no way was found to empty: {}\n", names_text(cluster, drill.not_evacuable));
  for (const GroupScores& group : drill.scores) {
    text += fmt::format("Score of group {}: {} -> {}\n", cluster.group(group.group).name,
                        score_or_none(group.score.before), score_or_none(group.score.after));
  }
  return text;
}

}  // namespace

std::string drill_text(const Cluster& cluster, const Drill& drill, bool in_full) {
  std::string text = fmt::format("If {} {} lost:\n", names_text(cluster, drill.lost, in_full ? drill.lost.size() : 10),
                                 drill.lost.size() == 1 ? "is" : "are");
  if (drill.restarts.empty() && drill.is_survived()) text += "No instance has to start elsewhere.\n";
  text += restart_lines(cluster, drill, in_full) + homeless_lines(cluster, drill);
  if (!drill.data_lost.empty()) {
    text += fmt::format("The data of {} is lost: {}\n", counted(drill.data_lost.size(), "instance"),
                        names_text(cluster, drill.data_lost, std::numeric_limits<std::size_t>::max()));
  }
  if (!drill.bound.empty()) {
    text += fmt::format("{} {} down, because {} rules let {} start nowhere else: {}\n",
                        counted(drill.bound.size(), "instance"), drill.bound.size() == 1 ? "is" : "are",
                        drill.bound.size() == 1 ? "its" : "their", drill.bound.size() == 1 ? "it" : "them",
                        names_text(cluster, drill.bound, in_full ? drill.bound.size() : kMostNamesInSentence));
  }
  return text + rest_lines(cluster, drill);
}

std::string drill_table_text(const Cluster& cluster, const DrillTable& table) {
  std::vector<TableRow> rows;
  for (const DrillRow& row : table.rows) {
    std::vector<InstanceIndex> down = row.data_lost;
    down.insert(down.end(), row.homeless.begin(), row.homeless.end());
    rows.push_back({row.name, fmt::format("{}", row.restarts), fmt::format("{}", row.homeless.size()),
                    fmt::format("{}", row.data_lost.size()), fmt::format("{}", row.unprotected),
                    fmt::format("{}", row.not_n1), names_text(cluster, down)});
  }
  std::string text;
  if (!rows.empty()) {
    text = format_unpadded_table("",
                                 {{"Lost"},
                                  {"Restart", true},
                                  {"No_room", true},
                                  {"Data_lost", true},
                                  {"Unprotected", true},
                                  {"Not_N+1", true},
                                  {"Down"}},
                                 rows);
  }
  return text + fmt::format("{}: {} survived, {} with instances without room, {} with data lost.\n",
                            counted(static_cast<std::size_t>(table.drills), "drill"), table.survived,
                            table.with_homeless, table.with_data_lost);
}

}  // namespace htools
