#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "page/html.h"
#include "page/sections.h"
#include "report/diagnosis_text.h"

namespace htools {
namespace {

// Severities as people read them, and the signs that tell them apart without colours.
constexpr std::array<std::array<std::string_view, 2>, kSeverityNames.size()> kSeverityLabels{
    {{"Down", "■"}, {"At risk", "▲"}, {"Breach", "◆"}, {"Unreliable data", "?"}}};

constexpr std::size_t kMostCureSteps = 8;

std::string lower_case_start(std::string_view text) {
  std::string lower(text);
  if (!lower.empty() && lower[0] >= 'A' && lower[0] <= 'Z') lower[0] = static_cast<char>(lower[0] - 'A' + 'a');
  return lower;
}

std::string cure_html(const Cluster& cluster, const Finding& finding) {
  if (!finding.cure) return "";
  std::string html =
      fmt::format("<p class=\"cure\"><b>Cure:</b> {}</p>", sentence_html(sentence(cure_text(cluster, finding))));
  const std::vector<std::string> steps = step_texts(cluster, finding.cure->steps);
  if (steps.empty()) return html;
  html += "<ol class=\"steps\">";
  const std::size_t shown = std::min(steps.size(), kMostCureSteps);
  for (std::size_t s = 0; s < shown; ++s) html += fmt::format("<li>{}</li>", sentence_html(steps[s]));
  html += "</ol>";
  return html + left_out_note(steps.size() - shown, "move");
}

// From this many problems of one kind on, they are one entry with a list to open.
constexpr std::size_t kFewestBundled = 4;

// Returns what stands in front of the sentence about a problem: its group, if there are several.
std::string place_html(const PageContent& content, const Finding& finding) {
  if (content.groups.size() == 1 || finding.group.is_none()) return "";
  return fmt::format("<span class=\"where\">Group {}:</span> ", group_html(content.cluster, finding.group));
}

std::string problem_html(const PageContent& content, const Finding& finding) {
  return place_html(content, finding) + sentence_html(sentence(finding_text(content.cluster, finding)));
}

std::string label_html(std::size_t severity) {
  return fmt::format("<span class=\"sev\"><i aria-hidden=\"true\">{}</i> {}</span> ", kSeverityLabels[severity][1],
                     kSeverityLabels[severity][0]);
}

// Returns an entry about problems of one kind: each of a few by itself, many as one.
std::string kind_html(const PageContent& content, std::span<const Finding> findings) {
  const FindingKindFacts& kind = facts(findings.front().kind);
  const auto severity = static_cast<std::size_t>(kind.severity);
  const auto entry = [&](const std::string& html) {
    return fmt::format("<li class=\"sev{}\">{}</li>\n", severity, html);
  };
  std::string html;
  if (findings.size() < kFewestBundled) {
    for (const Finding& finding : findings) {
      html += entry(fmt::format("<p>{}{}</p>{}", label_html(severity), problem_html(content, finding),
                                cure_html(content.cluster, finding)));
    }
    return html;
  }
  const std::size_t shown = std::min(findings.size(), kMostFindings);
  for (const Finding& finding : findings.first(shown)) {
    html += fmt::format("<li><p>{}</p>{}</li>\n", problem_html(content, finding), cure_html(content.cluster, finding));
  }
  return entry(fmt::format(
      "<p>{}<b>{} times:</b> {}. The first: {}</p>\n<details><summary>{} {}</summary><ol>\n{}</ol>{}"
      "</details>",
      label_html(severity), findings.size(), lower_case_start(kind.meaning), problem_html(content, findings.front()),
      shown == findings.size() ? "All" : "The first", shown, html, left_out_note(findings.size() - shown, "problem")));
}

std::string one_copy_html(const PageContent& content) {
  const std::string text = one_copy_text(content.cluster, content.diagnosis.one_copy, kMostNamesInSentence);
  return text.empty() ? "" : "<p class=\"note\">" + sentence_html(text) + "</p>\n";
}

}  // namespace

std::string findings_section(const PageContent& content) {
  const std::span<const Finding> findings(content.diagnosis.findings);
  const std::string one_copy_note = one_copy_html(content);
  if (findings.empty()) {
    return "<p>No problem was found: every node is N+1 safe, and no policy, tag or recorded amount is violated.</p>\n" +
           one_copy_note;
  }
  std::string html = "<ul class=\"findings\">\n";
  for (std::size_t kind = 0; kind < kFindingKinds.size(); ++kind) {
    std::vector<Finding> same;
    std::copy_if(findings.begin(), findings.end(), std::back_inserter(same),
                 [&](const Finding& finding) { return static_cast<std::size_t>(finding.kind) == kind; });
    if (!same.empty()) html += kind_html(content, same);
  }
  html += "</ul>\n" + one_copy_note;
  if (!findings.front().cure) return html;
  return html + "<p class=\"note\">Each cure was tried on its own: after it, that problem is gone.</p>\n";
}

}  // namespace htools
