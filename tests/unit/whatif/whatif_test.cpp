#include "whatif/whatif.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "cluster/fingerprint.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "formats/text_writer.h"
#include "htools/errors.h"
#include "tests/support/property.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"

namespace htools::whatif_test {

using htools::testing::ClusterShape;
using htools::testing::for_each_seed;
using htools::testing::Random;

namespace {

Cluster read_prepared(const std::string& text) {
  Cluster cluster = read_text_cluster(text, "test");
  prepare(cluster, {});
  return cluster;
}

ChangedCluster changed(const Cluster& cluster, const std::vector<std::string>& texts) {
  std::vector<Change> changes;
  for (const std::string& text : texts) changes.push_back(parse_change(text));
  return make_changes(cluster, changes, {});
}

std::string state_of(const Cluster& cluster) { return fingerprints_of(cluster).state; }

std::string message_of(const Cluster& cluster, const std::string& change) {
  try {
    changed(cluster, {change});
  } catch (const InputError& error) {
    return error.message();
  }
  return "no error";
}

const Cluster& small_cluster() {
  static const Cluster cluster = read_prepared(
      "default|uuid-1|preferred||\n\n"
      "n1|4096|0|3072|102400|91136|8|N|uuid-1|1\n"
      "n2|4096|0|4096|102400|91136|8|N|uuid-1|1\n"
      "n3|4096|0|4096|102400|102400|8|N|uuid-1|1\n\n"
      "i1|1024|11264|1|running|Y|n1|n2|drbd|\n\n\n");
  return cluster;
}

// Returns a random change whose names are those of the cluster. It may be impossible.
std::string random_change(Random& random, const Cluster& cluster, std::int64_t number) {
  const auto node = [&] { return random.one_of(cluster.nodes).facts->name; };
  const auto instance = [&] {
    return cluster.instances.empty() ? "none" : random.one_of(cluster.instances).facts->name;
  };
  switch (random.between(0, 11)) {
    case 0:
      return fmt::format("add-nodes=2*fresh{},{},50g,4g,8", number, cluster.groups.front().name);
    case 1:
      return "remove-nodes=" + node();
    case 2:
      return "set-offline=" + node();
    case 3:
      return "set-online=" + node();
    case 4:
      return fmt::format("add-instances=3*more{},drbd,2g,512m,1,tag:a:{}", number, number % 2);
    case 5:
      return "remove-instances=" + instance();
    case 6:
      return "grow=30%";
    case 7:
      return "inflate=memory:1.1,disk:1.2";
    case 8:
      return fmt::format("move={}:{}", instance(), node());
    case 9:
      return fmt::format("tag-node={}:t{}", node(), number);
    case 10:
      return fmt::format("tag-instance={}:t{}", instance(), number);
    default:
      return fmt::format("set-policy={}:vcpu-ratio:{}", cluster.groups.front().name, number + 1);
  }
}

}  // namespace

TEST_CASE("a change and its opposite give the source's fingerprint") {
  const Cluster& source = small_cluster();
  const std::string state = state_of(source);
  const std::vector<std::vector<std::string>> chains{
      {},
      {"set-offline=n3", "set-online=n3"},
      {"add-nodes=2*x,default,1t,64g,16", "remove-nodes=x-1,x-2"},
      {"add-instances=2*web,drbd,1g,512m,1", "remove-instances=web-1,web-2"},
      {"move=i1:n2", "move=i1:n1"},
      {"move=i1:n1:n3", "move=i1:n1:n2"},
      {"grow=100%", "remove-instances=i1-copy1"}};
  for (const auto& chain : chains) {
    CAPTURE(chain);
    const ChangedCluster result = changed(source, chain);
    CHECK(result.is_complete());
    CHECK_EQ(state_of(result.cluster), state);
    if (chain.empty()) continue;
    CHECK_NE(state_of(changed(source, {chain.front()}).cluster), state);
  }
}

TEST_CASE("changes of random clusters can be taken back") {
  std::size_t taken_back = 0;
  for_each_seed(63, 500, [&](Random& random) {
    // (Without the loads that random clusters have.)
    const Cluster source =
        changed(htools::testing::random_cluster(random, htools::testing::random_shape(random)), {}).cluster;
    const std::string group = source.groups.front().name;
    const Node& node = random.one_of(source.nodes);
    std::vector<std::vector<std::string>> chains{
        {fmt::format("add-nodes=2*fresh,{},50g,4g,8", group), "remove-nodes=fresh-1,fresh-2"},
        {"add-instances=more,rbd,2g,512m,1", "remove-instances=more"},
        {"add-instances=more,drbd,2g,512m,1", "remove-instances=more"},
        {"add-instances=more,plain,2g,512m,1", "remove-instances=more"}};
    if (!node.offline) chains.push_back({"set-offline=" + node.facts->name, "set-online=" + node.facts->name});
    if (!source.instances.empty()) {
      const Instance& i = random.one_of(source.instances);
      std::string home = source.node(i.primary).facts->name;
      if (!i.secondary.is_none()) home += ":" + source.node(i.secondary).facts->name;
      chains.push_back({fmt::format("move={}:{}", i.facts->name, random.one_of(source.nodes).facts->name),
                        fmt::format("move={}:{}", i.facts->name, home)});
    }
    for (const auto& chain : chains) {
      CAPTURE(chain.front());
      try {
        const ChangedCluster there = changed(source, {chain.front()});
        if (!there.is_complete()) continue;
        const ChangedCluster back = changed(source, chain);
        // (Some rules forbid to go where an instance is against them.)
        if (!back.is_complete()) continue;
        CHECK_EQ(state_of(back.cluster), state_of(source));
        ++taken_back;
      } catch (const InputError& error) {  // impossible changes
        CHECK_FALSE(error.message().empty());
      }
    }
  });
  if (htools::testing::only_seed() == nullptr) CHECK(taken_back > htools::testing::scaled_tally(1000));
}

TEST_CASE("a removed instance gives back its memory and disk, and an added one takes them") {
  const Cluster without = changed(small_cluster(), {"remove-instances=i1"}).cluster;
  CHECK_EQ(without.nodes[0].facts->free_memory, 4096);
  CHECK_EQ(without.nodes[0].facts->free_disk, 102400);
  CHECK_EQ(without.nodes[1].facts->free_disk, 102400);
  const Cluster twice = changed(small_cluster(), {"inflate=memory:2,disk:2"}).cluster;
  CHECK_EQ(twice.nodes[0].facts->free_memory, 2048);
  CHECK_EQ(twice.nodes[1].facts->free_disk, 102400 - 2 * 11264);
}

TEST_CASE("what is left after a removal adds up, whether disks of a template lie on the node or not") {
  for (const DiskTemplateFacts& disk_template : kDiskTemplates) {
    if (disk_template.has_secondary || disk_template.name == "diskless") continue;
    CAPTURE(disk_template.name);
    // The source counts the disks of both instances as used on the node.
    const Cluster cluster =
        read_prepared(fmt::format("default|uuid-1|preferred||\n\n"
                                  "n1|4096|0|2048|102400|30720|8|N|uuid-1|1\n"
                                  "n2|4096|0|4096|102400|102400|8|N|uuid-1|1\n\n"
                                  "i1|1024|51200|1|running|Y|n1||{0}|\n"
                                  "i2|1024|20480|1|running|Y|n1||{0}|\n\n\n",
                                  disk_template.name));
    Cluster left = read_text_cluster(write_text_cluster(changed(cluster, {"remove-instances=i1"}).cluster), "test");
    CHECK(prepare(left, {}).warnings.empty());
    CHECK(left.nodes[0].facts->free_disk == 81920);
  }
}

TEST_CASE("what finds no room is counted, with the reason") {
  const ChangedCluster result = changed(small_cluster(), {"add-instances=9*big,drbd,1g,2g,1"});
  CHECK_FALSE(result.is_complete());
  REQUIRE_EQ(result.outcomes[0].not_placed.size(), 1);
  const NotPlaced& refused = result.outcomes[0].not_placed[0];
  CHECK_EQ(refused.count + result.cluster.instances.size(), 10);
  CHECK_FALSE(std::get<Allocation>(refused.answer.trials[0].outcome).refusals.empty());
  CHECK_FALSE(changed(small_cluster(), {"inflate=memory:10"}).is_complete());
  CHECK_FALSE(changed(small_cluster(), {"set-offline=n3", "move=i1:n3:n2"}).is_complete());
}

TEST_CASE("errors name the change") {
  const Cluster& source = small_cluster();
  CHECK_EQ(message_of(source, "set-offline=n9"), "--set-offline=n9: there is no node 'n9'");
  CHECK_EQ(message_of(source, "set-online=n1"), "--set-online=n1: node n1 is online already");
  CHECK_EQ(message_of(source, "remove-nodes=n1"), "--remove-nodes=n1: node n1 is not empty: instance i1 is on it");
  CHECK_EQ(message_of(source, "nonsense=n1"), "there is no change 'nonsense'");
  for (const char* change : {"add-nodes=n1,default,1t,1g,1",
                             "add-nodes=x,nogroup,1t,1g,1",
                             "add-nodes=x,default,-1,1g,1",
                             "add-nodes=x",
                             "add-nodes=0*x,default,1t,1g,1",
                             "add-nodes=a|b,default,1t,1g,1",
                             "remove-nodes=n3,n3",
                             "remove-nodes=",
                             "add-instances=i1,drbd,1g,1g,1",
                             "remove-instances=i2",
                             "grow=20",
                             "grow=-1%",
                             "grow=10001%",
                             "grow=nan%",
                             "inflate=memory:0",
                             "inflate=ram:2",
                             "inflate=memory:2,memory:3",
                             "inflate=memory:inf",
                             "move=i1",
                             "move=i1:n9",
                             "move=i1:n1:n2:n3",
                             "tag-node=n1:",
                             "tag-node=n1:a,b",
                             "tag-instance=i1:a|b",
                             "set-policy=default:vcpu-ratio:0",
                             "set-policy=default:colour:1",
                             "set-policy=default:disk-templates:dbrd",
                             "set-policy=x:vcpu-ratio:1"}) {
    CAPTURE(change);
    CHECK(message_of(source, change).starts_with(fmt::format("--{}: ", change)));
  }
}

TEST_CASE("the text of any chain of changes adds up") {
  std::size_t made = 0;
  for_each_seed(61, 2000, [&](Random& random) {
    Cluster cluster = htools::testing::random_cluster(random, htools::testing::random_shape(random));
    for (std::int64_t number = 0; number < 5 && !cluster.nodes.empty(); ++number) {
      const std::string change = random_change(random, cluster, number);
      CAPTURE(change);
      try {
        cluster = changed(cluster, {change}).cluster;
        ++made;
      } catch (const InputError& error) {
        // Impossible changes, and clusters that cannot be judged or saved.
        CHECK_FALSE(error.message().empty());
        continue;
      }
      const std::string text = write_text_cluster(cluster);
      Cluster again = read_text_cluster(text, "test");
      PrepareOptions options;
      for (const Instance& i : cluster.instances) options.utilisation.emplace_back(i.facts->name, i.facts->utilisation);
      prepare(again, options);
      CHECK_EQ(state_of(again), state_of(cluster));
      CHECK_EQ(write_text_cluster(again), text);
    }
  });
  if (htools::testing::only_seed() == nullptr) CHECK(made > htools::testing::scaled_tally(3000));
}

}  // namespace htools::whatif_test
