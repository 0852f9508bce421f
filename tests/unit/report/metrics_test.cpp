#include "report/metrics.h"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "base/strings.h"
#include "examine/health_check.h"
#include "htools/examine.h"
#include "tests/support/property.h"
#include "tests/support/random_cluster.h"

namespace htools::metrics_test {

using htools::testing::for_each_seed;
using htools::testing::Random;

namespace {

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

Cluster named_cluster(const std::vector<std::string>& groups) {
  Cluster cluster;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Group& group = cluster.groups.emplace_back();
    group.name = groups[g];
    group.uuid = "uuid-" + std::to_string(g);
    Node& node = cluster.nodes.emplace_back();
    node.facts.edit().name = "node" + std::to_string(g);
    node.facts.edit().group = GroupIndex(g);
    node.facts.edit().total_memory = 2;
    node.books.n1_failed = false;
  }
  return cluster;
}

}  // namespace

TEST_CASE("metrics have base units and labels") {
  const Cluster cluster = named_cluster({"g"});
  const std::string text = cluster_metrics({cluster, "east", true}, examine(cluster));
  CHECK(has_line(text, "htools_cluster_memory_bytes{cluster=\"east\",group=\"g\"} 2097152"));
  CHECK(has_line(text, "htools_cluster_node_memory_bytes{cluster=\"east\",group=\"g\",node=\"node0\"} 2097152"));
  CHECK(has_line(text, "# TYPE htools_cluster_memory_bytes gauge"));
}

TEST_CASE("metrics of nodes and the label of the cluster are there on request only") {
  const Cluster cluster = named_cluster({"g"});
  const std::string text = cluster_metrics({.cluster = cluster}, examine(cluster));
  CHECK(has_line(text, "htools_cluster_nodes{group=\"g\"} 1"));
  CHECK(text.find("node=") == std::string::npos);
  CHECK(text.find("cluster=") == std::string::npos);
}

TEST_CASE("the values of labels are escaped") {
  const Cluster cluster = named_cluster({"a\"b\\c\nd"});
  CHECK(has_line(cluster_metrics({.cluster = cluster}, examine(cluster)),
                 R"(htools_cluster_nodes{group="a\"b\\c\nd"} 1)"));
}

TEST_CASE("groups of the same name are told apart by their UUIDs") {
  const Cluster cluster = named_cluster({"g", "g"});
  const std::string text = cluster_metrics({.cluster = cluster}, examine(cluster));
  CHECK(has_line(text, "htools_cluster_nodes{group=\"uuid-0\"} 1"));
  CHECK(has_line(text, "htools_cluster_nodes{group=\"uuid-1\"} 1"));
}

TEST_CASE("no series occurs twice, and each follows its help and its type") {
  for_each_seed(66, 50, [](Random& random) {
    htools::testing::ClusterShape shape = htools::testing::random_shape(random);
    shape.second_node = 0;
    const Cluster cluster = htools::testing::random_cluster(random, shape);
    const MetricsSubject subject{cluster, {}, true};
    const HealthCheck check =
        check_health(cluster, {.capacity_checks = false, .rebalance = false, .recount = true, .balance = {}});
    std::set<std::string> series;
    std::string name;
    for (const std::string& line :
         split(cluster_metrics(subject, examine(cluster)) + health_metrics(subject, check), '\n')) {
      if (line.empty()) continue;
      if (line.starts_with("# HELP ")) {
        name = split(line, ' ')[2];
        CHECK(series.insert(name).second);
        continue;
      }
      if (line.starts_with("# TYPE ")) {
        CHECK(line == "# TYPE " + name + " gauge");
        continue;
      }
      CHECK(line.starts_with(name + "{"));
      CHECK(series.insert(line.substr(0, line.rfind(' '))).second);
    }
  });
}

}  // namespace htools::metrics_test
