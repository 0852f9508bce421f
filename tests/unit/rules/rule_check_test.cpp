#include "rules/rule_check.h"

#include <doctest/doctest.h>

#include <string>
#include <variant>
#include <vector>

#include "cluster/prepare.h"
#include "document/cluster_reader.h"
#include "htools/errors.h"
#include "rules/move_application.h"

namespace htools::rule_check_test {
namespace {

// Four nodes in two racks on shared storage, with instances a, b, c on n0 and d on n1, and these rules.
Cluster cluster_with(const std::string& rules) {
  std::string nodes, instances;
  for (int n = 0; n < 4; ++n) {
    nodes += std::string(n == 0 ? "" : ",") + R"({"name": "n)" + std::to_string(n) +
             R"(", "total_memory_mib": 65536, "total_cpus": 32, "tags": ["rack:)" + std::to_string(n / 2) + R"("]})";
  }
  for (const char* name : {"a", "b", "c", "d"}) {
    instances += std::string(instances.empty() ? "" : ",") + R"({"name": ")" + name + R"(", "primary": ")" +
                 (name[0] == 'd' ? "n1" : "n0") + R"(", "memory_mib": 1024, "vcpus": 1, "disk_mib": 0})";
  }
  Cluster cluster = read_cluster_document(R"({"schema": "htools.cluster/1", "nodes": [)" + nodes +
                                              R"(], "instances": [)" + instances + R"(], "rules": [)" + rules + "]}",
                                          "test")
                        .cluster;
  prepare(cluster, {});
  return cluster;
}

constexpr std::size_t kA = 0, kB = 1, kD = 3;

bool may_go(const Cluster& cluster, std::size_t instance, std::size_t node) {
  const auto outcome =
      MoveTrials(cluster, InstanceIndex(instance), false).attempt({MoveKind::FailoverToAny, NodeIndex(node)});
  const auto* mode = std::get_if<FailMode>(&outcome);
  if (mode != nullptr) CHECK(*mode == FailMode::Rule);
  return mode == nullptr;
}

RuleExtent extent(const Cluster& cluster) { return extent_of(cluster, cluster.rule_book->rule(0)); }

std::string message_of(const std::string& rules) {
  try {
    cluster_with(rules);
  } catch (const InputError& error) {
    return error.message();
  }
  return "";
}

TEST_CASE("run-on lets instances be on its nodes only") {
  const Cluster cluster = cluster_with(R"({"kind": "run-on", "instances": ["a", "d"], "nodes": ["n1", "n2"]})");
  CHECK(extent(cluster).broken == 1);  // a
  CHECK(may_go(cluster, kA, 1));
  CHECK(may_go(cluster, kA, 2));
  CHECK_FALSE(may_go(cluster, kA, 3));
  CHECK_FALSE(may_go(cluster, kD, 0));
  CHECK(may_go(cluster, kB, 3));
}

TEST_CASE("not-on forbids nodes") {
  const Cluster cluster = cluster_with(R"({"kind": "not-on", "instances": ["all"], "nodes": ["tag:rack:1"]})");
  CHECK(extent(cluster).broken == 0);
  CHECK(may_go(cluster, kA, 1));
  CHECK_FALSE(may_go(cluster, kA, 2));
}

TEST_CASE("what has to stay does not move") {
  const Cluster cluster = cluster_with(R"({"kind": "stay", "instances": ["a"]})");
  CHECK_FALSE(may_go(cluster, kA, 1));
  CHECK(is_bound(cluster, InstanceIndex(kA)));
  CHECK_FALSE(is_bound(cluster, InstanceIndex(kB)));
}

TEST_CASE("apart counts what is too much in each place") {
  const Cluster cluster = cluster_with(R"({"kind": "apart", "instances": ["a", "b", "c", "d"]})");
  CHECK(extent(cluster).broken == 2);
  CHECK(extent(cluster).unevenness == 10);
  CHECK(may_go(cluster, kA, 1));  // 2-2 is more even than 3-1
  CHECK(may_go(cluster, kA, 2));
  CHECK_FALSE(may_go(cluster, kD, 0));
  CHECK(offenders(cluster, cluster.rule_book->rule(0)).size() == 3);
}

TEST_CASE("apart with more than one in a place, over racks, and beside others") {
  const Cluster two = cluster_with(R"({"kind": "apart", "instances": ["a", "b", "d"], "at_most": 2})");
  CHECK(extent(two).broken == 0);
  CHECK_FALSE(may_go(two, kD, 0));
  const Cluster racks = cluster_with(R"({"kind": "apart", "instances": ["a", "d"], "across": "tag:rack"})");
  CHECK(extent(racks).broken == 1);
  CHECK(may_go(racks, kA, 1));  // as before
  CHECK(may_go(racks, kA, 2));
  const Cluster beside = cluster_with(R"({"kind": "apart", "instances": ["d"], "from": ["a"]})");
  CHECK(extent(beside).broken == 0);
  CHECK_FALSE(may_go(beside, kD, 0));
  CHECK_FALSE(may_go(beside, kA, 1));
  CHECK(may_go(beside, kA, 2));
}

TEST_CASE("together holds instances in one place") {
  const Cluster apart = cluster_with(R"({"kind": "together", "instances": ["a", "d"]})");
  CHECK(extent(apart).broken == 1);
  CHECK(may_go(apart, kA, 1));
  CHECK(may_go(apart, kA, 2));  // not better, and not worse
  const Cluster kept = cluster_with(R"({"kind": "together", "instances": ["a", "b"]})");
  CHECK_FALSE(may_go(kept, kA, 1));
  const Cluster racks = cluster_with(R"({"kind": "together", "instances": ["a", "b"], "across": "tag:rack"})");
  CHECK(may_go(racks, kA, 1));
  CHECK_FALSE(may_go(racks, kA, 2));
}

TEST_CASE("a wish forbids nothing") {
  const Cluster cluster = cluster_with(R"({"kind": "stay", "strength": "should", "instances": ["a"]})");
  CHECK(may_go(cluster, kA, 1));
}

TEST_CASE("what is bound has no other place") {
  CHECK(is_bound(cluster_with(R"({"kind": "run-on", "instances": ["a"], "nodes": ["n0"]})"), InstanceIndex(kA)));
  CHECK_FALSE(
      is_bound(cluster_with(R"({"kind": "run-on", "instances": ["a"], "nodes": ["n0", "n3"]})"), InstanceIndex(kA)));
}

TEST_CASE("rules that say too little or too much are errors") {
  CHECK(message_of(R"({"kind": "run-on", "instances": ["a"]})") == "rule 1 (run-on) names no nodes");
  CHECK(message_of(R"({"kind": "stay", "instances": ["a"], "nodes": ["n0"], "name": "x"})") ==
        "the rule x (stay) has nodes, which only run-on and not-on have");
  CHECK(message_of(R"({"kind": "together", "instances": ["a"], "at_most": 1})") ==
        "rule 1 (together) has the fields at_most or from, which only apart has");
  CHECK(message_of(R"({"kind": "apart", "instances": []})") == "rule 1 (apart) names no instances");
}

TEST_CASE("names that are not there are a warning") {
  const Cluster cluster = cluster_with(R"({"kind": "run-on", "instances": ["a", "ghost"], "nodes": ["n1", "n9"]})");
  REQUIRE(cluster.rule_book->warnings().size() == 1);
  CHECK(cluster.rule_book->warnings().front() ==
        "rule 1 names what is not there: instance ghost, node n9; it holds for the rest");
}

}  // namespace
}  // namespace htools::rule_check_test
