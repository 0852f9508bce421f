#include "balance/move_generation.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cluster/members.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "tests/support/literal_moves.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::move_generation_test {

namespace {

using htools::candidate_instances;
using htools::Cluster;
using htools::GroupIndex;
using htools::GroupMembers;
using htools::InstanceIndex;
using htools::Move;
using htools::MoveRules;
using htools::NodeIndex;
using htools::testing::Random;
using htools::testing::scaled;
using htools::testing::scaled_tally;
namespace literal = htools::testing::literal;

constexpr int kRandomClusters = 1000;

// Returns a cluster with n0 to n4 in the first group, and m0 and m1 in the second.
Cluster load(const std::string& instances, const htools::PrepareOptions& options = {},
             const std::vector<std::string>& offline = {}) {
  std::string text = "g1|u1|preferred||\ng2|u2|preferred||\n\n";
  for (const char* name : {"n0", "n1", "n2", "n3", "n4"})
    text += std::string(name) + "|8192|0|8192|102400|102400|4|N|u1|1\n";
  for (const char* name : {"m0", "m1"}) text += std::string(name) + "|8192|0|8192|102400|102400|4|N|u2|1\n";
  Cluster cluster = htools::read_text_cluster(text + "\n" + instances + "\n\n", "x.data");
  htools::prepare(cluster, options);
  htools::NodeOptions node_options;
  node_options.offline = offline;
  htools::apply_node_options(cluster, node_options);
  return cluster;
}

htools::PrepareOptions selection(const std::vector<std::string>& selected, const std::vector<std::string>& excluded) {
  htools::PrepareOptions options;
  options.selected_instances = selected;
  options.excluded_instances = excluded;
  return options;
}

std::string instance_line(const std::string& name, const std::string& nodes, const std::string& disk_template,
                          const std::string& auto_balance = "Y") {
  return name + "|512|1024|1|running|" + auto_balance + "|" + nodes + "|" + disk_template + "||1\n";
}

GroupMembers first_group(const Cluster& cluster) { return htools::members_of(cluster, GroupIndex(0)); }

// Returns the moves of the first instance as text, for example "f; n3: r, rf, frf, fr".
std::string moves_text(const Cluster& cluster, const MoveRules& rules) {
  static const std::vector<std::string> names{"f", "fa", "frf", "r", "rf", "fr"};
  std::string text;
  NodeIndex last;
  for (const Move& move : generate_moves(cluster, first_group(cluster), cluster.instances[0], rules)) {
    if (!text.empty()) text += move.target == last ? ", " : "; ";
    if (move.target != last) text += cluster.node(move.target).facts->name + ": ";
    text += names[static_cast<std::size_t>(move.kind)];
    last = move.target;
  }
  return text;
}

std::string candidates_text(const Cluster& cluster, const MoveRules& rules) {
  std::string text;
  for (InstanceIndex i : candidate_instances(cluster, first_group(cluster), rules)) {
    text += (text.empty() ? "" : " ") + cluster.instance(i).facts->name;
  }
  return text;
}

constexpr MoveRules kAll{};
constexpr MoveRules kRestricted{.restricted_migration = true};
constexpr MoveRules kNoDiskMoves{.disk_moves = false};
constexpr MoveRules kNoInstanceMoves{.instance_moves = false};
constexpr MoveRules kNoMoves{.disk_moves = false, .instance_moves = false};
constexpr MoveRules kNoDiskMovesRestricted{.disk_moves = false, .restricted_migration = true};
constexpr MoveRules kNoInstanceMovesRestricted{.instance_moves = false, .restricted_migration = true};

}  // namespace

TEST_CASE("the moves of an instance with a secondary") {
  struct Row {
    std::vector<std::string> offline;
    MoveRules rules;
    std::string moves;
  };
  // n0 is the primary, n1 the secondary and n4 offline, so n2 and n3 are the targets.
  const std::string replace_only = "n2: r; n3: r";
  const std::string replace_and_failover = "n2: r, rf; n3: r, rf";
  const std::vector<Row> rows{
      {{}, kAll, "f; n2: r, rf, frf, fr; n3: r, rf, frf, fr"},
      {{"n0"}, kAll, "f; n2: r, rf, frf, fr; n3: r, rf, frf, fr"},
      {{"n1"}, kAll, replace_and_failover},
      {{"n0", "n1"}, kAll, replace_and_failover},
      {{"n2"}, kAll, "f; n3: r, rf, frf, fr"},
      {{"n2", "n3"}, kAll, "f"},
      {{"n1", "n2", "n3"}, kAll, ""},
      {{}, kRestricted, "f; n2: r; n3: r"},
      {{"n1"}, kRestricted, replace_only},
      {{"n0"}, kRestricted, "f; n2: r, rf, fr; n3: r, rf, fr"},
      {{"n0", "n1"}, kRestricted, replace_and_failover},
      {{}, kNoDiskMoves, "f"},
      {{"n0"}, kNoDiskMoves, "f"},
      {{"n1"}, kNoDiskMoves, ""},
      {{}, kNoInstanceMoves, replace_only},
      {{"n0"}, kNoInstanceMoves, replace_only},
      {{"n1"}, kNoInstanceMoves, replace_only},
      {{"n0", "n1"}, kNoInstanceMoves, replace_only},
      {{}, kNoMoves, ""},
      {{}, kNoDiskMovesRestricted, "f"},
      {{}, kNoInstanceMovesRestricted, replace_only},
      {{"n0"}, kNoInstanceMovesRestricted, replace_only},
  };
  for (Row row : rows) {
    CAPTURE(row.offline.size());
    CAPTURE(row.rules.disk_moves);
    CAPTURE(row.rules.instance_moves);
    CAPTURE(row.rules.restricted_migration);
    row.offline.emplace_back("n4");
    const Cluster cluster = load(instance_line("i0", "n0|n1", "drbd"), {}, row.offline);
    for (const bool evacuation : {false, true}) {
      for (const bool force : {false, true}) {
        MoveRules rules = row.rules;
        rules.evacuation = evacuation;
        rules.force = force;
        const bool may_move = !evacuation || is_on_offline_node(cluster, cluster.instances[0]);
        CHECK(moves_text(cluster, rules) == (may_move ? row.moves : ""));
      }
    }
  }
}

TEST_CASE("the moves of an instance whose data every node reaches") {
  for (const char* disk_template : {"sharedfile", "blockdev", "rbd", "ext", "gluster"}) {
    CAPTURE(disk_template);
    const Cluster cluster = load(instance_line("i0", "n1|", disk_template), {}, {"n3"});
    for (const MoveRules& rules : {kAll, kRestricted, kNoDiskMoves, kNoDiskMovesRestricted}) {
      CHECK(moves_text(cluster, rules) == "n0: fa; n2: fa; n4: fa");
    }
    for (const MoveRules& rules : {kNoInstanceMoves, kNoMoves, kNoInstanceMovesRestricted}) {
      CHECK(moves_text(cluster, rules) == "");
    }
  }
  // An instance does not move to the node that it names as its secondary.
  CHECK(moves_text(load(instance_line("i0", "n1|n2", "ext")), kAll) == "n0: fa; n3: fa; n4: fa");
  CHECK(moves_text(load(instance_line("i0", "n1|n1", "ext")), kAll) == "n0: fa; n2: fa; n3: fa; n4: fa");
  CHECK(moves_text(load(instance_line("i0", "n1|n2", "ext"), {}, {"n1", "n2"}), kAll) == "n0: fa; n3: fa; n4: fa");
}

TEST_CASE("the moves of an instance whose data is on one node") {
  for (const char* disk_template : {"plain", "file"}) {
    CHECK(moves_text(load(instance_line("i0", "n0|", disk_template)), kAll) == "");
    CHECK(moves_text(load(instance_line("i0", "n0|n1", disk_template)), kAll) == "");
  }
}

TEST_CASE("an instance on a local disk that is movable moves if disks may") {
  Cluster cluster = load(instance_line("i0", "n1|", "plain"), {}, {"n3"});
  cluster.instances[0].facts.edit().movable = true;
  CHECK(moves_text(cluster, kAll) == "n0: fa; n2: fa; n4: fa");
  for (const MoveRules& rules : {kNoDiskMoves, kNoInstanceMoves, MoveRules{.local_moves = false}}) {
    CHECK(moves_text(cluster, rules) == "");
  }
}

TEST_CASE("candidates are movable and auto-balanced") {
  std::string instances;
  for (const char* disk_template : {"drbd", "blockdev", "sharedfile", "gluster", "rbd", "ext"}) {
    instances += instance_line(disk_template, "n0|n1", disk_template);
  }
  for (const char* disk_template : {"diskless", "plain", "file"}) {
    instances += instance_line(disk_template, "n0|", disk_template);
  }
  instances += instance_line("manual", "n0|n1", "drbd", "N");
  instances += instance_line("split", "n0|m0", "drbd");
  instances += instance_line("split-name", "n0|m0", "ext");
  instances += instance_line("elsewhere", "m0|m1", "drbd");
  instances += instance_line("last", "n3|n4", "drbd");
  CHECK(candidates_text(load(instances), kAll) == "drbd blockdev sharedfile gluster rbd ext last");
  CHECK(candidates_text(load(instances), kNoMoves) == "drbd blockdev sharedfile gluster rbd ext last");
  CHECK(candidates_text(load(instances, selection({"last", "ext", "plain", "manual"}, {})), kAll) == "ext last");
  CHECK(candidates_text(load(instances, selection({}, {"last", "ext"})), kAll) ==
        "drbd blockdev sharedfile gluster rbd");
  CHECK(candidates_text(load(instances, selection({"last", "ext"}, {"last"})), kAll) == "ext");
}

TEST_CASE("evacuation is for instances with an offline node") {
  const std::string instances = instance_line("a", "n0|n1", "drbd") + instance_line("b", "n1|n0", "drbd") +
                                instance_line("c", "n1|n2", "drbd") + instance_line("d", "n0|", "ext") +
                                instance_line("e", "n1|n0", "ext") + instance_line("f", "n0|n1", "ext");
  const MoveRules evacuate{.evacuation = true};
  CHECK(candidates_text(load(instances), evacuate) == "");
  // The secondary that an instance on external storage names does not count.
  CHECK(candidates_text(load(instances, {}, {"n0"}), evacuate) == "a b d f");
  CHECK(candidates_text(load(instances, {}, {"n2"}), evacuate) == "c");
  CHECK(candidates_text(load(instances, {}, {"n3", "m0"}), evacuate) == "");
}

TEST_CASE("an instance without its secondary is left out") {
  const std::string instances = instance_line("a", "n0|", "drbd") + instance_line("b", "n0|n1", "drbd");
  CHECK(candidates_text(load(instances), kAll) == "b");
  CHECK(candidates_text(load(instances, {}, {"n0"}), {.evacuation = true}) == "b");
}

TEST_CASE("candidates and moves of random clusters are those of the literal rules") {
  Random random(1);
  std::size_t moves = 0;
  for (int round = 0; round < scaled(kRandomClusters); ++round) {
    auto shape = htools::testing::random_shape(random);
    shape.second_node = 30;
    const Cluster cluster = htools::testing::random_cluster(random, shape);
    const MoveRules rules{.disk_moves = random.chance(70),
                          .instance_moves = random.chance(70),
                          .restricted_migration = random.chance(40),
                          .evacuation = random.chance(40)};
    for (std::size_t g = 0; g < cluster.groups.size(); ++g) {
      const GroupMembers members = htools::members_of(cluster, GroupIndex(g));
      const auto candidates = candidate_instances(cluster, members, rules);
      REQUIRE(candidates == literal::movable_instances(cluster, members, rules));
      for (InstanceIndex i : candidates) {
        const auto generated = generate_moves(cluster, members, cluster.instance(i), rules);
        REQUIRE(generated == literal::moves_of(cluster, members, cluster.instance(i), rules));
        moves += generated.size();
      }
    }
  }
  CHECK(moves > scaled_tally(1000));
}

TEST_CASE("nothing is copied from a node that is down if the rules forbid it") {
  const Cluster cluster = load(instance_line("dead", "n0|n1", "drbd") + instance_line("first", "n0|n2", "drbd") +
                                   instance_line("second", "n2|n0", "drbd") + instance_line("none", "n2|n3", "drbd"),
                               {}, {"n0", "n1"});
  const auto kinds_of = [&](std::size_t i, const MoveRules& rules) {
    const htools::MoveKinds kinds = htools::move_kinds(cluster, cluster.instances[i], rules);
    std::vector<htools::MoveKind> all(kinds.per_target.begin(), kinds.per_target.end());
    if (kinds.failover) all.insert(all.begin(), htools::MoveKind::Failover);
    return all;
  };
  using enum htools::MoveKind;
  const MoveRules alive{.dead_disks = false};
  CHECK(kinds_of(0, alive).empty());
  CHECK(kinds_of(0, {}) == std::vector{ReplaceSecondary, ReplaceAndFailover});
  CHECK(kinds_of(1, alive) == std::vector{Failover, ReplacePrimary, FailoverAndReplace});
  CHECK(kinds_of(1, {.dead_disks = false, .restricted_migration = true}) == std::vector{Failover, FailoverAndReplace});
  CHECK(kinds_of(1, {.disk_moves = false, .dead_disks = false}) == std::vector{Failover});
  CHECK(kinds_of(1, {.instance_moves = false, .dead_disks = false}).empty());
  CHECK(kinds_of(2, alive) == std::vector{ReplaceSecondary, ReplaceAndFailover});
  CHECK(kinds_of(3, alive) == kinds_of(3, {}));
}

}  // namespace htools::move_generation_test
