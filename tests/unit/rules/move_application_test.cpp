#include "rules/move_application.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "htools/moves.h"
#include "htools/refusal.h"
#include "tests/support/cluster_difference.h"
#include "tests/support/literal_moves.h"
#include "tests/support/literal_placement.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::move_application_test {

namespace {

using htools::Cluster;
using htools::DiskTemplate;
using htools::FailMode;
using htools::Instance;
using htools::InstanceIndex;
using htools::Ledger;
using htools::Load;
using htools::MirrorType;
using htools::Move;
using htools::MoveEffect;
using htools::MoveKind;
using htools::MoveReasons;
using htools::MoveTrials;
using htools::Node;
using htools::NodeBooks;
using htools::NodeIndex;
using htools::testing::ClusterShape;
using htools::testing::difference;
using htools::testing::Random;
using htools::testing::same_bits;
using htools::testing::same_score;
using htools::testing::scaled;
using htools::testing::scaled_tally;
namespace literal = htools::testing::literal;
using Answer = std::optional<FailMode>;

// The number of random clusters on which the property is tried.
constexpr std::uint64_t kRandomClusters = 250;

constexpr Answer kOk = std::nullopt;

// Returns the first book that does not agree with the lists and maps of its node; empty if all agree.
std::string inconsistency(const Cluster& cluster) {
  for (const Node& node : cluster.nodes) {
    const NodeBooks& b = node.books;
    if (b.primary_count != static_cast<std::int64_t>(node.primaries.size())) return node.facts->name + ": primaries";
    if (b.secondary_count != static_cast<std::int64_t>(node.secondaries.size()))
      return node.facts->name + ": secondaries";
    if (b.tag_conflicts != node.primary_tags.collisions()) return node.facts->name + ": tag conflicts";
    if (b.reserved_memory != node.peers.max()) return node.facts->name + ": reserved memory";
  }
  return "";
}

// ---- Random clusters

std::vector<MoveKind> kinds_for(const Instance& instance) {
  using enum MoveKind;
  switch (facts(instance.facts->disk_template).mirror) {
    case MirrorType::None:
      return {};
    case MirrorType::External:
      return {FailoverToAny};
    case MirrorType::Internal:
      break;
  }
  return {Failover, ReplacePrimary, ReplaceSecondary, ReplaceAndFailover, FailoverAndReplace};
}

// Returns moves to every node of the cluster, including those that balancing would not choose.
std::vector<Move> conceivable_moves(const Cluster& cluster, const Instance& instance) {
  std::vector<Move> moves;
  for (MoveKind kind : kinds_for(instance)) {
    if (kind == MoveKind::Failover) {
      moves.push_back({kind, NodeIndex::none()});
      continue;
    }
    for (NodeIndex n : literal::every_node(cluster)) {
      if (n != instance.primary && n != instance.secondary) moves.push_back({kind, n});
    }
  }
  return moves;
}

Cluster random_cluster(Random& random) {
  ClusterShape shape = htools::testing::random_shape(random);
  shape.nodes = random.between(2, 7);
  shape.instances = random.between(1, 18);
  shape.second_node = random.chance(50) ? 40 : 0;
  shape.no_spindles = random.chance(20) ? 30 : 0;
  shape.stopped = random.chance(50) ? 40 : 10;
  shape.largest_memory = random.one_of(std::vector<std::int64_t>{256, 2048, 4096});
  shape.templates = {DiskTemplate::Drbd, DiskTemplate::Drbd, DiskTemplate::Drbd, DiskTemplate::Ext};
  if (random.chance(40)) shape.templates = ClusterShape{}.templates;
  Cluster cluster = htools::testing::random_cluster(random, shape);
  htools::NodeOptions options;
  options.min_disk_ratio = random.one_of(std::vector<double>{0.0, 0.0, 0.1, 0.4});
  if (random.chance(20)) options.max_vcpu_ratio = random.fraction() * 3;
  htools::apply_node_options(cluster, options);
  return cluster;
}

// The numbers of moves made, by kind, and of refusals, by reason.
struct Seen {
  std::array<int, 6> made{};
  std::map<FailMode, int> refused;
};

void check_effect(const MoveEffect& effect, const literal::Moved& expected) {
  REQUIRE(effect.changes().size() == expected.nodes.size());
  for (const auto& [index, node] : expected.nodes) {
    const auto is_node = [n = index](const htools::NodeChange& change) { return change.node == n; };
    const auto changes = effect.changes();
    const auto change = std::find_if(changes.begin(), changes.end(), is_node);
    REQUIRE(change != changes.end());
    REQUIRE(difference(change->books, node.books) == "");
  }
}

struct ModeOf {
  FailMode operator()(const htools::Shortage& shortage) const { return shortage.mode; }
  FailMode operator()(const htools::NotReceivable&) const { return FailMode::Migration; }
  FailMode operator()(const htools::NodeCordoned&) const { return FailMode::Cordoned; }
  FailMode operator()(const htools::RuleBroken&) const { return FailMode::Rule; }
  FailMode operator()(const htools::Homeless&) const { return FailMode::N1; }
};

// Requires that a reason agrees with the decision, and names a node that takes part in the move.
void check_reason(const MoveReasons::Outcome& reason, const MoveTrials::Outcome& decision, const Instance& instance,
                  const Move& move) {
  REQUIRE(reason.index() == decision.index());
  if (const auto* effect = std::get_if<MoveEffect>(&decision)) {
    const auto changes = effect->changes(), same = std::get<MoveEffect>(reason).changes();
    REQUIRE(changes.size() == same.size());
    for (std::size_t c = 0; c < changes.size(); ++c) {
      REQUIRE(changes[c].node == same[c].node);
      REQUIRE(difference(changes[c].books, same[c].books) == "");
    }
    return;
  }
  const auto& refusal = std::get<htools::Refusal>(reason);
  REQUIRE(name(std::visit(ModeOf(), refusal.reason)) == name(std::get<FailMode>(decision)));
  const NodeIndex node = refusal.place.primary.is_none() ? refusal.place.secondary : refusal.place.primary;
  REQUIRE((node == instance.primary || node == instance.secondary || node == move.target));
}

// Checks the moves of most instances. Returns the cluster after a random one of those that are possible; nothing if
// none is.
std::optional<Cluster> check_all_moves(const Cluster& cluster, Random& random, Seen& seen) {
  std::optional<Cluster> next;
  std::int64_t possible = 0;
  for (std::size_t n = 0; n < cluster.instances.size(); ++n) {
    const InstanceIndex i(n);
    if (!random.chance(60)) continue;
    for (const bool force : {false, true}) {
      const MoveTrials trials(cluster, i, force);
      const MoveReasons reasons(cluster, i, force);
      for (const Move& move : conceivable_moves(cluster, cluster.instance(i))) {
        CAPTURE(n);
        CAPTURE(force);
        CAPTURE(static_cast<int>(move.kind));
        CAPTURE(move.target.is_none() ? -1 : static_cast<int>(move.target.position()));
        const auto outcome = trials.attempt(move);
        const auto expected = literal::moved(cluster, i, move, force);
        REQUIRE(outcome.index() == expected.index());
        check_reason(reasons.attempt(move), outcome, cluster.instance(i), move);
        if (const auto* reason = std::get_if<FailMode>(&expected)) {
          REQUIRE(name(std::get<FailMode>(outcome)) == name(*reason));
          seen.refused[*reason] += 1;
          continue;
        }
        const auto& moved = std::get<literal::Moved>(expected);
        check_effect(std::get<MoveEffect>(outcome), moved);
        seen.made[static_cast<std::size_t>(move.kind)] += 1;
        if (!random.chance(5) && next) continue;
        Cluster applied = cluster, wanted = cluster;
        apply_move(applied, i, move);
        literal::apply(wanted, i, moved);
        REQUIRE(difference(applied, wanted) == "");
        if (random.between(0, possible++) == 0) next = applied;
      }
    }
  }
  return next;
}

// ---- Single cases

// Returns a cluster with an instance on n0 and n1. Its moves go to n2, where everything fits.
Cluster roomy_facts(DiskTemplate disk_template) {
  Cluster cluster;
  cluster.tags = {"htools:migration:hv", "htools:nlocation:power", "htools:iextags:svc"};
  cluster.groups.resize(1);
  for (const char* name : {"n0", "n1", "n2"}) {
    Node node;
    node.facts.edit().name = name;
    node.facts.edit().group = htools::GroupIndex(0);
    node.facts.edit().total_memory = 8192, node.facts.edit().free_memory = 8192;
    node.facts.edit().total_disk = 102400, node.facts.edit().free_disk = 102400;
    node.facts.edit().total_cpus = 4, node.facts.edit().node_cpus = 0;
    cluster.nodes.push_back(node);
  }
  Instance instance;
  instance.facts.edit().name = "i0";
  instance.facts.edit().memory = 1024, instance.facts.edit().disk = 1024, instance.facts.edit().vcpus = 1;
  instance.facts.edit().disks = {{1024, std::nullopt}};
  instance.facts.edit().disk_template = disk_template;
  instance.primary = NodeIndex(0);
  if (instance.facts->has_secondary()) instance.secondary = NodeIndex(1);
  cluster.instances = {instance};
  cluster.nodes[0].facts.edit().free_memory -= 1024;
  return cluster;
}

Cluster prepared(Cluster facts, const htools::PrepareOptions& options = {}) {
  htools::prepare(facts, options);
  return facts;
}

const InstanceIndex kFirst(0);
const NodeIndex kTarget(2);

DiskTemplate template_for(MoveKind kind) {
  return kind == MoveKind::FailoverToAny ? DiskTemplate::Ext : DiskTemplate::Drbd;
}
Move move_of(MoveKind kind) { return {kind, kind == MoveKind::Failover ? NodeIndex::none() : kTarget}; }

Answer answer(const Cluster& cluster, const Move& move, bool force) {
  const auto outcome = MoveTrials(cluster, kFirst, force).attempt(move);
  const auto* reason = std::get_if<FailMode>(&outcome);
  return reason == nullptr ? kOk : *reason;
}

void set_memory(Node& node, std::int64_t total, std::int64_t used = 0) {
  node.facts.edit().total_memory = static_cast<double>(total);
  node.facts.edit().free_memory = total - used;
}

// A change that makes a move impossible, and the answers: with all checks, with an offline node, and without the soft
// checks.
struct Case {
  std::string what;
  MoveKind kind;
  std::function<void(Cluster&)> change;
  Answer strict;
  Answer offline_primary;
  Answer offline_secondary;
  Answer forced;
};

// Gives the node exclusive storage with 10 spindles.
void make_exclusive(Node& node, std::int64_t free_spindles) {
  node.facts.edit().exclusive_storage = true;
  node.facts.edit().spindles = 10;
  node.facts.edit().free_spindles = free_spindles;
}

void migration_tag(Node& node) { node.facts.edit().tags = {"hv:1"}; }

const std::vector<Case>& cases() {
  using enum MoveKind;
  constexpr Answer memory = FailMode::Memory, disk = FailMode::Disk, cpu = FailMode::Cpu, tags = FailMode::Tags,
                   migration = FailMode::Migration, spindles = FailMode::Spindles, cordoned = FailMode::Cordoned;
  const auto nothing = [](Cluster&) {};
  const auto tag_primary = [](Cluster& c) { migration_tag(c.nodes[0]); };
  const auto tag_secondary = [](Cluster& c) { migration_tag(c.nodes[1]); };
  const auto tag_pair = [](Cluster& c) { migration_tag(c.nodes[0]), migration_tag(c.nodes[1]); };
  const auto tag_primary_and_target = [](Cluster& c) { migration_tag(c.nodes[0]), migration_tag(c.nodes[2]); };
  const auto full_primary = [](Cluster& c) { set_memory(c.nodes[0], 1024, 1024); };
  const auto diskless_primary = [](Cluster& c) { c.nodes[0].facts.edit().free_disk = 0; };
  const auto small_secondary = [](Cluster& c) { set_memory(c.nodes[1], 1024); };
  const auto small_target = [](Cluster& c) { set_memory(c.nodes[2], 1024); };
  const auto just_enough_disk = [](Cluster& c) { c.nodes[2].facts.edit().free_disk = 1024; };
  const auto many_vcpus = [](Cluster& c) { c.instances[0].facts.edit().vcpus = 17; };
  // The instance has too many vcpus only for the target.
  const auto weak_target = [](Cluster& c) {
    c.instances[0].facts.edit().vcpus = 5, c.nodes[2].facts.edit().total_cpus = 1;
  };
  const auto spindles_of_target = [](Cluster& c) {
    make_exclusive(c.nodes[2], 0), c.instances[0].facts.edit().disks[0].spindles = 1;
  };
  // Returns a change that cordons the node.
  const auto cordon = [](std::size_t n) { return [n](Cluster& c) { c.nodes[n].cordoned = true; }; };
  // Returns a change that adds an instance with the same tag to the node.
  const auto neighbour = [](std::size_t n) {
    return [n](Cluster& c) {
      c.instances[0].facts.edit().tags = {"svc:a"};
      Instance other = c.instances[0];
      other.facts.edit().name = "i1", other.facts.edit().memory = 0,
      other.facts.edit().disk_template = DiskTemplate::Ext;
      other.primary = NodeIndex(n), other.secondary = NodeIndex::none();
      c.instances.push_back(other);
    };
  };

  static const std::vector<Case> list{
      {"there is room", Failover, nothing, kOk, kOk, kOk, kOk},
      {"tags between primary and secondary", Failover, tag_primary, migration, migration, migration, migration},
      {"tags of the secondary", Failover, tag_secondary, kOk, kOk, kOk, kOk},
      {"no memory on the secondary", Failover, small_secondary, memory, memory, memory, memory},
      {"too many vcpus", Failover, many_vcpus, cpu, kOk, cpu, kOk},
      {"the tag on the secondary", Failover, neighbour(1), tags, kOk, tags, kOk},
      {"no memory for the reservation on the old primary", Failover, full_primary, memory, kOk, memory, kOk},
      {"no disk on the old primary", Failover, diskless_primary, disk, kOk, disk, disk},

      {"there is room", FailoverToAny, nothing, kOk, kOk, kOk, kOk},
      {"tags between primary and target", FailoverToAny, tag_primary, migration, migration, migration, migration},
      {"no memory on the target", FailoverToAny, small_target, memory, memory, memory, memory},
      {"too many vcpus", FailoverToAny, many_vcpus, cpu, kOk, cpu, kOk},
      {"the tag on the target", FailoverToAny, neighbour(2), tags, kOk, tags, kOk},
      {"no disk anywhere", FailoverToAny, just_enough_disk, kOk, kOk, kOk, kOk},

      {"there is room", ReplacePrimary, nothing, kOk, kOk, kOk, kOk},
      {"tags between primary and secondary", ReplacePrimary, tag_primary_and_target, migration, migration, migration,
       migration},
      {"tags between secondary and target", ReplacePrimary, tag_pair, migration, migration, migration, migration},
      {"no memory on the secondary in between", ReplacePrimary, small_secondary, memory, memory, memory, memory},
      {"the tag on the secondary in between", ReplacePrimary, neighbour(1), tags, kOk, tags, kOk},
      {"no memory on the target", ReplacePrimary, small_target, memory, memory, memory, memory},
      {"no disk on the target", ReplacePrimary, just_enough_disk, disk, disk, disk, disk},
      {"no spindles on the target", ReplacePrimary, spindles_of_target, spindles, spindles, spindles, spindles},
      {"too few cpus on the target", ReplacePrimary, weak_target, cpu, kOk, cpu, kOk},

      {"there is room", ReplaceSecondary, nothing, kOk, kOk, kOk, kOk},
      {"tags do not matter", ReplaceSecondary, tag_pair, kOk, kOk, kOk, kOk},
      {"no memory for the reservation on the target", ReplaceSecondary, small_target, memory, memory, kOk, kOk},
      {"no disk on the target", ReplaceSecondary, just_enough_disk, disk, disk, disk, disk},
      {"no spindles on the target", ReplaceSecondary, spindles_of_target, spindles, spindles, spindles, spindles},
      {"the primary is full", ReplaceSecondary, full_primary, memory, memory, memory, memory},
      {"no disk on the primary", ReplaceSecondary, diskless_primary, disk, disk, disk, disk},
      {"too many vcpus on the primary", ReplaceSecondary, many_vcpus, kOk, kOk, kOk, kOk},
      {"the tag on the primary", ReplaceSecondary, neighbour(0), kOk, kOk, kOk, kOk},

      {"there is room", ReplaceAndFailover, nothing, kOk, kOk, kOk, kOk},
      {"tags between primary and target", ReplaceAndFailover, tag_primary, migration, migration, migration, migration},
      {"tags of the secondary", ReplaceAndFailover, tag_secondary, kOk, kOk, kOk, kOk},
      {"no memory on the target", ReplaceAndFailover, small_target, memory, memory, memory, memory},
      {"too few cpus on the target", ReplaceAndFailover, weak_target, cpu, cpu, cpu, kOk},
      {"the tag on the target", ReplaceAndFailover, neighbour(2), tags, tags, tags, kOk},
      {"no memory for the reservation on the old primary", ReplaceAndFailover, full_primary, memory, memory, kOk, kOk},
      {"no disk on the old primary", ReplaceAndFailover, diskless_primary, disk, disk, disk, disk},

      {"there is room", FailoverAndReplace, nothing, kOk, kOk, kOk, kOk},
      {"tags between primary and secondary", FailoverAndReplace, tag_primary_and_target, migration, migration,
       migration, migration},
      {"tags between secondary and target", FailoverAndReplace, tag_pair, kOk, kOk, kOk, kOk},
      {"no memory on the secondary", FailoverAndReplace, small_secondary, memory, memory, memory, memory},
      {"too many vcpus on the secondary", FailoverAndReplace, many_vcpus, cpu, kOk, cpu, kOk},
      {"no memory for the reservation on the target", FailoverAndReplace, small_target, memory, kOk, memory, kOk},
      {"no disk on the target", FailoverAndReplace, just_enough_disk, disk, disk, disk, disk},
      {"the old primary needs no room", FailoverAndReplace, diskless_primary, kOk, kOk, kOk, kOk},

      {"the target is cordoned", FailoverToAny, cordon(2), cordoned, cordoned, cordoned, cordoned},
      {"the target is cordoned", ReplacePrimary, cordon(2), cordoned, cordoned, cordoned, cordoned},
      {"the target is cordoned", ReplaceSecondary, cordon(2), cordoned, cordoned, cordoned, cordoned},
      {"the target is cordoned", ReplaceAndFailover, cordon(2), cordoned, cordoned, cordoned, cordoned},
      {"the target is cordoned", FailoverAndReplace, cordon(2), cordoned, cordoned, cordoned, cordoned},
      {"the secondary is cordoned", Failover, cordon(1), cordoned, kOk, cordoned, kOk},
      {"the secondary is cordoned", ReplacePrimary, cordon(1), cordoned, kOk, cordoned, kOk},
      {"the secondary is cordoned", ReplaceSecondary, cordon(1), kOk, kOk, kOk, kOk},
      {"the secondary is cordoned", ReplaceAndFailover, cordon(1), kOk, kOk, kOk, kOk},
      {"the secondary is cordoned", FailoverAndReplace, cordon(1), cordoned, kOk, cordoned, kOk},
      {"the primary is cordoned", Failover, cordon(0), kOk, kOk, kOk, kOk},
      {"the primary is cordoned", ReplaceAndFailover, cordon(0), kOk, kOk, kOk, kOk},
  };
  return list;
}

}  // namespace

TEST_CASE("the checks of each kind of move") {
  for (const Case& c : cases()) {
    CAPTURE(c.what);
    CAPTURE(static_cast<int>(c.kind));
    Cluster facts = roomy_facts(template_for(c.kind));
    c.change(facts);
    Cluster cluster = prepared(facts);
    const Move move = move_of(c.kind);
    CHECK(answer(cluster, move, false) == c.strict);
    CHECK(answer(cluster, move, true) == c.forced);
    cluster.nodes[0].offline = true;
    CHECK(answer(cluster, move, false) == c.offline_primary);
    cluster.nodes[0].offline = false;
    cluster.nodes[1].offline = true;
    CHECK(answer(cluster, move, false) == c.offline_secondary);
  }
}

TEST_CASE("an offline primary without data may become secondary, within the hard limits of its partner") {
  Cluster facts = roomy_facts(DiskTemplate::Drbd);
  Node& unknown = facts.nodes[0];
  unknown.offline = true;
  unknown.facts.edit().total_memory = 0, unknown.facts.edit().free_memory = 0, unknown.facts.edit().total_disk = 0,
  unknown.facts.edit().free_disk = 0;
  unknown.facts.edit().total_cpus = 0, unknown.facts.edit().spindles = 0;
  set_memory(facts.nodes[1], 8192, 8192 - 3000);
  facts.instances[0].facts.edit().vcpus = 20;
  SUBCASE("it fits") {
    const Cluster cluster = prepared(facts);
    CHECK(answer(cluster, move_of(MoveKind::Failover), false) == kOk);
    CHECK(answer(cluster, move_of(MoveKind::ReplaceAndFailover), false) == FailMode::Cpu);
    CHECK(answer(cluster, move_of(MoveKind::ReplaceAndFailover), true) == FailMode::Disk);
    CHECK(answer(cluster, move_of(MoveKind::FailoverAndReplace), false) == kOk);
    CHECK(answer(cluster, move_of(MoveKind::ReplaceSecondary), true) == FailMode::Memory);
  }
  SUBCASE("it does not fit") {
    facts.instances[0].facts.edit().memory = 3000;
    CHECK(answer(prepared(facts), move_of(MoveKind::Failover), false) == FailMode::Memory);
  }
}

TEST_CASE("the first of several checks is the reason") {
  Cluster facts = roomy_facts(DiskTemplate::Drbd);
  migration_tag(facts.nodes[0]);
  facts.nodes[2].facts.edit().free_disk = 0;
  set_memory(facts.nodes[1], 1024);
  facts.instances[0].facts.edit().vcpus = 17;
  const Cluster tagged = prepared(facts);
  CHECK(answer(tagged, move_of(MoveKind::ReplacePrimary), false) == FailMode::Migration);
  CHECK(answer(tagged, move_of(MoveKind::ReplaceAndFailover), false) == FailMode::Migration);
  CHECK(answer(tagged, move_of(MoveKind::ReplaceSecondary), false) == FailMode::Disk);
  facts.nodes[0].facts.edit().tags.clear();
  const Cluster cluster = prepared(facts);
  CHECK(answer(cluster, move_of(MoveKind::ReplacePrimary), false) == FailMode::Memory);
  CHECK(answer(cluster, move_of(MoveKind::FailoverAndReplace), false) == FailMode::Memory);
  CHECK(answer(cluster, move_of(MoveKind::ReplaceAndFailover), false) == FailMode::Disk);
}

TEST_CASE("shared locations count anew after a replacement, not after a failover") {
  Cluster facts = roomy_facts(DiskTemplate::Drbd);
  facts.nodes[0].facts.edit().tags = {"power:a"};
  facts.nodes[1].facts.edit().tags = {"power:a", "power:b"};
  facts.nodes[2].facts.edit().tags = {"power:b"};
  const Cluster cluster = prepared(facts);
  REQUIRE(cluster.instances[0].location_score == 1);
  const auto after = [&](MoveKind kind) {
    Cluster moved = cluster;
    apply_move(moved, kFirst, move_of(kind));
    return moved;
  };
  CHECK(after(MoveKind::Failover).instances[0].location_score == 1);
  CHECK(after(MoveKind::ReplacePrimary).instances[0].location_score == 1);
  CHECK(after(MoveKind::ReplaceSecondary).instances[0].location_score == 0);
  CHECK(after(MoveKind::ReplaceAndFailover).instances[0].location_score == 0);
  CHECK(after(MoveKind::FailoverAndReplace).instances[0].location_score == 1);
  CHECK(after(MoveKind::Failover).nodes[1].books.location_score == 1);
  CHECK(after(MoveKind::ReplaceSecondary).nodes[0].books.location_score == 0);
  CHECK(after(MoveKind::ReplacePrimary).nodes[1].books.location_score == 0);
  CHECK(after(MoveKind::ReplacePrimary).nodes[2].books.location_score == 1);

  // The secondary is named, but has no data, so the instance keeps its location score.
  facts.instances[0].facts.edit().disk_template = DiskTemplate::Ext;
  Cluster named = prepared(facts);
  apply_move(named, kFirst, move_of(MoveKind::FailoverToAny));
  CHECK(named.instances[0].secondary == NodeIndex(1));
  CHECK(named.instances[0].location_score == 1);
  CHECK(named.nodes[2].books.location_score == 1);
}

TEST_CASE("loads are taken off and put on step by step") {
  htools::PrepareOptions options;
  options.utilisation = {{"i0", {0.1, 0.2, 0.3, 0.7}}, {"i1", {0.6, 0.7, 0.1, 0.1}}};
  Cluster facts = roomy_facts(DiskTemplate::Drbd);
  Instance other = facts.instances[0];
  other.facts.edit().name = "i1";
  facts.instances.push_back(other);
  const Cluster cluster = prepared(facts, options);
  const auto load_after = [&](MoveKind kind, std::size_t node) {
    Cluster moved = cluster;
    apply_move(moved, kFirst, move_of(kind));
    return moved.nodes[node].books.load;
  };
  SUBCASE("the primary of a new secondary") {
    const Load load = load_after(MoveKind::ReplaceSecondary, 0);
    CHECK(same_bits(load.cpu, ((0.1 + 0.6) - 0.1) + 0.1));
    CHECK(same_bits(load.memory, ((0.2 + 0.7) - 0.2) + 0.2));
    CHECK(same_bits(load.disk, ((0.3 + 0.1) - 0.3) + 0.3));
    CHECK(same_bits(load.network, ((0.7 + 0.1) - 0.7) + 0.7));
  }
  SUBCASE("the secondary of a new primary") {
    const Load load = load_after(MoveKind::ReplacePrimary, 1);
    CHECK(same_bits(load.cpu, 0.1 - 0.1));
    CHECK(same_bits(load.disk, ((((0.3 + 0.1) - 0.3) + 0.3) - 0.3) + 0.3));
  }
  SUBCASE("a removal leaves a rest") {
    const Load load = load_after(MoveKind::FailoverAndReplace, 0);
    CHECK(same_bits(load.network, (0.7 + 0.1) - 0.7));
    CHECK(load.network != 0.1);
  }
}

TEST_CASE("what is added becomes the newest of its list") {
  Cluster facts = roomy_facts(DiskTemplate::Drbd);
  for (const char* name : {"i1", "i2"}) {
    facts.instances.push_back(facts.instances[0]);
    facts.instances.back().facts.edit().name = name;
  }
  using List = std::vector<InstanceIndex>;
  const InstanceIndex a(0), b(1), c(2);
  const Cluster cluster = prepared(facts);
  REQUIRE(cluster.nodes[0].primaries == List{a, b, c});
  Cluster moved = cluster;
  apply_move(moved, a, move_of(MoveKind::ReplaceSecondary));
  CHECK(moved.nodes[0].primaries == List{b, c, a});
  CHECK(moved.nodes[1].secondaries == List{b, c});
  CHECK(moved.nodes[2].secondaries == List{a});
  moved = cluster;
  apply_move(moved, b, move_of(MoveKind::ReplacePrimary));
  CHECK(moved.nodes[0].primaries == List{a, c});
  CHECK(moved.nodes[1].secondaries == List{a, c, b});
  CHECK(moved.nodes[2].primaries == List{b});
}

TEST_CASE("an instance that names its primary as secondary, too, leaves it all the same") {
  Cluster facts = roomy_facts(DiskTemplate::Ext);
  facts.instances[0].secondary = NodeIndex(0);
  const Cluster cluster = prepared(facts);
  REQUIRE(cluster.nodes[0].primaries.empty());
  REQUIRE(cluster.nodes[0].books.load.cpu == 0.0);
  Cluster moved = cluster;
  CHECK(answer(cluster, move_of(MoveKind::FailoverToAny), false) == kOk);
  apply_move(moved, kFirst, move_of(MoveKind::FailoverToAny));
  CHECK(inconsistency(moved) == "");
  CHECK(moved.instances[0].primary == kTarget);
  CHECK(moved.instances[0].secondary == NodeIndex(0));
  CHECK(moved.nodes[0].secondaries.size() == 1);
  CHECK(moved.nodes[0].books.load.cpu == -1.0);
  CHECK(moved.nodes[2].books.load.cpu == 1.0);
}

TEST_CASE("an instance whose secondary replaces itself, or whose nodes are one, is there twice afterwards") {
  using List = std::vector<InstanceIndex>;
  const Cluster cluster = prepared(roomy_facts(DiskTemplate::Drbd));
  Cluster moved = cluster;
  apply_move(moved, kFirst, {MoveKind::ReplaceSecondary, NodeIndex(1)});
  CHECK(moved.nodes[0].primaries == List{kFirst});
  CHECK(moved.nodes[1].secondaries == List{kFirst, kFirst});

  Cluster facts = roomy_facts(DiskTemplate::Drbd);
  facts.instances[0].secondary = NodeIndex(0);
  moved = prepared(facts);
  apply_move(moved, kFirst, {MoveKind::Failover, NodeIndex::none()});
  CHECK(moved.nodes[0].primaries.empty());
  CHECK(moved.nodes[0].secondaries == List{kFirst, kFirst});
}

TEST_CASE("moves on random clusters are those of the literal sequence of changes") {
  Seen seen;
  for (std::uint64_t seed = 1; seed <= scaled(kRandomClusters); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    std::optional<Cluster> cluster = random_cluster(random);
    for (int step = 0; step < 4 && cluster; ++step) {
      CAPTURE(step);
      REQUIRE(inconsistency(*cluster) == "");
      cluster = check_all_moves(*cluster, random, seen);
    }
  }
  for (const int made : seen.made) CHECK(made > scaled_tally(100));
  for (const FailMode reason :
       {FailMode::Memory, FailMode::Disk, FailMode::Cpu, FailMode::Tags, FailMode::Migration, FailMode::Spindles}) {
    CAPTURE(name(reason));
    CHECK(seen.refused[reason] > scaled_tally(100));
  }
}

TEST_CASE("an instance can fail over if its secondary has room for it") {
  const auto can_fail_over = [](const std::string& free_of_n1, const std::string& memory_of_b) {
    Cluster cluster = htools::read_text_cluster(
        "g|u|preferred||\n\n"
        "n0|8192|0|4096|102400|101376|8|N|u|1\n"
        "n1|8192|0|" +
            free_of_n1 + "|102400|101376|8|N|u|1\n\na|4096|1024|1|running|Y|n0|n1|drbd||1\nb|" + memory_of_b +
            "|0|1|running|Y|n1||rbd||1\n\n",
        "x.data");
    htools::prepare(cluster, {});
    const htools::MoveTrials trials(cluster, InstanceIndex(0), false);
    CHECK(trials.can_fail_over() ==
          std::holds_alternative<MoveEffect>(trials.attempt({MoveKind::Failover, htools::NodeIndex::none()})));
    return trials.can_fail_over();
  };
  CHECK(can_fail_over("6144", "2048"));
  CHECK_FALSE(can_fail_over("4096", "4096"));
}

}  // namespace htools::move_application_test
