#include "search/shorter.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "plan/paths.h"
#include "trial/trial.h"

namespace htools::shorter_test {

TEST_CASE("one of the shorter plans leaves an instance where a detour has brought it") {
  Cluster cluster = read_text_cluster(
      "g|u|preferred|\n\n"
      "n1|8192|0|4096|0|0|8|N|u|1\n"
      "n2|8192|0|7168|0|0|8|N|u|1\n"
      "n3|8192|0|8192|0|0|8|N|u|1\n\n"
      "a|4096|0|1|running|Y|n1||ext|\n"
      "b|1024|0|1|running|Y|n2||ext|\n\n",
      "test");
  prepare(cluster, {});
  const InstanceIndex a{0}, b{1};
  const NodeIndex n1{0}, n2{1}, n3{2};
  const auto move = [](InstanceIndex i, NodeIndex from, NodeIndex to) {
    const NodeIndex none = NodeIndex::none();
    return BalanceStep{i, {MoveKind::FailoverToAny, to}, {from, none}, {to, none}, 0.0};
  };
  const Ordering plan = ordering_of({move(b, n2, n3), move(a, n1, n2), move(b, n3, n2)});
  const GroupMembers members = members_of(cluster, GroupIndex(0));
  const auto leads_to = [&](const Ordering& shorter, NodeIndex place_of_b) {
    Trial trial(cluster);
    for (const OrderedStep& s : shorter.steps) trial.apply(s.step.instance, s.step.move);
    return trial.cluster().instance(a).primary == n2 && trial.cluster().instance(b).primary == place_of_b;
  };
  const std::vector<Ordering> shorter = shorter_plans(cluster, members, {}, plan);
  CHECK(std::ranges::any_of(shorter, [&](const Ordering& s) { return s.steps.size() == 1 && leads_to(s, n2); }));
  CHECK(std::ranges::any_of(shorter, [&](const Ordering& s) { return s.steps.size() == 2 && leads_to(s, n3); }));
}

}  // namespace htools::shorter_test
