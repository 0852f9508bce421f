#include "plan/least_price.h"

#include <doctest/doctest.h>

#include <vector>

#include "cluster/prepare.h"
#include "formats/text_reader.h"

namespace htools::least_price_test {

namespace {

using htools::Cluster;
using htools::InstanceIndex;
using htools::least_price_off;
using htools::least_price_to;
using htools::NodeIndex;
using htools::Placement;
using htools::WayPrice;

constexpr NodeIndex kFirst{0}, kSecond{1}, kThird{2}, kFourth{3}, kNone = NodeIndex::none();
constexpr InstanceIndex kDrbd{0}, kStopped{1}, kShared{2}, kForthcoming{3};

Cluster cluster() {
  Cluster result = htools::read_text_cluster(
      "g|u|preferred||\n\n"
      "n1|10240|0|8192|102400|51200|8|N|u|1\n"
      "n2|10240|0|10240|102400|51200|8|N|u|1\n"
      "n3|10240|0|10240|102400|102400|8|N|u|1\n"
      "n4|10240|0|10240|102400|102400|8|N|u|1\n\n"
      "a|1000|5000|1|running|Y|n1|n2|drbd|\n"
      "b|1000|5000|1|ADMIN_down|Y|n1|n2|drbd|\n"
      "c|1000|5000|1|running|Y|n1||rbd|\n"
      "d|1000|5000|1|running|Y|n1|n2|drbd||1|-|Y\n\n",
      "x.data");
  htools::prepare(result, {});
  return result;
}

}  // namespace

TEST_CASE("an instance copies its disk to each new node, and its memory to a new primary") {
  const Cluster now = cluster();
  const auto price = [&](InstanceIndex i, const Placement& to) { return least_price_to(now, {i, to}); };
  CHECK(price(kDrbd, {kFirst, kSecond}) == WayPrice{0, 0, 0});
  CHECK(price(kDrbd, {kSecond, kFirst}) == WayPrice{0, 1, 1000});
  CHECK(price(kDrbd, {kFirst, kThird}) == WayPrice{5000, 1, 0});
  CHECK(price(kDrbd, {kThird, kSecond}) == WayPrice{5000, 1, 1000});
  CHECK(price(kDrbd, {kThird, kFourth}) == WayPrice{10000, 2, 1000});
  CHECK(price(kStopped, {kThird, kFourth}) == WayPrice{10000, 2, 0});
  CHECK(price(kShared, {kThird, kNone}) == WayPrice{0, 1, 1000});
  CHECK(price(kForthcoming, {kThird, kFourth}) == WayPrice{0, 2, 0});
}

TEST_CASE("an instance leaves each of the nodes that it is on by a move") {
  const Cluster now = cluster();
  const auto price = [&](InstanceIndex i, const std::vector<NodeIndex>& nodes) {
    return least_price_off(now, now.instance(i), nodes);
  };
  CHECK(price(kDrbd, {kThird}) == WayPrice{0, 0, 0});
  CHECK(price(kDrbd, {kFirst, kThird}) == WayPrice{5000, 1, 1000});
  CHECK(price(kDrbd, {kSecond}) == WayPrice{5000, 1, 0});
  CHECK(price(kDrbd, {kFirst, kSecond}) == WayPrice{10000, 2, 1000});
  CHECK(price(kShared, {kFirst}) == WayPrice{0, 1, 1000});
  CHECK(price(kStopped, {kFirst}) == WayPrice{5000, 1, 0});
}

TEST_CASE("nothing is migrated from a node that does not work") {
  Cluster now = cluster();
  now.node(kFirst).offline = true;
  CHECK(least_price_off(now, now.instance(kDrbd), std::vector{kFirst}) == WayPrice{5000, 1, 0});
  now.node(kFirst).is_emptied = true;
  CHECK(least_price_off(now, now.instance(kDrbd), std::vector{kFirst}) == WayPrice{5000, 1, 1000});
}

}  // namespace htools::least_price_test
