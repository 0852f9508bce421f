#include "cluster/rule_tags.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace htools::rule_tags_test {
namespace {

PlacementRule rule_of(const std::string& tag) {
  Cluster cluster;
  cluster.tags = {tag};
  std::vector<std::string> wrong;
  const std::vector<PlacementRule> rules = rules_of_tags(cluster, wrong);
  REQUIRE(rules.size() == 1);
  CHECK(wrong.empty());
  return rules.front();
}

TEST_CASE("a tag of the cluster says a rule") {
  const PlacementRule apart = rule_of("htools:rule:apart:service:web");
  CHECK(apart.kind == RuleKind::Apart);
  CHECK(apart.strength == RuleStrength::Must);
  CHECK(apart.name == "service:web");
  CHECK(apart.instances == std::vector<std::string>{"tag:service:web"});
  const PlacementRule full = rule_of("htools:rule:apart:should:across=tag:rack:at_most=2:x");
  CHECK(full.strength == RuleStrength::Should);
  CHECK(full.across == "tag:rack");
  CHECK(full.at_most == 2);
  CHECK(full.name == "x");
  const PlacementRule on = rule_of("htools:rule:run-on:db=rack:1");
  CHECK(on.instances == std::vector<std::string>{"tag:db"});
  CHECK(on.nodes == std::vector<std::string>{"tag:rack:1"});
  CHECK(rule_tag(full, "x", "") == "htools:rule:apart:should:across=tag:rack:at_most=2:x");
  CHECK(rule_tag(on, "db", "rack:1") == "htools:rule:run-on:db=rack:1");
}

TEST_CASE("a tag that begins like a rule and says none is named") {
  for (const char* tag : {"htools:rule:near:x", "htools:rule:apart", "htools:rule:apart:", "htools:rule:run-on:db",
                          "htools:rule:run-on:db=", "htools:rule:apart:at_most=no:x"}) {
    CAPTURE(tag);
    Cluster cluster;
    cluster.tags = {tag};
    std::vector<std::string> wrong;
    CHECK(rules_of_tags(cluster, wrong).empty());
    CHECK(wrong.size() == 1);
  }
}

TEST_CASE("a tag of instances lets them stay") {
  Cluster cluster;
  InstanceFacts facts;
  facts.tags = TagList({"htools:stay"});
  cluster.instances.emplace_back(facts);
  std::vector<std::string> wrong;
  const std::vector<PlacementRule> rules = rules_of_tags(cluster, wrong);
  REQUIRE(rules.size() == 1);
  CHECK(rules.front().kind == RuleKind::Stay);
}

}  // namespace
}  // namespace htools::rule_tags_test
