#include "document/cluster_reader.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cluster/fingerprint.h"
#include "cluster/prepare.h"
#include "cluster/ratios.h"
#include "document/cluster_content.h"
#include "document/document.h"
#include "htools/errors.h"
#include "htools/examine.h"
#include "json/json_stream.h"
#include "tests/support/cluster_difference.h"
#include "tests/support/property.h"
#include "tests/support/random_cluster.h"

namespace htools::cluster_reader_test {

using htools::testing::ClusterShape;
using htools::testing::difference;
using htools::testing::for_each_seed;
using htools::testing::Random;

namespace {

Cluster prepared(Cluster cluster) {
  prepare(cluster, {});
  return cluster;
}

Cluster read(const std::string& text) { return prepared(read_cluster_document(text, "c.json").cluster); }

std::string document_of(const Cluster& cluster, JsonLayout layout = JsonLayout::Compact) {
  std::string text;
  JsonStream out([&text](std::string_view piece) { text += piece; }, layout);
  const Examination examination = examine(cluster);
  write_document(out, DocumentHead{"test", identity_of(cluster, "test"), &cluster},
                 ClusterContent{cluster, examination});
  return text;
}

// Returns a document with these members besides the schema.
std::string document(const std::string& members) { return R"({"schema":"htools.cluster/1",)" + members + "}"; }

// Returns one with a node, and the instances.
std::string with_instances(const std::string& instances) {
  return document(R"("nodes":[{"name":"n1","total_memory_mib":8192,"total_cpus":4},
{"name":"n2","total_memory_mib":8192,"total_cpus":4}],
"instances":[)" + instances +
                  "]");
}

// Returns the error: message, place and hint.
std::string error_of(const std::string& text) {
  try {
    read_cluster_document(text, "c.json");
  } catch (const InputError& error) {
    return fmt::format("{} @ {} # {}", error.message(), error.where(), error.hint());
  }
  return "";
}

constexpr std::string_view kSmall = R"({"schema": "htools.cluster/1",
 "nodes": [{"name": "n1", "total_memory_mib": 262144, "total_cpus": 64},
           {"name": "n2", "total_memory_mib": 262144, "total_cpus": 64, "total_disk_mib": 1000}],
 "instances": [{"name": "a", "primary": "n1", "memory_mib": 8192, "vcpus": 4, "disk_mib": 40960, "disk_template": "ext"},
               {"name": "b", "primary": "n2", "memory_mib": 1024, "vcpus": 1, "disks": [{"size_mib": 10}, {"size_mib": 20}],
                "disk_template": "plain"}]})";

}  // namespace

TEST_CASE("what a document leaves out has defaults, or follows") {
  const Cluster c = read(std::string(kSmall));
  REQUIRE(c.groups.size() == 1);
  CHECK(c.groups[0].name == "default");
  CHECK(c.groups[0].uuid == "default");
  REQUIRE(c.groups[0].policy.minmax.size() == 1);
  CHECK(c.groups[0].policy.minmax[0].min.memory == 0);
  CHECK(c.groups[0].policy.minmax[0].max.memory == std::int64_t{1} << 40);
  CHECK(c.groups[0].policy.disk_templates.size() == 9);
  CHECK(c.groups[0].policy.vcpu_ratio == kNoRatio);
  REQUIRE(c.nodes.size() == 2);
  CHECK(c.nodes[0].facts->group == GroupIndex(0));
  CHECK(c.nodes[0].facts->node_memory == 0);
  CHECK(c.nodes[0].facts->node_cpus == 0);
  CHECK(c.nodes[0].facts->free_memory == 262144 - 8192);
  CHECK(c.nodes[0].facts->free_disk == 0);
  CHECK(c.nodes[1].facts->free_disk == 970);
  REQUIRE(c.instances.size() == 2);
  const InstanceFacts& a = *c.instances[0].facts;
  CHECK(a.status == InstanceStatus::Running);
  CHECK(a.auto_balance);
  CHECK(a.disks.size() == 1);
  CHECK(a.disks[0].size == 40960);
  CHECK(a.utilisation.cpu == 0.0);
  CHECK(c.instances[1].facts->disk == 30);
  CHECK(c.instances[1].facts->disks.size() == 2);
}

TEST_CASE("the default template is ext") {
  const Cluster c = read(with_instances(R"({"name":"a","primary":"n1","memory_mib":1,"vcpus":1})"));
  CHECK(c.instances[0].facts->disk_template == DiskTemplate::Ext);
  CHECK(c.instances[0].facts->disks.empty());
}

TEST_CASE("parts of a document may be in any order") {
  const Cluster c = read(
      R"({"instances":[{"vcpus":1,"memory_mib":1,"primary":"n","name":"a"}],
"nodes":[{"group":"g2","total_cpus":1,"total_memory_mib":9,"name":"n"}],
"groups":[{"name":"g1"},{"policy":{"spindle_ratio":5},"name":"g2"}],"policy":{"vcpu_ratio":3},"schema":"htools.cluster/1"})");
  CHECK(c.nodes[0].facts->group == GroupIndex(1));
  CHECK(c.instances[0].primary == NodeIndex(0));
  // The policy at the top holds for what the policy of a group leaves out.
  CHECK(c.groups[0].policy.vcpu_ratio == 3.0);
  CHECK(c.groups[0].policy.spindle_ratio == kNoRatio);
  CHECK(c.groups[1].policy.vcpu_ratio == 3.0);
  CHECK(c.groups[1].policy.spindle_ratio == 5.0);
  CHECK(c.policy.vcpu_ratio == 3.0);
}

TEST_CASE("offline nodes need no sizes") {
  const Cluster c = read(document(R"("nodes":[{"name":"n","offline":true}])"));
  CHECK(c.nodes[0].offline);
  CHECK(c.nodes[0].facts->total_memory == 0.0);
}

TEST_CASE("errors name place, path and the nearest field") {
  CHECK(error_of(with_instances(R"({"name":"a","primary":"n1","memory_mib":1,"vcpus":1,"memory_mb":7})")) ==
        "there is no field 'memory_mb' @ c.json, line 3, column 78, instances[0].memory_mb # Did you mean memory_mib?");
  CHECK(error_of(with_instances(R"({"name":"a","primary":"n3","memory_mib":1,"vcpus":1})")) ==
        "there is no node 'n3' @ c.json, line 3, column 36, instances[0].primary # ");
  CHECK(error_of(with_instances(R"({"name":"a","primary":"n1","memory_mib":1,"vcpus":1.25})")) ==
        "expected a whole number, but found 1.25 @ c.json, line 3, column 64, instances[0].vcpus # ");
  CHECK(error_of(with_instances(R"({"name":"a","primary":"n1","memory_mib":1e30,"vcpus":1})")) ==
        "expected a number of at most 64 bits, but found 1000000000000000000000000000000 @ c.json, line 3, column 54, "
        "instances[0].memory_mib # ");
  CHECK(error_of(with_instances(R"({"name":"a","primary":"n1","memory_mib":1,"vcpus":1,"tags":["x",[]]})")) ==
        "expected a text, but found [] @ c.json, line 3, column 78, instances[0].tags[1] # ");
  CHECK(error_of(with_instances(R"({"name":"a","primary":"n1","memory_mib":1,"vcpus":1,"vcpus":2})")) ==
        "the field occurs twice @ c.json, line 3, column 74, instances[0].vcpus # ");
  CHECK(error_of(with_instances(R"({"name":"a","primary":"n1","memory_mib":1,"vcpus":1,"disks":[{"x_a":1}]})")) ==
        "there is no field 'x_a' @ c.json, line 3, column 82, instances[0].disks[0].x_a # ");
  CHECK(error_of(with_instances(
            R"({"name":"a","primary":"n1","secondary":"n1","memory_mib":1,"vcpus":1,"disk_template":"drbd"})")) ==
        "the primary and the secondary node of an instance of the template drbd are the same @ c.json, line 3, column "
        "14, instances[0].secondary # ");
  CHECK(error_of(document(R"("nodes":[{"name":"n","total_memory_mib":1}])")) ==
        "the field total_cpus is missing @ c.json, line 1, column 39, nodes[0] # ");
  CHECK(error_of(document(
            R"("groups":[{"name":"g"},{"name":"h"}],"nodes":[{"name":"n","total_memory_mib":1,"total_cpus":1}])")) ==
        "the field group is missing: there are several node groups @ c.json, line 1, column 76, nodes[0] # ");
  CHECK(error_of(document(R"("groups":[],"nodes":[{"name":"n","total_memory_mib":1,"total_cpus":1}])")) ==
        "it has no node group: the list of groups is empty @ c.json, line 1, column 51, nodes[0] # ");
  CHECK(error_of(document(R"("nodes":[],"nodes":[])")) ==
        "the field occurs twice @ c.json, line 1, column 49, nodes # ");
}

TEST_CASE("of fields that are not near, one that contains the unknown name is suggested") {
  const auto hint_of = [](const std::string& field) {
    const std::string error =
        error_of(document(R"("nodes":[{"name":"n","total_memory_mib":1,"total_cpus":1,")" + field + R"(":1}])"));
    return error.substr(error.rfind("# ") + 2);
  };
  CHECK(hint_of("cpus") == "Did you mean total_cpus?");
  CHECK(hint_of("memory_mib") == "Did you mean total_memory_mib?");
  CHECK(hint_of("total_memory") == "Did you mean total_memory_mib?");
  CHECK(hint_of("node_tags") == "Did you mean tags?");
  CHECK(hint_of("mib") == "");
  CHECK(hint_of("wattage") == "");
}

TEST_CASE("a byte order mark before a document is passed over") {
  const std::string text = with_instances("");
  CHECK(is_document("\xEF\xBB\xBF" + text));
  CHECK(read_cluster_file("\xEF\xBB\xBF" + text, "c.json").cluster.nodes.size() == 2);
}

TEST_CASE("places count in the document as it is written") {
  // Escapes become shorter when they are read.
  CHECK(error_of(with_instances(R"({"name":"\u00e4\n\"","primary":"n1","memory_mib":1,"vcpus":true})")) ==
        "expected a whole number, but found true @ c.json, line 3, column 73, instances[0].vcpus # ");
}

TEST_CASE("all errors of a document come in one go") {
  std::string instances;
  for (int i = 0; i < 30; ++i) instances += (i == 0 ? "" : ",") + std::string("\n{}");
  const std::string error = error_of(with_instances(instances));
  CHECK(error.starts_with("c.json has 120 errors:\n  line 4, column 1, instances[0]: the field name is missing\n"));
  CHECK(error.find("\n  and 20 more @ c.json # ") != std::string::npos);
}

TEST_CASE("what is not a document of a cluster is named") {
  CHECK(
      error_of(R"({"schema":"htools.plan/1","steps":[]})") ==
      "this is a plan ('htools.plan/1'), not a cluster (htools.cluster/1) @ c.json # hplan --check=FILE reads it, and "
      "hwhatif --apply-plan=FILE.");
  CHECK(error_of(R"({"schema":"x/1"})").starts_with("this is another document ('x/1')"));
  CHECK(error_of(R"({"request":{}})").starts_with("this is a request to an allocator"));
  CHECK(error_of("{}").starts_with("this is no document of a cluster: the field schema is missing"));
  CHECK(error_of(R"({"schema":7})").starts_with("this is no document of a cluster"));
}

TEST_CASE("text that is not JSON is an error with its place") {
  const std::string good = with_instances(R"({"name":"a","primary":"n1","memory_mib":1,"vcpus":1})");
  for (std::size_t size = 1; size < good.size(); ++size) {
    CAPTURE(size);
    CHECK(error_of(good.substr(0, size)).find("@ c.json, line ") != std::string::npos);
  }
  CHECK(error_of(document(R"("tags":[NaN])")).starts_with("Invalid JSON: a value is expected here @ c.json, line 1"));
  CHECK(error_of(document("\"x_a\":" + std::string(5000, '['))).starts_with("Invalid JSON: too many levels"));
  CHECK(error_of(document("\"nodes\":" + std::string(5000, '['))).starts_with("Invalid JSON: too many levels"));
}

TEST_CASE("fields of users are kept") {
  const std::string text = R"({"schema":"htools.cluster/1","x_top":{"a":[1,-2.50,"q\n",null,true],"b":{}},
"groups":[{"name":"g","x_g":[]}],"nodes":[{"name":"n","total_memory_mib":9,"total_cpus":1,"x_n":"r1"}],
"instances":[{"name":"a","primary":"n","memory_mib":1,"vcpus":1,"x_i":1e2}]})";
  const std::string written = document_of(read(text));
  for (const std::string_view part :
       {R"("x_top":{"a":[1,-2.50,"q\n",null,true],"b":{}})", R"("x_g":[])", R"("x_n":"r1")", R"("x_i":1e2)"}) {
    CAPTURE(part);
    CHECK(written.find(part) != std::string::npos);
  }
  CHECK(document_of(read(written)) == written);
}

TEST_CASE("what follows from other fields is compared") {
  std::string text = with_instances(R"({"name":"a","primary":"n1","memory_mib":100,"vcpus":1})");
  text.insert(text.find(R"("total_cpus")"), R"("free_memory_mib":1,"n1_safe":true,"used_vcpus":1,)");
  const ClusterDocument document = read_cluster_document(text, "c.json");
  CHECK(contradictions(prepared(document.cluster), document.node_claims) ==
        "The document contradicts itself; what follows counts: nodes[0].free_memory_mib of n1 is 1, but 8092 follows.");
}

TEST_CASE("lists of instances are compared, in any order") {
  const std::string two = with_instances(R"({"name":"a","primary":"n1","memory_mib":100,"vcpus":1},
                                            {"name":"b","primary":"n1","memory_mib":100,"vcpus":1})");
  const auto contradiction_of = [&](const std::string& list) {
    std::string text = two;
    text.insert(text.find(R"("total_cpus")"), R"("primaries":)" + list + ",");
    const ClusterDocument document = read_cluster_document(text, "c.json");
    return contradictions(prepared(document.cluster), document.node_claims);
  };
  CHECK(contradiction_of(R"(["b","a"])") == "");
  const std::string expected =
      "The document contradicts itself; what follows counts: nodes[0].primaries of n1 is another list, but [a, b] "
      "follows.";
  CHECK(contradiction_of("[]") == expected);
  CHECK(contradiction_of(R"(["a","c"])") == expected);
  CHECK(contradiction_of(R"(["a",7])") == expected);
}

TEST_CASE("a cluster is the same after its document has been read") {
  for_each_seed(977, 2000, [](Random& random) {
    ClusterShape shape = htools::testing::random_shape(random);
    shape.no_spindles = 0;
    shape.second_node = random.chance(20) ? 40 : 0;
    Cluster cluster = htools::testing::random_cluster(random, shape);
    if (random.chance(30)) cluster.policy = htools::testing::random_policy(random);
    if (random.chance(30)) cluster.groups.front().policy.given = true;
    if (random.chance(30)) cluster.groups.back().name = cluster.groups.front().name;
    if (random.chance(20) && cluster.nodes.size() > 1) {
      cluster.nodes.front().facts.edit().hypervisor = Hypervisor::XenPvm;
      cluster.nodes.front().facts.edit().master = true;
    }
    const std::string text = document_of(cluster, random.chance(50) ? JsonLayout::Compact : JsonLayout::Indented);
    const ClusterDocument document = read_cluster_document(text, "c.json");
    const Cluster again = prepared(document.cluster);
    CHECK(difference(cluster, again) == "");
    CHECK(fingerprints_of(cluster).state == fingerprints_of(again).state);
    CHECK(fingerprints_of(cluster).facts == fingerprints_of(again).facts);
    CHECK(contradictions(again, document.node_claims) == "");
    const bool is_same = document_of(again) == document_of(cluster);  // doctest would print both
    CHECK(is_same);
  });
}

}  // namespace htools::cluster_reader_test
