#include "search/wishes.h"

#include <doctest/doctest.h>

#include <cstddef>

#include "cluster/members.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "metric/statistics.h"

namespace htools::wishes_test {

namespace {

using doctest::Approx;
using htools::Cluster;
using htools::Component;
using htools::GroupIndex;
using htools::NodeIndex;
using htools::Resource;
using htools::Wishes;

constexpr auto kMemory = static_cast<std::size_t>(Resource::Memory), kDisk = static_cast<std::size_t>(Resource::Disk),
               kCpus = static_cast<std::size_t>(Resource::Cpus);

// Three nodes, of which 60, 20 and 10 per cent of the memory are used, and 50, 50 and 0 of the disk. The third one is
// offline if that is wanted.
Cluster three_nodes(bool third_is_offline = false) {
  const std::string role = third_is_offline ? "Y" : "N";
  Cluster cluster = htools::read_text_cluster(
      "g|u|preferred||\n\n"
      "n1|1000|0|400|1000|500|4|N|u|1||N|0|0\n"
      "n2|1000|0|800|1000|500|4|N|u|1||N|0|0\n"
      "n3|1000|0|900|1000|1000|4|" +
          role +
          "|u|1||N|0|0\n\n"
          "a|600|500|2|running|Y|n1|n2|drbd|\n"
          "b|200|0|1|running|Y|n2||diskless|\n"
          "c|100|0|1|running|Y|n3||diskless|\n\n",
      "x.data");
  htools::prepare(cluster, {});
  return cluster;
}

double excess(const Cluster& cluster, const Wishes& wishes) {
  return excess_of(cluster, members_of(cluster, GroupIndex(0)), wishes);
}

}  // namespace

TEST_CASE("shares count what is used of each resource") {
  const Cluster cluster = three_nodes();
  const htools::ResourceShares shares = used_shares(cluster.node(NodeIndex(0)));
  CHECK(shares[kMemory] == Approx(0.6));
  CHECK(shares[kDisk] == Approx(0.5));
  CHECK(shares[kCpus] == Approx(0.5));
}

TEST_CASE("without wishes nothing is missed") {
  CHECK(!Wishes{}.has_limits());
  CHECK(!Wishes{}.has_factors());
  CHECK(excess(three_nodes(), {}) == 0.0);
}

TEST_CASE("each instance counts for each of its nodes that is to be empty") {
  const Cluster cluster = three_nodes();
  // One more ten-thousandth for each of them that runs there.
  CHECK(excess(cluster, {.emptied = {NodeIndex(0)}}) == Approx(1.0001));
  CHECK(excess(cluster, {.emptied = {NodeIndex(1)}}) == Approx(2.0001));
  CHECK(excess(cluster, {.emptied = {NodeIndex(0), NodeIndex(1)}}) == Approx(3.0002));
}

TEST_CASE("what online nodes use above the highest share is missed") {
  Wishes wishes;
  wishes.at_most[kMemory] = 0.15;
  CHECK(wishes.has_limits());
  CHECK(excess(three_nodes(), wishes) == Approx(0.45 * 1.45 + 0.05 * 1.05));
  wishes.at_most[kMemory] = 0.05;
  CHECK(excess(three_nodes(), wishes) == Approx(0.55 * 1.55 + 0.15 * 1.15 + 0.05 * 1.05));
  CHECK(excess(three_nodes(true), wishes) == Approx(0.55 * 1.55 + 0.15 * 1.15));
}

TEST_CASE("what two online nodes differ by above the spread is missed") {
  Wishes wishes;
  wishes.spread[kMemory] = 0.3;
  CHECK(wishes.has_limits());
  CHECK(excess(three_nodes(), wishes) == Approx(0.2));
  CHECK(excess(three_nodes(true), wishes) == Approx(0.1));
  wishes.spread[kMemory] = 0.5;
  CHECK(excess(three_nodes(), wishes) == Approx(0.0));
  wishes.at_most[kDisk] = 0.4;
  CHECK(excess(three_nodes(), wishes) == Approx(2 * 0.1 * 1.1));
}

TEST_CASE("the band of a highest share has no lower end") {
  Wishes wishes;
  wishes.at_most[kMemory] = 0.5;
  const Cluster cluster = three_nodes();
  const htools::ShareBands bands = bands_of(cluster, members_of(cluster, GroupIndex(0)), wishes);
  CHECK(bands[kMemory].highest == 0.5);
  CHECK(bands[kMemory].lowest < -1e9);
  CHECK(bands[kDisk].highest > 1e9);
}

TEST_CASE("the band of a spread lies where least has to leave the nodes above it, or to come to those below") {
  Wishes wishes;
  wishes.spread[kMemory] = 0.2;
  const Cluster cluster = three_nodes();
  // From 25 to 45 per cent, 15 would leave the first node, and 5 and 15 come to the others. From 20 to 40, 20 leave and
  // 10 come; from 23.3 to 43.3, 16.7 leave and 16.7 come, which is least.
  const htools::ShareBands bands = bands_of(cluster, members_of(cluster, GroupIndex(0)), wishes);
  CHECK(bands[kMemory].lowest == Approx(0.7 / 3).epsilon(0.01));
  CHECK(bands[kMemory].highest - bands[kMemory].lowest == Approx(0.2));
  wishes.at_most[kMemory] = 0.35;
  const htools::ShareBands below = bands_of(cluster, members_of(cluster, GroupIndex(0)), wishes);
  CHECK(below[kMemory].highest == Approx(0.35));
  CHECK(below[kMemory].lowest == Approx(0.15));
}

TEST_CASE("the wished score weighs components by the factors") {
  const Cluster cluster = three_nodes();
  const htools::GroupMembers members = members_of(cluster, GroupIndex(0));
  const htools::NodeRefs nodes = member_nodes(cluster, members);
  CHECK(wished_score(cluster, members, {}) == htools::score(nodes));
  Wishes wishes;
  wishes.factors.fill(0.0);
  constexpr auto kComponent = static_cast<std::size_t>(Component::FreeMemory);
  wishes.factors[kComponent] = 2.0;
  CHECK(wishes.has_factors());
  CHECK(wished_score(cluster, members, wishes) ==
        Approx(2.0 * htools::kComponents[kComponent].weight *
               htools::Statistics::evaluate(nodes).summary().components[kComponent]));
}

}  // namespace htools::wishes_test
