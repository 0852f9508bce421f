#include "search/model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "cluster/members.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "metric/statistics.h"
#include "search/placement_state.h"
#include "search/search.h"

namespace htools::model_test {

namespace {

void check_price(const SlotPrice& price, std::int64_t moves, std::int64_t copied, std::int64_t migrated) {
  CHECK(price.moves == moves);
  CHECK(price.copied == copied);
  CHECK(price.migrated == migrated);
}

Cluster loaded(const std::string& text) {
  Cluster cluster = read_text_cluster("g|u|preferred||\n\n" + text, "x.data");
  prepare(cluster, {});
  return cluster;
}

}  // namespace

TEST_CASE("an instance with a mirror copies its disk to each new node, and its memory to each node that runs it") {
  ModelInstance instance;
  instance.home = {0, 1};
  instance.has_secondary = true;
  instance.disk = 500;
  instance.migrated = 10;
  check_price(price(instance, {0, 1}), 0, 0, 0);
  check_price(price(instance, {1, 0}), 1, 0, 10);
  check_price(price(instance, {0, 2}), 1, 500, 0);
  check_price(price(instance, {1, 2}), 1, 500, 10);
  check_price(price(instance, {2, 0}), 1, 500, 10);
  check_price(price(instance, {2, 1}), 1, 500, 20);  // the secondary runs it meanwhile
  check_price(price(instance, {2, 3}), 2, 1000, 10);
}

TEST_CASE("an instance without a mirror migrates, with its local disks or without, or restarts") {
  ModelInstance instance;
  instance.home = {0, kNoSlot};
  instance.migrated = 10;
  check_price(price(instance, {0, kNoSlot}), 0, 0, 0);
  check_price(price(instance, {1, kNoSlot}), 1, 0, 10);
  instance.copied = 500;
  check_price(price(instance, {1, kNoSlot}), 1, 500, 10);
  instance.migrated = 0;
  check_price(price(instance, {1, kNoSlot}), 1, 500, 0);
}

TEST_CASE("the memory of an instance counts if it migrates live") {
  const auto migrated = [](const std::string& disk_template, const std::string& tag) {
    Cluster cluster = loaded(
        "n0|8192|0|7168|102400|102400|8|N|u|1\n"
        "n1|8192|0|8192|102400|102400|8|N|u|1\n\n"
        "a|1024|100|1|running|Y|n0||" +
        disk_template + "|" + tag + "|1\n\n");
    MoveRules rules;
    rules.local_moves = true;
    cluster.instance(InstanceIndex(0)).facts.edit().movable = true;
    const PlacementModel model(cluster, members_of(cluster, GroupIndex(0)), rules);
    return price(model.instances()[0], {1, kNoSlot}).migrated;
  };
  CHECK(migrated("rbd", "") == 1024);
  CHECK(migrated("plain", "") == 0);
  CHECK(migrated("plain", "proxmox:qemu:101") == 1024);
  CHECK(migrated("rbd", "proxmox:lxc:104") == 0);
}

TEST_CASE("what a node keeps free of its disk is not left for instances, unless rules are forced") {
  Cluster cluster = loaded(
      "n0|8192|0|7168|102400|102400|8|N|u|1\n"
      "n1|8192|0|8192|102400|102400|8|N|u|1\n\n"
      "a|1024|0|1|running|Y|n0||rbd||1\n\n");
  cluster.node(NodeIndex(1)).facts.edit().min_free_disk = 2400;
  const auto disk_left = [&](bool force, std::size_t node) {
    MoveRules rules;
    rules.force = force;
    const PlacementModel model(cluster, members_of(cluster, GroupIndex(0)), rules);
    return model.nodes()[node].left[static_cast<std::size_t>(CapacityLimit::Disk)];
  };
  CHECK(disk_left(false, 0) == 102399);
  CHECK(disk_left(false, 1) == 100000);
  CHECK(disk_left(true, 1) == 102399);
}

TEST_CASE("a move that makes a node N+1 safe has its whole gain, however high a score is allowed") {
  // n1 reserves 6000 MiB for n0, and has less. If b leaves it, its instances count no more.
  const Cluster cluster = loaded(
      "n0|16384|0|10384|102400|101376|8|N|u|1\n"
      "n1|16384|0|4384|102400|101376|8|N|u|1\n"
      "n2|16384|0|16384|102400|102400|8|N|u|1\n\n"
      "a|6000|1024|1|running|Y|n0|n1|drbd||1\n"
      "b|4000|0|1|running|Y|n1||rbd||1\n"
      "c|8000|0|1|running|Y|n1||rbd||1\n\n");
  const GroupMembers members = members_of(cluster, GroupIndex(0));
  REQUIRE(cluster.node(NodeIndex(1)).books.n1_failed);
  const PlacementModel model(cluster, members, {});
  PlacementState state(model);
  const Relocation away{model.slot(InstanceIndex(1)), {2, kNoSlot}};
  const double after = state.evaluate({&away, 1}, INFINITY);
  REQUIRE(after < score(member_nodes(cluster, members)) - 1.0);
  CHECK(state.evaluate({&away, 1}, after + 1e-9) == after);
  CHECK(state.evaluate({&away, 1}, after - 1e-9) == INFINITY);
}

TEST_CASE("an instance goes nowhere where something is lacking") {
  // a needs 1024 MiB of memory, 2048 MiB of disk and two virtual cpus, of which a node may have one for each cpu but
  // one, which it needs itself.
  const auto is_possible = [](const std::string& target) {
    Cluster cluster = loaded("n0|8192|0|7168|102400|100352|8|N|u|1\n" + target +
                             "|N|u|1\n\na|1024|2048|2|running|Y|n0||plain||1\n\n\n"
                             "|64,1,0,0,0,1|64,1,0,0,0,1;9999,99,99999,99,9,9|plain|1.0|32.0\n"
                             "g|64,1,0,0,0,1|64,1,0,0,0,1;9999,99,99999,99,9,9|plain|1.0|32.0\n");
    cluster.instance(InstanceIndex(0)).facts.edit().movable = true;
    MoveRules rules;
    rules.local_moves = true;
    const PlacementModel model(cluster, members_of(cluster, GroupIndex(0)), rules);
    REQUIRE(model.is_useful());
    PlacementState state(model);
    const Relocation away{0, {1, kNoSlot}};
    return std::isfinite(state.evaluate({&away, 1}, INFINITY));
  };
  CHECK(is_possible("n1|8192|0|8192|102400|102400|8"));
  CHECK(is_possible("n1|1025|0|1025|102400|102400|8"));
  CHECK_FALSE(is_possible("n1|1024|0|1024|102400|102400|8"));
  CHECK(is_possible("n1|8192|0|8192|102400|2049|8"));
  CHECK_FALSE(is_possible("n1|8192|0|8192|102400|2048|8"));
  CHECK(is_possible("n1|8192|0|8192|102400|102400|3"));
  CHECK_FALSE(is_possible("n1|8192|0|8192|102400|102400|2"));
}

TEST_CASE("an instance off a lost node may leave another one without N+1 safety") {
  // n2 reserves 6000 MiB for n1, and has 7000 MiB free.
  const auto is_possible = [](const std::string& role_of_n0) {
    const Cluster cluster = loaded("n0|16384|0|14384|102400|102400|8|" + role_of_n0 +
                                   "|u|1\n"
                                   "n1|16384|0|10384|102400|101376|8|N|u|1\n"
                                   "n2|16384|0|7000|102400|101376|8|N|u|1\n\n"
                                   "a|2000|0|1|running|Y|n0||rbd||1\n"
                                   "b|6000|1024|1|running|Y|n1|n2|drbd||1\n"
                                   "c|9384|0|1|running|Y|n2||rbd||1\n\n");
    const PlacementModel model(cluster, members_of(cluster, GroupIndex(0)), {});
    REQUIRE(model.is_useful());
    PlacementState state(model);
    const Relocation away{model.slot(InstanceIndex(0)), {2, kNoSlot}};
    return std::isfinite(state.evaluate({&away, 1}, INFINITY));
  };
  CHECK(is_possible("Y"));
  CHECK_FALSE(is_possible("N"));
}

TEST_CASE("limits are open until one of them is set") {
  CHECK(SearchLimits{}.are_open());
  CHECK_FALSE(SearchLimits{.max_steps = 1}.are_open());
  CHECK_FALSE(SearchLimits{.max_copied = 1}.are_open());
  CHECK_FALSE(SearchLimits{.max_seconds = 1.0}.are_open());
  CHECK_FALSE(SearchLimits{.until_score = 1.0}.are_open());
}

}  // namespace htools::model_test
