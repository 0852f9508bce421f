#include "survival/group_targets.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "trial/trial.h"

namespace htools::group_targets_test {

namespace {

using htools::Cluster;
using htools::FitTarget;
using htools::FreeCapacity;
using htools::GroupTargets;
using htools::NodeIndex;
using htools::Trial;

// Returns a cluster of empty nodes with so much memory in MiB.
Cluster nodes_with(const std::vector<std::int64_t>& memory) {
  std::string text = "g|u|preferred||\n\n";
  for (std::size_t n = 0; n < memory.size(); ++n) {
    text += fmt::format("n{}|{}|0|{}|1000|1000|4|N|u|1\n", n, memory[n], memory[n]);
  }
  Cluster cluster = htools::read_text_cluster(text + "\n\n", "x.data");
  htools::prepare(cluster, {});
  return cluster;
}

std::vector<NodeIndex> first_nodes(std::size_t count) {
  std::vector<NodeIndex> nodes;
  for (std::size_t n = 0; n < count; ++n) nodes.emplace_back(n);
  return nodes;
}

std::vector<std::size_t> order(std::span<const FitTarget> targets) {
  std::vector<std::size_t> positions;
  for (const FitTarget& t : targets) positions.push_back(t.node.position());
  return positions;
}

std::vector<std::int64_t> memory(std::span<const FitTarget> targets) {
  std::vector<std::int64_t> amounts;
  for (const FitTarget& t : targets) amounts.push_back(t.free.memory);
  return amounts;
}

// Lets instances take so much more memory of a node.
void take(Trial& trial, std::size_t node, std::int64_t mib) {
  trial.change(NodeIndex(node)).books.instance_memory += mib;
}

}  // namespace

TEST_CASE("targets are in descending order of free memory, and follow the trial") {
  Trial trial(nodes_with({100, 400, 200, 300}));
  const std::vector<NodeIndex> nodes = first_nodes(4);
  GroupTargets targets(trial, nodes);
  CHECK(order(targets.current()) == std::vector<std::size_t>{1, 3, 2, 0});
  take(trial, 1, 350);
  CHECK(order(targets.current()) == std::vector<std::size_t>{3, 2, 0, 1});
  CHECK(memory(targets.current()) == std::vector<std::int64_t>{300, 200, 100, 50});
  take(trial, 0, -150);
  CHECK(order(targets.current()) == std::vector<std::size_t>{3, 0, 2, 1});
  {
    const htools::Attempt attempt(trial);
    take(trial, 3, 300);
    CHECK(order(targets.current()) == std::vector<std::size_t>{0, 2, 1, 3});
  }
  CHECK(order(targets.current()) == std::vector<std::size_t>{3, 0, 2, 1});
}

TEST_CASE("targets follow changes of many nodes at a time") {
  for (const std::size_t count : std::vector<std::size_t>{15, 16, 17, 30}) {
    CAPTURE(count);
    std::vector<std::int64_t> sizes;
    for (std::size_t n = 0; n < count; ++n) sizes.push_back(1000 + static_cast<std::int64_t>(n));
    Trial trial(nodes_with(sizes));
    const std::vector<NodeIndex> nodes = first_nodes(count);
    GroupTargets targets(trial, nodes);
    for (std::size_t n = 0; n < count; ++n) take(trial, n, 2 * static_cast<std::int64_t>(n));
    const std::vector<std::size_t> now = order(targets.current());
    CHECK(now.size() == count);
    CHECK(std::ranges::is_sorted(now));  // what had most has least
    CHECK(std::ranges::is_sorted(memory(targets.current()), std::greater()));
  }
}

TEST_CASE("a target that takes an instance goes to its place in the order") {
  Trial trial(nodes_with({100, 400, 200, 300}));
  const std::vector<NodeIndex> nodes = first_nodes(4);
  GroupTargets group(trial, nodes);
  const std::span<const FitTarget> current = group.current();
  std::vector<FitTarget> targets(current.begin(), current.end());
  htools::Demand demand;
  demand.memory = 250;
  demand.disk = 10;
  demand.local_storage = true;
  take_from_target(targets, NodeIndex(1), demand);
  CHECK(order(targets) == std::vector<std::size_t>{3, 2, 1, 0});
  CHECK(memory(targets) == std::vector<std::int64_t>{300, 200, 150, 100});
  CHECK(targets[2].free.disk == 990);
  take_from_target(targets, NodeIndex(9), demand);  // none of them
  CHECK(memory(targets) == std::vector<std::int64_t>{300, 200, 150, 100});
  FreeCapacity most;
  most.memory = 1000;
  change_target(targets, NodeIndex(0), most);
  CHECK(order(targets) == std::vector<std::size_t>{0, 3, 2, 1});
  change_target(targets, NodeIndex(9), most);
  CHECK(order(targets) == std::vector<std::size_t>{0, 3, 2, 1});
}

}  // namespace htools::group_targets_test
