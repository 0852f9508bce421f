#include <fmt/format.h>

#include <algorithm>

#include "page/html.h"
#include "page/sections.h"

namespace htools {
namespace {

std::string locations_table(const TagSpread& tags, bool has_secondaries) {
  std::vector<HtmlColumn> columns{{"Location"}, {"Nodes", true}, {"Primary instances", true}};
  if (has_secondaries) columns.push_back({"Both copies there", true});
  HtmlTable table("Locations, by the location tags of nodes", columns, "sort");
  const std::size_t shown = std::min(tags.locations.size(), kMostServices);
  for (std::size_t l = 0; l < shown; ++l) {
    const LocationContent& location = tags.locations[l];
    std::vector<HtmlCell> cells{
        {name_html(location.tag)}, {fmt::format("{}", location.nodes.size())}, {fmt::format("{}", location.primaries)}};
    if (has_secondaries) cells.push_back({fmt::format("{}", location.inside)});
    table.row(cells);
  }
  return table.html() + left_out_note(tags.locations.size() - shown, "location");
}

std::string services_table(const TagSpread& tags) {
  const std::size_t locations = std::min(tags.locations.size(), kMostLocations);
  std::vector<HtmlColumn> columns{{"Exclusion tag"}, {"Instances", true}, {"Sharing a node", true}};
  for (std::size_t l = 0; l < locations; ++l) {
    const std::string& tag = tags.locations[l].tag;
    columns.push_back({name_html(tag), true, {}, escaped(tag, kMostNameCharacters)});
  }
  HtmlTable table("Which locations carry which services: primary instances by exclusion tag", columns, "sort");
  const std::size_t shown = std::min(tags.services.size(), kMostServices);
  for (std::size_t s = 0; s < shown; ++s) {
    const ServiceSpread& service = tags.services[s];
    std::vector<HtmlCell> cells{{name_html(service.tag)},
                                {fmt::format("{}", service.instances)},
                                {service.same_node == 0 ? "0" : fmt::format("<b>{}</b>", service.same_node)}};
    for (std::size_t l = 0; l < locations; ++l) {
      const std::size_t count = service.by_location[l];
      // More than one in a location is what exclusion tags and location tags are against.
      cells.push_back({count > 1 ? fmt::format("<b>{}</b>", count) : fmt::format("{}", count)});
    }
    table.row(cells);
  }
  return table.html() + left_out_note(tags.services.size() - shown, "tag") +
         left_out_note(tags.locations.size() - locations, "location");
}

}  // namespace

std::string tags_section(const PageContent& content) {
  const TagSpread& tags = content.tags;
  std::string html;
  if (!tags.locations.empty()) {
    const bool has_secondaries = std::any_of(content.cluster.instances.begin(), content.cluster.instances.end(),
                                             [](const Instance& instance) { return !instance.secondary.is_none(); });
    html += locations_table(tags, has_secondaries);
  }
  if (!tags.services.empty()) html += services_table(tags);
  return html;
}

}  // namespace htools
