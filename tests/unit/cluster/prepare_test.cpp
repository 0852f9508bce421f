#include "cluster/prepare.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/decimal.h"
#include "base/strings.h"
#include "cluster/bookkeeping.h"
#include "formats/text_reader.h"
#include "htools/errors.h"

namespace htools::prepare_test {

namespace {

using htools::Cluster;
using htools::Instance;
using htools::InstanceIndex;
using htools::Node;
using htools::NodeIndex;
using htools::NodeOptions;
using htools::PrepareOptions;
using htools::PrepareReport;
using Strings = std::vector<std::string>;

struct Loaded {
  Cluster cluster;
  PrepareReport report;
};

Loaded load(const std::string& text, const PrepareOptions& options = {}) {
  Loaded result{htools::read_text_cluster(text, "x.data"), {}};
  result.report = htools::prepare(result.cluster, options);
  return result;
}

template <class Action>
std::string problem_of(Action action) {
  try {
    action();
  } catch (const htools::InputError& error) {
    return error.what();
  }
  return "(no error)";
}

// Returns the positions of the instances, newest first, as in tables: "[2,1,0]".
std::string list_of(const std::vector<InstanceIndex>& instances) {
  Strings positions;
  for (auto it = instances.rbegin(); it != instances.rend(); ++it) positions.push_back(std::to_string(it->position()));
  return "[" + htools::join(positions, ",") + "]";
}

std::string peers_of(const Node& node) {
  Strings entries;
  for (const auto& e : node.peers.entries()) entries.push_back(fmt::format("({},{})", e.primary.position(), e.memory));
  return "[" + htools::join(entries, ",") + "]";
}

std::string tags_of(const Node& node) {
  Strings tags;
  for (const auto& [tag, count] : node.primary_tags) tags.push_back(fmt::format("{}={}", tag, count));
  return htools::join(tags, ",");
}

// Returns the total, node, instance, missing, reported free, unallocated, reserved and available memory in MiB.
std::string memory_of(const Node& node) {
  return fmt::format("{} {} {} {} {} {} {} {}", htools::format_fixed(node.facts->total_memory, 0),
                     node.facts->node_memory, node.books.instance_memory, node.facts->missing_memory,
                     node.facts->free_memory, node.unallocated_memory(), node.books.reserved_memory,
                     node.available_memory());
}

std::string ratio(double value) { return htools::format_fixed(value, 4); }

const std::string kGroup = "g1|uuid-1|preferred||\n\n";

// A cluster with nine kinds of instances on three nodes, of which the last has exclusive storage.
const std::string kMixedCluster = kGroup +
                                  "na.ex.org|16384|1024|9000|204800|150000|8|N|uuid-1|2||N|7|2|1.5\n"
                                  "nb.ex.org|16384|1024|15000|204800|100000|8|M|uuid-1\n"
                                  "nc.ex.org|16384|1024|2000|204800|204800|8|N|uuid-1|4|x:1|Y|3|1\n"
                                  "\n"
                                  "i1.ex.org|2048|20480|2|running|Y|na.ex.org|nb.ex.org|drbd|s:a,t:b,s:a|2\n"
                                  "i2.ex.org|4096|10240|1|ADMIN_down|Y|na.ex.org|nb.ex.org|drbd||3\n"
                                  "i3.ex.org|1024|10240|1|ADMIN_offline|Y|na.ex.org|nb.ex.org|drbd||1\n"
                                  "i4.ex.org|512|10240|1|ERROR_up|N|nb.ex.org|na.ex.org|drbd|s:q|1\n"
                                  "i5.ex.org|512|1024|1|ERROR_down|Y|nb.ex.org||plain|s:q|1\n"
                                  "i6.ex.org|700|1024|1|running|Y|nc.ex.org||plain|s:q|1|2\n"
                                  "i7.ex.org|800|1024|1|running|Y|nb.ex.org||sharedfile||5|-\n"
                                  "i8.ex.org|900|1024|3|running|Y|nb.ex.org||plain||5|-|Y\n"
                                  "\n"
                                  "htools:iextags:s\n";

}  // namespace

TEST_CASE("the books of a node follow from what its instances use") {
  const Loaded loaded = load(kMixedCluster);
  struct Expected {
    std::string alias, memory, counts, ratios, loads, primaries, secondaries, tags, peers;
    double max_spindles, spindles;
  };
  // The counts are vcpus, primaries and secondaries; the ratios are free memory, free disk, vcpus and reserved memory.
  const std::vector<Expected> expected = {
      {"na", "16384 1024 2048 4312 9000 9000 0 9000", "5 3 1", "0.5493 0.7324 0.6250 0.0000", "3 4", "[2,1,0]", "[3]",
       "s:a=2", "[(1,0)]", 64.0, 7.0},
      {"nb", "16384 1024 1312 -952 15000 14048 6144 7904", "4 3 3", "0.8574 0.4883 0.5000 0.3750", "3 6", "[6,4,3]",
       "[2,1,0]", "s:q=2", "[(0,6144)]", 32.0, 8.0},
      {"nc", "16384 1024 700 12660 2000 2000 0 2000", "2 1 0", "0.1221 0.7500 0.2500 0.0000", "1 1", "[5]", "[]",
       "s:q=1", "[]", 128.0, 0.0},
  };
  REQUIRE(loaded.cluster.nodes.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Node& node = loaded.cluster.nodes[i];
    const Expected& e = expected[i];
    CAPTURE(e.alias);
    CHECK(node.facts->alias == e.alias);
    CHECK(memory_of(node) == e.memory);
    CHECK(fmt::format("{} {} {}", node.books.real.used_vcpus, node.primaries.size(), node.secondaries.size()) ==
          e.counts);
    CHECK(node.books.primary_count == static_cast<std::int64_t>(node.primaries.size()));
    CHECK(node.books.secondary_count == static_cast<std::int64_t>(node.secondaries.size()));
    CHECK(fmt::format("{} {} {} {}", ratio(node.books.real.memory_ratio), ratio(node.books.real.disk_ratio),
                      ratio(node.books.real.vcpu_ratio), ratio(node.books.reserved_ratio)) == e.ratios);
    CHECK(fmt::format("{} {}", node.books.load.cpu, node.books.load.disk) == e.loads);
    CHECK(list_of(node.primaries) == e.primaries);
    CHECK(list_of(node.secondaries) == e.secondaries);
    CHECK(tags_of(node) == e.tags);
    CHECK(peers_of(node) == e.peers);
    CHECK(node.facts->max_instance_spindles == e.max_spindles);
    CHECK(node.books.real.instance_spindles == e.spindles);
    CHECK(!node.books.n1_failed);
    CHECK(node.books.tag_conflicts == (i == 2 ? 0 : 1));
    CHECK(node.facts->max_vcpus == 32);
    CHECK(node.books.real.free_disk == node.facts->free_disk);
    CHECK(node.books.real.free_spindles == node.facts->free_spindles);
  }
  CHECK(loaded.report.common_suffix == ".ex.org");
  CHECK(loaded.report.warnings == Strings{"node nc.ex.org is missing 12660 MB ram and -1 GB disk",
                                          "node nb.ex.org is missing -952 MB ram and 50 GB disk",
                                          "node na.ex.org is missing 4312 MB ram and 3 GB disk"});
}

TEST_CASE("each status decides about memory, reservation and vcpus") {
  // The memory of the n-th status, counted from 0, is 2^n MiB, so that each sum shows its statuses.
  std::string instances;
  std::int64_t memory = 1;
  for (const htools::InstanceStatusFacts& status : htools::kInstanceStatuses) {
    instances += fmt::format("i{0}|{0}|1|1|{1}|Y|na|nb|drbd|\n", memory, status.name);
    memory *= 2;
  }
  const Cluster c = load(kGroup + "na|4096|0|4096|20480|20480|4|N|uuid-1\nnb|4096|0|4096|20480|20480|4|N|uuid-1\n\n" +
                         instances + "\n")
                        .cluster;
  CHECK(c.nodes[0].books.instance_memory == 376);
  CHECK(c.nodes[0].books.real.used_vcpus == 9);
  CHECK(c.nodes[1].books.reserved_memory == 509);
}

TEST_CASE("the books are the same when a cluster is prepared again") {
  Loaded loaded = load(kMixedCluster);
  const Strings warnings = loaded.report.warnings;
  const Strings peers = {peers_of(loaded.cluster.nodes[0]), peers_of(loaded.cluster.nodes[1])};
  const std::string memory = memory_of(loaded.cluster.nodes[1]);
  CHECK(htools::prepare(loaded.cluster, {}).warnings == warnings);
  CHECK(Strings{peers_of(loaded.cluster.nodes[0]), peers_of(loaded.cluster.nodes[1])} == peers);
  CHECK(memory_of(loaded.cluster.nodes[1]) == memory);
  CHECK(list_of(loaded.cluster.nodes[0].primaries) == "[2,1,0]");
  CHECK(tags_of(loaded.cluster.nodes[0]) == "s:a=2");
}

TEST_CASE("nodes that miss more than 512 MiB or 1 GiB are reported, highest index first") {
  const Loaded loaded = load(kGroup +
                             "na|4096|512|2559|20480|19456|4|N|uuid-1\n"
                             "nb|4096|512|3072|20480|19455|4|N|uuid-1\n"
                             "nc|4096|512|3071|20480|20481|4|N|uuid-1\n"
                             "nd|4096|512|0|20480.9|10240|4|Y|uuid-1\n"
                             "\n"
                             "i1|512|1024|1|running|Y|na||rbd||1\n"
                             "i2|512|1024|1|ADMIN_down|Y|nb|na|rbd||1\n"
                             "\n");
  CHECK(loaded.report.warnings == Strings{"node nd is missing 3584 MB ram and 10 GB disk",
                                          "node nc is missing 513 MB ram and -1 GB disk",
                                          "node na is missing 513 MB ram and -1 GB disk"});
}

TEST_CASE("cluster tags and the option select exclusion tags") {
  struct Case {
    std::string cluster_tag;
    Strings option;
    std::string tags;
  };
  const std::vector<Case> cases = {
      {"htools:iextags:srv\n", {}, "srv:a=2,srvx=2"},
      {"htools:iextags:srv:\n", {}, "srv:a=2"},
      {"", {"srv"}, "srv:a=2"},
      {"", {"srv", "other"}, "other:b=2,srv:a=2"},
      {"htools:iextags:other\n", {"srv:"}, "other:b=2"},
      {"htools:iextags\n", {"other"}, "other:b=2"},
      {"htools:iextags:\n", {}, ""},
      {"htools:iextags\n", {""}, ""},
      {"xhtools:iextags:srv\n", {}, ""},
      {"htools:iextags:srv\nhtools:iextags:zz:\n", {}, "srv:a=2,srvx=2,zz:=1"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.cluster_tag);
    PrepareOptions options;
    options.exclusion_tags = c.option;
    const Cluster cluster = load(kGroup +
                                     "na|16384|0|16000|204800|204800|8|N|uuid-1\n"
                                     "nb|16384|0|16000|204800|204800|8|M|uuid-1\n"
                                     "\n"
                                     "i1|128|1024|1|running|Y|na||plain|srv:a,srvx,other:b|1\n"
                                     "i2|128|1024|1|running|Y|na||plain|srv:a,other:b|1\n"
                                     "i3|128|1024|1|running|Y|na||plain|srvx,zz:,zz|1\n"
                                     "\n" +
                                     c.cluster_tag,
                                 options)
                                .cluster;
    CHECK(tags_of(cluster.nodes[0]) == c.tags);
    CHECK(tags_of(cluster.nodes[1]).empty());
  }
}

namespace {

const std::string kNames = kGroup +
                           "node1.a.org|4096|512|3000|20480|20480|4|N|uuid-1\n"
                           "node1.b.org|4096|512|3000|20480|20480|4|N|uuid-1\n"
                           "node2.a.org|4096|512|3000|20480|20480|4|N|uuid-1\n"
                           "node3|4096|512|3000|20480|20480|4|N|uuid-1\n"
                           "\n"
                           "inst.a.org|512|1024|1|running|Y|node1.a.org||rbd||1\n"
                           "inst2.a.org|512|1024|1|running|Y|node3||rbd||1\n"
                           "dup.org|512|1024|1|running|Y|node3||rbd||1\n"
                           "dup.org|512|1024|1|running|Y|node3||rbd||1\n"
                           "\n";

PrepareOptions choice(const Strings& selected, const Strings& excluded) {
  PrepareOptions options;
  options.selected_instances = selected;
  options.excluded_instances = excluded;
  return options;
}

}  // namespace

TEST_CASE("only selected and not excluded instances are movable") {
  struct Case {
    Strings selected, excluded;
    std::vector<bool> movable;
  };
  const std::vector<Case> cases = {
      {{}, {}, {true, true, true, true}},
      {{"dup.org"}, {"inst"}, {false, false, true, true}},
      {{"inst", "inst2"}, {}, {true, true, false, false}},
      {{"inst", "inst2"}, {"inst2.a"}, {true, false, false, false}},
      {{}, {"inst.a.org"}, {false, true, true, true}},
  };
  for (const Case& c : cases) {
    CAPTURE(htools::join(c.selected, ","));
    const Cluster cluster = load(kNames, choice(c.selected, c.excluded)).cluster;
    for (std::size_t i = 0; i < c.movable.size(); ++i) CHECK(cluster.instances[i].facts->movable == c.movable[i]);
  }
}

TEST_CASE("unknown and ambiguous instance names are listed, selected ones first") {
  const auto problem = [](const Strings& selected, const Strings& excluded) {
    return problem_of([&] { load(kNames, choice(selected, excluded)); });
  };
  CHECK(problem({"inst", "zz", "dup.org"}, {}) == R"(Unknown instance(s): ["zz"])");
  CHECK(problem({"inst", "zz", "dup"}, {"yy"}) == R"(Unknown instance(s): ["zz","dup","yy"])");
  CHECK(problem({}, {"ins"}) == R"(Unknown instance(s): ["ins"])");
}

TEST_CASE("unknown and ambiguous offline nodes are listed in reverse, an extra line end follows") {
  Cluster c = load(kNames).cluster;
  NodeOptions options;
  options.offline = {"node1", "nodeX", "node2"};
  CHECK(problem_of([&] { htools::apply_node_options(c, options); }) ==
        "wrong node name(s) set as offline: nodeX,node1");
  options.offline = {"node1.b", "node3"};
  htools::apply_node_options(c, options);
  CHECK(!c.nodes[0].offline);
  CHECK(c.nodes[1].offline);
  CHECK(!c.nodes[2].offline);
  CHECK(c.nodes[3].offline);
}

TEST_CASE("a template decides whether an instance is movable, split instances are not") {
  std::string instances;
  for (const auto& t : htools::kDiskTemplates) instances += fmt::format("{0}|1|1|1|running|Y|na|nb|{0}|\n", t.name);
  for (const auto& t : htools::kDiskTemplates) instances += fmt::format("{0}2|1|1|1|running|Y|na|nx|{0}|\n", t.name);
  const auto movable = [&](const PrepareOptions& options) {
    const Cluster c = load(
                          "g1|u1|preferred|\ng2|u2|preferred|\n\n"
                          "na|1|1|1|1|1|1|N|u1\nnb|1|1|1|1|1|1|N|u1\nnx|1|1|1|1|1|1|N|u2\n\n" +
                              instances + "\n",
                          options)
                          .cluster;
    Strings names;
    for (const Instance& instance : c.instances) {
      if (instance.facts->movable) names.push_back(instance.facts->name);
    }
    return names;
  };
  CHECK(movable({}) == Strings{"sharedfile", "blockdev", "drbd", "rbd", "ext", "gluster"});
  PrepareOptions plain, diskless;
  plain.plain_moves = true;
  diskless.diskless_moves = true;
  CHECK(movable(plain) == Strings{"sharedfile", "plain", "blockdev", "drbd", "rbd", "ext", "gluster"});
  CHECK(movable(diskless) == Strings{"diskless", "sharedfile", "blockdev", "drbd", "rbd", "ext", "gluster"});
}

TEST_CASE("utilisation is set by full names that are unique, the last value counts") {
  PrepareOptions options;
  options.utilisation = {{"inst.a.org", {9, 9, 9, 9}},
                         {"inst.a.org", {2, 3, 4, 5}},
                         {"dup.org", {9, 9, 9, 9}},
                         {"nope", {1, 1, 1, 1}},
                         {"inst2", {8, 8, 8, 8}}};
  const auto load_of = [](const Instance& i) {
    return fmt::format("{} {} {} {}", i.facts->utilisation.cpu, i.facts->utilisation.memory, i.facts->utilisation.disk,
                       i.facts->utilisation.network);
  };
  const Strings expected = {"2 3 4 5", "1 1 1 1", "1 1 1 1", "1 1 1 1"};
  const Cluster c = load(kNames, options).cluster;
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(load_of(c.instances[i]) == expected[i]);
  CHECK(c.nodes[0].books.load.network == 5.0);
  CHECK(c.nodes[3].books.load.network == 3.0);

  options.ignore_utilisation = true;
  const Cluster idle = load(kNames, options).cluster;
  for (const Instance& instance : idle.instances) CHECK(load_of(instance) == "0 0 0 0");
  CHECK(idle.nodes[3].books.load.cpu == 0.0);
}

TEST_CASE("a node fails N+1 at load when its reported free memory is less than the reservation") {
  const Cluster c = load(kGroup +
                         "na|16384|1024|15360|204800|204800|8|N|uuid-1\n"
                         "nb|16384|1024|2048|204800|204800|8|N|uuid-1\n"
                         "nc|16384|1024|2047|204800|204800|8|N|uuid-1\n"
                         "nd|4096|1024|9999|204800|204800|8|N|uuid-1\n"
                         "ne|16384|1024|9999|204800|204800|8|Y|uuid-1\n"
                         "\n"
                         "i1|2048|1024|1|running|Y|na|nb|drbd||1\n"
                         "i2|2048|1024|1|running|Y|na|nc|drbd||1\n"
                         "i3|4000|1024|1|running|Y|na|nd|drbd||1\n"
                         "i4|9000|1024|1|running|N|na|nd|drbd||1\n"
                         "i5|9000|1024|1|ADMIN_offline|Y|na|nd|drbd||1\n"
                         "i6|99000|1024|1|running|Y|na|ne|drbd||1\n"
                         "\n")
                        .cluster;
  struct Expected {
    std::string memory, peers, free_ratio;
    bool n1_failed;
  };
  const std::vector<Expected> expected = {
      {"16384 1024 116096 -116096 15360 -100736 0 0", "[]", "-6.1484", false},
      {"16384 1024 0 13312 2048 2048 2048 0", "[(0,2048)]", "0.1250", false},
      {"16384 1024 0 13313 2047 2047 2048 0", "[(0,2048)]", "0.1249", true},
      {"4096 1024 0 -6927 9999 3072 4000 0", "[(0,4000)]", "0.7500", false},
      {"16384 1024 0 5361 9999 9999 99000 0", "[(0,99000)]", "0.6103", true},
  };
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Node& node = c.nodes[i];
    CAPTURE(node.facts->name);
    CHECK(memory_of(node) == expected[i].memory);
    CHECK(peers_of(node) == expected[i].peers);
    CHECK(ratio(node.books.real.memory_ratio) == expected[i].free_ratio);
    CHECK(node.books.n1_failed == expected[i].n1_failed);
  }
  CHECK(c.nodes[0].books.forthcoming_free_memory == 6360);
  CHECK(c.nodes[0].books.forthcoming.memory_ratio == 6360.0 / 16384.0);
}

TEST_CASE("location and exclusion tags count against the primary node") {
  const std::string text = kGroup +
                           "na|4096|0|4096|20480|20480|4|N|uuid-1|1|rack:1,power:x,rack\n"
                           "nb|4096|0|4096|20480|20480|4|N|uuid-1|1|rack:1,power:x\n"
                           "nc|4096|0|4096|20480|20480|4|N|uuid-1|1|rack:2,power:y\n"
                           "\n"
                           "i1|64|256|1|running|Y|na|nb|drbd|rack:2,power:x,rackzzz,s:1,s:1|1\n"
                           "i2|64|256|1|running|Y|nc||plain|rack:1,s:1|1\n"
                           "i3|64|256|1|running|Y|nc|na|plain|s:1|1\n"
                           "i4|64|256|1|running|Y|na|nb|plain|s:1|1\n"
                           "\n"
                           "htools:nlocation:rack\n"
                           "htools:nlocation:power\n";
  const Cluster c = load(text + "htools:desiredlocation:rack\nhtools:iextags:s\n").cluster;
  const std::vector<std::int64_t> instance_scores{2, 0, 0, 2}, conflicts{2, 0, 1}, scores{6, 0, 1}, exclusion{4, 0, 2};
  for (std::size_t i = 0; i < instance_scores.size(); ++i) CHECK(c.instances[i].location_score == instance_scores[i]);
  for (std::size_t i = 0; i < c.nodes.size(); ++i) {
    CAPTURE(i);
    CHECK(c.nodes[i].books.tag_conflicts == conflicts[i]);
    CHECK(c.nodes[i].books.location_score == scores[i]);
    CHECK(c.nodes[i].location_exclusion.collisions() == exclusion[i]);
  }
  CHECK(c.nodes[0].facts->location_tags.tags() == Strings{"power:x", "rack:1"});
  CHECK(c.instances[0].facts->desired_location_tags.tags() == Strings{"rack:2", "rackzzz"});

  const Cluster power = load(text + "htools:desiredlocation:power\n").cluster;
  CHECK(power.nodes[0].books.location_score + power.nodes[2].books.location_score == 4);
}

TEST_CASE("migration tags decide which nodes may receive from which") {
  const std::string m = "htools:migration:", a = "htools:allowmigration:";
  struct Case {
    std::string tags_of_nc;
    Strings cluster_tags;
    std::string source;
    Strings targets;
  };
  const std::vector<Case> cases = {
      {"hv:4", {m + "hv"}, "na", {"nc"}},
      {"hv:4", {m + "hv", a + "hv:4::hv:5"}, "na", {"nb", "nc"}},
      {"hv:4", {m + "hv", a + "hv:4::hv:5"}, "nb", {}},
      {"", {m + "hv", a + "hv:4::hv:5"}, "na", {"nb"}},
      {"", {m + "hv", a + "hv:4::hv:5"}, "nc", {"na", "nb"}},
      {"hv:4", {m + "hv", a + "hv:4::hv:5::x"}, "na", {"nc"}},
      {"hv:4", {m + "hv", a + "hv:4::::hv:5"}, "na", {"nc"}},
      {"hv:4", {m + "hv", m + "cpu"}, "na", {}},
      {"hv:4,cpu:a", {m + "hv", m + "cpu"}, "na", {"nc"}},
      {"cpu:a", {m + "hv:"}, "na", {"nb", "nc"}},
      {"hv:6", {m + "hv", a + "hv:6::hv:5", a + "hv:5::hv:4"}, "nc", {"nb"}},
      {"hv:6", {m + "hv", a + "hv:6::hv:5", a + "hv:5::hv:4"}, "nb", {"na"}},
  };
  for (const Case& c : cases) {
    CAPTURE(htools::join(c.cluster_tags, " "));
    CAPTURE(c.tags_of_nc);
    const Cluster cluster = load(kGroup +
                                 "na|4096|0|4096|20480|20480|4|N|uuid-1|1|hv:4,cpu:a\n"
                                 "nb|4096|0|4096|20480|20480|4|N|uuid-1|1|hv:5,cpu:a\n"
                                 "nc|4096|0|4096|20480|20480|4|N|uuid-1|1|" +
                                 c.tags_of_nc + "\n\n\n" + htools::join(c.cluster_tags, "\n"))
                                .cluster;
    const Node& source = cluster.nodes[static_cast<std::size_t>(c.source[1] - 'a')];
    Strings targets;
    for (const Node& target : cluster.nodes) {
      if (target.facts->name != source.facts->name && htools::migration_allowed(source, target))
        targets.push_back(target.facts->name);
    }
    CHECK(targets == c.targets);
  }
}

TEST_CASE("a node receives from its own migration tags and one step of allowed ones") {
  const Cluster c = load(kGroup +
                         "na|4096|0|4096|20480|20480|4|N|uuid-1|1|hv:4,hv:4,cpu:a\n"
                         "nb|4096|0|4096|20480|20480|4|N|uuid-1|1|hv:5\n"
                         "nc|4096|0|4096|20480|20480|4|N|uuid-1|1|:b\n"
                         "\n\nhtools:migration:hv\nhtools:migration:\n"
                         "htools:allowmigration:hv:6::hv:5\nhtools:allowmigration:hv:5::hv:4\n"
                         "htools:allowmigration:a:::b\nhtools:allowmigration:x::::b\n")
                        .cluster;
  CHECK(c.nodes[0].facts->migration_tags.tags() == Strings{"hv:4"});
  CHECK(c.nodes[0].facts->receivable_migration_tags.tags() == Strings{"hv:4", "hv:5"});
  CHECK(c.nodes[1].facts->receivable_migration_tags.tags() == Strings{"hv:5", "hv:6"});
  CHECK(c.nodes[2].facts->migration_tags.tags() == Strings{":b"});
  CHECK(c.nodes[2].facts->receivable_migration_tags.tags() == Strings{":b", "a"});
}

TEST_CASE("forthcoming instances count in their own books only") {
  const Cluster c = load(kGroup +
                         "na|4096|0|2048|20480|16384|4|N|uuid-1\n"
                         "nb|4096|0|4096|20480|20480|4|N|uuid-1\n"
                         "nc|4096|0|4096|20480|20480|4|N|uuid-1|8||Y|6\n"
                         "\n"
                         "i1|1024|2048|1|running|Y|na|nb|drbd|s:1|2|-|Y\n"
                         "i2|512|2048|2|running|Y|na||plain|s:1|4|-|Y\n"
                         "i3|256|1024|1|running|Y|na||plain|s:1|1\n"
                         "i4|128|1024|1|ADMIN_down|Y|na||plain||1\n"
                         "i5|128|1024|1|ADMIN_offline|Y|na||plain||1\n"
                         "i6|128|1024|1|ADMIN_offline|Y|nc||plain||1|2\n"
                         "i7|128|1024|1|ADMIN_offline|Y|nc||plain||1|2|Y\n"
                         "i8|128|1024|1|ADMIN_offline|Y|nc||rbd||1|-|Y\n"
                         "\n"
                         "htools:iextags:s\n")
                        .cluster;
  const Node& na = c.nodes[0];
  CHECK(list_of(na.primaries) == "[4,3,2]");
  CHECK(tags_of(na) == "s:1=3");
  CHECK(na.books.real.used_vcpus == 3);
  CHECK(na.books.instance_memory == 256);
  CHECK(na.books.real.instance_spindles == 3.0);
  CHECK(c.nodes[1].books.reserved_memory == 0);
  CHECK(c.nodes[1].secondaries.empty());
  CHECK(c.nodes[2].books.real.disk_ratio == 0.75);

  struct Forthcoming {
    double memory, disk, vcpus, spindles;
  };
  const std::vector<Forthcoming> expected = {{256.0 / 4096, 12288.0 / 20480, 6.0 / 4, 9.0},
                                             {1.0, 18432.0 / 20480, 1.0 / 4, 2.0},
                                             {3712.0 / 4096, -1.0 / 8, 1.0 / 4, 0.0}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    const htools::Ledger& ledger = c.nodes[i].books.forthcoming;
    CHECK(ledger.memory_ratio == expected[i].memory);
    CHECK(ledger.disk_ratio == expected[i].disk);
    CHECK(ledger.vcpu_ratio == expected[i].vcpus);
    CHECK(ledger.instance_spindles == expected[i].spindles);
  }
}

TEST_CASE("an instance that names one node twice is its secondary only") {
  const Cluster c = load(kGroup +
                         "na|4096|0|4096|20480|20480|4|N|uuid-1\nnb|4096|0|4096|20480|20480|4|N|uuid-1\n\n"
                         "i1|512|256|1|running|Y|na|na|plain||1\n\n")
                        .cluster;
  CHECK(list_of(c.nodes[0].primaries) == "[]");
  CHECK(list_of(c.nodes[0].secondaries) == "[0]");
  CHECK(peers_of(c.nodes[0]) == "[(0,512)]");
  CHECK(c.nodes[0].books.instance_memory == 0);
  CHECK(c.nodes[0].books.real.used_vcpus == 1);
  CHECK(peers_of(c.nodes[1]) == "[]");
}

TEST_CASE("equal reservations are listed newest first") {
  const Cluster c = load(kGroup +
                         "na|4096|0|4096|20480|20480|4|N|uuid-1\n"
                         "nb|4096|0|4096|20480|20480|4|N|uuid-1\n"
                         "nc|4096|0|4096|20480|20480|4|N|uuid-1\n"
                         "nd|4096|0|4096|20480|20480|4|N|uuid-1\n"
                         "\n"
                         "i1|256|1024|1|ADMIN_down|N|na|nb|drbd||1\n"
                         "i2|128|1024|1|ADMIN_down|Y|na|nb|drbd||1\n"
                         "i3|128|1024|1|ADMIN_down|Y|nc|nb|drbd||1\n"
                         "i4|256|1024|1|ADMIN_down|Y|nc|nb|drbd||1\n"
                         "i5|384|1024|1|ADMIN_down|Y|nd|nb|drbd||1\n"
                         "i6|0|1024|1|ADMIN_down|N|na|nb|drbd||1\n"
                         "\n")
                        .cluster;
  const Strings peers{"[]", "[(3,384),(2,384),(0,128)]", "[]", "[]"}, primaries{"[5,1,0]", "[]", "[3,2]", "[4]"};
  const std::vector<std::int64_t> reserved{0, 384, 0, 0};
  for (std::size_t i = 0; i < c.nodes.size(); ++i) {
    CAPTURE(i);
    CHECK(peers_of(c.nodes[i]) == peers[i]);
    CHECK(list_of(c.nodes[i].primaries) == primaries[i]);
    CHECK(list_of(c.nodes[i].secondaries) == (i == 1 ? "[5,4,3,2,1,0]" : "[]"));
    CHECK(c.nodes[i].books.reserved_memory == reserved[i]);
    CHECK(c.nodes[i].unallocated_memory() == 4096);
  }
}

TEST_CASE("an unknown node has ratios, too") {
  const Cluster c = load(kGroup + "na|?|0|0|0|0|0|N|uuid-1\n\n\n").cluster;
  CHECK(htools::format_fixed(c.nodes[0].books.real.vcpu_ratio, 2) == "NaN");
  CHECK(htools::format_fixed(c.nodes[0].books.real.memory_ratio, 2) == "NaN");
  CHECK(c.nodes[0].books.real.disk_ratio == 1.0);
}

TEST_CASE("vcpu limit and disk reserve follow from policy and options, rounded down") {
  Cluster c = load("g1|u|preferred|\n\nna|10000|0|10000|10001|10001|2|N|u|3\n\n\n\ng1|1,1,1,1,1,1|||3.7|0.5\n").cluster;
  Node& node = c.nodes[0];
  CHECK(node.facts->vcpu_ratio_limit == 3.7);
  CHECK(node.facts->max_vcpus == 7);
  CHECK(node.facts->max_instance_spindles == 1.5);
  CHECK(node.facts->min_free_disk == 0);
  CHECK(node.available_disk() == 10001);

  NodeOptions options;
  options.max_vcpu_ratio = 2.6;
  options.min_disk_ratio = 0.5;
  htools::apply_node_options(c, options);
  CHECK(node.facts->vcpu_ratio_limit == 2.6);
  CHECK(node.facts->max_vcpus == 5);
  CHECK(node.facts->min_free_disk == 5000);
  CHECK(node.available_disk() == 5001);
  CHECK(c.groups[0].policy.vcpu_ratio == 3.7);

  options.min_disk_ratio = 2;
  htools::apply_node_options(c, options);
  CHECK(node.available_disk() == 0);
}

TEST_CASE("the domain that all names share is stripped from the aliases") {
  struct Case {
    Strings nodes, instances;
    std::string suffix;
  };
  const std::vector<Case> cases = {
      {{"na.y.org", "nb.y.org"}, {"i1.y.org", "i0.x.org"}, ".org"},
      {{"na.ex.org", "nb.ex.org"}, {"i1.ex.org"}, ".ex.org"},
      {{"na.ex.org", "node3"}, {"i1.ex.org"}, ""},
      {{"na.ex.org"}, {"i1"}, ""},
      {{"na.ex.org"}, {}, ".ex.org"},
      {{"a.b.c", "x.b.c", "y.xb.c"}, {}, ".c"},
      {{}, {}, ""},
  };
  for (const Case& c : cases) {
    CAPTURE(htools::join(c.nodes, ",") + ";" + htools::join(c.instances, ","));
    std::string text = kGroup;
    for (const std::string& name : c.nodes) text += name + "|1|1|1|1|1|1|N|uuid-1\n";
    text += "\n";
    for (const std::string& name : c.instances) text += name + "|1|1|1|running|Y|" + c.nodes[0] + "||plain|\n";
    const Loaded loaded = load(text + "\n");
    CHECK(loaded.report.common_suffix == c.suffix);
    for (const Node& node : loaded.cluster.nodes) CHECK(node.facts->alias + c.suffix == node.facts->name);
    for (const Instance& instance : loaded.cluster.instances)
      CHECK(instance.facts->alias + c.suffix == instance.facts->name);
  }
}

TEST_CASE("nodes that run kvm get the fixed node memory, if there is one") {
  Cluster c = htools::read_text_cluster(
      kGroup + "na|16384|1000|15384|1|1|1|N|uuid-1\nnb|16384|1000|15384|1|1|1|Y|uuid-1\n\n\n", "x.data");
  c.nodes[0].facts.edit().hypervisor = htools::Hypervisor::Kvm;
  for (const std::int64_t nothing : {0, -5}) {
    PrepareOptions options;
    options.static_kvm_node_memory = nothing;
    htools::prepare(c, options);
    CHECK(c.nodes[0].facts->node_memory == 1000);
  }
  htools::prepare(c, {});
  CHECK(c.nodes[0].facts->node_memory == 4096);
  CHECK(c.nodes[0].facts->missing_memory == -3096);
  CHECK(c.nodes[1].facts->node_memory == 1000);
}

TEST_CASE("tag conflicts of a node are those of its tag counts, after every placement") {
  const std::string node = "n|4096|0|4096|20480|20480|4|N|uuid-1\n";
  const Cluster c = load(kGroup + node +
                         "\n"
                         "i1|1|1|1|running|Y|n||plain|s:a,s:b,s:a\n"
                         "i2|1|1|1|running|Y|n||plain|s:b,s:c,s:c,s:c\n"
                         "i3|1|1|1|running|Y|n||plain|s:a|1|-|Y\n"
                         "i4|1|1|1|running|Y|n||plain|s:d\n"
                         "\nhtools:iextags:s:\n")
                        .cluster;
  CHECK(c.nodes[0].books.tag_conflicts == 5);
  for (const std::vector<std::size_t>& order :
       std::vector<std::vector<std::size_t>>{{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0}}) {
    Node n = c.nodes[0];
    const auto consistent = [&n] { return n.books.tag_conflicts == n.primary_tags.collisions(); };
    for (const std::size_t i : order) {
      htools::remove_primary(n, InstanceIndex(i), c.instances[i]);
      CHECK(consistent());
    }
    for (const std::size_t i : order) {
      htools::add_primary(n, InstanceIndex(i), c.instances[i]);
      CHECK(consistent());
    }
    CHECK(n.books.tag_conflicts == 5);
  }
}

}  // namespace htools::prepare_test
