#include "search/shorter.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "plan/direct_order.h"
#include "plan/paths.h"
#include "trial/trial.h"

namespace htools::shorter_test {
namespace {

constexpr std::size_t kManyStates = 1000;
constexpr InstanceIndex kA(0), kB(1), kC(2), kE(3);
constexpr NodeIndex kN0(0), kN1(1), kN2(2);

// Three hosts of 100 GiB on shared storage: n0 runs a (60 GiB), n1 runs c (39) and e (10), n2 runs b (20). a has no
// room on n1 before c has left it, and c has none on n0 if b comes first.
Cluster three_hosts() {
  Cluster cluster = read_text_cluster(
      "g|u|preferred||\n\n"
      "n0|102400|0|40960|1000|1000|32|N|u|1\n"
      "n1|102400|0|52224|1000|1000|32|N|u|1\n"
      "n2|102400|0|81920|1000|1000|32|N|u|1\n\n"
      "a|61440|1|1|running|Y|n0||ext||1|-|N\n"
      "b|20480|1|1|running|Y|n2||ext||1|-|N\n"
      "c|39936|1|1|running|Y|n1||ext||1|-|N\n"
      "e|10240|1|1|running|Y|n1||ext||1|-|N\n\n\n",
      "x.data");
  prepare(cluster, {});
  return cluster;
}

WantedPlacement to(InstanceIndex i, NodeIndex n) { return {i, {n, NodeIndex::none()}}; }

// Returns the plan that these moves make.
Ordering plan_of(const Cluster& start, const std::vector<WantedPlacement>& moves) {
  Trial trial(start);
  std::vector<BalanceStep> steps;
  for (const WantedPlacement& w : moves) {
    const Move move{MoveKind::FailoverToAny, w.placement.primary};
    steps.push_back({w.instance, move, placement_of(trial.cluster().instance(w.instance)), w.placement, 0.0});
    trial.apply(w.instance, move);
  }
  return ordering_of(steps);
}

std::vector<InstanceIndex> movers(const Ordering& plan) {
  std::vector<InstanceIndex> instances;
  for (const OrderedStep& s : plan.steps) instances.push_back(s.step.instance);
  return instances;
}

}  // namespace

TEST_CASE("an order of direct moves is found after a dead end") {
  const Cluster cluster = three_hosts();
  const GroupMembers members = members_of(cluster, GroupIndex(0));
  Trial trial(cluster);
  const std::vector<WantedPlacement> wanted{to(kB, kN0), to(kC, kN0), to(kA, kN1)};
  const auto steps = direct_order(trial, members, wanted, {}, kManyStates);
  REQUIRE(steps);
  CHECK(movers(ordering_of(*steps)) == std::vector{kC, kA, kB});
  CHECK(steps->back().after == Placement{kN0, NodeIndex::none()});
  CHECK(trial.cluster().instance(kA).primary == kN0);  // the trial is as before
  CHECK_FALSE(direct_order(trial, members, wanted, {}, 3));
  CHECK_FALSE(direct_order(trial, members, {to(kB, kN0), to(kA, kN1)}, {}, kManyStates));
}

TEST_CASE("moves that cancel each other are left out, and so are instances that need not move") {
  const Cluster cluster = three_hosts();
  const GroupMembers members = members_of(cluster, GroupIndex(0));
  const Ordering plan = plan_of(cluster, {to(kE, kN2), to(kC, kN0), to(kE, kN1), to(kA, kN1)});
  const std::vector<Ordering> shorter = shorter_plans(cluster, members, {}, plan);
  REQUIRE(shorter.size() == 2);
  CHECK(movers(shorter[0]) == std::vector{kC, kA});
  CHECK(movers(shorter[1]) == std::vector{kC});  // without c, a finds no room

  SearchRules emptying;
  emptying.wishes.emptied = {kN0};
  const std::vector<Ordering> emptied = shorter_plans(cluster, members, emptying, plan);
  REQUIRE(emptied.size() == 1);  // a has to leave
  CHECK(movers(emptied[0]) == std::vector{kC, kA});
}

}  // namespace htools::shorter_test
