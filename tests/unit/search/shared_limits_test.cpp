#include "search/shared_limits.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "cluster/members.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "metric/statistics.h"
#include "plan/plan.h"
#include "search/greedy.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::shared_limits_test {
namespace {

using testing::ClusterShape;
using testing::Random;
using testing::scaled;

Cluster cluster_of_groups(Random& random) {
  ClusterShape shape = random_shape(random);
  shape.nodes = random.between(4, 12);
  shape.instances = random.between(5, 40);
  shape.groups = random.between(2, 3);
  shape.no_spindles = 0;
  shape.templates = {DiskTemplate::Drbd, DiskTemplate::Rbd};
  return random_cluster(random, shape);
}

}  // namespace

TEST_CASE("groups share limits by what their next steps gain") {
  Random random(61);
  int divided = 0, cut = 0;
  for (int round = 0; round < scaled(500); ++round) {
    CAPTURE(round);
    const Cluster cluster = cluster_of_groups(random);
    std::vector<GroupMembers> groups;
    for (std::size_t g = 0; g < cluster.groups.size(); ++g) groups.push_back(members_of(cluster, GroupIndex(g)));
    SearchLimits limits;
    if (random.chance(70)) limits.max_steps = random.between(0, 10);
    if (random.chance(50)) limits.max_copied = random.between(0, 200000);
    const std::vector<LimitShare> shares = divided_limits(cluster, groups, {}, limits);
    REQUIRE(shares.size() == groups.size());

    std::int64_t moves = 0, copied = 0, wanted = 0;
    int groups_with_moves = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const Ordering greedy = greedy_plan(cluster, groups[g], {});
      wanted += static_cast<std::int64_t>(greedy.steps.size());
      REQUIRE(shares[g].moves <= static_cast<std::int64_t>(greedy.steps.size()));
      std::int64_t copied_here = 0;
      for (std::int64_t s = 0; s < shares[g].moves; ++s) {
        copied_here += cost_of(cluster, greedy.steps[static_cast<std::size_t>(s)].step, {}).copied_mib;
      }
      CHECK(shares[g].copied == copied_here);
      moves += shares[g].moves;
      copied += shares[g].copied;
      groups_with_moves += shares[g].moves > 0 ? 1 : 0;
    }
    if (limits.max_steps) CHECK(moves <= *limits.max_steps);
    if (limits.max_copied) CHECK(copied <= *limits.max_copied);
    if (limits.max_steps && !limits.max_copied) CHECK(moves == std::min(wanted, *limits.max_steps));
    const bool has_limits = limits.max_steps || limits.max_copied;
    if (!has_limits) CHECK(moves == 0);
    divided += groups_with_moves > 1 ? 1 : 0;
    cut += has_limits && moves < wanted ? 1 : 0;

    // A single move is made where it gains most.
    const std::vector<LimitShare> one = divided_limits(cluster, groups, {}, {.max_steps = 1});
    const auto gain = [&](std::size_t g) {
      const Ordering greedy = greedy_plan(cluster, groups[g], {}, 1);
      return greedy.steps.empty() ? 0.0 : score(member_nodes(cluster, groups[g])) - greedy.steps.front().step.score;
    };
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (std::size_t other = 0; one[g].moves > 0 && other < groups.size(); ++other) CHECK(gain(g) >= gain(other));
    }

    const SearchLimits rest = limits_without(limits, shares);
    if (limits.max_steps) CHECK(*rest.max_steps == *limits.max_steps - moves);
    if (limits.max_copied) CHECK(*rest.max_copied == *limits.max_copied - copied);
  }
  CHECK(divided > 0);
  CHECK(cut > 0);
}

TEST_CASE("of groups that gain as much, the first one moves; one with the wanted score makes no move") {
  std::string nodes, instances;
  for (const char* group : {"u", "v"}) {
    const std::string g(group);
    nodes += g + "0|8192|0|4096|102400|102400|8|N|" + g + "|1\n" + g + "1|8192|0|8192|102400|102400|8|N|" + g + "|1\n";
    for (const char* i : {"a", "b"}) instances += g + i + "|2048|0|1|running|Y|" + g + "0||rbd||1\n";
  }
  Cluster cluster =
      read_text_cluster("g|u|preferred||\nh|v|preferred||\n\n" + nodes + "\n" + instances + "\n", "x.data");
  prepare(cluster, {});
  const std::vector<GroupMembers> groups{members_of(cluster, GroupIndex(0)), members_of(cluster, GroupIndex(1))};
  const auto moves = [&](const SearchLimits& limits) {
    const std::vector<LimitShare> shares = divided_limits(cluster, groups, {}, limits);
    return std::vector{shares[0].moves, shares[1].moves};
  };
  CHECK(moves({.max_steps = 1}) == std::vector<std::int64_t>{1, 0});
  CHECK(moves({.max_steps = 2}) == std::vector<std::int64_t>{1, 1});
  const double start = score(member_nodes(cluster, groups[0]));
  CHECK(moves({.max_steps = 2, .until_score = start}) == std::vector<std::int64_t>{0, 0});
}

}  // namespace htools::shared_limits_test
