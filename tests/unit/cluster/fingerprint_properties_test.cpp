#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "cluster/fingerprint.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "formats/text_writer.h"
#include "htools/moves.h"
#include "tests/support/property.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "trial/trial.h"

namespace htools::fingerprint_properties_test {

using htools::testing::for_each_seed;
using htools::testing::Random;

namespace {

// Returns the positions 0 to size - 1 in random order.
std::vector<std::size_t> shuffled_positions(Random& random, std::size_t size) {
  std::vector<std::size_t> positions(size);
  for (std::size_t i = 0; i < size; ++i) positions[i] = i;
  for (std::size_t i = size; i > 1; --i) {
    std::swap(positions[i - 1], positions[static_cast<std::size_t>(random.between(0, static_cast<int>(i) - 1))]);
  }
  return positions;
}

// Moves the elements to the positions. Returns the new position of each old one.
template <class Element>
std::vector<std::size_t> shuffle(Random& random, std::vector<Element>& elements) {
  const std::vector<std::size_t> old_positions = shuffled_positions(random, elements.size());
  std::vector<Element> result;
  std::vector<std::size_t> new_positions(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    result.push_back(elements[old_positions[i]]);
    new_positions[old_positions[i]] = i;
  }
  elements = std::move(result);
  return new_positions;
}

// Returns the same facts in another order.
Cluster shuffled_facts(Random& random, Cluster cluster) {
  const std::vector<std::size_t> groups = shuffle(random, cluster.groups);
  const std::vector<std::size_t> nodes = shuffle(random, cluster.nodes);
  shuffle(random, cluster.instances);
  shuffle(random, cluster.tags);
  for (Node& node : cluster.nodes) {
    node.facts.edit().group = GroupIndex(groups[node.facts->group.position()]);
    std::vector<std::string> tags = node.facts->tags.texts();
    shuffle(random, tags);
    node.facts.edit().tags = tags;
  }
  const auto moved = [&](NodeIndex n) { return n.is_none() ? n : NodeIndex(nodes[n.position()]); };
  for (Instance& instance : cluster.instances) {
    instance.primary = moved(instance.primary);
    instance.secondary = moved(instance.secondary);
  }
  return cluster;
}

Cluster prepared_copy(Cluster cluster) {
  prepare(cluster, {});
  return cluster;
}

}  // namespace

TEST_CASE("fingerprints do not depend on the order of records") {
  for_each_seed(61, 400, [](Random& random) {
    const Cluster facts = htools::testing::random_facts(random, htools::testing::random_shape(random));
    const Fingerprints original = fingerprints_of(prepared_copy(facts));
    const Fingerprints other = fingerprints_of(prepared_copy(shuffled_facts(random, facts)));
    CHECK(original.state == other.state);
    CHECK(original.facts == other.facts);
  });
}

TEST_CASE("a saved cluster has the same fingerprints") {
  for_each_seed(62, 400, [](Random& random) {
    htools::testing::ClusterShape shape = htools::testing::random_shape(random);
    shape.odd = 0;       // fractions of totals are not written
    shape.uneven = 0;    // nor are loads
    shape.cordoned = 0;  // nor is what a node takes
    const Cluster cluster = prepared_copy(htools::testing::random_facts(random, shape));
    const Cluster read = prepared_copy(read_text_cluster(write_text_cluster(cluster), "saved"));
    CHECK(fingerprints_of(cluster).state == fingerprints_of(read).state);
    CHECK(fingerprints_of(cluster).facts == fingerprints_of(read).facts);
  });
}

TEST_CASE("a move changes the state, not the facts; undoing it restores the state") {
  for_each_seed(63, 200, [](Random& random) {
    htools::testing::ClusterShape shape;
    shape.templates = {DiskTemplate::Drbd};
    Trial trial(htools::testing::random_cluster(random, shape));
    const Cluster& cluster = trial.cluster();
    if (cluster.instances.empty()) return;
    const Fingerprints before = fingerprints_of(cluster);
    trial.begin();
    trial.apply(InstanceIndex(0), {MoveKind::Failover, NodeIndex::none()});
    const Fingerprints after = fingerprints_of(cluster);
    CHECK(before.state != after.state);
    CHECK(before.facts == after.facts);
    trial.undo();
    CHECK(fingerprints_of(cluster).state == before.state);
  });
}

TEST_CASE("whatever answers depend on changes the fingerprint") {
  Random random(64);
  const Cluster cluster = htools::testing::random_cluster(random, {});
  REQUIRE(!cluster.instances.empty());
  const std::string before = fingerprints_of(cluster).state;
  const auto state_after = [&](auto change) {
    Cluster changed = cluster;
    change(changed);
    return fingerprints_of(changed).state;
  };
  CHECK(state_after([](Cluster& c) { c.nodes[0].offline = !c.nodes[0].offline; }) != before);
  CHECK(state_after([](Cluster& c) { c.nodes[0].facts.edit().free_memory += 1; }) != before);
  CHECK(state_after([](Cluster& c) { c.nodes[0].facts.edit().tags.push_back("x"); }) != before);
  CHECK(state_after([](Cluster& c) { c.instances[0].facts.edit().memory += 1; }) != before);
  CHECK(state_after([](Cluster& c) { c.instances[0].facts.edit().utilisation.cpu = 2.5; }) != before);
  CHECK(state_after([](Cluster& c) { c.instances[0].facts.edit().name += "x"; }) != before);
  CHECK(state_after([](Cluster& c) { c.groups[0].policy.vcpu_ratio += 1; }) != before);
  CHECK(state_after([](Cluster& c) { c.tags.emplace_back("x"); }) != before);
}

}  // namespace htools::fingerprint_properties_test
