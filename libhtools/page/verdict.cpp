#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "metric/grade.h"
#include "page/html.h"
#include "page/sections.h"

namespace htools {
namespace {

// The number of problems of each severity.
std::array<std::size_t, kSeverityNames.size()> problem_counts(const std::vector<Finding>& findings) {
  std::array<std::size_t, kSeverityNames.size()> counts{};
  for (const Finding& finding : findings) ++counts[static_cast<std::size_t>(facts(finding.kind).severity)];
  return counts;
}

// What problems of each severity do, for one and for several.
constexpr std::array<std::array<std::string_view, 2>, kSeverityNames.size()> kEffects{{
    {"keeps instances from running", "keep instances from running"},
    {"puts instances at risk if one node fails", "put instances at risk if one node fails"},
    {"is a breach of a policy, a rule, a tag or a node's state",
     "are breaches of a policy, a rule, a tag or a node's state"},
    {"makes the data about the cluster unreliable", "make the data about the cluster unreliable"},
}};

constexpr std::int64_t kEvenGrade = 90;

std::string_view evenness(std::int64_t grade) {
  return grade >= kEvenGrade ? "evenly" : grade >= kUnevenBelow ? "fairly evenly" : "unevenly";
}

const PageGroup& least_even(const PageContent& content) {
  return *std::min_element(content.groups.begin(), content.groups.end(),
                           [](const PageGroup& a, const PageGroup& b) { return a.grade < b.grade; });
}

std::string grade_part(const PageContent& content) {
  const PageGroup& worst = least_even(content);
  const auto online =
      std::ranges::count_if(worst.examination.nodes, [&](NodeIndex n) { return !content.cluster.node(n).offline; });
  if (online < 2) return "Fewer than two nodes are online, so there is nothing to spread.";
  if (content.groups.size() == 1) {
    return fmt::format("The load is spread {} (grade {} of 100).", evenness(worst.grade), worst.grade);
  }
  return fmt::format("The load is spread {} at worst, in group {} (grade {} of 100).", evenness(worst.grade),
                     group_html(content.cluster, worst.examination.group), worst.grade);
}

}  // namespace

std::string tile(std::string_view label, std::string_view value, std::string_view remark) {
  return fmt::format("<li><span>{}</span> <b>{}</b>{}</li>\n", label, value,
                     remark.empty() ? "" : fmt::format(" <span>{}</span>", remark));
}

std::string verdict(const PageContent& content) {
  const auto counts = problem_counts(content.diagnosis.findings);
  std::string problems;
  for (std::size_t severity = 0; severity < counts.size(); ++severity) {
    if (counts[severity] == 0) continue;
    const bool is_one = counts[severity] == 1;
    problems += problems.empty() ? counted(counts[severity], "problem") + " " : fmt::format(", {} ", counts[severity]);
    problems += kEffects[severity][is_one ? 0 : 1];
  }
  if (problems.empty()) problems = "No problem was found";
  return sentence(problems) + " " + grade_part(content);
}

std::string summary_tiles(const PageContent& content) {
  const Cluster& cluster = content.cluster;
  std::size_t offline = 0, instances = 0, not_n1 = 0;
  std::vector<NodeIndex> nodes;
  for (const PageGroup& group : content.groups) {
    nodes.insert(nodes.end(), group.examination.nodes.begin(), group.examination.nodes.end());
    instances += group.examination.instances.size();
    not_n1 += group.examination.bad_nodes.size();
  }
  for (const NodeIndex n : nodes) offline += cluster.node(n).offline ? 1 : 0;
  const PageGroup& worst = least_even(content);
  std::string tiles = "<ul class=\"tiles\">\n";
  tiles += tile("Grade", fmt::format("{}", worst.grade),
                content.groups.size() == 1 ? "of 100" : "of 100, the lowest of the groups");
  tiles += tile("Problems", fmt::format("{}", content.diagnosis.findings.size()));
  tiles += tile("Not N+1 safe", fmt::format("{}", not_n1), not_n1 == 1 ? "node" : "nodes");
  tiles += tile("Nodes", fmt::format("{}", nodes.size()), offline > 0 ? fmt::format("{} offline", offline) : "");
  tiles += tile("Instances", fmt::format("{}", instances));
  for (const BarResource resource : kBarResources) {
    const Usage usage = usage_of(cluster, nodes, resource);
    if (!(usage.total > 0.0)) continue;
    const AmountUnit unit = unit_for(resource, usage.total);
    tiles += tile(fmt::format("{} in use", kBarResourceNames[static_cast<std::size_t>(resource)]),
                  fmt::format("{:.0f}<small> %</small>", 100.0 * usage.all_used() / usage.total),
                  fmt::format("of {} {}", unit.text(usage.total),
                              resource != BarResource::Cpus   ? unit.name
                              : usage.total == usage.physical ? "CPUs"
                                                              : "virtual CPUs allowed"));
  }
  return tiles + "</ul>\n";
}

}  // namespace htools
