#include "metric/statistics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "base/decimal.h"
#include "cluster/bookkeeping.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "metric/lower_bound.h"
#include "metric/node_values.h"
#include "tests/support/literal_score.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::statistics_test {

namespace {

using htools::Cluster;
using htools::format_fixed;
using htools::Load;
using htools::Node;
using htools::NodeIndex;
using htools::NodeOptions;
using htools::NodeRefs;
using htools::PrepareOptions;
using htools::Statistics;
using htools::testing::Random;
using htools::testing::same_score;
using htools::testing::scaled;
namespace literal = htools::testing::literal;
using Coefficients = std::map<std::string, std::string>;

Cluster load(const std::string& text, const PrepareOptions& options = {},
             const std::vector<std::string>& offline = {}) {
  Cluster cluster = htools::read_text_cluster(text, "x.data");
  htools::prepare(cluster, options);
  NodeOptions node_options;
  node_options.offline = offline;
  htools::apply_node_options(cluster, node_options);
  return cluster;
}

std::string score_text(const Cluster& cluster) { return format_fixed(htools::score(cluster.nodes), 8); }

// Returns the components that are not zero.
Coefficients coefficients_of(const Cluster& cluster) {
  Coefficients result;
  const auto values = Statistics::evaluate(htools::all_nodes(cluster.nodes)).values();
  for (std::size_t k = 0; k < htools::kComponentCount; ++k) {
    const std::string text = format_fixed(values[k], 8);
    if (text != "0.00000000") result[std::string(htools::kComponents[k].name)] = text;
  }
  return result;
}

const std::string kThreeNodes =
    "g1|uuid-g1|preferred||\n\n"
    "n1.x.org|16384|1024|9216|409600|348160|8|N|uuid-g1|2\n"
    "n2.x.org|16384|1024|15360|409600|348160|8|N|uuid-g1|2\n"
    "n3.x.org|16384|1024|15360|409600|409600|8|N|uuid-g1|2\n\n"
    "i1.x.org|2048|20480|2|running|Y|n1.x.org|n2.x.org|drbd||1\n"
    "i2.x.org|2048|20480|2|ADMIN_down|Y|n1.x.org|n2.x.org|drbd||1\n"
    "i3.x.org|2048|20480|2|running|Y|n1.x.org|n2.x.org|drbd||1\n\n\n";

// Returns the text of a cluster of four nodes. `spindles_of_last` follows "...|8|N|uuid-g1|" for the fourth node.
std::string four_nodes(const std::string& spindles_of_last = "2", const std::string& more_groups = "") {
  return "g1|uuid-g1|preferred||\n" + more_groups +
         "\n"
         "n1|16384|0|12288|102400|92160|8|N|uuid-g1|2\n"
         "n2|16384|0|16384|102400|92160|8|N|uuid-g1|2\n"
         "n3|16384|0|16384|102400|102400|8|N|uuid-g1|2\n"
         "n4|16384|0|16384|102400|102400|8|N|uuid-g1|" +
         spindles_of_last +
         "\n\n"
         "i1|2048|5120|1|running|Y|n1|n2|drbd||1\n"
         "i2|2048|5120|1|running|Y|n1|n2|drbd||1\n\n\n";
}

NodeRefs nodes_of_group(const Cluster& cluster, std::size_t group) {
  NodeRefs refs;
  for (const Node& node : cluster.nodes) {
    if (node.facts->group == htools::GroupIndex(group)) refs.push_back(node);
  }
  return refs;
}

}  // namespace

TEST_CASE("the score of three nodes, component by component") {
  const Cluster cluster = load(kThreeNodes);
  CHECK(score_text(cluster) == "6.57998158");
  CHECK(coefficients_of(cluster) == Coefficients{{"free_mem_cv", "0.17677670"},
                                                 {"free_disk_cv", "0.07071068"},
                                                 {"reserved_mem_cv", "0.17677670"},
                                                 {"vcpu_ratio_cv", "0.35355339"},
                                                 {"cpu_load_cv", "1.41421356"},
                                                 {"mem_load_cv", "1.41421356"},
                                                 {"disk_load_cv", "1.41421356"},
                                                 {"net_load_cv", "1.41421356"},
                                                 {"spindles_cv", "0.02209709"},
                                                 {"free_mem_cv_forth", "0.23570226"},
                                                 {"free_disk_cv_forth", "0.07071068"},
                                                 {"vcpu_ratio_cv_forth", "0.35355339"},
                                                 {"spindles_cv_forth", "0.02209709"},
                                                 {"reserved_mem_rtotal", "0.37500000"}});
}

TEST_CASE("instances on offline nodes weigh heavily") {
  CHECK(score_text(load(kThreeNodes, {}, {"n1.x.org"})) == "61.87968750");
  CHECK(score_text(load(kThreeNodes, {}, {"n2.x.org"})) == "18.69218750");
  CHECK(coefficients_of(load(kThreeNodes, {}, {"n1.x.org"})).at("offline_pri_cnt") == "3.00000000");
  CHECK(coefficients_of(load(kThreeNodes, {}, {"n2.x.org"})).at("offline_all_cnt") == "3.00000000");
}

TEST_CASE("weights and names are those of the documented table") {
  double sum = 0.0;
  for (std::size_t k = 0; k < htools::kComponentCount; ++k) {
    CHECK(htools::kComponents[k].weight == literal::kWeights[k]);
    CHECK((htools::kComponents[k].aggregation == htools::Aggregation::Deviation) == literal::is_deviation(k));
    CHECK((htools::kComponents[k].nodes == htools::NodeSet::Offline) == literal::is_offline_component(k));
    sum += htools::kComponents[k].weight;
  }
  CHECK(sum == 34.25);
  htools::ComponentValues values;
  values[5] = 2.0;
  values[19] = 4.0;
  CHECK(htools::weighted_sum(values) == 33.0);
}

TEST_CASE("scores of example clusters") {
  SUBCASE("six nodes with externally stored instances") {
    CHECK(score_text(load("g1|uuid-g1|preferred||\n\n"
                          "n1|16384|0|11264|102400|102400|8|N|uuid-g1|1\n"
                          "n2|16384|0|15360|102400|102400|8|N|uuid-g1|1\n"
                          "n3|16384|0|11264|102400|102400|8|N|uuid-g1|1\n"
                          "n4|16384|0|16384|102400|102400|8|N|uuid-g1|1\n"
                          "n5|16384|0|16384|102400|102400|8|N|uuid-g1|1\n"
                          "n6|16384|0|16384|102400|102400|8|N|uuid-g1|1\n\n"
                          "i1|2048|1024|1|running|Y|n3||ext||1\n"
                          "i2|1024|1024|1|running|Y|n2||ext||1\n"
                          "i3|3072|1024|1|running|Y|n1||ext||1\n"
                          "i4|2048|1024|1|running|Y|n1||ext||1\n"
                          "i5|2048|1024|1|running|Y|n3||ext||1\n"
                          "i6|1024|1024|1|running|Y|n3||ext||1\n\n\n")) == "4.90482171");
  }
  SUBCASE("a full primary") {
    const auto full = [](const std::string& memory) {
      return "g1|uuid-g1|preferred||\n\nn1|" + memory + "|0|" + (memory == "8192" ? "0" : "1") +
             "|102400|61440|4|N|uuid-g1|1\n"
             "n2|8192|0|8192|102400|61440|4|N|uuid-g1|1\n"
             "n3|8192|0|8192|102400|102400|4|N|uuid-g1|1\n\n"
             "i1|4096|20480|1|running|Y|n1|n2|drbd||1\n"
             "i2|4096|20480|1|running|Y|n1|n2|drbd||1\n\n\n";
    };
    CHECK(score_text(load(full("8192"))) == "5.41777206");
    CHECK(score_text(load(full("8193"))) == "5.41771452");
  }
  SUBCASE("a node without data and one online node") {
    const Cluster cluster = load(
        "g1|uuid-g1|preferred||\n\n"
        "n1|?|?|?|?|?|?|Y|uuid-g1|1\n"
        "n2|8192|0|3000|102400|81920|4|N|uuid-g1|1\n\n"
        "i1|4096|20480|1|running|Y|n1|n2|drbd||1\n"
        "i2|2048|20480|20|ERROR_nodeoffline|Y|n1|n2|drbd||1\n\n\n");
    CHECK(score_text(cluster) == "42.18750000");
    CHECK(coefficients_of(cluster) == Coefficients{{"n1_cnt", "2.00000000"},
                                                   {"offline_all_cnt", "2.00000000"},
                                                   {"offline_pri_cnt", "2.00000000"},
                                                   {"reserved_mem_rtotal", "0.75000000"}});
  }
  SUBCASE("tags of every kind") {
    const Cluster cluster = load(
        "g1|uuid-g1|preferred||\n\n"
        "n1|8192|0|4096|102400|81920|4|N|uuid-g1|1|power:a,hv:1\n"
        "n2|8192|0|8192|102400|81920|4|N|uuid-g1|1|power:a,hv:1\n"
        "n3|8192|0|8192|102400|102400|4|N|uuid-g1|1|power:b,hv:2\n"
        "n4|8192|0|8192|102400|102400|4|N|uuid-g1|1|power:b,hv:1\n\n"
        "i1|1024|10240|1|running|Y|n1|n2|drbd|svc:a,power:b|1\n"
        "i2|1024|10240|1|running|Y|n1|n2|drbd|svc:a|1\n"
        "i3|1024|10240|1|running|Y|n1|n3|drbd||1\n"
        "i4|1024|10240|1|running|Y|n4|n2|drbd|svc:a|1\n\n"
        "htools:iextags:svc\nhtools:nlocation:power\nhtools:desiredlocation:power\nhtools:migration:hv\n\n");
    CHECK(score_text(cluster) == "11.51977851");
    CHECK(coefficients_of(cluster) == Coefficients{{"free_mem_cv", "0.20491995"},
                                                   {"free_disk_cv", "0.10000000"},
                                                   {"reserved_mem_cv", "0.10364452"},
                                                   {"vcpu_ratio_cv", "0.30618622"},
                                                   {"cpu_load_cv", "1.22474487"},
                                                   {"mem_load_cv", "1.22474487"},
                                                   {"disk_load_cv", "1.00000000"},
                                                   {"net_load_cv", "1.22474487"},
                                                   {"pri_tags_score", "1.00000000"},
                                                   {"spindles_cv", "0.03125000"},
                                                   {"free_mem_cv_forth", "0.21650635"},
                                                   {"free_disk_cv_forth", "0.10000000"},
                                                   {"vcpu_ratio_cv_forth", "0.30618622"},
                                                   {"spindles_cv_forth", "0.03125000"},
                                                   {"location_score", "3.00000000"},
                                                   {"location_exclusion_score", "1.00000000"},
                                                   {"reserved_mem_rtotal", "0.37500000"}});
    CHECK(htools::pair_collisions(htools::all_nodes(cluster.nodes)) == 1.0);
  }
  SUBCASE("loads of its own") {
    PrepareOptions options;
    options.utilisation = {{"i1", {0.6, 1, 1, 1}}, {"i2", {0.3, 1, 1, 1}}, {"i3", {0.1, 1, 1, 1}}};
    const Cluster cluster = load(
        "g1|uuid-g1|preferred||\n\n"
        "n1|16384|0|13312|102400|102400|8|N|uuid-g1|2\n"
        "n2|16384|0|16384|102400|102400|8|N|uuid-g1|2\n"
        "n3|16384|0|16384|102400|102400|8|N|uuid-g1|2\n\n"
        "i1|1024|1024|1|running|Y|n1||ext||1\n"
        "i2|1024|1024|1|running|Y|n1||ext||1\n"
        "i3|1024|1024|1|running|Y|n1||ext||1\n\n\n",
        options, {"n1"});
    CHECK(score_text(cluster) == "60.00000000");
  }
  SUBCASE("a group alone") {
    const Cluster cluster = load(
        "g1|uuid-g1|preferred||\ng2|uuid-g2|preferred||\n\n"
        "n1.ab.org|16384|0|11264|102400|87040|8|N|uuid-g1|2\n"
        "n1.cd.org|16384|0|16384|102400|92160|8|N|uuid-g1|2\n"
        "n2.ab.org|16384|0|16384|102400|97280|8|N|uuid-g2|2\n"
        "n.ab.org|16384|0|16384|102400|102400|8|N|uuid-g1|2\n\n"
        "i1.org|2048|5120|1|running|Y|n1.ab.org|n1.cd.org|drbd||1\n"
        "i2.org|2048|5120|1|running|Y|n1.ab.org|n1.cd.org|drbd||1\n"
        "i3.org|1024|5120|1|running|Y|n1.ab.org|n2.ab.org|drbd||1\n\n\n");
    CHECK(format_fixed(htools::score(nodes_of_group(cluster, 0)), 8) == "6.07615031");
  }
  SUBCASE("four nodes, and the same with what a save keeps of free spindles") {
    CHECK(score_text(load(four_nodes())) == "4.05096074");
    CHECK(score_text(load("g1|uuid-g1|preferred||\n\n"
                          "n1|16384|0|12288|102400|97280|8|N|uuid-g1|2||N|0|1|1.0\n"
                          "n2|16384|0|16384|102400|92160|8|N|uuid-g1|2||N|0|1|1.0\n"
                          "n3|16384|0|16384|102400|97280|8|N|uuid-g1|2||N|0|1|1.0\n"
                          "n4|16384|0|16384|102400|102400|8|N|uuid-g1|2||N|5|1|1.0\n\n"
                          "i1|2048|5120|1|running|Y|n3|n2|drbd||1|-|N\n"
                          "i2|2048|5120|1|running|Y|n1|n2|drbd||1|-|N\n\n\n")) == "2.50733610");
  }
  SUBCASE("exclusive storage") {
    CHECK(score_text(load("g1|uuid-1|preferred||\n\n"
                          "e1|8192|0|8192|40960|40960|8|N|uuid-1|6||Y|6|0|1.0\n"
                          "e2|8192|0|8192|40960|40960|8|N|uuid-1|6||Y|4|0|1.0\n"
                          "e3|8192|0|8192|40960|40960|8|N|uuid-1|6||N|0|0|1.0\n\n\n\n")) == "0.15713484");
  }
  SUBCASE("forthcoming instances") {
    const Cluster cluster = load(
        "g1|uuid-1|preferred||\n\n"
        "na|4096|0|2048|20480|16384|4|N|uuid-1\n"
        "nb|4096|0|4096|20480|20480|4|N|uuid-1\n"
        "nc|4096|0|4096|20480|20480|4|N|uuid-1|8||Y|6\n\n"
        "i1|1024|2048|1|running|Y|na|nb|drbd|s:1|2|-|Y\n"
        "i2|512|2048|2|running|Y|na||plain|s:1|4|-|Y\n"
        "i3|256|1024|1|running|Y|na||plain|s:1|1\n"
        "i4|128|1024|1|ADMIN_down|Y|na||plain||1\n"
        "i5|128|1024|1|ADMIN_offline|Y|na||plain||1\n"
        "i6|128|1024|1|ADMIN_offline|Y|nc||plain||1|2\n"
        "i7|128|1024|1|ADMIN_offline|Y|nc||plain||1|2|Y\n"
        "i8|128|1024|1|ADMIN_offline|Y|nc||rbd||1|-|Y\n\n"
        "htools:iextags:s\n\n");
    CHECK(score_text(cluster) == "10.08153230");
    const Coefficients coefficients = coefficients_of(cluster);
    CHECK(coefficients.at("free_mem_cv_forth") == "0.42158555");
    CHECK(coefficients.at("free_disk_cv_forth") == "0.43027769");
    CHECK(coefficients.at("vcpu_ratio_cv_forth") == "0.58925565");
    CHECK(coefficients.at("spindles_cv_forth") == "0.12058163");
  }
}

TEST_CASE("degenerate scores") {
  SUBCASE("no node is online: nothing counts") {
    CHECK(score_text(load(four_nodes(), {}, {"n1", "n2", "n3", "n4"})) == "0.00000000");
    CHECK_FALSE(Statistics::evaluate(htools::all_nodes(load(four_nodes(), {}, {"n1", "n2", "n3", "n4"}).nodes))
                    .has_components());
    CHECK(htools::score(NodeRefs{}) == 0.0);
    CHECK(htools::score(nodes_of_group(load(four_nodes("2", "g2|uuid-g2|preferred||\n")), 1)) == 0.0);
  }
  SUBCASE("zero capacities of an online node") {
    const Cluster no_spindles = load(four_nodes("0"));
    CHECK(score_text(no_spindles) == "NaN");
    CHECK(coefficients_of(no_spindles).at("spindles_cv") == "NaN");
    CHECK(coefficients_of(no_spindles).at("spindles_cv_forth") == "NaN");
    CHECK(coefficients_of(no_spindles).at("cpu_load_cv") == "0.86602540");
    const auto two_nodes = [](const std::string& second) {
      return load("g|u|preferred||\n\nn1|1024|0|1024|1024|1024|4|N|u|1\n" + second + "|N|u|1\n\n\n\n");
    };
    const Coefficients no_memory = coefficients_of(two_nodes("n2|0|0|0|1024|1024|4"));
    for (const char* name : {"free_mem_cv", "reserved_mem_cv", "free_mem_cv_forth", "reserved_mem_rtotal"}) {
      CHECK(no_memory.at(name) == "NaN");
    }
    const Coefficients no_cpus = coefficients_of(two_nodes("n2|1024|0|1024|1024|1024|0"));
    CHECK(no_cpus.at("vcpu_ratio_cv") == "NaN");
    CHECK(no_cpus.at("vcpu_ratio_cv_forth") == "NaN");
    CHECK_FALSE(no_cpus.contains("free_mem_cv"));
    // A total disk of zero is allowed: the ratio is 1.
    CHECK(coefficients_of(two_nodes("n2|1024|0|1024|0|0|4")).empty());
  }
  SUBCASE("one online node has no deviations") {
    const Coefficients coefficients = coefficients_of(load(four_nodes(), {}, {"n2", "n3", "n4"}));
    CHECK(coefficients == Coefficients{{"offline_all_cnt", "2.00000000"}});
  }
  SUBCASE("equal values may leave a tiny deviation") {
    Cluster cluster =
        load("g|u|preferred||\n\nn1|10|0|1|1|1|4|N|u|1\nn2|10|0|1|1|1|4|N|u|1\nn3|10|0|1|1|1|4|N|u|1\n\n\n\n");
    const double deviation = Statistics::evaluate(htools::all_nodes(cluster.nodes)).values()[0];
    CHECK(deviation > 0);
    CHECK(deviation < 1e-16);
  }
}

TEST_CASE("lower bound from the reservations") {
  // 4096 MiB are reserved; the total memory is 65536 MiB, and 49152 MiB without the largest node.
  const Cluster four = load(four_nodes());
  CHECK(htools::reservation_lower_bound(htools::all_nodes(four.nodes)) == 0.25 * (4096.0 / 49152.0 - 4096.0 / 65536.0));
  CHECK(htools::format_general(htools::reservation_lower_bound(htools::all_nodes(four.nodes)), 6) == "5.208333e-3");
  // Offline nodes count as well.
  const Cluster offline = load(four_nodes(), {}, {"n1", "n2", "n3", "n4"});
  CHECK(htools::reservation_lower_bound(htools::all_nodes(offline.nodes)) ==
        htools::reservation_lower_bound(htools::all_nodes(four.nodes)));
  CHECK(htools::reservation_lower_bound({}) == 0.0);
  CHECK(htools::reservation_lower_bound({four.nodes[1]}) == 0.0);

  // All amounts of all peer maps count, not only the largest: 1000 + 500 on n3, 200 on n1.
  const Cluster uneven = load(
      "g|u|preferred||\n\nn1|4000|0|3000|9000|9000|4|N|u|1\nn2|6000|0|5000|9000|9000|4|N|u|1\n"
      "n3|10000|0|9000|9000|9000|4|N|u|1\n\n"
      "i1|1000|10|1|running|Y|n1|n3|drbd||1\ni2|500|10|1|running|Y|n2|n3|drbd||1\n"
      "i3|200|10|1|ADMIN_down|Y|n2|n1|drbd||1\ni4|300|10|1|ADMIN_offline|Y|n2|n1|drbd||1\n\n\n");
  CHECK(htools::reservation_lower_bound(htools::all_nodes(uneven.nodes)) ==
        0.25 * (1700.0 / 10000.0 - 1700.0 / 20000.0));

  std::vector<Node> lonely(2);
  lonely[0].facts.edit().total_memory = 4096;  // the other node has no memory
  CHECK(htools::reservation_lower_bound(htools::all_nodes(lonely)) == 0.0);
}

TEST_CASE("the score of random clusters is that of the literal computation, to the last bit") {
  Random random(1);
  for (int round = 0; round < scaled(3000); ++round) {
    auto shape = htools::testing::random_shape(random);
    shape.no_spindles = random.chance(10) ? 20 : 0;
    const Cluster cluster = htools::testing::random_cluster(random, shape);
    const NodeRefs nodes = htools::all_nodes(cluster.nodes);
    const Statistics statistics = Statistics::evaluate(nodes);
    REQUIRE(same_score(statistics.score(), literal::score(nodes)));
    if (!statistics.has_components()) continue;
    const literal::Values values = literal::Statistics(nodes).values();
    for (std::size_t k = 0; k < values.size(); ++k) {
      CAPTURE(htools::kComponents[k].name);
      REQUIRE(same_score(statistics.values()[k], values[k]));
    }
  }
}

TEST_CASE("an update is close to an evaluation, and equal to the literal update") {
  Random random(3);
  for (int round = 0; round < scaled(2000); ++round) {
    const Cluster cluster = htools::testing::random_cluster(random, htools::testing::random_shape(random));
    const NodeRefs nodes = htools::all_nodes(cluster.nodes);
    Statistics statistics = Statistics::evaluate(nodes);
    if (!statistics.has_components()) continue;
    literal::Statistics expected(nodes);
    std::vector<Node> changed = cluster.nodes;
    for (int step = 0; step < 4; ++step) {
      const std::size_t n = random.index(changed.size());
      const Node before = changed[n];
      htools::Instance instance;
      instance.facts.edit().memory = random.between(0, 4000);
      instance.facts.edit().disk = random.between(0, 4000);
      instance.facts.edit().vcpus = random.between(1, 4);
      instance.facts.edit().disk_template = random.chance(70) ? htools::DiskTemplate::Drbd : htools::DiskTemplate::Rbd;
      instance.facts.edit().utilisation = {random.fraction(), random.fraction(), random.fraction(), random.fraction()};
      instance.location_score = random.between(0, 2);
      instance.facts.edit().disks = {{instance.facts->disk, 1}};
      if (random.chance(50)) {
        htools::add_primary(changed[n], htools::InstanceIndex(1000), instance);
      } else {
        htools::add_secondary(changed[n], htools::InstanceIndex(1000), instance,
                              NodeIndex(random.index(changed.size())));
      }
      statistics.update(htools::node_values(before), htools::node_values(changed[n]), before.offline);
      expected.update(before, changed[n]);
      REQUIRE(same_score(statistics.score(), expected.score()));
    }
    const auto evaluated = Statistics::evaluate(htools::all_nodes(changed));
    for (std::size_t k = 0; k < 20; ++k) {
      CAPTURE(htools::kComponents[k].name);
      if (literal::is_deviation(k)) {
        REQUIRE(std::abs(statistics.variances()[k] - evaluated.variances()[k]) <= 1e-9);
      }
      REQUIRE(std::abs(statistics.sums()[k] - evaluated.sums()[k]) <= 1e-9);
    }
  }
}

TEST_CASE("an updated variance is never negative and never NaN") {
  CHECK(htools::updated_variance(0.0, 3.0, 3.0, 0.0, 0.0) == 0.0);
  CHECK(htools::updated_variance(std::numeric_limits<double>::quiet_NaN(), 3.0, 3.0, 1.0, 1.0) == 0.0);
  // The values 0 and 2 become 2 and 2, so their variance of 1 becomes 0.
  CHECK(htools::updated_variance(1.0, 2.0, 2.0, 2.0, 4.0) == 0.0);
  CHECK(htools::updated_variance(0.5, 2.0, 2.0, 2.0, 4.0) == 0.0);
  // The values 0 and 0 become 4 and 0.
  CHECK(htools::updated_variance(0.0, 2.0, 0.0, 4.0, 16.0) == 4.0);
}

TEST_CASE("collisions of location and exclusion tags") {
  Cluster cluster = load(
      "g|u|preferred||\n\n"
      "n1|8192|0|8192|9000|9000|4|N|u|1|p:a,p:b\nn2|8192|0|8192|9000|9000|4|N|u|1|p:a\n"
      "n3|8192|0|8192|9000|9000|4|N|u|1|p:b\nn4|8192|0|8192|9000|9000|4|N|u|1\n\n"
      "i1|1|1|1|running|Y|n1||rbd|s:1\ni2|1|1|1|running|Y|n2||rbd|s:1,s:2\ni3|1|1|1|running|Y|n3||rbd|s:2\n"
      "i4|1|1|1|running|Y|n4||rbd|s:1,s:2\ni5|1|1|1|running|Y|n1||rbd|s:1|1|-|Y\n\n"
      "htools:nlocation:p\nhtools:iextags:s\n\n");
  // The pairs are (a,1) and (b,1) of i1, (a,1) and (a,2) of i2, and (b,2) of i3. i4 is on a node without locations, and
  // i5 is only planned.
  CHECK(htools::pair_collisions(htools::all_nodes(cluster.nodes)) == 1.0);
  htools::add_primary(cluster.nodes[1], htools::InstanceIndex(0), cluster.instances[0]);
  CHECK(htools::pair_collisions(htools::all_nodes(cluster.nodes)) == 2.0);
  cluster.nodes[0].offline = true;  // n2 has (a,1) twice and (a,2), n3 has (b,2)
  CHECK(htools::pair_collisions(htools::all_nodes(cluster.nodes)) == 1.0);

  Random random(4);
  for (int round = 0; round < scaled(1500); ++round) {
    auto shape = htools::testing::random_shape(random);
    shape.tagged = 80;
    const Cluster tagged = htools::testing::random_cluster(random, shape);
    literal::PairMap together;
    for (const htools::Instance& instance : tagged.instances) {
      const Node& node = tagged.node(instance.primary);
      if (node.offline || instance.facts->forthcoming) continue;
      for (const auto& location : node.facts->location_tags.tags()) {
        for (const auto& tag : instance.facts->exclusion_tags()) together[{location, tag}] += 1;
      }
    }
    REQUIRE(htools::pair_collisions(htools::all_nodes(tagged.nodes)) == literal::collisions(together));
  }
}

TEST_CASE("the variance of a changed value follows from the sums") {
  // 1, 2, 3 and 6 have the sum 12 and the variance 3.5; with 4 instead of 2, the variance is 3.25.
  CHECK(htools::variance_gain(4, 12, 2, 12) == -0.25);
  CHECK(htools::updated_variance(3.5, 4, 12, 2, 12) == 3.25);
  CHECK(htools::updated_variance(0.125, 4, 12, 2, 12) == 0.0);
}

}  // namespace htools::statistics_test
