#include <fmt/format.h>

#include <algorithm>

#include "base/decimal.h"
#include "base/strings.h"
#include "page/html.h"
#include "page/sections.h"
#include "report/diagnosis_text.h"

namespace htools {
namespace {

// True if the loss of `a` is worse than that of `b`.
bool is_worse(const DrillRow& a, const DrillRow& b) {
  if (a.data_lost.size() != b.data_lost.size()) return a.data_lost.size() > b.data_lost.size();
  if (a.homeless.size() != b.homeless.size()) return a.homeless.size() > b.homeless.size();
  return a.not_n1 > b.not_n1;
}

// Returns a count and the first names behind it.
std::string count_cell(const Cluster& cluster, const std::vector<InstanceIndex>& instances) {
  if (instances.empty()) return "0";
  constexpr std::size_t kMostNames = 3;
  return fmt::format("<b>{}</b> <span class=\"of\">{}</span>", instances.size(),
                     escaped(names_text(cluster, instances, kMostNames), 3 * kMostNameCharacters));
}

std::string outcome_html(const DrillRow& row) {
  if (!row.data_lost.empty()) return "<span class=\"flag bad\">data lost</span>";
  if (!row.homeless.empty()) return "<span class=\"flag bad\">not all restart</span>";
  return "<span class=\"flag\">survived</span>";
}

// Returns the outcome of all drills as a sentence.
std::string drill_summary(const PageDrill& drill) {
  const DrillTable& drills = drill.table;
  const std::string set = escaped(drill.set, kMostNameCharacters);
  if (drills.survived == drills.drills) {
    return fmt::format("<p>{} ({}) {} survived: every instance runs again.</p>\n", counted(drills.drills, "drill"), set,
                       drills.drills == 1 ? "is" : "are all");
  }
  std::string html = fmt::format("<p>Of {} ({}), {} {} survived.", counted(drills.drills, "drill"), set,
                                 drills.survived, drills.survived == 1 ? "is" : "are");
  if (drills.with_homeless > 0) html += fmt::format(" In {}, some instances find no room.", drills.with_homeless);
  if (drills.with_data_lost > 0) html += fmt::format(" In {}, data is lost.", drills.with_data_lost);
  return html + "</p>\n";
}

}  // namespace

std::string drill_section(const PageContent& content) {
  if (!content.drill) return "";
  const DrillTable& drills = content.drill->table;
  std::string html = drill_summary(*content.drill);
  std::vector<DrillRow> rows = drills.rows;
  std::stable_sort(rows.begin(), rows.end(), is_worse);
  HtmlTable table("What follows from each loss, the worst first",
                  {{"Lost"},
                   {"Outcome"},
                   {"Restarts", true},
                   {"Without room"},
                   {"Data lost"},
                   {"Unprotected", true},
                   {"Nodes not N+1 then", true},
                   {"Score", true}},
                  "sort broad");
  const std::size_t shown = std::min(rows.size(), kMostDrills);
  for (std::size_t i = 0; i < shown; ++i) {
    const DrillRow& row = rows[i];
    const bool is_node = row.lost.size() == 1 && content.cluster.node(row.lost.front()).facts->name == row.name;
    table.row({{is_node ? node_html(content.cluster, row.lost.front()) : name_html(row.name)},
               {outcome_html(row)},
               {fmt::format("{}", row.restarts)},
               {count_cell(content.cluster, row.homeless), fmt::format("{}", row.homeless.size())},
               {count_cell(content.cluster, row.data_lost), fmt::format("{}", row.data_lost.size())},
               {fmt::format("{}", row.unprotected)},
               {fmt::format("{}", row.not_n1)},
               {row.score ? format_fixed(*row.score, 4) : "–"}});
  }
  return html + table.html() + left_out_note(rows.size() - shown, "drill");
}

}  // namespace htools
