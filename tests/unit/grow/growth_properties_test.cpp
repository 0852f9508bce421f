// Properties of growth on random clusters: instances go where the allocator would place them, and no placement exceeds
// a bound.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "allocate/allocation.h"
#include "allocate/group_allocation.h"
#include "cluster/bookkeeping.h"
#include "doctest/doctest.h"
#include "grow/bounds.h"
#include "grow/growth.h"
#include "grow/placing.h"
#include "grow/purchase.h"
#include "grow/scope.h"
#include "placement/failure_counts.h"
#include "rules/admission.h"
#include "survival/capacity_check.h"
#include "tests/support/property.h"
#include "tests/support/random_allocation.h"
#include "trial/trial.h"

namespace htools::growth_properties_test {

using namespace htools::testing;

namespace {

std::vector<NodeIndex> nodes_of(const Cluster& cluster) {
  std::vector<NodeIndex> nodes;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) nodes.push_back(NodeIndex(n));
  return nodes;
}

// Returns a workload of a few sizes, some of which hardly fit.
Workload random_workload(Random& random, std::size_t most_sizes, std::size_t most_instances) {
  Workload workload;
  const std::vector<DiskTemplate> templates{DiskTemplate::Drbd, DiskTemplate::Plain, DiskTemplate::Rbd};
  for (std::size_t s = 0; s < 1 + random.index(most_sizes); ++s) {
    InstanceFacts facts;
    facts.memory = 256 * random.between(1, 8);
    facts.disk = 1024 * random.between(1, 10);
    facts.vcpus = random.between(1, 4);
    facts.disks = {Disk{facts.disk, 1}};
    facts.disk_template = random.one_of(templates);
    facts.movable = htools::facts(facts.disk_template).movable;
    workload.sizes.push_back({Instance(std::move(facts)), 0, false});
  }
  const auto count = static_cast<std::size_t>(random.between(1, static_cast<std::int64_t>(most_instances)));
  for (std::size_t i = 0; i < count; ++i) {
    workload.order.push_back(static_cast<std::uint32_t>(random.index(workload.sizes.size())));
  }
  return workload;
}

// Places the workload by the allocator alone.
std::vector<std::optional<Placement>> places_by_allocator(const Cluster& cluster, const Workload& workload,
                                                          bool capacity_checks) {
  Trial trial(cluster);
  const std::vector<NodeIndex> nodes = nodes_of(cluster);
  AllocationRules rules;
  rules.capacity_checks = capacity_checks;
  std::vector<bool> refused(workload.sizes.size(), false);
  std::vector<std::optional<Placement>> places;
  for (const std::uint32_t size : workload.order) {
    const Instance& instance = workload.sizes[size].instance;
    const Arrival arrival{instance, InstanceIndex(trial.cluster().instances.size())};
    places.emplace_back();
    if (refused[size]) continue;
    const AllocationAnswer answer =
        allocate_anywhere(trial, nodes, arrival, instance.facts->has_secondary() ? 2 : 1, rules, Judge::Score);
    if (answer.choice() == nullptr) {
      refused[size] = true;
      continue;
    }
    places.back() = answer.choice()->placement;
    carry_out(trial, arrival, *places.back(), arrival.index);
  }
  return places;
}

// Tries all ways to place some of the instances, and keeps the most that were placed.
class ExhaustiveSearch {
 public:
  ExhaustiveSearch(const Cluster& cluster, const Workload& workload)
      : trial_(cluster), workload_(workload), check_(trial_, nodes_of(cluster), {}) {
    if (check_.survives()) place_rest(0, 0, 0);
  }
  std::int64_t most() const { return most_; }

 private:
  // Equal instances go to places in ascending order, because they could change places.
  void place_rest(std::size_t next, std::int64_t placed, std::size_t first_place) {
    most_ = std::max(most_, placed);
    const auto left = static_cast<std::int64_t>(workload_.order.size() - next);
    if (left == 0 || placed + left <= most_) return;
    const std::uint32_t size = workload_.order[next];
    const Instance& instance = workload_.sizes[size].instance;
    const Cluster& cluster = trial_.cluster();
    const std::size_t n = cluster.nodes.size();
    const bool same_follows = next + 1 < workload_.order.size() && workload_.order[next + 1] == size;
    for (std::size_t place = first_place; place < n * n; ++place) {
      const NodeIndex primary(place / n), secondary(place % n);
      const bool pairs = instance.facts->has_secondary();
      if (pairs ? primary == secondary : place % n != 0) continue;
      if (cluster.node(primary).offline || (pairs && cluster.node(secondary).offline)) continue;
      if (pairs && cluster.node(primary).facts->group != cluster.node(secondary).facts->group) continue;
      if (!possible_as_primary(cluster, primary, instance)) continue;
      if (pairs && !possible_as_secondary(cluster, secondary, instance, primary)) continue;
      const Attempt attempt(trial_);
      carry_out(trial_, {instance, InstanceIndex(cluster.instances.size())},
                {primary, pairs ? secondary : NodeIndex::none()}, InstanceIndex(cluster.instances.size()));
      if (check_.survives()) place_rest(next + 1, placed + 1, same_follows ? place : 0);
      if (placed + left <= most_) return;
    }
    place_rest(next + 1, placed, 0);
  }

  Trial trial_;
  const Workload& workload_;
  CapacityCheck check_;
  std::int64_t most_ = 0;
};

// Returns a small cluster that can lose any node.
std::optional<Cluster> small_safe_cluster(Random& random) {
  ClusterShape shape;
  shape.nodes = random.between(2, 4);
  shape.instances = 6;
  shape.templates = {DiskTemplate::Drbd, DiskTemplate::Plain, DiskTemplate::Rbd};
  shape.stopped = 5;
  shape.offline = random.chance(20) ? 15 : 0;
  shape.exclusive = random.chance(20) ? 100 : 0;
  Cluster cluster = random_cluster(random, shape);
  for (Group& group : cluster.groups) group.alloc_policy = AllocPolicy::Preferred;
  return settled_groups(cluster, true).unsafe.empty() ? std::optional(std::move(cluster)) : std::nullopt;
}

// True if every node can be vacated with the first `count` instances of the workload at their places.
bool survives_with(const Cluster& cluster, const Workload& workload, const Placed& placed, std::size_t count) {
  Trial trial(with_placed(cluster, workload.sizes, workload.order, placed, count));
  std::vector<NodeIndex> nodes;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) nodes.emplace_back(n);
  return CapacityCheck(trial, nodes, {}).survives();
}

}  // namespace

TEST_CASE("instances go where the allocator would place them, one after the other") {
  std::int64_t placed = 0, refused = 0, clusters = 0, later = 0;
  for_each_seed(71, 600, [&](Random& random) {
    ClusterShape shape = random_shape(random);
    shape.no_spindles = 0;
    shape.exclusive = 0;
    const Cluster cluster = random.chance(50) ? random_cluster(random, shape) : random_allocation_cluster(random, 0);
    const SettledGroups settled = settled_groups(cluster, true);
    // Of equal places in different groups, the allocator takes that of the last group, and a search for all groups that
    // of the last node.
    const bool is_same_order =
        std::is_sorted(settled.part.nodes.begin(), settled.part.nodes.end(),
                       [](const Node& a, const Node& b) { return a.facts->group < b.facts->group; });
    if (settled.part.nodes.empty() || !is_same_order) return;
    const Workload workload = random_workload(random, 3, 40);
    const auto expected = places_by_allocator(settled.part, workload, true);
    const Placed found = place_workload(settled.part, workload.sizes, workload.order, {});
    ++clusters;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CAPTURE(i);
      const auto place = i < found.places.size() ? found.places[i] : std::nullopt;
      const auto in_words = [](const std::optional<Placement>& p) { return p ? text(*p) : "none"; };
      if (place && in_words(place) != in_words(expected[i])) {
        // The check finds no way out of some node there, but one when there is even less space.
        CHECK_FALSE(survives_with(settled.part, workload, found, i + 1));
        CHECK(survives_with(settled.part, workload, found, found.places.size()));
        ++later;
        return;
      }
      REQUIRE(in_words(place) == in_words(expected[i]));
      ++(place ? placed : refused);
    }
  });
  if (only_seed() == nullptr) {
    MESSAGE("placed ", placed, ", refused ", refused, ", another place than the allocator in ", later, " of ",
            clusters);
    CHECK(100 * later <= clusters);
    CHECK(placed > scaled_tally(1000));
    CHECK(refused > scaled_tally(1000));
  }
}

TEST_CASE("no placement exceeds a bound, and none that is found exceeds the best one") {
  std::int64_t tried = 0, found_is_best = 0, bound_is_best = 0, partly = 0;
  for_each_seed(72, 3000, [&](Random& random) {
    const auto cluster = small_safe_cluster(random);
    if (!cluster) return;
    const Workload workload = random_workload(random, 2, 6);
    const std::int64_t truth = ExhaustiveSearch(*cluster, workload).most();
    const Placed found = place_workload(*cluster, workload.sizes, workload.order, {});
    const Bounds bounds = bounds_of_some(*cluster, *cluster, workload, true);
    CHECK(found.total <= truth);
    CHECK(truth <= bounds.as_placed);
    CHECK(bounds.as_placed <= bounds.anywhere);
    ++tried;
    found_is_best += found.total == truth;
    bound_is_best += bounds.as_placed == truth;
    partly += truth > 0 && std::cmp_less(truth, workload.order.size());
  });
  MESSAGE("tried ", tried, ", found the best ", found_is_best, ", bound is the best ", bound_is_best, ", partly ",
          partly);
  if (only_seed() == nullptr) {
    CHECK(tried > scaled_tally(400));
    CHECK(partly > scaled_tally(100));
    CHECK(100 * found_is_best >= 90 * tried);
    CHECK(100 * bound_is_best >= 60 * tried);
  }
}

TEST_CASE("the first instances of a workload that fit never exceed their bound") {
  for_each_seed(73, 600, [&](Random& random) {
    const auto cluster = small_safe_cluster(random);
    if (!cluster) return;
    const Workload workload = random_workload(random, 3, 60);
    const Placed found = place_workload(*cluster, workload.sizes, workload.order, {.stops_at_refusal = true});
    const Bounds bounds = bounds_of_first(*cluster, *cluster, workload, true);
    CHECK(found.total <= bounds.as_placed);
    CHECK(bounds.as_placed <= bounds.anywhere);
    for (const auto& limit : bounds.by_resource) CHECK(bounds.anywhere <= limit.value_or(bounds.anywhere));
  });
}

TEST_CASE("with the nodes that are bought everything fits, and not with fewer than the bound") {
  std::int64_t bought = 0;
  for_each_seed(74, 300, [&](Random& random) {
    const auto cluster = small_safe_cluster(random);
    if (!cluster) return;
    const Workload workload = random_workload(random, 3, 20);
    const PurchaseRules rules{
        {.memory = 8192, .vcpus = 8, .disk_size = 65536, .disk_count = 1, .nic_count = 1, .spindle_use = 8}, {}, true};
    const NodesNeeded needed = fewest_nodes(*cluster, GroupIndex(0), workload, rules);
    CHECK(needed.bound <= needed.bound_as_placed);
    if (!needed.nodes) return;
    bought += *needed.nodes;
    CHECK(needed.bound_as_placed <= *needed.nodes);
    const Cluster larger = with_nodes(*cluster, GroupIndex(0), rules.node, static_cast<std::size_t>(*needed.nodes), {});
    if (!needed.largest_first) {
      const Placed placed = place_workload(larger, workload.sizes, workload.order, {});
      CHECK(std::cmp_equal(placed.total, workload.order.size()));
    }
  });
  if (only_seed() == nullptr) CHECK(bought > scaled_tally(50));
}

TEST_CASE("results of random runs do not depend on the number of threads") {
  for_each_seed(75, 50, [&](Random& random) {
    const auto cluster = small_safe_cluster(random);
    if (!cluster) return;
    const Workload workload = random_workload(random, 3, 30);
    const RandomRuns runs{20, 0.1};
    const Distribution one = run_randomly(*cluster, workload, {}, runs, 7, 1);
    const Distribution three = run_randomly(*cluster, workload, {}, runs, 7, 3);
    CHECK(one.fits == three.fits);
    CHECK(std::is_sorted(one.fits.begin(), one.fits.end()));
  });
}

}  // namespace htools::growth_properties_test
