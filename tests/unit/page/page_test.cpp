#include <doctest/doctest.h>

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "cluster/cluster.h"
#include "page/charts.h"
#include "page/html.h"
#include "page/label_places.h"
#include "page/usage.h"

namespace htools::page_test {
namespace {

TEST_CASE("text becomes harmless HTML") {
  CHECK(escaped("a<b>&\"'") == "a&lt;b&gt;&amp;&quot;&#39;");
  CHECK(escaped("\x1b[31m") == "\\x1b[31m");
  CHECK(escaped("\xe2\x80\xaenuora") == "\\xe2\\x80\\xaenuora");  // turns the direction
  CHECK(escaped("a\xff\xfe") == "a\\xff\\xfe");                   // not UTF-8
  CHECK(escaped("gr\xc3\xbc\xc3\x9f") == "gr\xc3\xbc\xc3\x9f");
  CHECK(escaped(std::string("a\0b", 3)) == "a\\x00b");
  CHECK(escaped("\xef\xbf\xbe") == "\\xef\\xbf\\xbe");  // no character
  CHECK(escaped("a\xc2\xad") == "a\\xc2\\xad");         // never seen
}

TEST_CASE("words that are written from right to left stay in their place in a sentence") {
  CHECK(sentence_html("n1 => <n2>") == "n1 =&gt; &lt;n2&gt;");
  CHECK(sentence_html("a \xd7\x95\xd7\x91:\xd7\x95 => b") ==
        "a <bdi>\xd7\x95\xd7\x91</bdi>:<bdi>\xd7\x95</bdi> =&gt; b");
  CHECK(sentence_html("gr\xc3\xbc\xc3\x9f \xd8\xa7") == "gr\xc3\xbc\xc3\x9f <bdi>\xd8\xa7</bdi>");
  CHECK(sentence_html("\xd8\xa7.b.") == "<bdi>\xd8\xa7.b</bdi>.");
}

TEST_CASE("long text is shortened between characters") {
  CHECK(escaped(std::string(60, 'a'), 60) == std::string(60, 'a'));
  CHECK(escaped(std::string(61, 'a'), 60) == std::string(45, 'a') + "…" + std::string(15, 'a'));
  std::string umlauts;
  for (int i = 0; i < 100; ++i) umlauts += "\xc3\xbc";
  const std::string shown = escaped(umlauts, 60);
  CHECK(shown.find("\\x") == std::string::npos);
  CHECK(shown.size() < 130);
  CHECK(name_html(std::string(1'000'000, '<')).size() < 300);
}

TEST_CASE("sentences begin with a capital letter and end with a full stop") {
  CHECK(sentence("node a is offline") == "Node a is offline.");
  CHECK(sentence("Done.") == "Done.");
  CHECK(sentence("").empty());
}

TEST_CASE("a table has the roles that its cards would lose") {
  HtmlTable table("Nodes", {{"Node"}, {"Primary", true}}, "sort");
  table.row({{"n1"}, {"3", "3.5"}});
  CHECK(table.size() == 1);
  const std::string html = table.html();
  CHECK(html.find("<table role=\"table\" class=\"cards sort\"><caption>Nodes</caption>") == 0);
  CHECK(html.find("<th role=\"rowheader\" scope=\"row\">n1</th>") != std::string::npos);
  CHECK(html.find("<td role=\"cell\" class=\"n\" data-k=\"3.5\" data-l=\"Primary\">3</td>") != std::string::npos);
}

// Returns a node with 100 MiB of memory, of which its instances use this much and reserve that much.
Node node_with(std::int64_t used, std::int64_t reserved) {
  NodeFacts facts;
  facts.name = "n1";
  facts.total_memory = 100;
  facts.total_cpus = 4;
  facts.max_vcpus = 16;
  Node node;
  node.facts = Shared<NodeFacts>(std::move(facts));
  node.books.instance_memory = used;
  node.books.reserved_memory = reserved;
  node.books.real.used_vcpus = 20;
  return node;
}

TEST_CASE("usage tells what is used, reserved, free and missing") {
  const Usage safe = usage_of(node_with(40, 30), BarResource::Memory);
  CHECK(safe.used == 40.0);
  CHECK(safe.reserved == 30.0);
  CHECK(safe.missing == 0.0);
  CHECK(safe.free() == 30.0);
  const Usage unsafe = usage_of(node_with(80, 50), BarResource::Memory);
  CHECK(unsafe.reserved == 20.0);
  CHECK(unsafe.missing == 30.0);
  CHECK(unsafe.free() == 0.0);
  const Usage overfull = usage_of(node_with(120, 10), BarResource::Memory);
  CHECK(overfull.used == 100.0);
  CHECK(overfull.all_used() == 120.0);
  CHECK(overfull.missing == 30.0);
  Node disks = node_with(0, 0);
  disks.facts.edit().total_disk = 100;
  disks.books.real.free_disk = -20;
  CHECK(usage_of(disks, BarResource::Disk).missing == 20.0);
  CHECK(usage_of(disks, BarResource::Disk).all_used() == 120.0);
  const Usage cpus = usage_of(node_with(0, 0), BarResource::Cpus);
  CHECK(cpus.used == 16.0);
  CHECK(cpus.missing == 4.0);
  CHECK(cpus.physical == 4.0);
  CHECK(is_overcommitted(node_with(80, 50)));
}

TEST_CASE("units suit the largest amount of a column") {
  CHECK(unit_for(BarResource::Memory, 2048.0).text(512.0) == "512");
  CHECK(unit_for(BarResource::Memory, 2048.0).name == "MiB");
  CHECK(unit_for(BarResource::Memory, 65536.0).text(65536.0) == "64.0");
  CHECK(unit_for(BarResource::Memory, 65536.0).name == "GiB");
  CHECK(unit_for(BarResource::Cpus, 65536.0).name.empty());
}

TEST_CASE("bars stay within their width, whatever the amounts") {
  const auto bar = [](const Usage& usage) { return usage_bar(usage, "hint"); };
  CHECK(bar({}).find("<rect") == std::string::npos);
  CHECK(bar({.used = 50, .total = 100, .physical = 100}).find("x=\"0\" width=\"50\"") != std::string::npos);
  CHECK(bar({.used = 100, .missing = 1, .total = 100, .physical = 100}).find("class=\"m\" x=\"97\" width=\"3\"") !=
        std::string::npos);
  CHECK(bar({.used = 1e300 * 1e300, .total = 1}).find("inf") == std::string::npos);
}

TEST_CASE("charts survive data without extent") {
  for (const bool begins_at_zero : {true, false}) {
    CHECK(point_chart({.points = {}, .begins_at_zero = begins_at_zero}, "nothing").find("nan") == std::string::npos);
    const PointChart origin{
        .points = {{0, 0}}, .limits = {{0, "limit"}}, .joined = true, .begins_at_zero = begins_at_zero};
    CHECK(point_chart(origin, "origin").find("nan") == std::string::npos);
    const PointChart level{.points = {{0, 7}, {1, 7}}, .begins_at_zero = begins_at_zero};
    CHECK(point_chart(level, "level").find("nan") == std::string::npos);
  }
  CHECK(time_chart({{"node", {{0, 0, "hint"}}}}, {0}, 0, "nothing").find("nan") == std::string::npos);
}

TEST_CASE("labels of points that are close together do not cover each other; that of the marked point comes first") {
  const PointChart chart{.points = {{.x = 10, .y = 5, .label = "a"},
                                    {.x = 10, .y = 5, .label = "b"},
                                    {.x = 10, .y = 5, .is_marked = true, .label = "c"},
                                    {.x = 10, .y = 5, .label = "e"},
                                    {.x = 10, .y = 5, .label = "f"},
                                    {.x = 1, .y = 1, .label = "d"}},
                         .begins_at_zero = false};
  const std::string svg = point_chart(chart, "points");
  CHECK(svg.find(">f</text>") == std::string::npos);  // above, below and beside the point are others
  CHECK(svg.find(">c</text>") < svg.find(">a</text>"));
  CHECK(svg.find(">a</text>") != std::string::npos);
  CHECK(svg.find(">d</text>") != std::string::npos);
  CHECK(svg.find("class=\"k\"") != std::string::npos);
}

TEST_CASE("labels of a chart keep off what is drawn") {
  LabelPlaces places;
  places.block_line(0, 100, 200, 0);
  const std::vector<ChartLabel> labels{{100, 55, "c", "middle"}, {10, 20, "", "above"}, {10, 20, "", "above"}};
  const auto first = places.take(labels);
  REQUIRE(first);
  CHECK(first->text == "above");
  CHECK_FALSE(places.take(labels));
  places.block_line(0, 0, 0, std::numeric_limits<double>::infinity());
}

TEST_CASE("the label of a limit keeps off the curve") {
  const PointChart falling{.points = {{0, 10}, {10, 0}}, .limits = {{9.5, "limit"}}, .joined = true};
  CHECK(point_chart(falling, "falling").find("<text class=\"e\" x=\"610\"") != std::string::npos);
  const PointChart rising{.points = {{0, 0}, {10, 10}}, .limits = {{9.5, "limit"}}, .joined = true};
  CHECK(point_chart(rising, "rising").find("<text x=\"76\"") != std::string::npos);
  PointChart full{.points = {}, .limits = {{0, "a rather long label"}}};
  for (int x = 0; x <= 20; ++x) full.points.push_back({.x = 1.0 * x, .y = 0});
  CHECK(point_chart(full, "full").find("y=\"258\">a rather") != std::string::npos);  // below the chart
}

TEST_CASE("axes of whole numbers have no fractions") {
  PointChart chart{.points = {{0, 0}, {2, 1}}, .whole_x = true, .whole_y = true};
  CHECK(point_chart(chart, "points").find(">0.5</text>") == std::string::npos);
  chart.whole_y = false;
  CHECK(point_chart(chart, "points").find(">0.2</text>") != std::string::npos);
}

}  // namespace
}  // namespace htools::page_test
