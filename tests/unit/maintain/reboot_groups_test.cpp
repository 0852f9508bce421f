#include "maintain/reboot_groups.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cluster/bookkeeping.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "htools/errors.h"
#include "report/reboot_text.h"
#include "rules/admission.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::reboot_groups_test {

using htools::testing::ClusterShape;
using htools::testing::Random;
using htools::testing::scaled;
using htools::testing::scaled_tally;

namespace {

using Nodes = std::vector<NodeIndex>;

// ---- The rules step by step: every trial works on a copy of the whole cluster.

namespace literal {

constexpr AdmissionRules kForce{.force = true};

struct Part {
  Nodes nodes;
  Cluster after;
};

bool add_as_primary(Node& node, InstanceIndex i, const Instance& instance) {
  const bool allowed = !check_primary(node, books_with_primary(node, instance), instance, kForce);
  if (allowed) add_primary(node, i, instance);
  return allowed;
}

bool add_as_secondary(Node& node, InstanceIndex i, const Instance& instance, NodeIndex primary) {
  const bool allowed = !check_secondary(node, books_with_secondary(node, instance, primary), instance, kForce);
  if (allowed) add_secondary(node, i, instance, primary);
  return allowed;
}

std::optional<Cluster> move_primary(Cluster cluster, InstanceIndex i, NodeIndex target) {
  Instance& instance = cluster.instance(i);
  remove_primary(cluster.node(instance.primary), i, instance);
  if (!add_as_primary(cluster.node(target), i, instance)) return std::nullopt;
  instance.primary = target;
  return cluster;
}

std::optional<Cluster> move_secondary(Cluster cluster, InstanceIndex i, NodeIndex target) {
  Instance& instance = cluster.instance(i);
  if (target == instance.primary) return std::nullopt;
  if (!add_as_secondary(cluster.node(target), i, instance, instance.primary)) return std::nullopt;
  remove_secondary(cluster.node(instance.secondary), i, instance, instance.primary);
  instance.secondary = target;
  return cluster;
}

std::optional<Cluster> migrate(Cluster cluster, InstanceIndex i) {
  Instance& instance = cluster.instance(i);
  const NodeIndex primary = instance.primary, secondary = instance.secondary;
  remove_primary(cluster.node(primary), i, instance);
  remove_secondary(cluster.node(secondary), i, instance, primary);
  if (!add_as_primary(cluster.node(secondary), i, instance)) return std::nullopt;
  if (!add_as_secondary(cluster.node(primary), i, instance, secondary)) return std::nullopt;
  instance.primary = secondary;
  instance.secondary = primary;
  return cluster;
}

enum class What { NonRedundant, Secondaries };

std::optional<Cluster> cleared(const Cluster& before, NodeIndex n, const Nodes& targets, What what) {
  Cluster cluster = before;
  const Node& node = before.node(n);
  Nodes reachable;
  for (NodeIndex t : targets) {
    if (t != n && before.node(t).facts->group == node.facts->group) reachable.push_back(t);
  }
  Cluster after = before;
  const auto& list = what == What::Secondaries ? node.secondaries : node.primaries;
  for (auto i = list.rbegin(); i != list.rend(); ++i) {
    if (what == What::NonRedundant && before.instance(*i).facts->has_secondary()) continue;
    bool found = false;
    for (NodeIndex t : reachable) {
      auto moved = what == What::Secondaries ? move_secondary(after, *i, t) : move_primary(after, *i, t);
      if (!moved) continue;
      after = std::move(*moved);
      found = true;
      break;
    }
    if (!found) return std::nullopt;
  }
  return after;
}

std::optional<std::vector<Part>> split(Nodes rest, const Cluster& cluster, What what) {
  std::vector<Part> parts;
  while (!rest.empty()) {
    Nodes targets;
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
      if (!cluster.nodes[n].offline && !cluster.nodes[n].cordoned) targets.push_back(NodeIndex(n));
    }
    Part part{{}, cluster};
    for (NodeIndex n : rest) {
      auto after = cleared(part.after, n, targets, what);
      if (!after) continue;
      part.after = std::move(*after);
      part.nodes.push_back(n);
      std::erase(targets, n);
    }
    if (part.nodes.empty()) return std::nullopt;
    for (NodeIndex n : part.nodes) std::erase(rest, n);
    parts.push_back(std::move(part));
  }
  return parts;
}

std::optional<Cluster> without_redundant(const Part& part) {
  std::vector<InstanceIndex> instances;
  for (NodeIndex n : part.nodes) {
    const auto& list = part.after.node(n).primaries;
    for (auto i = list.rbegin(); i != list.rend(); ++i) {
      if (part.after.instance(*i).facts->has_secondary()) instances.push_back(*i);
    }
  }
  std::optional<Cluster> after = part.after;
  for (InstanceIndex i : instances) {
    if (after) after = migrate(*after, i);
  }
  return after;
}

// Returns the groups with their moves, for example "n0,n1: i0 n2, i1 n3 n4; ", or the error.
std::string groups(const Cluster& cluster, const std::vector<Nodes>& classes, const RebootOptions& options) {
  std::vector<Part> parts;
  for (const Nodes& nodes : classes) {
    if (options.ignore_non_redundant) {
      parts.push_back({nodes, cluster});
      continue;
    }
    const auto more = split(nodes, cluster, What::NonRedundant);
    if (!more) return "Not enough capacity to move non-redundant instances";
    parts.insert(parts.end(), more->begin(), more->end());
  }
  if (options.full_evacuation) {
    for (Part& part : parts) {
      const auto after = without_redundant(part);
      if (!after) return "Failed to migrate instances off nodes";
      part.after = *after;
    }
    std::vector<Part> empty;
    for (const Part& part : parts) {
      const auto more = split(part.nodes, part.after, What::Secondaries);
      if (!more) return "Not enough capacity to move secondaries";
      empty.insert(empty.end(), more->begin(), more->end());
    }
    parts = empty;
  }
  std::string text;
  for (const Part& part : parts) {
    for (NodeIndex n : part.nodes) text += cluster.node(n).facts->name + " ";
    text += "\n";
    for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
      const Instance &before = cluster.instances[i], &after = part.after.instances[i];
      if (before.primary == after.primary && before.secondary == after.secondary) continue;
      if (before.primary == after.secondary && before.secondary == after.primary) continue;
      text += "  " + before.facts->name + " " + part.after.node(after.primary).facts->name;
      if (before.facts->has_secondary()) text += " " + part.after.node(after.secondary).facts->name;
      text += "\n";
    }
  }
  return text;
}

}  // namespace literal

std::string groups(const Cluster& cluster, const std::vector<Nodes>& classes, const RebootOptions& options) {
  try {
    std::string text;
    for (const RebootGroup& group : divide_into_reboot_groups(cluster, classes, options, true)) {
      for (NodeIndex n : group.nodes) text += cluster.node(n).facts->name + " ";
      text += "\n" + format_reboot_moves(cluster, group);
    }
    return text;
  } catch (const InputError& error) {
    return error.what();
  }
}

Cluster read(const std::string& nodes_and_instances) {
  Cluster cluster = read_text_cluster("g|u|preferred||\n\n" + nodes_and_instances + "\n", "example");
  prepare(cluster, {});
  return cluster;
}

std::vector<Nodes> classes(const std::vector<std::vector<std::size_t>>& positions) {
  std::vector<Nodes> result;
  for (const auto& nodes : positions) {
    result.emplace_back();
    for (std::size_t n : nodes) result.back().push_back(NodeIndex(n));
  }
  return result;
}

Cluster chain() {
  return read(
      "n0|4096|0|4096|102400|102400|4|M|u|1\n"
      "n1|8192|0|8192|102400|102400|4|N|u|1\n"
      "n2|8192|0|8192|102400|102400|4|N|u|1\n"
      "\n"
      "i0|1000|10240|1|running|Y|n0||plain||1\n"
      "i1|1000|10240|1|running|Y|n1||ext||1\n"
      "i2|3000|10240|1|running|Y|n1||ext||1\n"
      "i3|2000|10240|1|running|Y|n2||ext||1\n");
}

Cluster three_with_copies() {
  return read(
      "n0|8192|512|7680|102400|102400|8|M|u|1\n"
      "n1|8192|512|7680|102400|102400|8|N|u|1\n"
      "n2|8192|512|7680|102400|102400|8|N|u|1\n"
      "\n"
      "i1|1024|10240|1|running|Y|n0|n1|drbd||1\n"
      "i2|1024|10240|1|running|Y|n1|n2|drbd||1\n"
      "i3|1024|10240|1|running|Y|n2||plain||1\n");
}

}  // namespace

TEST_CASE("an instance that came to a node moves on with the node's own") {
  const Cluster cluster = chain();
  CHECK(groups(cluster, classes({{0, 1, 2}}), {}) ==
        "n0 n1 \n"
        "  i0 n2\n"
        "  i1 n2\n"
        "  i2 n2\n"
        "n2 \n"
        "  i3 n0\n");
}

TEST_CASE("non-redundant instances can be left where they are") {
  CHECK(groups(chain(), classes({{0, 1, 2}}), {.ignore_non_redundant = true}) == "n0 n1 n2 \n");
}

TEST_CASE("a full evacuation moves instances to their secondaries, and finds new ones") {
  CHECK(groups(three_with_copies(), classes({{1}, {0, 2}}), {.full_evacuation = true}) ==
        "n1 \n"
        "  i1 n0 n2\n"
        "  i2 n2 n0\n"
        "n0 \n"
        "  i1 n1 n2\n"
        "  i3 n1\n"
        "n2 \n"
        "  i2 n1 n0\n"
        "  i3 n1\n");
}

TEST_CASE("a drbd instance without a secondary cannot be migrated") {
  Cluster cluster = three_with_copies();
  cluster.instances[0].secondary = NodeIndex::none();
  prepare(cluster, {});
  CHECK(groups(cluster, classes({{0}, {1}, {2}}), {.full_evacuation = true}) ==
        "Failed to migrate instances off nodes");
}

TEST_CASE("which nodes are to be rebooted") {
  Cluster cluster = three_with_copies();
  cluster.groups.emplace_back();
  cluster.nodes[0].facts.edit().tags = {"a", "b"};
  cluster.nodes[1].facts.edit().tags = {"b:x"};
  cluster.nodes[2].facts.edit().group = GroupIndex(1);
  const auto selected = [&](const RebootOptions& options, std::optional<GroupIndex> group = std::nullopt) {
    std::string text;
    for (NodeIndex n : nodes_to_reboot(cluster, options, group)) text += cluster.node(n).facts->name + " ";
    return text;
  };
  CHECK(selected({}) == "n0 n1 n2 ");
  CHECK(selected({.node_tags = std::vector<std::string>{"c", "b"}}) == "n0 ");
  CHECK(selected({.node_tags = std::vector<std::string>{}}) == "");
  CHECK(selected({.skip_non_redundant = true}) == "n0 n1 ");
  CHECK(selected({}, GroupIndex(1)) == "n2 ");
  cluster.nodes[1].offline = true;
  CHECK(selected({}) == "n0 n2 ");
}

TEST_CASE("the order of reboots: large groups first, the master last") {
  Cluster cluster;
  cluster.nodes.resize(8);
  cluster.nodes[3].facts.edit().master = true;
  std::vector<RebootGroup> groups;
  for (const Nodes& nodes : classes({{0}, {1, 3, 5}, {2}, {4, 6}, {7}})) groups.push_back({nodes, {}});
  const Nodes selected = classes({{0, 1, 3, 4, 5, 6, 7}})[0];
  std::vector<Nodes> ordered;
  for (const RebootGroup& group : in_reboot_order(cluster, groups, selected)) ordered.push_back(group.nodes);
  CHECK(ordered == classes({{4, 6}, {0}, {7}, {}, {1, 5, 3}}));
}

TEST_CASE("groups and moves are those of the rules") {
  Random random(165);
  int with_groups = 0;
  for (int round = 0; round < scaled(3000); ++round) {
    CAPTURE(round);
    ClusterShape shape = testing::random_shape(random);
    shape.instances = random.between(0, 14);
    shape.crowded = random.chance(40) ? 40 : 0;
    shape.stopped = random.chance(50) ? 40 : 0;
    if (random.chance(60)) shape.templates = {DiskTemplate::Drbd, DiskTemplate::Plain, DiskTemplate::Ext};
    shape.second_node = random.chance(10) ? 20 : 0;
    const Cluster cluster = testing::random_cluster(random, shape);
    std::vector<Nodes> some(1 + random.index(3));
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
      if (random.chance(80)) some[random.index(some.size())].push_back(NodeIndex(n));
    }
    const RebootOptions options{.ignore_non_redundant = random.chance(30), .full_evacuation = random.chance(60)};
    const std::string expected = literal::groups(cluster, some, options);
    CHECK(groups(cluster, some, options) == expected);
    if (options.full_evacuation && expected.find('\n') != std::string::npos) ++with_groups;
  }
  CHECK(with_groups > scaled_tally(100));
}

TEST_CASE("amounts that overflow wrap as the checks do") {
  Random random(166);
  int with_groups = 0;
  for (int round = 0; round < scaled(300); ++round) {
    CAPTURE(round);
    ClusterShape shape;
    shape.templates = {DiskTemplate::Drbd, DiskTemplate::Plain, DiskTemplate::Ext};
    Cluster cluster = testing::random_facts(random, shape);
    for (Instance& instance : cluster.instances) {
      if (random.chance(30)) instance.facts.edit().memory = random.between(-9'000, 9'000) * 1'000'000'000'000'000;
      if (random.chance(30)) instance.facts.edit().disk = random.between(-9'000, 9'000) * 1'000'000'000'000'000;
    }
    for (Node& node : cluster.nodes) {
      if (random.chance(30)) node.facts.edit().free_disk = random.between(-9'000, 9'000) * 1'000'000'000'000'000;
      if (random.chance(30)) node.facts.edit().free_memory = random.between(-9'000, 9'000) * 1'000'000'000'000'000;
    }
    prepare(cluster, {});
    const std::vector<Nodes> all = classes({{0, 2, 4}, {1, 3, 5}});
    const RebootOptions options{.full_evacuation = random.chance(50)};
    const std::string expected = literal::groups(cluster, all, options);
    CHECK(groups(cluster, all, options) == expected);
    if (expected.find('\n') != std::string::npos) ++with_groups;
  }
  CHECK(with_groups > scaled_tally(20));
}

}  // namespace htools::reboot_groups_test
