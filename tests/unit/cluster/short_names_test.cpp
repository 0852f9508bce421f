#include "cluster/short_names.h"

#include <doctest/doctest.h>

#include <string>

#include "cluster/prepare.h"
#include "formats/text_reader.h"

namespace htools::short_names_test {

namespace {

// Returns a prepared cluster of nodes with these names.
Cluster cluster_of(const std::vector<std::string>& names) {
  std::string text = "g|u|preferred|\n\n";
  for (const std::string& name : names) text += name + "|8192|0|8192|1000|1000|4|N|u|1\n";
  Cluster cluster = read_text_cluster(text + "\n\n", "x.data");
  prepare(cluster, {});
  return cluster;
}

std::vector<std::string> aliases_of(std::vector<std::string> names) {
  Cluster cluster = cluster_of(names);
  shorten_most_names(cluster);
  names.clear();
  for (const Node& node : cluster.nodes) names.push_back(node.facts->alias);
  return names;
}

std::vector<std::string> nine_and(const std::string& last) {
  std::vector<std::string> names;
  for (int i = 1; i <= 9; ++i) names.push_back("n" + std::to_string(i) + ".x.org");
  names.push_back(last);
  return names;
}

}  // namespace

TEST_CASE("one name without the domain leaves the others short") {
  const std::vector<std::string> aliases = aliases_of(nine_and("new-1"));
  CHECK(aliases.front() == "n1");
  CHECK(aliases[8] == "n9");
  CHECK(aliases.back() == "new-1");
}

TEST_CASE("a name that is equal to another one without its domain stays long") {
  const std::vector<std::string> aliases = aliases_of(nine_and("n3"));
  CHECK(aliases[1] == "n2");
  CHECK(aliases[2] == "n3.x.org");
  CHECK(aliases.back() == "n3");
}

TEST_CASE("names of many domains stay as they are") {
  CHECK(aliases_of({"a.x.org", "b.x.org", "c.y.net"}) == std::vector<std::string>{"a.x.org", "b.x.org", "c.y.net"});
  CHECK(aliases_of({"a", "b"}) == std::vector<std::string>{"a", "b"});
}

TEST_CASE("what all names share stays off") {
  CHECK(aliases_of({"a.x.org", "b.x.org"}) == std::vector<std::string>{"a", "b"});
}

}  // namespace htools::short_names_test
