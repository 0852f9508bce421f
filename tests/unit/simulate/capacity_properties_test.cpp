#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "cluster/prepare.h"
#include "simulate/capacity.h"
#include "tests/support/literal_placement.h"
#include "tests/support/property.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/witness.h"

namespace htools::capacity_properties_test {

using htools::testing::ClusterShape;
using htools::testing::for_each_seed;
using htools::testing::only_seed;
using htools::testing::Random;
using htools::testing::scaled_tally;
using htools::testing::Witness;
namespace literal = htools::testing::literal;

namespace {

using Nodes = std::vector<NodeIndex>;

// Returns nodes that are so small that a few dozen instances fill them.
Cluster roomy_cluster(Random& random, NodeOptions& options) {
  ClusterShape shape = htools::testing::random_shape(random);
  shape.nodes = random.between(2, 5);
  shape.groups = random.between(1, 2);
  shape.instances = random.chance(40) ? 0 : random.between(1, 6);
  shape.largest_memory = 1024;
  shape.crowded = random.chance(10) ? 20 : 0;
  shape.odd = 0;
  Cluster cluster = htools::testing::random_facts(random, shape);
  for (Group& group : cluster.groups) {
    group.alloc_policy = static_cast<AllocPolicy>(random.chance(80) ? 0 : random.between(1, 2));
    if (random.chance(60)) group.policy.minmax = {{{64, 1, 256, 0, 0, 0}, {}}};
    if (random.chance(30)) group.policy.minmax.push_back({{256, 1, 512, 1, 1, 1}, {1500, 2, 4096, 3, 8, 3}});
    group.policy.vcpu_ratio = random.one_of(std::vector<double>{1.0, 2.0, 4.0, 16.0});
    group.policy.spindle_ratio = random.one_of(std::vector<double>{1.5, 4.0, 32.0});
    group.policy.disk_templates = InstancePolicy{}.disk_templates;
    if (random.chance(10)) std::erase(group.policy.disk_templates, random.one_of(group.policy.disk_templates));
  }
  prepare(cluster, {});
  options.min_disk_ratio = random.one_of(std::vector<double>{0.0, 0.0, 0.1});
  if (random.chance(15)) options.max_vcpu_ratio = 0.5 + random.fraction() * 3;
  apply_node_options(cluster, options);
  return cluster;
}

SimulatedSize random_size(Random& random) {
  return {random.between(3, 24) * 64 + random.between(0, 63), random.between(2, 24) * 256 + random.between(0, 255),
          random.between(1, 3), random.between(1, 3)};
}

struct Simulated {
  NodeOptions node_options;
  Cluster cluster;
  CapacityOptions options;
  InitialHealth health;
  CapacityPlan plan;
  std::vector<bool> allocable;  // by group
  Nodes must_be_spare;          // the nodes that the cluster must be able to lose

  explicit Simulated(Random& random) : cluster(roomy_cluster(random, node_options)) {
    using enum DiskTemplate;
    options.kind.disk_template =
        random.one_of(std::vector<DiskTemplate>{Drbd, Drbd, Plain, Ext, Diskless, File, Block, Rbd});
    options.kind.spindle_use = random.between(0, 2);
    options.capacity_checks = random.chance(60);
    options.independent_groups = random.chance(30);
    options.accept_existing_errors = random.chance(30);
    options.max_instances = random.chance(70) ? -1 : random.between(0, 12);
    health = check_health(cluster, options, true);
    plan = plan_simulation(cluster, health, options);
  }

  // Checks the problems of the initial state and the nodes for new instances.
  void check_start() {
    const Witness witness(cluster, node_options);
    const Nodes all = literal::every_node(cluster);
    Nodes bad;
    for (NodeIndex n : all) {
      if (!witness.offline(n) && witness.account(n).n1_failed) bad.push_back(n);
    }
    REQUIRE(health.bad_nodes == bad);
    std::vector<GroupIndex> bad_groups;
    for (std::size_t g = 0; g < cluster.groups.size(); ++g) {
      const Nodes nodes = nodes_of(g);
      if (!witness.can_lose_any(to_lose(nodes), nodes, cluster)) bad_groups.push_back(GroupIndex(g));
    }
    REQUIRE(health.bad_groups == bad_groups);
    const auto is_bad = [&](std::size_t g) {
      return std::find(bad_groups.begin(), bad_groups.end(), GroupIndex(g)) != bad_groups.end();
    };
    for (std::size_t g = 0; g < cluster.groups.size(); ++g) {
      const bool has_bad_node = std::any_of(bad.begin(), bad.end(),
                                            [&](NodeIndex n) { return cluster.node(n).facts->group.position() == g; });
      allocable.push_back(cluster.groups[g].alloc_policy != AllocPolicy::Unallocable &&
                          (options.accept_existing_errors || !has_bad_node) &&
                          (!options.independent_groups || !is_bad(g)));
    }
    for (NodeIndex n : to_lose(all)) {
      if (!options.independent_groups || !is_bad(cluster.node(n).facts->group.position())) must_be_spare.push_back(n);
    }
    const bool any_group = std::find(allocable.begin(), allocable.end(), true) != allocable.end();
    REQUIRE(plan.refused ==
            (!bad.empty() && !options.accept_existing_errors && !(options.independent_groups && any_group)));
  }

  bool is_candidate(NodeIndex n) const {
    return !cluster.node(n).offline && !cluster.node(n).cordoned && allocable[cluster.node(n).facts->group.position()];
  }
  bool needs_pair() const { return options.kind.disk_template == DiskTemplate::Drbd; }
  bool checks_capacity() const { return options.capacity_checks && !needs_pair(); }
  bool is_spare(const Witness& witness) const {
    return witness.can_lose_any(must_be_spare, literal::every_node(cluster), cluster);
  }

  // True if there is a place for one more instance.
  bool has_place(const Witness& witness, const Instance& instance, bool with_check) const {
    for (NodeIndex p : literal::every_node(cluster)) {
      for (NodeIndex s : needs_pair() ? literal::every_node(cluster) : Nodes{NodeIndex::none()}) {
        if (!is_candidate(p) || (needs_pair() && (p == s || !is_candidate(s)))) continue;
        if (needs_pair() && cluster.node(p).facts->group != cluster.node(s).facts->group) continue;
        Witness trial = witness;
        if (trial.add(instance, p, s, cluster).empty() && (!with_check || is_spare(trial))) return true;
      }
    }
    return false;
  }

  // Follows the simulation instance by instance. Returns the final state.
  Witness follow(const Cluster& after) const {
    Witness witness(cluster, node_options);
    for (std::size_t i = cluster.instances.size(); i < after.instances.size(); ++i) {
      CAPTURE(i);
      const Instance& instance = after.instances[i];
      const NodeIndex p = instance.primary, s = instance.secondary;
      REQUIRE(instance.facts->disk_template == options.kind.disk_template);
      REQUIRE(is_candidate(p));
      REQUIRE(needs_pair() == !s.is_none());
      if (needs_pair()) {
        REQUIRE(is_candidate(s));
        REQUIRE(p != s);
        REQUIRE(cluster.node(p).facts->group == cluster.node(s).facts->group);
      }
      REQUIRE(witness.add(instance, p, s, cluster) == "");
    }
    REQUIRE(witness.disagreement(after) == "");
    if (after.instances.size() > cluster.instances.size() && checks_capacity()) REQUIRE(is_spare(witness));
    return witness;
  }

 private:
  Nodes nodes_of(std::size_t group) const {
    Nodes nodes;
    for (NodeIndex n : literal::every_node(cluster)) {
      if (cluster.node(n).facts->group.position() == group) nodes.push_back(n);
    }
    return nodes;
  }
  Nodes to_lose(Nodes nodes) const {
    if (options.accept_existing_errors) std::erase_if(nodes, [&](NodeIndex n) { return cluster.node(n).offline; });
    return nodes;
  }
};

SimulatedSize size_of(const Instance& instance) {
  return {instance.facts->memory, instance.facts->disk, instance.facts->vcpus,
          instance.facts->disks.at(0).spindles.value_or(-1)};
}

struct Resource {
  std::int64_t SimulatedSize::*amount;
  std::int64_t unit;
};
constexpr Resource kResources[]{{&SimulatedSize::memory, 64},
                                {&SimulatedSize::disk, 256},
                                {&SimulatedSize::vcpus, 1},
                                {&SimulatedSize::spindles, 1}};

// True if `small` is `large`, or `large` reduced by units of which at least one is left.
bool is_shrunk(const SimulatedSize& small, const SimulatedSize& large) {
  return std::all_of(std::begin(kResources), std::end(kResources), [&](const Resource& r) {
    const std::int64_t less = large.*r.amount - small.*r.amount;
    return less == 0 || (less > 0 && less % r.unit == 0 && small.*r.amount >= r.unit);
  });
}

}  // namespace

TEST_CASE("property: fixed-size simulations keep all limits and stop when there is no place") {
  int added = 0, complete = 0, spare = 0;
  for_each_seed(21, 1000, [&](Random& random) {
    Simulated simulated(random);
    simulated.check_start();
    if (simulated.plan.refused || simulated.plan.rules.candidates.empty()) return;
    const SimulatedSize size = random_size(random);
    const std::int64_t limit = simulated.options.max_instances;
    const PhaseResult result = simulate_fixed_size(simulated.cluster, size, simulated.plan, limit);
    const Witness witness = simulated.follow(*result.after);
    const Instance instance = simulated_instance(simulated.options.kind, size);
    for (std::size_t i = simulated.cluster.instances.size(); i < result.after->instances.size(); ++i) {
      REQUIRE(size_of(result.after->instances[i]) == size);
    }
    added += static_cast<int>(result.added());
    spare += result.added() > 0 && simulated.checks_capacity() ? 1 : 0;
    if (limit >= 0) {
      REQUIRE(result.added() <= limit);
      if (result.added() == limit) return;
    }
    REQUIRE_FALSE(simulated.has_place(witness, instance, simulated.checks_capacity()));
    ++complete;
  });
  if (only_seed() != nullptr) return;
  CHECK(added > scaled_tally(1000));
  CHECK(complete > scaled_tally(100));
  CHECK(spare > scaled_tally(20));
}

TEST_CASE("property: tiered simulations keep all limits, with sizes that only shrink, unit by unit") {
  int added = 0, shrunk = 0;
  for_each_seed(22, 1000, [&](Random& random) {
    Simulated simulated(random);
    simulated.check_start();
    if (simulated.plan.refused || simulated.plan.rules.candidates.empty()) return;
    const SimulatedSize size = random_size(random);
    const std::int64_t limit = simulated.options.max_instances;
    const PhaseResult result = simulate_tiered(simulated.cluster, {size}, simulated.plan, limit);
    const Witness witness = simulated.follow(*result.after);
    if (limit >= 0) REQUIRE(result.added() <= limit);
    SimulatedSize previous = size;
    for (std::size_t i = simulated.cluster.instances.size(); i < result.after->instances.size(); ++i) {
      const SimulatedSize now = size_of(result.after->instances[i]);
      REQUIRE(is_shrunk(now, size));
      REQUIRE(is_shrunk(now, previous));
      shrunk += now == previous ? 0 : 1;
      previous = now;
    }
    added += static_cast<int>(result.added());
    if (limit >= 0) return;
    // An earlier size is given up only when there is no place for it.
    const auto no_place = [&](const SimulatedSize& given_up) {
      const Instance instance = simulated_instance(simulated.options.kind, given_up);
      return !simulated.has_place(witness, instance, simulated.checks_capacity());
    };
    REQUIRE(no_place(size));
    REQUIRE(no_place(previous));
  });
  if (only_seed() != nullptr) return;
  CHECK(added > scaled_tally(1000));
  CHECK(shrunk > scaled_tally(200));
}

TEST_CASE("property: tiered simulations of several sizes go on from one to the next") {
  int added = 0;
  for_each_seed(23, 300, [&](Random& random) {
    Simulated simulated(random);
    simulated.check_start();
    if (simulated.plan.refused || simulated.plan.rules.candidates.empty()) return;
    const std::vector<SimulatedSize> sizes{random_size(random), random_size(random)};
    const PhaseResult first =
        simulate_tiered(simulated.cluster, {sizes[0]}, simulated.plan, simulated.options.max_instances);
    const PhaseResult both = simulate_tiered(simulated.cluster, sizes, simulated.plan, simulated.options.max_instances);
    simulated.follow(*both.after);
    REQUIRE(both.added() >= first.added());
    for (std::size_t i = simulated.cluster.instances.size(); i < both.after->instances.size(); ++i) {
      const bool from_first = i < first.after->instances.size();
      const Instance& instance = both.after->instances[i];
      REQUIRE(is_shrunk(size_of(instance), sizes[from_first ? 0 : 1]));
      if (from_first) REQUIRE(instance.primary == first.after->instances[i].primary);
    }
    added += static_cast<int>(both.added());
  });
  if (only_seed() == nullptr) CHECK(added > scaled_tally(300));
}

}  // namespace htools::capacity_properties_test
