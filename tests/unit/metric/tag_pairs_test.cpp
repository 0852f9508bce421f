#include "metric/tag_pairs.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cluster/bookkeeping.h"
#include "metric/statistics.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::tag_pairs_test {

namespace {

using htools::Cluster;
using htools::Instance;
using htools::InstanceIndex;
using htools::Node;
using htools::NodeIndex;
using htools::NodeRefs;
using htools::TagPairs;
using htools::TagSet;
using htools::testing::ClusterShape;
using htools::testing::Random;
using htools::testing::scaled;
using htools::testing::scaled_tally;

// Returns the number of collisions, counted anew from the nodes.
double recounted(const NodeRefs& nodes) { return htools::pair_collisions(nodes); }

Instance tagged(const std::vector<std::string>& tags) {
  Instance instance;
  instance.facts.edit().set_exclusion_tags(tags);
  return instance;
}

}  // namespace

TEST_CASE("collisions of two tags in two places") {
  std::vector<Node> nodes(3);
  nodes[0].facts.edit().location_tags = nodes[1].facts.edit().location_tags = TagSet({"power:a", "rack:1"});
  nodes[2].facts.edit().location_tags = TagSet({"power:b"});
  for (Node& node : nodes) add_primary(node, InstanceIndex(0), tagged({"svc:x"}));
  const NodeRefs refs(nodes.begin(), nodes.end());
  const TagPairs pairs(refs);
  CHECK(pairs.collisions() == 2);  // one at power:a and one at rack:1
  const auto with = [&](std::size_t node, const std::vector<std::string>& tags) {
    return pairs.collisions_with(nodes[node], tagged(tags));
  };
  CHECK(with(2, {"svc:x"}) == 3);
  CHECK(with(2, {"svc:y"}) == 2);
  CHECK(with(2, {"svc:y", "svc:y"}) == 3);  // each occurrence counts
  CHECK(with(2, {}) == 2);
  Instance planned = tagged({"svc:x"});
  planned.facts.edit().forthcoming = true;
  CHECK(pairs.collisions_with(nodes[2], planned) == 2);

  TagPairs rest = pairs;
  rest.remove(nodes[0], tagged({"svc:x"}));
  CHECK(rest.collisions() == 0);
  CHECK(rest.collisions_with(nodes[1], tagged({"svc:x"})) == 2);
  CHECK(rest.collisions_with(nodes[2], tagged({"svc:x"})) == 1);
  rest = pairs;
  rest.remove(nodes[2], tagged({"svc:y"}));  // the node does not have this tag
  CHECK(rest.collisions() == 2);
  CHECK(rest.collisions_with(nodes[2], tagged({"svc:y"})) == 2);

  rest = pairs;
  rest.replace(nodes[0].location_exclusion, {});
  CHECK(rest.collisions() == 0);
  rest.replace({}, nodes[0].location_exclusion);
  rest.replace(nodes[1].location_exclusion, nodes[1].location_exclusion);
  CHECK(rest.collisions() == 2);

  nodes[1].offline = true;
  CHECK(TagPairs(refs).collisions() == 0);
  CHECK(TagPairs(refs).collisions_with(nodes[2], tagged({"svc:x"})) == 1);
  CHECK(TagPairs(refs).collisions_with(nodes[1], tagged({"svc:x"})) == 0);
}

TEST_CASE("collisions after a change are those of the changed nodes") {
  Random random(121);
  int different = 0;
  for (int round = 0; round < scaled(2000); ++round) {
    CAPTURE(round);
    ClusterShape shape = htools::testing::random_shape(random);
    shape.tagged = 90;
    shape.nodes = random.between(1, 5);
    Cluster cluster = htools::testing::random_cluster(random, shape);
    const NodeRefs nodes = htools::all_nodes(cluster.nodes);
    TagPairs pairs(nodes);
    REQUIRE(pairs.collisions() == recounted(nodes));
    if (cluster.instances.empty()) continue;

    const InstanceIndex index(random.index(cluster.instances.size()));
    const Instance& instance = cluster.instance(index);
    Cluster changed = cluster;
    const double before = pairs.collisions();
    if (random.chance(50)) {
      const NodeIndex source = random.chance(80) ? instance.primary : NodeIndex(random.index(cluster.nodes.size()));
      pairs.remove(cluster.node(source), instance);
      remove_primary(changed.node(source), index, instance);
    }
    const NodeIndex target(random.index(cluster.nodes.size()));
    double found = pairs.collisions();
    if (random.chance(80)) {
      found = pairs.collisions_with(changed.node(target), instance);
      add_primary(changed.node(target), index, instance);
    }
    const double expected = recounted(htools::all_nodes(changed.nodes));
    REQUIRE(found == expected);
    different += expected != before;
  }
  CHECK(different > scaled_tally(300));
}

}  // namespace htools::tag_pairs_test
