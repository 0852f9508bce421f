#include "balance/job_sets.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace htools::job_sets_test {

namespace {

using Numbers = std::vector<std::size_t>;

NodeIndex node(int number) { return number < 0 ? NodeIndex::none() : NodeIndex(static_cast<std::size_t>(number)); }

// Returns ten nodes and one instance.
Cluster small_cluster(DiskTemplate disk_template) {
  Cluster cluster;
  cluster.nodes.resize(10);
  cluster.instances.resize(1);
  cluster.instances[0].facts.edit().disk_template = disk_template;
  return cluster;
}

BalanceStep step(std::pair<int, int> before, std::pair<int, int> after) {
  return {
      InstanceIndex(0), {}, {node(before.first), node(before.second)}, {node(after.first), node(after.second)}, 0.0};
}

// Returns steps in which an instance leaves the first node of a pair and goes to the second.
std::vector<BalanceStep> moves(std::initializer_list<std::pair<int, int>> nodes) {
  std::vector<BalanceStep> steps;
  for (const auto& [from, to] : nodes) steps.push_back(step({from, -1}, {to, -1}));
  return steps;
}

Numbers set_sizes(const Cluster& cluster, const std::vector<BalanceStep>& steps) {
  Numbers sizes;
  std::size_t position = 0;
  for (const auto& set : job_sets(cluster, steps)) {
    CHECK(set.data() == steps.data() + position);
    position += set.size();
    sizes.push_back(set.size());
  }
  CHECK(position == steps.size());
  return sizes;
}

}  // namespace

TEST_CASE("steps that share a node are in different sets") {
  const Cluster c = small_cluster(DiskTemplate::Ext);
  CHECK(set_sizes(c, {}) == Numbers{});
  CHECK(set_sizes(c, moves({{0, 1}})) == Numbers{1});
  CHECK(set_sizes(c, moves({{0, 1}, {2, 3}})) == Numbers{2});
  CHECK(set_sizes(c, moves({{0, 1}, {1, 2}})) == Numbers{1, 1});
  CHECK(set_sizes(c, moves({{0, 1}, {2, 1}})) == Numbers{1, 1});
  CHECK(set_sizes(c, moves({{0, 1}, {0, 2}})) == Numbers{1, 1});
}

TEST_CASE("sets are collected from the last step backwards") {
  const Cluster c = small_cluster(DiskTemplate::Ext);
  // If they were collected forwards, the first two steps would be one set.
  CHECK(set_sizes(c, moves({{0, 1}, {2, 3}, {0, 4}})) == Numbers{1, 2});
  // Each step is compared with all steps of the set, not only with the one after it.
  CHECK(set_sizes(c, moves({{5, 6}, {4, 7}, {0, 1}, {2, 3}, {4, 5}})) == Numbers{2, 3});
  CHECK(set_sizes(c, moves({{0, 1}, {0, 1}, {2, 3}, {0, 1}, {2, 3}, {4, 5}})) == Numbers{1, 2, 3});
}

TEST_CASE("the old secondary is involved only if data is on it") {
  const std::vector<BalanceStep> steps{step({0, 1}, {0, 2}), step({3, -1}, {1, -1})};
  CHECK(set_sizes(small_cluster(DiskTemplate::Drbd), steps) == Numbers{1, 1});
  CHECK(set_sizes(small_cluster(DiskTemplate::Ext), steps) == Numbers{2});
}

}  // namespace htools::job_sets_test
