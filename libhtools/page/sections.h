// The sections of the page. Each function returns HTML, or nothing if there is nothing to show.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "page/html.h"
#include "page/page.h"
#include "page/usage.h"

namespace htools {

// How much a section shows before it summarises. They keep the page of any cluster small enough for a mail and a
// telephone.
inline constexpr std::size_t kMostListedNodes = 300;  // in all groups; of more, quantiles and the worst are shown
inline constexpr std::size_t kMostWorstNodes = 20;
inline constexpr std::size_t kMostListedGroups = 60;
inline constexpr std::size_t kMostFindings = 60;
inline constexpr std::size_t kMostMoves = 400;
inline constexpr std::size_t kMostChoices = 40;
inline constexpr int kPlanScoreDecimals = 4;
inline constexpr std::size_t kMostTimeLines = 40;
inline constexpr std::size_t kMostServices = 40;
inline constexpr std::size_t kMostLocations = 12;
inline constexpr std::size_t kMostRules = 200;
inline constexpr std::size_t kMostDrills = 200;
inline constexpr std::size_t kMostDifferences = 200;

// Returns the name of an element as HTML; that of a node can be highlighted in the whole page.
std::string node_html(const Cluster& cluster, NodeIndex node);
std::string instance_html(const Cluster& cluster, InstanceIndex instance);
std::string group_html(const Cluster& cluster, GroupIndex group);
// Returns the nodes of a placement: "node1 : node2".
std::string placement_html(const Cluster& cluster, NodeIndex primary, NodeIndex secondary);

// Returns a bar of a node, or of several, with the numbers beside it.
std::string usage_html(const Usage& usage, BarResource resource, const AmountUnit& unit);
// Returns the units that suit the nodes of the page, in the order of BarResource.
std::array<AmountUnit, 3> units_of_nodes(const PageContent& content);
// Adds a column with bars for each resource; `cls` is the class of its cells.
void add_resource_columns(std::vector<HtmlColumn>& columns, const std::array<AmountUnit, 3>& units,
                          std::string_view cls);
// Returns an entry of a list of class "legend": the colour of a class, and what it stands for.
std::string legend_entry(std::string_view cls, std::string_view text);
// Returns the explanation of the colours of bars.
std::string bar_legend();

// Returns an element of a list of tiles: a number that stands out, with its label and a remark.
std::string tile(std::string_view label, std::string_view value, std::string_view remark = "");

// Returns the sentence that begins the page.
std::string verdict(const PageContent& content);

std::string summary_tiles(const PageContent& content);
std::string findings_section(const PageContent& content);
std::string nodes_section(const PageContent& content);
std::string groups_section(const PageContent& content);
std::string score_section(const PageContent& content);
std::string tags_section(const PageContent& content);
std::string rules_section(const PageContent& content);
std::string plan_section(const PageContent& content);
// Returns the part of the section of the plan that shows what there was, or is, to choose from.
std::string choices_html(const PageContent& content);
// Returns the name of a resource in a document about capacity as a word of a sentence.
std::string resource_html(std::string_view resource);
// Return the parts of the section of capacity that come from hgrow.
std::string growth_html(const CapacityFacts& facts);
std::string inflation_html(const CapacityFacts& facts);
std::string capacity_section(const PageContent& content);
std::string comparison_section(const PageContent& content);
std::string drill_section(const PageContent& content);

}  // namespace htools
