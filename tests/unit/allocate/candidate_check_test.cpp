// Tests the capacity check for many candidate places of one instance.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cluster/bookkeeping.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "htools/errors.h"
#include "rules/admission.h"
#include "survival/capacity_check.h"
#include "tests/support/cluster_difference.h"
#include "tests/support/literal_allocation.h"
#include "tests/support/literal_placement.h"
#include "tests/support/literal_score.h"
#include "tests/support/on_trial.h"
#include "tests/support/random.h"
#include "tests/support/random_allocation.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::candidate_check_test {

namespace {

using htools::Attempt;
using htools::CapacityCheck;
using htools::Cluster;
using htools::DiskTemplate;
using htools::InputError;
using htools::Instance;
using htools::InstanceIndex;
using htools::Node;
using htools::NodeIndex;
using htools::Placement;
using htools::Trial;
using htools::testing::difference;
using htools::testing::follow;
using htools::testing::Random;
using htools::testing::scaled;
using htools::testing::scaled_tally;
namespace literal = htools::testing::literal;
using literal::Nodes;

Cluster random_cluster(Random& random) {
  Cluster cluster =
      htools::testing::random_allocation_cluster(random, random.one_of(std::vector<std::int64_t>{0, 60, 100}));
  if (cluster.instances.empty()) return cluster;
  Instance& instance = cluster.instances[random.index(cluster.instances.size())];
  if (random.chance(12) && instance.facts->has_secondary()) instance.secondary = NodeIndex::none();
  if (random.chance(10)) instance.facts.edit().memory = -random.between(1, 2000);  // requests can have such amounts
  htools::prepare(cluster, {});
  return cluster;
}

// Returns an instance that is often larger than the free capacity, and sometimes has a negative size.
Instance random_instance(Random& random, const Cluster& cluster) {
  Instance instance = htools::testing::random_newcomer(random, cluster, random.between(1, 2));
  if (random.chance(30)) instance.facts.edit().memory = random.between(0, 4096);
  if (random.chance(8)) instance.facts.edit().memory = -random.between(1, 3000);
  return instance;
}

// Returns all places that the hard limits allow.
std::vector<Placement> places_for(const Cluster& cluster, const Instance& instance) {
  std::vector<Placement> places;
  const auto nodes = literal::every_node(cluster);
  for (NodeIndex p : nodes) {
    const Node& primary = cluster.node(p);
    if (check_primary(primary, books_with_primary(primary, instance), instance, {.force = true})) continue;
    if (!instance.facts->has_secondary()) places.push_back({p, NodeIndex::none()});
    for (NodeIndex s : nodes) {
      if (!instance.facts->has_secondary() || s == p || cluster.node(s).facts->group != primary.facts->group) continue;
      const Node& secondary = cluster.node(s);
      if (check_secondary(secondary, books_with_secondary(secondary, instance, p), instance, {.force = true})) continue;
      places.push_back({p, s});
    }
  }
  return places;
}

enum class Answer { Survives, Fails, Incomplete };

template <class Check>
Answer answer(Check check) {
  try {
    return check() ? Answer::Survives : Answer::Fails;
  } catch (const InputError&) {
    return Answer::Incomplete;
  }
}

struct Tally {
  int survived = 0, failed = 0, incomplete = 0, hopeless = 0;
};

// Checks some places of one instance, whose position in the list of instances is `index`, by both versions.
template <class Wanted>
void compare(Cluster& cluster, const Instance& instance, InstanceIndex index, const CapacityCheck::Options& options,
             Tally& tally, Wanted wanted) {
  const Nodes nodes = literal::every_node(cluster);
  Trial trial(cluster);
  CapacityCheck check(trial, nodes, options);
  check.remember();
  const bool hopeless = check.fails_with(instance);
  tally.hopeless += hopeless;
  const Cluster before = cluster;
  for (const Placement& place : places_for(cluster, instance)) {
    CAPTURE(htools::testing::text(place));
    if (!wanted(cluster.node(place.primary))) continue;
    cluster = literal::with_arrival(before, {instance, index}, {0.0, place.primary, place.secondary});
    const Instance& listed = cluster.instance(index);
    const bool complete = !listed.facts->has_secondary() || !listed.secondary.is_none();
    const Attempt attempt(trial);
    follow(trial, cluster);
    const Answer found = answer([&] { return complete ? check.survives_with(place) : check.survives_in_order(); });
    REQUIRE(difference(trial.cluster(), cluster) == "");
    Trial other(cluster);
    const Answer expected = answer([&] { return CapacityCheck(other, nodes, options).survives(); });
    REQUIRE(found == expected);
    if (hopeless) REQUIRE(expected == Answer::Fails);
    tally.survived += expected == Answer::Survives;
    tally.failed += expected == Answer::Fails;
    tally.incomplete += expected == Answer::Incomplete;
    if (expected == Answer::Incomplete) break;
  }
  cluster = before;
}

// ---- By hand: three nodes of 3000 MiB.

Cluster load(const std::string& instances, const std::string& tags = "") {
  Cluster cluster = htools::read_text_cluster(
      "g|u|preferred||\n\nn1|3000|0|3000|9000|9000|8|N|u|1\nn2|3000|0|3000|9000|9000|8|N|u|1\n"
      "n3|3000|0|3000|9000|9000|8|N|u|1\n\n" +
          instances + "\n" + tags +
          "\ng|1,1,1,1,1,1|0,1,0,1,1,1;9000,9,9000,9,9,9|plain,drbd,rbd,file,blockdev,ext,diskless|4.0|32.0\n",
      "x.data");
  for (const Instance& instance : cluster.instances)
    cluster.node(instance.primary).facts.edit().free_memory -= instance.facts->memory;
  htools::prepare(cluster, {});
  return cluster;
}

std::string homeless(const std::string& instances, const std::string& tags = "") {
  Cluster cluster = load(instances, tags);
  Trial trial(cluster);
  const auto found = CapacityCheck(trial, literal::every_node(cluster), {}).first_homeless();
  return found ? cluster.node(found->node).facts->name + ": " + cluster.instance(found->instance).facts->name : "none";
}

std::string refusal(Cluster cluster, const Nodes& nodes) {
  Trial trial(cluster);
  CapacityCheck check(trial, nodes, {.ignored_groups = {}, .skip_offline = false, .refuse_incomplete = true});
  try {
    return check.survives() ? "survives" : "fails";
  } catch (const InputError& error) {
    return error.what();
  }
}

bool contains(const std::string& sentence, const std::string& word) { return sentence.find(word) != std::string::npos; }

}  // namespace

TEST_CASE("candidates survive as a fresh check says") {
  Random random(91);
  Tally tally;
  for (int round = 0; round < scaled(2500); ++round) {
    CAPTURE(round);
    Cluster cluster = random_cluster(random);
    const Instance instance = random_instance(random, cluster);
    CapacityCheck::Options options;
    options.refuse_incomplete = random.chance(50);
    const auto anywhere = [](const Node&) { return true; };
    compare(cluster, instance, InstanceIndex(cluster.instances.size()), options, tally, anywhere);
  }
  CHECK(tally.survived > scaled_tally(1000));
  CHECK(tally.failed > scaled_tally(1000));
  CHECK(tally.incomplete > scaled_tally(10));
  CHECK(tally.hopeless > scaled_tally(100));
}

TEST_CASE("candidates on checked nodes survive as a fresh check with the same options says") {
  Random random(92);
  Tally tally;
  for (int round = 0; round < scaled(800); ++round) {
    CAPTURE(round);
    Cluster cluster = random_cluster(random);
    CapacityCheck::Options options{.ignored_groups = {}, .skip_offline = random.chance(50)};
    for (std::size_t g = 0; g < cluster.groups.size(); ++g) options.ignored_groups.push_back(random.chance(30));
    const Instance instance = random_instance(random, cluster);
    const auto is_checked = [&](const Node& node) {
      return !options.ignored_groups[node.facts->group.position()] && (!options.skip_offline || !node.offline);
    };
    compare(cluster, instance, InstanceIndex(cluster.instances.size()), options, tally, is_checked);
  }
  CHECK(tally.survived > scaled_tally(500));
  CHECK(tally.failed > scaled_tally(500));
}

TEST_CASE("candidates for an instance that is in the list already") {
  Random random(93);
  Tally other_group, conversion;
  for (int round = 0; round < scaled(4000); ++round) {
    CAPTURE(round);
    Cluster cluster = random_cluster(random);
    if (cluster.instances.empty()) continue;
    const InstanceIndex index(random.index(cluster.instances.size()));
    const Instance old = cluster.instance(index);
    Instance instance = old;
    instance.primary = instance.secondary = NodeIndex::none();
    CapacityCheck::Options options;
    options.refuse_incomplete = random.chance(50);
    const bool converts = !old.facts->has_secondary() && old.secondary.is_none() && random.chance(50);
    if (!converts) {  // the instance is still on its nodes
      const auto elsewhere = [group = cluster.node(old.primary).facts->group](const Node& node) {
        return node.facts->group != group;
      };
      compare(cluster, instance, index, options, other_group, elsewhere);
    } else {  // the instance becomes a drbd instance
      remove_primary(cluster.node(old.primary), index, old);
      instance.facts.edit().disk_template = DiskTemplate::Drbd;
      const auto stays = [name = cluster.node(old.primary).facts->name](const Node& node) {
        return node.facts->name == name;
      };
      compare(cluster, instance, index, options, conversion, stays);
    }
  }
  for (const Tally& tally : {other_group, conversion}) {
    CHECK(tally.survived > scaled_tally(200));
    CHECK(tally.failed > scaled_tally(200));
    CHECK(tally.hopeless > scaled_tally(100));
  }
}

TEST_CASE("there is a homeless instance if and only if the check fails") {
  Random random(94);
  Tally tally;
  for (int round = 0; round < scaled(2500); ++round) {
    CAPTURE(round);
    Cluster cluster = random_cluster(random);
    const Nodes nodes = literal::every_node(cluster);
    Trial trial(cluster);
    const auto found = CapacityCheck(trial, nodes, {}).first_homeless();
    REQUIRE(difference(trial.cluster(), cluster) == "");
    REQUIRE(found.has_value() == !CapacityCheck(trial, nodes, {}).survives());
    ++(found ? tally.failed : tally.survived);
    if (!found) continue;
    const auto stuck = [&](NodeIndex n) { return !literal::vacatable(cluster, nodes, n); };
    REQUIRE(found->node == *std::find_if(nodes.begin(), nodes.end(), stuck));
    const auto& occupants = cluster.node(found->node).primaries;
    REQUIRE(std::count(occupants.begin(), occupants.end(), found->instance) == 1);
  }
  CHECK(tally.survived > scaled_tally(500));
  CHECK(tally.failed > scaled_tally(500));
}

TEST_CASE("the first instance that finds no place") {
  CHECK(homeless("") == "none");
  CHECK(homeless("a|2999|10|1|running|Y|n1||rbd||1\n") == "none");
  // The newer instance moves first and takes the only place.
  const std::string both_full = "x|2500|10|1|running|Y|n2||rbd||1\n";
  CHECK(homeless("a|1400|10|1|running|Y|n1||rbd||1\nb|1600|10|1|running|Y|n1||rbd||1\n" + both_full) == "n1: a");
  CHECK(homeless("b|1600|10|1|running|Y|n1||rbd||1\na|1400|10|1|running|Y|n1||rbd||1\n" + both_full) == "n1: b");
  // Instances that cannot move come after those that can, the largest first.
  CHECK(homeless("a|1400|10|1|running|Y|n1||rbd||1\nb|1600|10|1|running|Y|n1||plain||1\n" + both_full) == "n1: b");
  CHECK(homeless("a|1400|10|1|running|Y|n1||file||1\nb|1600|10|1|running|Y|n1||plain||1\n" + both_full) == "n1: a");
  CHECK(homeless("b|1600|10|1|running|Y|n1||plain||1\na|1400|10|1|running|Y|n1||file||1\n" + both_full) == "n1: a");
  // Drbd instances move before all others, and only to their secondaries.
  CHECK(homeless("a|1500|10|1|running|Y|n1|n2|drbd||1\nb|2999|10|1|running|Y|n1||rbd||1\n" + both_full) == "n1: a");
  CHECK(homeless("a|600|10|1|running|Y|n3|n2|drbd||1\nb|300|10|1|running|Y|n3|n2|drbd||1\n" + both_full) == "n3: a");
  // The first of the nodes is reported.
  CHECK(homeless("a|2000|10|1|running|Y|n3||rbd||1\nb|2000|10|1|running|Y|n2||rbd||1\nc|2000|10|1|running|Y|n1||rbd||"
                 "1\n") == "n1: c");
  // The instance violates the policy.
  CHECK(homeless("a|100|9001|1|running|Y|n2||plain||1\n") == "n2: a");
}

TEST_CASE("a drbd instance without its secondary cannot be checked, if it is to be refused") {
  const Cluster lonely = load("a|100|10|1|running|Y|n1|n2|drbd||1\nlonely|100|10|1|running|Y|n2||drbd||1\n");
  const Nodes all = literal::every_node(lonely);
  CHECK(contains(refusal(lonely, all), "lonely"));
  CHECK(refusal(lonely, {NodeIndex(0), NodeIndex(2)}) != "survives");  // the secondary of a is not among the nodes
  CHECK(contains(refusal(lonely, {NodeIndex(0), NodeIndex(2)}), "'a'"));
  CHECK(refusal(lonely, {NodeIndex(2)}) == "survives");
  // The check ends at the first node that cannot be vacated.
  const Cluster full = load(
      "lonely|100|10|1|running|Y|n2||drbd||1\nx|2950|10|1|running|Y|n1||plain||1\n"
      "y|2950|10|1|running|Y|n3||plain||1\n");
  CHECK(refusal(full, all) == "fails");
}

}  // namespace htools::candidate_check_test
