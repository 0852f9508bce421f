#include "simulate/cluster_spec.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cluster/prepare.h"
#include "formats/text_writer.h"
#include "htools/errors.h"

namespace htools::cluster_spec_test {

namespace {

using htools::Cluster;
using htools::InputError;
using Strings = std::vector<std::string>;

struct Failure {
  std::string what;
  std::string where;
};

Failure failure_of(const Strings& specs) {
  try {
    htools::simulated_cluster(specs);
  } catch (const InputError& error) {
    return {error.what(), error.where()};
  }
  return {"(no error)", ""};
}

}  // namespace

TEST_CASE("the last specification on the command line is the first group") {
  Cluster c = htools::simulated_cluster({"p,1,100G,16M,4", "a,1,1t,1T,2,3", "u,1,5,6,7,8,True"});
  CHECK(c.first_number == 1);
  CHECK(c.number(htools::NodeIndex(0)) == 1);
  htools::prepare(c, {});
  const std::string text = write_text_cluster(c);
  CHECK(
      text.starts_with("group-01|fake-uuid-01|unallocable||\n"
                       "group-02|fake-uuid-02|last_resort||\n"
                       "group-03|fake-uuid-03|preferred||\n"
                       "\n"
                       "node-01-001|6|0|6|5|5|7|M|fake-uuid-01|8||Y|0|1|1.0\n"
                       "node-02-001|953674|0|953674|1048576|1048576|2|N|fake-uuid-02|3||N|0|1|1.0\n"
                       "node-03-001|15|0|15|95367|95367|4|N|fake-uuid-03|1||N|0|1|1.0\n"
                       "\n\n\n|128,1,1024,1,1,1|"));
}

TEST_CASE("nodes are counted per group, and only the first node of the first group is the master") {
  const Cluster c = htools::simulated_cluster({"preferred,2,1,1,1", "last_resort,1001,1,1,1"});
  REQUIRE(c.nodes.size() == 1003);
  CHECK(c.nodes[0].facts->name == "node-01-001");
  CHECK(c.nodes[0].facts->master);
  CHECK(c.nodes[1000].facts->name == "node-01-1001");
  CHECK(!c.nodes[1000].facts->master);
  CHECK(c.nodes[1001].facts->name == "node-02-001");
  CHECK(!c.nodes[1001].facts->master);
  CHECK(c.nodes[1001].facts->group == htools::GroupIndex(1));
}

TEST_CASE("a group may have no nodes; then there is no master") {
  const Cluster c = htools::simulated_cluster({"p,1,1,1,1", "p,-5,1,1,1"});
  CHECK(c.groups.size() == 2);
  REQUIRE(c.nodes.size() == 1);
  CHECK(c.nodes[0].facts->name == "node-02-001");
  CHECK(!c.nodes[0].facts->master);
  CHECK(htools::simulated_cluster({}).groups.empty());
}

TEST_CASE("exclusive storage is True or False") {
  const auto storage = [](const std::string& value) {
    return htools::simulated_cluster({"p,1,1,1,1,1," + value}).nodes[0].facts->exclusive_storage;
  };
  CHECK(storage("True"));
  CHECK(!storage("False"));
  CHECK(storage(" \tTrue"));
  const auto problem = [](const std::string& value) { return failure_of({"p,1,1,1,1,1," + value}).what; };
  for (const std::string value : {"", "true", "tRue", "Truex", "True'", "True_", "-True", "1", "Y", "(True)"}) {
    CAPTURE(value);
    CHECK(problem(value) == "exclusive storage: cannot parse string '" + value + "'");
  }
  CHECK(problem("True ") == "exclusive storage: leftover characters when parsing 'True ': ' '");
  CHECK(problem(" False.x") == "exclusive storage: leftover characters when parsing ' False.x': '.x'");
}

TEST_CASE("a specification that cannot be accepted is described with its place") {
  struct Case {
    Strings specs;
    std::string what;
    std::string where;
  };
  const std::string wrong_count =
      "Invalid cluster specification, expected 6 comma-separated sections (allocation policy, node count, disk size, "
      "memory size, number of CPUs, spindles) but got ";
  const std::vector<Case> cases = {
      {{""}, wrong_count + "0: ''", "cluster specification ''"},
      {{"p,1,1,1"}, wrong_count + "4: 'p,1,1,1'", "cluster specification 'p,1,1,1'"},
      {{"p,1,1,1,1,1,1,1"}, wrong_count + "8: 'p,1,1,1,1,1,1,1'", "cluster specification 'p,1,1,1,1,1,1,1'"},
      {{"x\"\xc3\xa9,1,1,1,1"},
       "Invalid string value for type AllocPolicy: \"x\\\"\\233\"; Cannot parse AllocPolicy abbreviation 'x\"\xc3\xa9'",
       "cluster specification 'x\"\xc3\xa9,1,1,1,1', field 1 (allocation policy)"},
      {{",a,1,1,1"},
       "Invalid string value for type AllocPolicy: \"\"; Cannot parse AllocPolicy abbreviation ''",
       "cluster specification ',a,1,1,1', field 1 (allocation policy)"},
      {{"p,a,b,c,d,e,f"},
       "node count: cannot parse string 'a'",
       "cluster specification 'p,a,b,c,d,e,f', field 2 (node count)"},
      {{"p,1,b,c,d,e,f"},
       "disk size: Can't parse string 'b'",
       "cluster specification 'p,1,b,c,d,e,f', field 3 (disk size)"},
      {{"p,1,1,1z,d,e,f"},
       "memory size: Unknown unit 'z'",
       "cluster specification 'p,1,1,1z,d,e,f', field 4 (memory size)"},
      {{"p,1,1,1,d,e,f"},
       "cpu count: cannot parse string 'd'",
       "cluster specification 'p,1,1,1,d,e,f', field 5 (cpu count)"},
      {{"p,1,1,1,1,1.5,f"},
       "spindles: cannot parse string '1.5'",
       "cluster specification 'p,1,1,1,1,1.5,f', field 6 (spindles)"},
      {{"first", "p,1,1,1,1,x"},
       "spindles: cannot parse string 'x'",
       "cluster specification 'p,1,1,1,1,x', field 6 (spindles)"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const Failure failure = failure_of(c.specs);
    CHECK(failure.what == c.what);
    CHECK(failure.where == c.where);
  }
}

TEST_CASE("clusters of an absurd size are refused") {
  CHECK(failure_of({"p,1000000000,1,1,1"}).what ==
        "node count: 1000000000 is too large, at most 10000000 nodes can be simulated");
  CHECK(failure_of({"p,9223372036854775807,1,1,1", "p,10000000,1,1,1"}).what ==
        "node count: 9223372036864775807 is too large, at most 10000000 nodes can be simulated");
  CHECK(failure_of({"p,9000000,1,1,1", "p,1000001,1,1,1"}).what ==
        "node count: 10000001 is too large, at most 10000000 nodes can be simulated");
}

}  // namespace htools::cluster_spec_test
