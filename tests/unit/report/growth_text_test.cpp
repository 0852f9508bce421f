#include "report/growth_text.h"

#include <doctest/doctest.h>

#include <string>

#include "cluster/cluster.h"
#include "htools/refusal.h"

namespace htools::growth_text_test {

namespace {

// Returns the words about an instance that finds no place if node n1 fails. The cluster has one instance, web1.
std::string words_about(InstanceIndex homeless) {
  Cluster cluster;
  cluster.nodes.resize(1);
  cluster.nodes[0].facts.edit().alias = "n1";
  cluster.instances.resize(1);
  cluster.instances[0].facts.edit().alias = "web1";
  Obstacle obstacle;
  obstacle.refusal = Refusal{{}, Homeless{NodeIndex(0), homeless}};
  return detail_text(cluster, obstacle);
}

}  // namespace

TEST_CASE("an instance that finds no place is named, or described if it has no name yet") {
  CHECK(words_about(InstanceIndex(0)) == "if node n1 fails, its instance web1 finds no place");
  CHECK(words_about(InstanceIndex::none()) == "if node n1 fails, the new instance finds no place");
  CHECK(words_about(InstanceIndex(1)) == "if node n1 fails, an instance that was placed before finds no place");
}

}  // namespace htools::growth_text_test
