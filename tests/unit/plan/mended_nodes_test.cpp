#include "plan/mended_nodes.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "plan/urgent_order.h"
#include "trial/trial.h"

namespace htools::mended_nodes_test {

namespace {

constexpr NodeIndex kN1{0}, kN2{1}, kN3{2};

// Returns three nodes, the second of which lacks memory for failovers of the first: 2048 MiB are free, `web`, `app` and
// `db` need 4096, 1024 and 1536 MiB.
Cluster unsafe_cluster() {
  Cluster cluster = read_text_cluster(
      "g|u|preferred|\n\n"
      "n1|20480|0|13824|204800|102400|8|N|u|1\n"
      "n2|10240|0|2048|204800|102400|8|N|u|1\n"
      "n3|20480|0|20480|204800|204800|8|N|u|1\n\n"
      "web|4096|51200|1|running|Y|n1|n2|drbd|\n"
      "app|1024|10240|1|running|Y|n1|n2|drbd|\n"
      "db|1536|20480|1|running|Y|n1|n2|drbd|\n"
      "big|8192|20480|1|running|Y|n2|n3|drbd|\n\n",
      "test");
  prepare(cluster, {});
  return cluster;
}

BalanceStep new_secondary(std::size_t instance, NodeIndex node) {
  return {InstanceIndex(instance), {MoveKind::ReplaceSecondary, node}, {kN1, kN2}, {kN1, node}, 0.0};
}

}  // namespace

TEST_CASE("of the steps that leave a node that is not N+1 safe, those are needed that mend it with few copies") {
  const Cluster cluster = unsafe_cluster();
  REQUIRE(cluster.node(kN2).books.n1_failed);
  const std::vector steps{new_secondary(2, kN3), new_secondary(1, kN3), new_secondary(0, kN3)};
  const std::vector<MendedNode> nodes = mended_nodes(cluster, steps);
  REQUIRE(nodes.size() == 1);
  CHECK(nodes.front().node == kN2);
  CHECK(nodes.front().kind == ServedKind::NPlusOne);
  // 6656 MiB are needed there, 2048 are free. Without web and app it is 1536 MiB, and app copies less than db.
  CHECK(nodes.front().steps == std::vector<std::size_t>{1, 2});
}

TEST_CASE("a step that alone mends a node is the only urgent one") {
  const Cluster cluster = unsafe_cluster();
  const BalanceStep failover{InstanceIndex(3), {MoveKind::Failover, NodeIndex::none()}, {kN2, kN3}, {kN3, kN2}, 0.0};
  const std::vector steps{new_secondary(1, kN3), failover};
  const UrgentOrder order = urgent_order(cluster, steps, false);
  CHECK(order.urgency == std::vector{Urgency::Balance, Urgency::AtRisk});
  CHECK(order.order == std::vector<std::size_t>{1, 0});
}

TEST_CASE("steps that do not mend a node are all noted, and of a sound cluster none") {
  const Cluster cluster = unsafe_cluster();
  const std::vector steps{new_secondary(1, kN3), new_secondary(2, kN3)};
  REQUIRE(mended_nodes(cluster, steps).size() == 1);
  CHECK(mended_nodes(cluster, steps).front().steps == std::vector<std::size_t>{0, 1});
  Trial sound(cluster);
  sound.apply(InstanceIndex(3), {MoveKind::Failover, NodeIndex::none()});
  CHECK(mended_nodes(sound.cluster(), {}).empty());
}

}  // namespace htools::mended_nodes_test
