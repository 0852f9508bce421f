#include "survival/capacity_check.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cluster/bookkeeping.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "tests/support/literal_placement.h"
#include "tests/support/on_trial.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::capacity_check_test {

namespace {

using htools::CapacityCheck;
using htools::Cluster;
using htools::DiskTemplate;
using htools::Instance;
using htools::Node;
using htools::NodeIndex;
using htools::Trial;
using htools::testing::ClusterShape;
using htools::testing::follow;
using htools::testing::Random;
using htools::testing::same_bits;
using htools::testing::scaled;
using htools::testing::scaled_tally;
namespace literal = htools::testing::literal;

const std::vector<DiskTemplate> kEvery{DiskTemplate::Diskless, DiskTemplate::File,  DiskTemplate::SharedFile,
                                       DiskTemplate::Plain,    DiskTemplate::Block, DiskTemplate::Drbd,
                                       DiskTemplate::Rbd,      DiskTemplate::Ext,   DiskTemplate::Gluster};

bool same_ledger(const htools::Ledger& a, const htools::Ledger& b) {
  return a.free_disk == b.free_disk && a.free_spindles == b.free_spindles && a.used_vcpus == b.used_vcpus &&
         same_bits(a.memory_ratio, b.memory_ratio) && same_bits(a.disk_ratio, b.disk_ratio) &&
         same_bits(a.vcpu_ratio, b.vcpu_ratio) && same_bits(a.instance_spindles, b.instance_spindles);
}

bool same_node(const Node& a, const Node& b) {
  const auto &x = a.books, &y = b.books;
  const auto entries = [](const Node& node) {
    std::vector<std::pair<NodeIndex, std::int64_t>> list;
    for (const auto& entry : node.peers.entries()) list.emplace_back(entry.primary, entry.memory);
    return list;
  };
  return same_ledger(x.real, y.real) && same_ledger(x.forthcoming, y.forthcoming) &&
         x.instance_memory == y.instance_memory && x.forthcoming_free_memory == y.forthcoming_free_memory &&
         x.reserved_memory == y.reserved_memory && same_bits(x.reserved_ratio, y.reserved_ratio) &&
         x.n1_failed == y.n1_failed && same_bits(x.load.cpu, y.load.cpu) && same_bits(x.load.memory, y.load.memory) &&
         same_bits(x.load.disk, y.load.disk) && same_bits(x.load.network, y.load.network) &&
         x.primary_count == y.primary_count && x.secondary_count == y.secondary_count &&
         x.tag_conflicts == y.tag_conflicts && x.location_score == y.location_score && a.primaries == b.primaries &&
         a.secondaries == b.secondaries && entries(a) == entries(b) && a.primary_tags == b.primary_tags &&
         a.location_exclusion == b.location_exclusion;
}

bool same_cluster(const Cluster& a, const Cluster& b) {
  for (std::size_t n = 0; n < a.nodes.size(); ++n) {
    if (!same_node(a.nodes[n], b.nodes[n])) return false;
  }
  for (std::size_t i = 0; i < a.instances.size(); ++i) {
    if (a.instances[i].primary != b.instances[i].primary || a.instances[i].secondary != b.instances[i].secondary) {
      return false;
    }
  }
  return a.nodes.size() == b.nodes.size() && a.instances.size() == b.instances.size();
}

// Returns a shape whose instances leave about as much free as one lost node needs.
ClusterShape near_capacity(Random& random) {
  ClusterShape shape;
  shape.nodes = random.between(2, 5);
  shape.groups = random.chance(20) ? 2 : 1;
  shape.mix = static_cast<htools::testing::NodeMix>(random.between(0, 2));
  shape.instances = random.between(1, 3 * shape.nodes);
  shape.largest_memory = random.one_of(std::vector<std::int64_t>{1024, 2048, 4096});
  shape.stopped = random.chance(50) ? 30 : 0;
  shape.tagged = random.chance(30) ? 60 : 0;
  shape.migration_tagged = random.chance(20) ? 50 : 0;
  shape.exclusive = random.chance(30) ? 60 : 0;
  shape.offline = random.chance(30) ? 30 : 0;
  shape.odd = random.chance(20) ? 30 : 0;
  shape.forthcoming = random.chance(20) ? 20 : 0;
  shape.crowded = random.chance(10) ? 20 : 0;
  shape.uneven = random.chance(50) ? 100 : 0;
  shape.no_spindles = random.chance(8) ? 30 : 0;
  switch (random.between(0, 4)) {
    case 0:
      shape.templates = {DiskTemplate::Drbd, DiskTemplate::Rbd};
      break;
    case 1:
      shape.templates = {DiskTemplate::Plain, DiskTemplate::File};
      break;
    case 2:
      shape.templates = {DiskTemplate::Ext, DiskTemplate::Diskless};
      break;
    default:
      shape.templates = kEvery;
  }
  return shape;
}

struct Tally {
  int survived = 0, failed = 0;
};

// Returns a random cluster. Instances outside their policies would decide most checks, so few groups have policies.
Cluster random_cluster(Random& random) {
  Cluster cluster = htools::testing::random_facts(random, near_capacity(random));
  for (auto& group : cluster.groups) {
    group.policy.minmax.clear();
    if (random.chance(10)) group.policy = htools::testing::random_policy(random);
  }
  htools::PrepareOptions options;
  for (const Instance& instance : cluster.instances) {
    if (random.chance(30))
      options.utilisation.emplace_back(instance.facts->name, htools::Load{random.fraction(), 1, 1, 1});
  }
  htools::prepare(cluster, options);
  return cluster;
}

bool survives(const Cluster& cluster, const std::vector<NodeIndex>& nodes, const CapacityCheck::Options& options = {}) {
  Trial trial(cluster);
  const bool survives = CapacityCheck(trial, nodes, options).survives();
  REQUIRE(same_cluster(trial.cluster(), cluster));
  return survives;
}
bool survives(const Cluster& cluster) { return survives(cluster, literal::every_node(cluster)); }

// Returns a cluster of three nodes with 3000 MiB, which are easy to fill by hand.
Cluster load(const std::string& instances, const std::string& last_node = "n3|3000|0|3000|9000|9000|8|N|u|1",
             const std::string& tags = "") {
  Cluster cluster = htools::read_text_cluster(
      "g|u|preferred||\n\nn1|3000|0|3000|9000|9000|8|N|u|1\n"
      "n2|3000|0|3000|9000|9000|8|N|u|1\n" +
          last_node + "\n\n" + instances + "\n" + tags +
          "\ng|1,1,1,1,1,1|0,1,0,1,1,1;9000,9,9000,9,9,9|plain,drbd,rbd,file,"
          "blockdev,ext,diskless,sharedfile,gluster|4.0|32.0\n",
      "x.data");
  // The free amounts above are those of empty nodes.
  for (const Instance& instance : cluster.instances) {
    cluster.node(instance.primary).facts.edit().free_memory -= instance.facts->used_memory();
    if (instance.facts->uses_local_storage())
      cluster.node(instance.primary).facts.edit().free_disk -= instance.facts->disk;
    if (!instance.secondary.is_none()) cluster.node(instance.secondary).facts.edit().free_disk -= instance.facts->disk;
  }
  htools::prepare(cluster, {});
  return cluster;
}

void check(const std::string& instances, bool expected,
           const std::string& last_node = "n3|3000|0|3000|9000|9000|8|N|u|1", const std::string& tags = "") {
  Cluster cluster = load(instances, last_node, tags);
  CAPTURE(instances);
  CHECK(literal::redundant(cluster) == expected);
  CHECK(survives(cluster) == expected);
}

}  // namespace

TEST_CASE("nodes that can and cannot be vacated") {
  check("", true);
  check("a|2999|10|1|running|Y|n1||rbd||1\n", true);
  // A third instance of that size leaves no place for any of them.
  check("a|2000|10|1|running|Y|n1||rbd||1\nb|2000|10|1|running|Y|n2||rbd||1\n", true);
  check("a|2000|10|1|running|Y|n1||rbd||1\nb|2000|10|1|running|Y|n2||rbd||1\nc|2000|10|1|running|Y|n3||rbd||1\n",
        false);
  // The last MiB of a node cannot be used for instances.
  check("a|1500|10|1|running|Y|n1||rbd||1\nb|1500|10|1|running|Y|n2||rbd||1\nc|1500|10|1|running|Y|n3||rbd||1\n",
        false);
  check("a|1499|10|1|running|Y|n1||rbd||1\nb|1500|10|1|running|Y|n2||rbd||1\nc|1500|10|1|running|Y|n3||rbd||1\n", true);
  // A stopped instance takes no memory, but needs a node with some free memory.
  check("a|2000|10|1|ADMIN_down|Y|n1||rbd||1\nb|2999|10|1|running|Y|n2||rbd||1\nc|10|10|1|running|Y|n3||rbd||1\n",
        true);
}

// Instance m may go to either of two nodes, with equal scores; what is left of the other one has to do for f. The nodes
// differ in their disks alone, which are all free.
TEST_CASE("of targets with equal scores, the one that the score of all digits chooses leaves room for the others") {
  const auto instances = [](int disk) {
    return "m|1000|10|1|running|Y|n1||rbd||1\nf|1000|" + std::to_string(disk) +
           "|1|running|Y|n1||plain||1\nb|1400|10|1|running|Y|n2||rbd||1\nc|1400|10|1|running|Y|n3||rbd||1\n";
  };
  check(instances(9000), false, "n3|3000|0|3000|18000|18000|8|N|u|1");
  check(instances(8000), true, "n3|3000|0|3000|4500|4500|8|N|u|1");
}

TEST_CASE("a drbd instance goes to its secondary and nowhere else") {
  check("a|1000|10|1|running|Y|n1|n2|drbd||1\nb|1999|10|1|running|Y|n2||rbd||1\n", true);
  check("a|1000|10|1|running|Y|n1|n2|drbd||1\nb|2000|10|1|running|Y|n2||rbd||1\n", false);
  // Two instances fail over to the same secondary.
  check("a|1000|10|1|running|Y|n1|n2|drbd||1\nb|1000|10|1|running|Y|n1|n2|drbd||1\nc|999|10|1|running|Y|n2||rbd||1\n",
        true);
  check("a|1000|10|1|running|Y|n1|n2|drbd||1\nb|1000|10|1|running|Y|n1|n2|drbd||1\nc|1000|10|1|running|Y|n2||rbd||1\n",
        false);
  // The memory that the failover takes is missing for the other instances.
  check("a|1000|10|1|running|Y|n1|n2|drbd||1\nb|2000|10|1|running|Y|n1||rbd||1\nc|1001|10|1|running|Y|n3||ext||1\n",
        false);
  // Neither node has free disk.
  check("a|100|9000|1|running|Y|n1|n2|drbd||1\n", false);
  check("a|100|8999|1|running|Y|n1|n2|drbd||1\n", true);
}

TEST_CASE("offline nodes are targets, and are to be vacated unless skipped") {
  const std::string offline = "n3|3000|0|3000|9000|9000|8|Y|u|1";
  const std::string two = "a|2000|10|1|running|Y|n1||rbd||1\nb|2000|10|1|running|Y|n2||rbd||1\n";
  check(two, true, offline);
  check(two + "c|2000|10|1|running|Y|n3||rbd||1\n", false, offline);

  Cluster cluster = load(
      "a|2000|10|1|running|Y|n3||rbd||1\nb|1000|10|1|running|Y|n1||rbd||1\n"
      "c|1000|10|1|running|Y|n2||rbd||1\n",
      offline);
  const auto nodes = literal::every_node(cluster);
  CHECK_FALSE(survives(cluster, nodes));
  CHECK(survives(cluster, nodes, {.ignored_groups = {}, .skip_offline = true}));
  CHECK(survives(cluster, nodes, {.ignored_groups = {true}, .skip_offline = false}));
  CHECK_FALSE(survives(cluster, nodes, {.ignored_groups = {false}, .skip_offline = false}));
}

TEST_CASE("fixed instances are created anew under the policy, largest first") {
  check("a|8999|10|1|running|Y|n1||rbd||1\n", false);
  for (const char* name : {"plain", "file", "blockdev"}) {
    const std::string line = std::string("||") + name + "||1\n";
    check("a|100|10|1|running|Y|n1" + line, true);
    check("a|100|9001|1|running|Y|n1" + line, false);                               // disk exceeds the policy
    check("a|100|10|1|running|Y|n1" + std::string("||") + name + "||10\n", false);  // spindle use exceeds the policy
  }
  // Movable instances may violate the policy.
  check("a|100|9001|1|running|Y|n1||rbd||10\n", true);
  // There is one place of 2000 MiB and one of 1000 MiB; the smaller instance must not take the larger place.
  check(
      "s|900|10|1|running|Y|n1||plain||1\nl|1900|10|1|running|Y|n1||plain||1\nx|1000|10|1|running|Y|n2||ext||1\n"
      "y|2000|10|1|running|Y|n3||ext||1\n",
      false);  // y finds no place
}

TEST_CASE("an instance without known spindles never goes to exclusive storage") {
  for (const char* spindles : {"-", "2"}) {
    Cluster cluster = load("a|100|10|1|running|Y|n1||plain||1|" + std::string(spindles) +
                               "\nb|2999|10|1|running|Y|n2||ext||1\nc|200|10|1|running|Y|n3||ext||1\n",
                           "n3|3300|0|3300|9000|9000|8|N|u|4||Y|4");
    cluster.groups[0].policy.minmax.clear();  // otherwise the policy would refuse the instance
    const bool expected = *spindles == '2';
    CHECK(literal::vacatable(cluster, literal::every_node(cluster), NodeIndex(0)) == expected);
    Trial trial(cluster);
    CapacityCheck check(trial, literal::every_node(cluster), {});
    CHECK(check.survives() == literal::redundant(cluster));
    // Without instances on the other nodes, only the first node has to be vacated.
    trial.change(NodeIndex(1)).primaries.clear();
    trial.change(NodeIndex(2)).primaries.clear();
    CHECK(check.survives() == expected);
  }
}

TEST_CASE("migration tags bind moves and failovers, not new places") {
  const std::string plain_target = "n3|3000|0|3000|9000|9000|8|N|u|1|hv:1";
  const std::string declared = "htools:migration:hv\n";
  check("a|100|10|1|running|Y|n3||rbd||1\n", false, plain_target, declared);
  check("a|100|10|1|running|Y|n3|n1|drbd||1\n", false, plain_target, declared);
  check("a|100|10|1|running|Y|n3||plain||1\n", true, plain_target, declared);
  check("a|100|10|1|running|Y|n1||rbd||1\n", true, plain_target, declared);
}

TEST_CASE("a drbd instance may have its secondary elsewhere, but not nowhere") {
  Cluster split = htools::read_text_cluster(
      "g|u|preferred||\nh|v|preferred||\n\nn1|3000|0|2900|9000|9000|8|N|u|1\nn2|3000|0|3000|9000|9000|8|N|v|1\n\n"
      "a|100|10|1|running|Y|n1|n2|drbd||1\n\n\n",
      "x.data");
  htools::prepare(split, {});
  CHECK(survives(split, {NodeIndex(0)}));
  CHECK(survives(split, {NodeIndex(1)}));
  CHECK(survives(split));
  split.nodes[1].facts.edit().node_memory = 2900;
  CHECK_FALSE(survives(split, {NodeIndex(0)}));
  CHECK(survives(split, {NodeIndex(1)}));

  Cluster lonely = load("a|100|10|1|running|Y|n1||drbd||1\n");
  CHECK_FALSE(survives(lonely));
}

TEST_CASE("survives() is what the literal evacuations say, and leaves the cluster as it was") {
  Random random(71);
  Tally tally;
  for (int round = 0; round < scaled(15000); ++round) {
    CAPTURE(round);
    Cluster cluster = random_cluster(random);
    const Cluster before = cluster;
    const bool expected = literal::redundant(cluster);
    ++(expected ? tally.survived : tally.failed);
    REQUIRE(survives(cluster) == expected);
    REQUIRE(same_cluster(cluster, before));
  }
  CHECK(tally.survived > scaled_tally(800));
  CHECK(tally.failed > scaled_tally(800));
}

TEST_CASE("survives() under options, and for single groups") {
  Random random(72);
  for (int round = 0; round < scaled(6000); ++round) {
    CAPTURE(round);
    Cluster cluster = random_cluster(random);
    const Cluster before = cluster;
    std::vector<bool> ignored(cluster.groups.size());
    for (std::size_t g = 0; g < ignored.size(); ++g) ignored[g] = random.chance(40);
    const bool skip_offline = random.chance(50);
    const auto nodes = literal::every_node(cluster);
    REQUIRE(survives(cluster, nodes, {.ignored_groups = ignored, .skip_offline = skip_offline}) ==
            literal::redundant(cluster, nodes, ignored, skip_offline));
    std::vector<NodeIndex> group;
    for (NodeIndex n : nodes) {
      if (cluster.node(n).facts->group == htools::GroupIndex(0)) group.push_back(n);
    }
    REQUIRE(survives(cluster, group) == literal::redundant(cluster, group));
    REQUIRE(same_cluster(cluster, before));
  }
}

TEST_CASE("one check used again and again while instances are added") {
  Random random(73);
  Tally tally;
  int for_good = 0;
  for (int round = 0; round < scaled(1500); ++round) {
    CAPTURE(round);
    Trial trial(random_cluster(random));
    const Cluster& cluster = trial.cluster();
    CapacityCheck check(trial, literal::every_node(cluster), {});
    bool hopeless = false;
    for (int step = 0; step < 12; ++step) {
      const bool expected = literal::redundant(cluster);
      const bool found = check.survives();
      ++(found ? tally.survived : tally.failed);
      REQUIRE(found == expected);
      REQUIRE_FALSE((hopeless && found));
      if (!found && check.fails_for_good()) hopeless = true;
      for_good += hopeless;

      Instance instance;
      instance.facts.edit().name = "new";
      instance.facts.edit().memory = random.between(0, 700);
      instance.facts.edit().disk = random.between(0, 900);
      instance.facts.edit().vcpus = random.between(0, 1);
      instance.facts.edit().disks = {{instance.facts->disk, random.between(0, 2)}};
      instance.facts.edit().disk_template = random.one_of(kEvery);
      const auto solution = literal::place(cluster, instance).solution;
      if (solution) follow(trial, literal::applied(cluster, instance, *solution));
    }
  }
  CHECK(tally.survived > scaled_tally(500));
  CHECK(tally.failed > scaled_tally(500));
  CHECK(for_good > scaled_tally(500));
}

TEST_CASE("nodes that are certain to be vacatable were so with fewer instances, and hopeless clusters stay so") {
  Random random(74);
  int certain = 0, uncertain = 0, hopeless = 0;
  for (int round = 0; round < scaled(1500); ++round) {
    CAPTURE(round);
    Trial trial(random_cluster(random));
    const Cluster& cluster = trial.cluster();
    const std::vector<NodeIndex> nodes = literal::every_node(cluster);
    std::vector<Cluster> states{cluster};
    bool lost = false;
    for (int step = 0; step < 6; ++step) {
      Instance instance;
      instance.facts.edit().name = "new";
      instance.facts.edit().memory = random.between(0, 700);
      instance.facts.edit().disk = random.between(0, 900);
      instance.facts.edit().disks = {{instance.facts->disk, random.between(0, 2)}};
      instance.facts.edit().disk_template = random.one_of(kEvery);
      const auto solution = literal::place(cluster, instance).solution;
      if (solution) follow(trial, literal::applied(cluster, instance, *solution));
      states.push_back(cluster);
      lost |= CapacityCheck(trial, nodes, {}).is_hopeless();
      if (lost) REQUIRE_FALSE(literal::redundant(cluster));
    }
    hopeless += lost;

    const std::vector<NodeIndex> left = CapacityCheck(trial, nodes, {}).uncertain(nodes);
    uncertain += static_cast<int>(left.size());
    for (const Cluster& state : states) {
      Trial earlier(state);
      CapacityCheck check(earlier, nodes, {});
      for (NodeIndex n : nodes) {
        if (std::find(left.begin(), left.end(), n) != left.end()) continue;
        REQUIRE(check.survives({n}));
        ++certain;
      }
    }
  }
  CHECK(certain > scaled_tally(5000));
  CHECK(uncertain > scaled_tally(500));
  CHECK(hopeless > scaled_tally(100));
}

// Instances of different sizes come and go near the limit, where the choices of the first instances matter and amounts
// decide about the others.
TEST_CASE("one check used again and again on shared storage, while instances are added and taken back") {
  Random random(79);
  Tally tally;
  int undone = 0;
  for (int round = 0; round < scaled(1500); ++round) {
    CAPTURE(round);
    ClusterShape shape = near_capacity(random);
    shape.templates = {DiskTemplate::Rbd, DiskTemplate::Ext};
    if (random.chance(10)) shape.templates.push_back(DiskTemplate::Plain);
    shape.nodes = random.between(3, 7);
    shape.instances = random.between(0, 2 * shape.nodes);
    Cluster prepared = htools::testing::random_facts(random, shape);
    htools::prepare(prepared, {});
    Trial trial(prepared);
    const Cluster& cluster = trial.cluster();
    CapacityCheck check(trial, literal::every_node(cluster), {});
    const auto compare = [&] {
      const bool found = check.survives();
      ++(found ? tally.survived : tally.failed);
      REQUIRE(found == literal::redundant(cluster));
    };
    compare();
    for (int step = 0; step < 8; ++step) {
      htools::Attempt attempt(trial);
      for (std::int64_t added = random.between(1, 3); added > 0; --added) {
        Instance instance;
        instance.facts.edit().name = instance.facts.edit().alias = "new";
        instance.facts.edit().memory = random.chance(5) ? -random.between(1, 300) : random.between(0, 700);
        instance.facts.edit().disk_template = DiskTemplate::Rbd;
        instance.primary = NodeIndex(random.index(cluster.nodes.size()));
        add_primary(trial.change(instance.primary), htools::InstanceIndex(cluster.instances.size()), instance);
        trial.add(instance);
      }
      if (random.chance(80)) compare();
      if (random.chance(60)) {
        attempt.keep();
      } else {
        ++undone;
      }
    }
    compare();
  }
  CHECK(tally.survived > scaled_tally(2000));
  CHECK(tally.failed > scaled_tally(2000));
  CHECK(undone > scaled_tally(2000));
}

TEST_CASE("a drbd instance fails over only if the secondary has disk left") {
  const auto survives = [](int free_disk) {
    Cluster cluster = htools::read_text_cluster(
        "g|u|preferred||\n\n"
        "n1|4096|0|3072|102400|92160|8|N|u|1\n"
        "n2|4096|0|4096|102400|" +
            std::to_string(free_disk) +
            "|8|N|u|1\n\n"
            "a|1024|10240|1|running|Y|n1|n2|drbd|\n\n",
        "x.data");
    htools::prepare(cluster, {});
    Trial trial(cluster);
    return CapacityCheck(trial, {NodeIndex(0), NodeIndex(1)}, {}).survives();
  };
  CHECK(survives(92160));
  CHECK(survives(1));
  CHECK_FALSE(survives(0));
}

}  // namespace htools::capacity_check_test
