#include "page/page.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

#include "page/assets.h"
#include "page/charts.h"
#include "page/html.h"
#include "page/sections.h"

namespace htools {
namespace {

// A section of the page.
struct Section {
  std::string_view id;
  std::string_view title;
  std::string (*html)(const PageContent& content);
};

// The sections, in the order of the page.
constexpr std::array<Section, 10> kSections{{
    {"findings", "What is wrong", findings_section},
    {"nodes", "Nodes", nodes_section},
    {"groups", "Node groups", groups_section},
    {"score", "Score by component", score_section},
    {"tags", "Tags and locations", tags_section},
    {"rules", "Placement rules", rules_section},
    {"plan", "Plan", plan_section},
    {"capacity", "Capacity", capacity_section},
    {"comparison", "Comparison", comparison_section},
    {"drill", "Drill", drill_section},
}};

// Returns the base64 form of bytes that are written as hexadecimal digits.
std::string base64_of_hex(std::string_view hex) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  std::string text;
  unsigned bits = 0;
  int count = 0;
  for (const char c : hex) {
    bits = (bits << 4U) | static_cast<unsigned>(kHexDigits.find(c));
    for (count += 4; count >= 6; count -= 6) text += kDigits[(bits >> static_cast<unsigned>(count - 6)) & 63U];
  }
  if (count > 0) text += kDigits[(bits << static_cast<unsigned>(6 - count)) & 63U];
  while (text.size() % 4 != 0) text += '=';
  return text;
}

// Nothing but the style and the script of the page itself may act, and nothing may be fetched or sent.
std::string security_policy() {
  return fmt::format(
      "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
      base64_of_hex(kPageStyle.sha256), base64_of_hex(kPageScript.sha256));
}

std::string head_html(const PageContent& content) {
  return fmt::format(
      R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Cluster report: {}</title>
<style>{}</style>
</head>
<body>
)",
      security_policy(), escaped(content.source, kMostNameCharacters), kPageStyle.text);
}

std::string navigation(const std::vector<std::string>& bodies) {
  std::string html = "<nav aria-label=\"Sections\"><ul>\n";
  for (std::size_t s = 0; s < kSections.size(); ++s) {
    if (!bodies[s].empty())
      html += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", kSections[s].id, kSections[s].title);
  }
  return html + "</ul></nav>\n";
}

}  // namespace

std::string page_html(const PageContent& content) {
  std::vector<std::string> bodies;
  for (const Section& section : kSections) bodies.push_back(section.html(content));
  std::string page = head_html(content) + chart_patterns();
  page += fmt::format("<header>\n<p class=\"eyebrow\">Cluster report · {}</p>\n<h1>{}</h1>\n{}{}</header>\n<main>\n",
                      name_html(content.source), verdict(content), summary_tiles(content), navigation(bodies));
  for (std::size_t s = 0; s < kSections.size(); ++s) {
    if (bodies[s].empty()) continue;
    page += fmt::format(
        "<section id=\"{0}\" aria-labelledby=\"{0}-title\">\n<h2 id=\"{0}-title\">{1}</h2>\n{2}</section>\n",
        kSections[s].id, kSections[s].title, bodies[s]);
  }
  page += fmt::format(
      "</main>\n<footer><p>Made by {} from the state {}.</p></footer>\n<script>{}</script>\n</body>\n</html>\n",
      escaped(content.program), escaped(content.fingerprints.state), kPageScript.text);
  return page;
}

}  // namespace htools
