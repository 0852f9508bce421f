#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cluster/bookkeeping.h"
#include "cluster/prepare.h"
#include "htools/moves.h"
#include "htools/refusal.h"
#include "rules/admission.h"
#include "rules/move_application.h"
#include "tests/support/cluster_difference.h"
#include "tests/support/literal_placement.h"
#include "tests/support/property.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/witness.h"

namespace htools::book_properties_test {

using htools::testing::ClusterShape;
using htools::testing::difference;
using htools::testing::for_each_seed;
using htools::testing::mode_of;
using htools::testing::only_seed;
using htools::testing::Random;
using htools::testing::scaled_tally;
using htools::testing::Witness;

namespace {

enum class Loads { Exact, Any };

ClusterShape busy_shape(Random& random) {
  ClusterShape shape = htools::testing::random_shape(random);
  shape.nodes = random.between(2, 6);
  shape.instances = random.between(1, 14);
  shape.stopped = random.chance(50) ? 40 : 10;
  if (random.chance(60)) {
    shape.templates = {DiskTemplate::Drbd, DiskTemplate::Drbd, DiskTemplate::Plain, DiskTemplate::Ext};
  }
  return shape;
}

// Returns a random load. Exact loads are multiples of an eighth, whose sums are not rounded.
Load random_load(Random& random, Loads loads) {
  const auto amount = [&] {
    const auto eighths = static_cast<double>(random.between(0, 24));
    return loads == Loads::Exact ? eighths / 8 : random.fraction() * eighths;
  };
  return {amount(), amount(), amount(), amount()};
}

struct Start {
  Cluster cluster;
  NodeOptions options;
};

Start random_start(Random& random, Loads loads) {
  Start start{htools::testing::random_facts(random, busy_shape(random)), {}};
  if (random.chance(40)) {
    htools::testing::round_amounts(start.cluster);
    for (Node& node : start.cluster.nodes) {
      if (random.chance(30)) node.facts.edit().free_memory += 512;  // may exceed the total
    }
  }
  PrepareOptions prepare_options;
  for (const Instance& instance : start.cluster.instances) {
    if (random.chance(70)) prepare_options.utilisation.emplace_back(instance.facts->name, random_load(random, loads));
  }
  prepare(start.cluster, prepare_options);
  start.options.min_disk_ratio = random.one_of(std::vector<double>{0.0, 0.0, 0.1, 0.4});
  if (random.chance(20)) start.options.max_vcpu_ratio = random.fraction() * 3;
  apply_node_options(start.cluster, start.options);
  return start;
}

NodeIndex other_node(Random& random, const Cluster& cluster, NodeIndex than) {
  const NodeIndex n(random.index(cluster.nodes.size()));
  return n == than ? NodeIndex((n.position() + 1) % cluster.nodes.size()) : n;
}

std::string text(const std::optional<FailMode>& mode) { return mode ? std::string(name(*mode)) : "allowed"; }
std::string reason(const std::string& limit) { return limit.empty() ? "allowed" : std::string(name(mode_of(limit))); }

// A cluster and a witness in the same state, changed by the same steps.
class Both {
 public:
  Both(Cluster loaded, const NodeOptions& options)
      : cluster(std::move(loaded)), witness(cluster, options), placed_(cluster.instances.size(), true) {}

  void change(Random& random) {
    const std::size_t i = random.index(cluster.instances.size());
    if (!placed_[i]) {
      put_back(random, i);
    } else if (random.chance(30)) {
      take_off(i);
    } else {
      move(random, i);
    }
  }
  void put_all_back(Random& random) {
    for (std::size_t i = 0; i < placed_.size(); ++i) {
      if (!placed_[i]) put_back(random, i);
    }
  }

  Cluster cluster;
  Witness witness;
  int placed = 0, refused = 0, moved = 0;

 private:
  void take_off(std::size_t i) {
    Instance& instance = cluster.instances[i];
    const InstanceIndex index(i);
    if (!instance.secondary.is_none()) {
      remove_secondary(cluster.node(instance.secondary), index, instance, instance.primary);
    }
    remove_primary(cluster.node(instance.primary), index, instance);
    instance.primary = instance.secondary = NodeIndex::none();
    witness.forget_places(i);
    placed_[i] = false;
  }

  // Places the instance on random nodes. If they are full, it is placed nevertheless: the books must hold then, too.
  void put_back(Random& random, std::size_t i) {
    Instance& instance = cluster.instances[i];
    const InstanceIndex index(i);
    const NodeIndex p(random.index(cluster.nodes.size()));
    const bool pair = instance.facts->disk_template == DiskTemplate::Drbd;
    const NodeIndex s = pair ? other_node(random, cluster, p) : NodeIndex::none();
    instance.location_score = witness.common_locations(p, s);
    const bool force = random.chance(40), ignore_disks = force && random.chance(30);

    Witness trial = witness;
    Node& primary = cluster.node(p);
    const auto fail = check_primary(primary, books_with_primary(primary, instance), instance, {.force = force});
    REQUIRE(text(fail) == reason(trial.put_primary(i, p, instance.location_score, !force)));
    (fail ? refused : placed) += 1;
    add_primary(primary, index, instance);
    witness.place_primary(i, p, instance.location_score);
    if (pair) {
      trial = witness;
      Node& secondary = cluster.node(s);
      const auto second_fail = check_secondary(secondary, books_with_secondary(secondary, instance, p), instance,
                                               {.force = force, .ignore_disks = ignore_disks});
      REQUIRE(text(second_fail) == reason(trial.put_secondary(i, s, p, !force, ignore_disks)));
      (second_fail ? refused : placed) += 1;
      add_secondary(secondary, index, instance, p);
      witness.place_secondary(i, s, p);
    }
    instance.primary = witness.instances[i].primary = p;
    instance.secondary = witness.instances[i].secondary = s;
    placed_[i] = true;
  }

  void move(Random& random, std::size_t i) {
    using enum MoveKind;
    const Instance& instance = cluster.instances[i];
    if (facts(instance.facts->disk_template).mirror == MirrorType::None) return;
    std::vector<NodeIndex> targets;
    for (NodeIndex n : htools::testing::literal::every_node(cluster)) {
      if (n != instance.primary && n != instance.secondary) targets.push_back(n);
    }
    Move move{Failover, NodeIndex::none()};
    if (facts(instance.facts->disk_template).mirror == MirrorType::External) {
      move.kind = FailoverToAny;
    } else if (!targets.empty()) {
      move.kind = random.one_of(
          std::vector<MoveKind>{Failover, ReplacePrimary, ReplaceSecondary, ReplaceAndFailover, FailoverAndReplace});
    }
    if (move.kind != Failover) {
      if (targets.empty()) return;
      move.target = random.one_of(targets);
    }
    CAPTURE(static_cast<int>(move.kind));
    const bool force = random.chance(50);
    const MoveTrials::Outcome outcome = MoveTrials(cluster, InstanceIndex(i), force).attempt(move);
    const FailMode* fail = std::get_if<FailMode>(&outcome);
    Witness trial = witness;
    REQUIRE(text(fail != nullptr ? std::optional(*fail) : std::nullopt) ==
            reason(trial.move(i, move.kind, move.target, force)));
    if (fail != nullptr) {
      ++refused;
      return;
    }
    apply_move(cluster, InstanceIndex(i), move);
    witness = trial;
    ++moved;
  }

  std::vector<bool> placed_;
};

// Returns the state as facts, in the form in which a source would report it.
Cluster as_facts(const Both& both) {
  Cluster facts;
  facts.groups = both.cluster.groups;
  facts.tags = both.cluster.tags;
  for (std::size_t n = 0; n < both.cluster.nodes.size(); ++n) {
    const Witness::Host& host = both.witness.hosts[n];
    const Witness::Account account = both.witness.account(n);
    Node node = both.cluster.nodes[n];
    node.facts.edit().free_disk = account.real.free_disk;
    node.facts.edit().free_spindles = account.real.free_spindles;
    node.facts.edit().free_memory = static_cast<std::int64_t>(node.facts->total_memory) - node.facts->node_memory -
                                    account.memory - host.missing_memory;
    node.primaries.clear(), node.secondaries.clear();
    node.peers = {}, node.primary_tags = {}, node.location_exclusion = {};
    facts.nodes.push_back(node);
  }
  facts.instances = both.cluster.instances;
  return facts;
}

// Prepares the facts once more and returns the first difference from the books; empty if there is none.
std::string rebuilt_difference(const Both& both, const NodeOptions& options) {
  Cluster rebuilt = as_facts(both);
  PrepareOptions prepare_options;
  for (const Instance& instance : rebuilt.instances) {
    prepare_options.utilisation.emplace_back(instance.facts->name, instance.facts->utilisation);
  }
  prepare(rebuilt, prepare_options);
  apply_node_options(rebuilt, options);
  for (std::size_t n = 0; n < rebuilt.nodes.size(); ++n) {
    Node ours = both.cluster.nodes[n], fresh = rebuilt.nodes[n];
    // The following values depend on the earlier changes; the witness checks them.
    for (Node* node : {&ours, &fresh}) {
      std::sort(node->primaries.begin(), node->primaries.end());
      std::sort(node->secondaries.begin(), node->secondaries.end());
      node->peers = {};
    }
    fresh.books.n1_failed = ours.books.n1_failed;
    if (!ours.facts->exclusive_storage) fresh.books.forthcoming.free_spindles = ours.books.forthcoming.free_spindles;
    if (const std::string field = difference(ours, fresh); !field.empty()) return fresh.facts->name + ": " + field;
  }
  for (std::size_t i = 0; i < rebuilt.instances.size(); ++i) {
    if (rebuilt.instances[i].location_score != both.cluster.instances[i].location_score) return "location score";
  }
  return "";
}

bool has_unknown_spindles(const Cluster& cluster) {
  return std::any_of(cluster.instances.begin(), cluster.instances.end(),
                     [](const Instance& i) { return !htools::testing::known_spindles(i); });
}

}  // namespace

TEST_CASE("property: after any sequence of changes the books are those of the places") {
  int placed = 0, refused = 0, moved = 0, rebuilt = 0;
  for_each_seed(1, 3000, [&](Random& random) {
    const Loads loads = random.chance(50) ? Loads::Exact : Loads::Any;
    const Start start = random_start(random, loads);
    Both both(start.cluster, start.options);
    REQUIRE(both.witness.disagreement(both.cluster) == "");
    if (both.cluster.instances.empty()) return;
    for (int step = 0; step < 25; ++step) {
      CAPTURE(step);
      both.change(random);
      REQUIRE(both.witness.disagreement(both.cluster, loads == Loads::Exact ? 0 : 1e-9) == "");
    }
    both.put_all_back(random);
    REQUIRE(both.witness.disagreement(both.cluster, loads == Loads::Exact ? 0 : 1e-9) == "");
    placed += both.placed, refused += both.refused, moved += both.moved;
    if (loads != Loads::Exact || has_unknown_spindles(both.cluster)) return;
    REQUIRE(rebuilt_difference(both, start.options) == "");
    ++rebuilt;
  });
  if (only_seed() != nullptr) return;
  CHECK(placed > scaled_tally(1000));
  CHECK(refused > scaled_tally(1000));
  CHECK(moved > scaled_tally(800));
  CHECK(rebuilt > scaled_tally(50));
}

TEST_CASE("property: taking off what was put on restores the books bit for bit") {
  int pairs = 0;
  for_each_seed(2, 2000, [&](Random& random) {
    Cluster cluster = random_start(random, Loads::Exact).cluster;
    if (cluster.instances.empty()) return;
    // The first change of a node replaces values that depend on its source: free spindles without exclusive storage,
    // and the rule for the N+1 flag.
    Instance probe;
    probe.facts.edit().disk_template = DiskTemplate::Drbd;
    for (Node& node : cluster.nodes) {
      add_primary(node, InstanceIndex(999), probe);
      remove_primary(node, InstanceIndex(999), probe);
    }
    const Cluster before = cluster;
    struct Put {
      Instance instance;
      InstanceIndex index;
    };
    std::vector<Put> puts;
    for (std::int64_t more = random.between(1, 6); more > 0; --more) {
      Instance instance = random.one_of(before.instances);
      for (Disk& disk : instance.facts.edit().disks) disk.spindles = disk.spindles.value_or(1);
      instance.facts.edit().utilisation = random_load(random, Loads::Exact);
      instance.primary = NodeIndex(random.index(cluster.nodes.size()));
      instance.secondary = NodeIndex::none();
      if (random.chance(60)) instance.secondary = other_node(random, cluster, instance.primary);
      instance.location_score = random.between(0, 3);
      const InstanceIndex index(1000 + puts.size());
      add_primary(cluster.node(instance.primary), index, instance);
      if (!instance.secondary.is_none()) {
        add_secondary(cluster.node(instance.secondary), index, instance, instance.primary);
        ++pairs;
      }
      puts.push_back({instance, index});
    }
    // The instances are removed in random order.
    while (!puts.empty()) {
      std::swap(puts[random.index(puts.size())], puts.back());
      const Put put = puts.back();
      puts.pop_back();
      if (!put.instance.secondary.is_none()) {
        remove_secondary(cluster.node(put.instance.secondary), put.index, put.instance, put.instance.primary);
      }
      remove_primary(cluster.node(put.instance.primary), put.index, put.instance);
    }
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
      REQUIRE(difference(cluster.nodes[n].books, before.nodes[n].books) == "");
      REQUIRE(cluster.nodes[n].primaries == before.nodes[n].primaries);
      REQUIRE(cluster.nodes[n].secondaries == before.nodes[n].secondaries);
      REQUIRE(cluster.nodes[n].primary_tags == before.nodes[n].primary_tags);
      REQUIRE(cluster.nodes[n].location_exclusion == before.nodes[n].location_exclusion);
      // Reservations of 0 are dropped, and equal reservations are in the order of their last changes.
      for (const auto& list : {cluster.nodes[n].peers.entries(), before.nodes[n].peers.entries()}) {
        for (const auto& entry : list) {
          REQUIRE(cluster.nodes[n].peers.memory_for(entry.primary) == before.nodes[n].peers.memory_for(entry.primary));
        }
      }
    }
  });
  if (only_seed() == nullptr) CHECK(pairs > scaled_tally(300));
}

}  // namespace htools::book_properties_test
