#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "allocate/place_trials.h"
#include "cluster/bookkeeping.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "htools/errors.h"
#include "htools/refusal.h"
#include "tests/support/cluster_difference.h"
#include "tests/support/literal_allocation.h"
#include "tests/support/literal_placement.h"
#include "tests/support/on_trial.h"
#include "tests/support/random.h"
#include "tests/support/random_allocation.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::allocation_test {

namespace {

using htools::Allocation;
using htools::AllocationRules;
using htools::Arrival;
using htools::Cluster;
using htools::Disk;
using htools::DiskTemplate;
using htools::FailMode;
using htools::Instance;
using htools::InstanceIndex;
using htools::NodeIndex;
using htools::PlaceTrials;
using htools::Trial;
using htools::testing::as_arrival;
using htools::testing::difference;
using htools::testing::on_trial;
using htools::testing::Random;
using htools::testing::scaled;
using htools::testing::scaled_tally;
using htools::testing::text;
namespace literal = htools::testing::literal;
using literal::Nodes;

// ---- By hand

// Returns a cluster with nodes of 8192 MiB, 100 GiB and 8 cpus. Each node is given as "NAME|free memory|free disk", in
// MiB.
Cluster load(const std::vector<std::string>& nodes, const std::string& instances = "",
             const std::string& templates = "drbd,plain,ext") {
  std::string document = "g|u|preferred||\n\n";
  for (const std::string& node : nodes) {
    const std::size_t memory = node.find('|'), disk = node.find('|', memory + 1);
    document += node.substr(0, memory) + "|8192|0" + node.substr(memory, disk - memory) + "|102400" +
                node.substr(disk) + "|8|N|u|1\n";
  }
  document += "\n" + instances + "\nhtools:iextags:svc\n\ng|128,1,1024,1,1,1|128,1,128,1,1,1;32768,8,1048576,16,8,8|" +
              templates + "|4.0|32.0\n";
  Cluster cluster = htools::read_text_cluster(document, "x.data");
  htools::prepare(cluster, {});
  return cluster;
}

Instance newcomer(DiskTemplate disk_template, std::int64_t memory = 1024) {
  Instance instance;
  instance.facts.edit().name = "new";
  instance.facts.edit().memory = memory;
  instance.facts.edit().disk = 10240;
  instance.facts.edit().vcpus = 1;
  instance.facts.edit().disks = {Disk{10240, std::nullopt}};
  instance.facts.edit().disk_template = disk_template;
  return instance;
}

std::string place(Cluster cluster, const Instance& instance, const AllocationRules& rules = {}) {
  const Nodes all = literal::every_node(cluster);
  const Arrival arrival = as_arrival(cluster, instance);
  Trial trial(cluster);
  PlaceTrials trials(trial, all, arrival, rules);
  const Allocation allocation = instance.facts->has_secondary() ? trials.try_pairs(all, all) : trials.try_nodes(all);
  const std::string full = text(allocation);
  return full.substr(0, full.find(" (0x"));  // leaves out the exact digits of the score
}

// ---- At random

// Returns the nodes that take part: all nodes, or those of one group.
Nodes random_scope(Random& random, const Cluster& cluster) {
  if (random.chance(60)) return literal::every_node(cluster);
  return literal::members(cluster, literal::every_node(cluster), random.one_of(cluster.nodes).facts->group);
}

// Returns most nodes of the scope, including offline ones, because an instance may get a drained secondary.
Nodes random_candidates(Random& random, const Nodes& scope) {
  Nodes candidates;
  for (NodeIndex n : scope) {
    if (random.chance(90)) candidates.push_back(n);
  }
  return candidates;
}

Cluster random_cluster(Random& random) {
  Cluster cluster =
      htools::testing::random_allocation_cluster(random, random.one_of(std::vector<std::int64_t>{0, 0, 60}));
  if (cluster.instances.empty()) return cluster;
  Instance& instance = cluster.instances[random.index(cluster.instances.size())];
  if (random.chance(4) && instance.facts->has_secondary()) instance.secondary = NodeIndex::none();
  htools::prepare(cluster, {});
  return cluster;
}

template <class Try>
std::string outcome(Try attempt) {
  try {
    return text(attempt());
  } catch (const htools::InputError&) {
    return "secondary missing";
  } catch (const literal::NodeMissing&) {
    return "secondary missing";
  }
}

struct Tally {
  int chosen = 0, chosen_later = 0, refused = 0, missing = 0;
  void count(const std::string& result) {
    const auto has = [&](const char* what) { return result.find(what) != std::string::npos; };
    chosen += has("best") && !has("FailN1");
    chosen_later += has("best") && has("FailN1");  // the capacity check has refused better places
    refused += !has("best");
    missing += has("missing");
  }
};

// Compares one allocation with its literal version.
void compare(Cluster& cluster, Random& random, const Arrival& arrival, bool pairs, const Nodes& scope,
             const Nodes& primaries, const Nodes& secondaries, Tally& tally) {
  const AllocationRules rules{.force = random.chance(25),
                              .capacity_checks = random.chance(70),
                              .allowed_nodes = {},
                              .explain = random.chance(10)};
  CAPTURE(rules.force);
  CAPTURE(rules.capacity_checks);
  Trial trial(cluster);
  const std::string expected = outcome([&] {
    return pairs ? literal::try_pairs(cluster, scope, primaries, secondaries, arrival, rules)
                 : literal::try_nodes(cluster, scope, primaries, arrival, rules);
  });
  const std::string found = outcome([&] {
    PlaceTrials trials(trial, scope, arrival, rules);
    return pairs ? trials.try_pairs(primaries, secondaries) : trials.try_nodes(primaries);
  });
  REQUIRE(found == expected);
  if (found != "secondary missing") REQUIRE(difference(trial.cluster(), cluster) == "");
  tally.count(expected);
}

}  // namespace

TEST_CASE("equal places: the last one, for pairs the last primary with the last secondary") {
  const Cluster cluster = load({"z|8192|102400", "m|8192|102400", "a|8192|102400"});
  CHECK(place(cluster, newcomer(DiskTemplate::Drbd)) == "6 successes, best 2/1 2.15551662");
  CHECK(place(cluster, newcomer(DiskTemplate::Plain)).starts_with("3 successes, best 2/- "));
}

TEST_CASE("the capacity check drops better places, and leaves worse ones untested") {
  const Cluster cluster = [] {
    Cluster c = load({"n1|3192|92160", "n2|6144|102400", "n3|3192|92160"},
                     "i1|5000|10240|1|running|Y|n3||plain||1\ni2|5000|10240|1|running|Y|n1||plain||1\n");
    c.nodes[1].facts.edit().total_memory = 6144;
    htools::prepare(c, {});
    return c;
  }();
  const Instance instance = newcomer(DiskTemplate::Plain, 3072);
  CHECK(place(cluster, instance) == "2 successes, 1 FailN1, best 2/- 3.88128852");
  CHECK(place(cluster, instance, {.capacity_checks = false, .allowed_nodes = {}}) ==
        "3 successes, best 1/- 0.05202023");
}

TEST_CASE("instances outside their policy block all places, unless they can move") {
  for (const char* name : {"file", "ext"}) {
    const std::string line = std::string("e|1024|10240|1|running|Y|a||") + name + "||1\n";
    const Cluster cluster = load({"a|7168|102400", "b|8192|102400", "c|8192|102400"}, line, "drbd,plain");
    const bool blocked = std::string(name) == "file";
    CHECK(place(cluster, newcomer(DiskTemplate::Plain)).starts_with(blocked ? "0 successes, 3 FailN1" : "3 successes"));
    CHECK(place(cluster, newcomer(DiskTemplate::Drbd)).starts_with(blocked ? "0 successes, 6 FailN1" : "6 successes"));
  }
}

TEST_CASE("force leaves out the soft checks of the primary, not of the secondary") {
  const Cluster cluster = load({"a|7168|102400", "b|8192|102400"}, "t|1024|0|1|running|Y|a||ext|svc:x|1\n");
  const AllocationRules strict{.capacity_checks = false, .allowed_nodes = {}};
  const AllocationRules forced{.force = true, .capacity_checks = false, .allowed_nodes = {}};
  Instance tagged = newcomer(DiskTemplate::Plain);
  tagged.facts.edit().set_exclusion_tags({"svc:x"});
  CHECK(place(cluster, tagged, strict).starts_with("1 successes, 1 FailTags, best 1/- "));
  CHECK(place(cluster, tagged, forced).starts_with("2 successes, best "));
  tagged.facts.edit().vcpus = 9,
  tagged.facts.edit().disk_template = DiskTemplate::Drbd;  // `force` does not skip the policy
  CHECK(place(cluster, tagged, forced) == "0 successes, 2 FailCPU");

  // The first node cannot reserve 7500 MiB.
  const Instance large = newcomer(DiskTemplate::Drbd, 7500);
  CHECK(place(cluster, large, strict).starts_with("0 successes, 2 FailMem"));
  CHECK(place(cluster, large, forced).starts_with("0 successes, 2 FailMem"));
}

TEST_CASE("the first check that fails is the reason: policy, primary, secondary") {
  const Cluster cluster = load({"a|1024|102400", "b|8192|102400", "c|8192|1024"});
  const AllocationRules unchecked{.capacity_checks = false, .allowed_nodes = {}};
  CHECK(place(cluster, newcomer(DiskTemplate::Plain), unchecked)
            .starts_with("1 successes, 1 FailMem, 1 FailDisk, best 1"));
  CHECK(place(cluster, newcomer(DiskTemplate::Drbd)) == "0 successes, 3 FailMem, 3 FailDisk");
  CHECK(place(cluster, newcomer(DiskTemplate::File)) == "0 successes, 3 FailDisk");
  CHECK(place(cluster, newcomer(DiskTemplate::Drbd, 64)) == "0 successes, 6 FailMem");
}

TEST_CASE("a placed instance is in the books of its nodes and in the list") {
  const Cluster empty = load({"a|8192|102400", "b|8192|102400"});
  for (const InstanceIndex index : {InstanceIndex(0), InstanceIndex::none()}) {
    Cluster cluster = empty;
    cluster.nodes[0].facts.edit().location_tags = cluster.nodes[1].facts.edit().location_tags =
        htools::TagSet({"power:a"});
    const Arrival arrival = as_arrival(cluster, newcomer(DiskTemplate::Drbd));
    on_trial(cluster, [&](Trial& t) { carry_out(t, arrival, {NodeIndex(1), NodeIndex(0)}, index); });
    REQUIRE(cluster.instances.size() == 1);
    CHECK(cluster.instances[0].primary == NodeIndex(1));
    CHECK(cluster.instances[0].secondary == NodeIndex(0));
    CHECK(cluster.instances[0].location_score == 1);
    CHECK(cluster.nodes[1].primaries == std::vector{index});
    CHECK(cluster.nodes[0].secondaries == std::vector{index});
    CHECK(cluster.nodes[0].peers.memory_for(NodeIndex(1)) == 1024);
    CHECK(cluster.nodes[1].books.location_score == 1);
  }
}

TEST_CASE("places for new instances are those of the literal rules") {
  Random random(81);
  Tally single, pair;
  for (int round = 0; round < scaled(3500); ++round) {
    CAPTURE(round);
    Cluster cluster = random_cluster(random);
    for (const bool pairs : {false, true}) {
      CAPTURE(pairs);
      const Instance instance = htools::testing::random_newcomer(random, cluster, pairs ? 2 : 1);
      const Nodes scope = random_scope(random, cluster);
      compare(cluster, random, as_arrival(cluster, instance), pairs, scope, random_candidates(random, scope),
              random_candidates(random, scope), pairs ? pair : single);
    }
  }
  for (const Tally& tally : {single, pair}) {
    CHECK(tally.chosen > scaled_tally(1000));
    CHECK(tally.chosen_later > scaled_tally(50));
    CHECK(tally.refused > scaled_tally(1000));
    CHECK(tally.missing > scaled_tally(5));
  }
}

// The capacity check sees such instances where they are now.
TEST_CASE("places for instances that exist already are those of the literal rules") {
  Random random(82);
  Tally other_group, secondary;
  for (int round = 0; round < scaled(4000); ++round) {
    CAPTURE(round);
    Cluster cluster = random_cluster(random);
    if (cluster.instances.empty()) continue;
    const InstanceIndex index(random.index(cluster.instances.size()));
    const Instance old = cluster.instance(index);
    Arrival arrival{old, index};
    arrival.instance.primary = arrival.instance.secondary = NodeIndex::none();
    if (old.facts->has_secondary()) arrival.instance.location_score = 0;
    const Nodes all = literal::every_node(cluster);
    if (!old.secondary.is_none()) {
      Nodes others;
      for (NodeIndex n : all) {
        if (cluster.node(n).facts->group != cluster.node(old.primary).facts->group) others.push_back(n);
      }
      compare(cluster, random, arrival, old.facts->has_secondary(), all, others, others, other_group);
    } else if (!old.facts->has_secondary()) {
      arrival.instance.facts.edit().disk_template = DiskTemplate::Drbd;
      remove_primary(cluster.node(old.primary), index, old);
      compare(cluster, random, arrival, true, all, {old.primary}, all, secondary);
    }
  }
  for (const Tally& tally : {other_group, secondary}) {
    CHECK(tally.chosen > scaled_tally(100));
    CHECK(tally.refused > scaled_tally(100));
  }
}

}  // namespace htools::allocation_test
