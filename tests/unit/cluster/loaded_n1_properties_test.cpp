#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "formats/text_writer.h"
#include "tests/support/property.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "trial/trial.h"

namespace htools::loaded_n1_properties_test {

using htools::testing::ClusterShape;
using htools::testing::for_each_seed;
using htools::testing::only_seed;
using htools::testing::Random;
using htools::testing::scaled_tally;

namespace {

// What decides whether a node fails N+1 when it is loaded, in MiB, added up from the facts of the source alone.
struct Amounts {
  std::int64_t free = 0;      // reported
  std::int64_t recorded = 0;  // what the node's total leaves to its own system and its instances
  std::int64_t reserved = 0;  // for the primaries of that other node that has most of them mirrored here
};

Amounts amounts_of(const Cluster& facts, std::size_t n, std::int64_t kvm_memory) {
  const NodeFacts& node = *facts.nodes[n].facts;
  Amounts amounts;
  amounts.free = node.free_memory;
  const bool is_kvm = node.hypervisor == Hypervisor::Kvm && kvm_memory > 0;
  amounts.recorded = static_cast<std::int64_t>(node.total_memory) - (is_kvm ? kvm_memory : node.node_memory);
  std::map<std::size_t, std::int64_t> reserved;
  for (const Instance& i : facts.instances) {
    if (i.facts->forthcoming) continue;
    const bool uses_memory = kInstanceStatuses[static_cast<std::size_t>(i.facts->status)].uses_memory;
    if (i.primary == NodeIndex(n) && i.primary != i.secondary && uses_memory) amounts.recorded -= i.facts->memory;
    const bool comes_back = i.facts->auto_balance && i.facts->status != InstanceStatus::AdminOffline;
    if (i.secondary == NodeIndex(n) && comes_back) reserved[i.primary.position()] += i.facts->memory;
  }
  for (const auto& [primary, memory] : reserved) amounts.reserved = std::max(amounts.reserved, memory);
  return amounts;
}

// The rules, word by word.
bool fails(const Amounts& a, GanetiRelease rules) {
  if (rules == GanetiRelease::V30) return a.free < a.reserved;
  const std::int64_t missing = a.recorded - a.free;
  const std::int64_t unallocated = a.recorded - std::max<std::int64_t>(0, missing);
  return unallocated <= a.reserved;
}

// Reports a free memory that is right, wrong, negative, or equal to what decides.
void misreport(Random& random, Cluster& facts, std::size_t n, std::int64_t kvm_memory) {
  NodeFacts& node = facts.nodes[n].facts.edit();
  const Amounts amounts = amounts_of(facts, n, kvm_memory);
  switch (random.between(0, 7)) {
    case 0:
      break;
    case 1:
      node.free_memory += random.between(-12000, 12000);
      break;
    case 2:
      node.free_memory = random.between(-3000, -1);
      break;
    case 3:
      node.free_memory = amounts.reserved;
      break;
    case 4:
      node.free_memory = amounts.reserved + random.between(-1, 1);
      break;
    case 5:  // the amounts add up, and exactly the reservation is left
      node.total_memory += static_cast<double>(amounts.reserved - amounts.recorded);
      node.free_memory = amounts.reserved;
      break;
    case 6:  // too much is reported, and exactly the reservation is left
      node.total_memory += static_cast<double>(amounts.reserved - amounts.recorded);
      node.free_memory = amounts.reserved + random.between(1, 5000);
      break;
    default:
      node.free_memory = amounts.recorded + random.between(-1, 1);
  }
}

Cluster misreported_facts(Random& random, std::int64_t kvm_memory) {
  ClusterShape shape = htools::testing::random_shape(random);
  Cluster facts = htools::testing::random_facts(random, shape);
  const bool on_kvm = random.chance(40);
  for (Node& node : facts.nodes) {
    if (on_kvm) node.facts.edit().hypervisor = Hypervisor::Kvm;
  }
  for (std::size_t n = 0; n < facts.nodes.size(); ++n) misreport(random, facts, n, kvm_memory);
  return facts;
}

Cluster prepared(Cluster facts, GanetiRelease rules, std::int64_t kvm_memory) {
  PrepareOptions options;
  options.rules = rules;
  options.static_kvm_node_memory = kvm_memory;
  prepare(facts, options);
  return facts;
}

}  // namespace

TEST_CASE("loaded nodes fail N+1 by the rule of each release, whatever is reported") {
  int nodes = 0, by_both = 0, by_later_only = 0, without_reservation = 0, offline = 0;
  for_each_seed(91, 20000, [&](Random& random) {
    const std::int64_t kvm_memory = random.chance(70) ? 4096 : random.between(-1, 2000);
    const Cluster facts = misreported_facts(random, kvm_memory);
    const Cluster earlier = prepared(facts, GanetiRelease::V30, kvm_memory);
    const Cluster later = prepared(facts, GanetiRelease::V31, kvm_memory);
    for (std::size_t n = 0; n < facts.nodes.size(); ++n) {
      CAPTURE(n);
      const Amounts amounts = amounts_of(facts, n, kvm_memory);
      const bool fails_earlier = earlier.nodes[n].books.n1_failed, fails_later = later.nodes[n].books.n1_failed;
      REQUIRE(earlier.nodes[n].books.reserved_memory == amounts.reserved);
      REQUIRE(fails_earlier == fails(amounts, GanetiRelease::V30));
      REQUIRE(fails_later == fails(amounts, GanetiRelease::V31));
      REQUIRE((!fails_earlier || fails_later));
      REQUIRE(later.nodes[n].unallocated_memory() == std::min(amounts.recorded, amounts.free));
      ++nodes;
      by_both += fails_earlier ? 1 : 0;
      by_later_only += fails_later && !fails_earlier ? 1 : 0;
      without_reservation += fails_later && amounts.reserved == 0 ? 1 : 0;
      offline += fails_later && facts.nodes[n].offline ? 1 : 0;
    }
  });
  if (only_seed() != nullptr) return;
  CHECK(nodes > scaled_tally(100000));
  CHECK(by_both > scaled_tally(10000));
  CHECK(by_later_only > scaled_tally(10000));
  CHECK(without_reservation > scaled_tally(5000));
  CHECK(offline > scaled_tally(500));
}

TEST_CASE("by the rules of 3.1, the N+1 state depends neither on history nor on saving") {
  int moved = 0, failing = 0, with_history = 0;
  for_each_seed(92, 3000, [&](Random& random) {
    Cluster facts = misreported_facts(random, 4096);
    for (Node& node : facts.nodes) node.facts.edit().total_memory = std::trunc(node.facts->total_memory);
    Trial trial(prepared(facts, GanetiRelease::V31, 4096));
    Trial earlier(prepared(facts, GanetiRelease::V30, 4096));
    for (std::size_t i = 0; i < facts.instances.size(); ++i) {
      const Instance& instance = trial.cluster().instances[i];
      if (instance.secondary.is_none() || instance.primary == instance.secondary || instance.facts->forthcoming)
        continue;
      if (!instance.facts->has_secondary() || random.chance(50)) continue;
      trial.apply(InstanceIndex(i), {MoveKind::Failover, NodeIndex::none()});
      earlier.apply(InstanceIndex(i), {MoveKind::Failover, NodeIndex::none()});
      ++moved;
    }
    const Cluster& after = trial.cluster();
    for (const Node& node : after.nodes) {
      REQUIRE(node.books.n1_failed == (node.unallocated_memory() <= node.books.reserved_memory));
      failing += node.books.n1_failed ? 1 : 0;
    }
    REQUIRE(nodes_with_history(after).empty());
    with_history += nodes_with_history(earlier.cluster()).empty() ? 0 : 1;
    Cluster again = prepared(read_text_cluster(write_text_cluster(after), "saved.data"), GanetiRelease::V31, 0);
    for (std::size_t n = 0; n < after.nodes.size(); ++n) {
      CAPTURE(n);
      REQUIRE(again.nodes[n].books.n1_failed == after.nodes[n].books.n1_failed);
    }
  });
  if (only_seed() != nullptr) return;
  CHECK(moved > scaled_tally(2000));
  CHECK(failing > scaled_tally(2000));
  CHECK(with_history > scaled_tally(100));
}

}  // namespace htools::loaded_n1_properties_test
