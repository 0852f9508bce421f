#include "metric/grade.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

#include "cluster/prepare.h"
#include "formats/text_reader.h"

namespace htools::grade_test {

namespace {

// Two nodes, half of whose memory is used. The vcpus of the first one are all used, those of the second one not at all.
Cluster two_nodes() {
  Cluster cluster = read_text_cluster(
      "g|u|preferred||\n\n"
      "n1|10000|0|5000|1000|1000|8|N|u|1\n"
      "n2|10000|0|5000|1000|1000|8|N|u|1\n\n\n",
      "x.data");
  prepare(cluster, {});
  for (Node& node : cluster.nodes) node.books.real.memory_ratio = 0.5;
  cluster.nodes[0].books.real.used_vcpus = cluster.nodes[0].facts->max_vcpus;
  cluster.nodes[1].books.real.used_vcpus = 0;
  return cluster;
}

std::int64_t grade(const Cluster& cluster) { return grade_of({cluster.nodes.begin(), cluster.nodes.end()}); }

}  // namespace

TEST_CASE("the grade is lower by what the deviations are of the largest possible ones") {
  Cluster cluster = two_nodes();
  CHECK(grade(cluster) == 50);  // memory: 0 of 0.5; vcpus: 0.5 of 0.5
  cluster.nodes[1].books.real.used_vcpus = cluster.nodes[1].facts->max_vcpus / 2;
  CHECK(grade(cluster) == 80);  // vcpus: 0.25 of 0.75
  cluster.nodes[1].offline = true;
  CHECK(grade(cluster) == 100);
}

TEST_CASE("nodes without cpus use none of them") {
  Cluster cluster = two_nodes();
  for (Node& node : cluster.nodes) node.facts.edit().policy_vcpus = 0;
  CHECK(grade(cluster) == 100);
}

TEST_CASE("the limit of virtual cpus that the user sets does not change the grade") {
  Cluster cluster = two_nodes();
  for (const double ratio : {0.5, 1.0, std::nan(""), HUGE_VAL}) {
    apply_node_options(cluster, {.offline = {}, .cordoned = {}, .max_vcpu_ratio = ratio, .min_disk_ratio = 0.0});
    CHECK(grade(cluster) == 50);
  }
}

TEST_CASE("nodes without load are even") {
  Cluster cluster = two_nodes();
  for (Node& node : cluster.nodes) {
    node.books.real.memory_ratio = 1.0;
    node.books.real.used_vcpus = 0;
  }
  CHECK(grade(cluster) == 100);
}

}  // namespace htools::grade_test
