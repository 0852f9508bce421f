#include <doctest/doctest.h>

#include <cstdint>

#include "balance/balancer.h"
#include "cluster/members.h"
#include "plan/urgency.h"
#include "search/search.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"
#include "trial/trial.h"

namespace htools::urgent_plans_test {

TEST_CASE("with a limit on moves or copies, a plan brings back as many instances as the balancer does") {
  testing::Random random(31);
  int brought_back = 0, started = 0;
  for (int round = 0; round < testing::scaled(200); ++round) {
    CAPTURE(round);
    testing::ClusterShape shape = random_shape(random);
    shape.nodes = random.between(4, 10);
    shape.instances = random.between(10, 40);
    shape.groups = 1;
    shape.templates = {DiskTemplate::Drbd, DiskTemplate::Drbd, DiskTemplate::Rbd};
    shape.offline = random.between(10, 30);
    shape.no_spindles = 0;
    const Cluster start = random_cluster(random, shape);
    const GroupMembers members = members_of(start, GroupIndex(0));
    BalanceOptions options;
    options.max_steps = random.between(1, 6);
    Trial plain(start), searched(start);
    balance(plain, members, options);
    const Ordering plan = search_plan(start, members, {}, {.max_steps = options.max_steps}, {.level = 1});
    for (const OrderedStep& s : plan.steps) searched.apply(s.step.instance, s.step.move);
    const std::int64_t down = stranded(searched.cluster(), members).down;
    CHECK(down <= stranded(plain.cluster(), members).down);
    brought_back += down < stranded(start, members).down ? 1 : 0;

    // Without any copy, no fewer than the balancer brings back that has only such moves.
    options = {};
    options.moves.disk_moves = false;
    options.moves.evacuation = true;
    Trial failed_over(start), without_copies(start);
    balance(failed_over, members, options);
    for (const OrderedStep& s : search_plan(start, members, {}, {.max_copied = 0}, {.level = 1}).steps) {
      without_copies.apply(s.step.instance, s.step.move);
    }
    const std::int64_t still_down = stranded(without_copies.cluster(), members).down;
    CHECK(still_down <= stranded(failed_over.cluster(), members).down);
    started += still_down < stranded(start, members).down ? 1 : 0;
  }
  CHECK(brought_back > testing::scaled_tally(20));
  CHECK(started > testing::scaled_tally(20));
}

}  // namespace htools::urgent_plans_test
