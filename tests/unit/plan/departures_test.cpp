#include "plan/departures.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cluster/members.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"

namespace htools::departures_test {

namespace {

constexpr NodeIndex kLeft{0}, kFull{1}, kFirst{2}, kSecond{3}, kOff{4}, kNone = NodeIndex::none();

// Returns a cluster with a node that is left, one that is nearly full, two equal ones, and one that is offline.
Cluster cluster_with(const std::string& instances) {
  Cluster cluster = read_text_cluster(
      "g|u|preferred||\n\n"
      "left|16384|0|12288|102400|92160|8|N|u|1\n"
      "full|16384|0|8192|102400|51200|8|N|u|1\n"
      "first|16384|0|16384|102400|102400|8|N|u|1\n"
      "second|16384|0|16384|102400|102400|8|N|u|1\n"
      "off|16384|0|16384|102400|102400|8|Y|u|1\n\n" +
          instances + "\n",
      "x.data");
  prepare(cluster, {});
  return cluster;
}

// Returns where each step leads.
std::vector<Placement> places_after(const std::string& instances, const std::vector<NodeIndex>& nodes) {
  Trial trial(cluster_with(instances));
  const GroupMembers members = members_of(trial.cluster(), GroupIndex(0));
  std::vector<Placement> places;
  for (const OrderedStep& s : departures(trial, members, nodes, {}).steps) {
    CHECK_FALSE(s.enables);
    places.push_back(s.step.after);
  }
  return places;
}

const std::string kFiller = "filler|8192|51200|4|running|Y|full||plain||1\n";

}  // namespace

TEST_CASE("an instance leaves for the node that gives the lowest score; of equal ones, the first") {
  const std::string shared = "a|4096|10240|1|running|Y|left||rbd||1\n" + kFiller;
  CHECK(places_after(shared, {kLeft}) == std::vector<Placement>{{kFirst, kNone}});
  CHECK(places_after(shared, {kLeft, kFirst}) == std::vector<Placement>{{kSecond, kNone}});
  CHECK(places_after(shared, {kSecond}).empty());
}

TEST_CASE("an instance with a mirror leaves as often as it has to") {
  const std::string mirrored = "a|4096|10240|1|running|Y|left|full|drbd||1\n" + kFiller;
  const std::vector<Placement> off_one = places_after(mirrored, {kLeft});
  REQUIRE(off_one.size() == 1);
  CHECK(off_one.front().primary != kLeft);
  CHECK(off_one.front().secondary != kLeft);
  const std::vector<Placement> off_both = places_after(mirrored, {kLeft, kFull});
  REQUIRE(off_both.size() == 2);
  for (const NodeIndex n : {off_both.back().primary, off_both.back().secondary}) {
    CHECK((n == kFirst || n == kSecond));
  }
}

TEST_CASE("an instance never comes to its other node again, nor to one that is offline") {
  // All other nodes are offline, or too small.
  Cluster cluster = cluster_with("a|4096|10240|1|running|Y|first|left|drbd||1\n" + kFiller);
  cluster.node(kSecond).offline = true;
  cluster.node(kFull).offline = true;
  Trial trial(cluster);
  const Ordering plan = departures(trial, members_of(cluster, GroupIndex(0)), std::vector{kLeft}, {});
  CHECK(plan.steps.empty());
  CHECK(cluster.node(kOff).offline);
}

}  // namespace htools::departures_test
