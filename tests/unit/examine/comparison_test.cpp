#include "examine/comparison.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "cluster/prepare.h"
#include "examine/tag_spread.h"
#include "formats/text_reader.h"

namespace htools::comparison_test {
namespace {

Cluster cluster_of(const std::string& nodes, const std::string& instances) {
  Cluster cluster = read_text_cluster(
      "g|u|preferred|\n\n" + nodes + "\n" + instances + "\nhtools:nlocation:rack\nhtools:iextags:service\n", "test");
  prepare(cluster, {});
  return cluster;
}

const std::string kNodes =
    "n1|65536|1024|50000|100000|90000|8|N|u|1|rack:1\n"
    "n2|65536|1024|50000|100000|90000|8|N|u|1|rack:1\n"
    "n3|65536|1024|50000|100000|90000|8|N|u|1|rack:2\n";

TEST_CASE("states are compared by names") {
  const Cluster now = cluster_of(
      kNodes,
      "a|1024|10|1|running|Y|n1|n2|drbd|\nb|1024|10|1|running|Y|n2|n1|drbd|\nc|1024|10|1|running|Y|n3|n1|drbd|\n");
  const Cluster other = cluster_of(
      "n0|65536|1024|50000|100000|90000|8|N|u|1|\n" + kNodes,
      "d|1|1|1|running|Y|n0|n1|drbd|\na|1024|10|1|running|Y|n1|n2|drbd|\nb|2048|10|1|running|Y|n1|n2|drbd|\n");
  const StateComparison c = compare_states(now, other);
  CHECK(c.nodes.size() == 3);
  CHECK(c.only_now_nodes.empty());
  REQUIRE(c.only_other_nodes.size() == 1);
  CHECK(other.node(c.only_other_nodes[0]).facts->name == "n0");
  REQUIRE(c.moved.size() == 1);
  CHECK(now.instance(c.moved[0].now).facts->name == "b");
  REQUIRE(c.resized.size() == 1);
  CHECK(other.instance(c.resized[0].other).facts->name == "b");
  REQUIRE(c.only_now.size() == 1);
  CHECK(now.instance(c.only_now[0]).facts->name == "c");
  REQUIRE(c.only_other.size() == 1);
  CHECK(other.instance(c.only_other[0]).facts->name == "d");
}

TEST_CASE("services are counted by location") {
  const Cluster cluster =
      cluster_of(kNodes,
                 "a|1024|10|1|running|Y|n1|n2|drbd|service:dns\nb|1024|10|1|running|Y|n1|n3|drbd|service:dns\n"
                 "c|1024|10|1|running|Y|n3|n1|drbd|service:dns\nd|1024|10|1|running|Y|n3|n1|drbd|service:web\n");
  const TagSpread spread = tag_spread(cluster, {GroupIndex(0)});
  REQUIRE(spread.locations.size() == 2);
  CHECK(spread.locations[0].tag == "rack:1");
  CHECK(spread.locations[0].nodes.size() == 2);
  CHECK(spread.locations[0].primaries == 2);
  CHECK(spread.locations[0].inside == 1);
  CHECK(spread.locations[1].primaries == 2);
  REQUIRE(spread.services.size() == 2);
  CHECK(spread.services[0].tag == "service:dns");
  CHECK(spread.services[0].instances == 3);
  CHECK(spread.services[0].same_node == 1);
  CHECK(spread.services[0].by_location == std::vector<std::size_t>{2, 1});
  CHECK(tag_spread(cluster, {}).services.empty());
}

}  // namespace
}  // namespace htools::comparison_test
