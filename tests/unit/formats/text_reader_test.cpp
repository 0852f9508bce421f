#include "formats/text_reader.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "htools/errors.h"

namespace htools::text_reader_test {

namespace {

using htools::Cluster;
using htools::DiskTemplate;
using htools::GroupIndex;
using htools::InputError;
using htools::Instance;
using htools::Node;
using htools::NodeIndex;
using Strings = std::vector<std::string>;

struct Failure {
  std::string what;
  std::string where;
};

Failure failure_of(const std::string& text) {
  try {
    htools::read_text_cluster(text, "x.data");
  } catch (const InputError& error) {
    return {error.what(), error.where()};
  }
  return {"(no error)", ""};
}

const std::string kGroup = "g1|uuid|preferred|\n";
const std::string kNodes = "n1|4096|512|3072|20480|10240|4|M|uuid\nn2|4096|512|3072|20480|10240|4|N|uuid\n";

std::string with_node(const std::string& line) { return kGroup + "\n" + line + "\n\n\n"; }
std::string with_instance(const std::string& line) { return kGroup + "\n" + kNodes + "\n" + line + "\n\n"; }
std::string with_policy(const std::string& line) { return kGroup + "\n" + kNodes + "\n\n\n" + line + "\n"; }

Node node_of(const std::string& line) { return htools::read_text_cluster(with_node(line), "x.data").nodes.at(0); }
Instance instance_of(const std::string& line) {
  return htools::read_text_cluster(with_instance(line), "x.data").instances.at(0);
}

// Returns a node line in which one field is replaced. Fields are counted from 1.
std::string node_line(std::size_t field, const std::string& value) {
  Strings fields = {"n1", "1", "2", "3", "4", "5", "6", "N", "uuid", "1", "t", "N", "0", "1", "1.0"};
  fields[field - 1] = value;
  return htools::join(fields, "|");
}

std::string instance_line(std::size_t field, const std::string& value) {
  Strings fields = {"i1", "1", "2", "3", "running", "Y", "n1", "n2", "drbd", "t", "1", "-", "N"};
  fields[field - 1] = value;
  return htools::join(fields, "|");
}

}  // namespace

TEST_CASE("a cluster file yields groups, nodes, instances, tags and policies") {
  const Cluster c = htools::read_text_cluster(
      "ga|ua|preferred|\n"
      "gb|ub|last_resort|x,y|net1,net2\n"
      "\n"
      "n1|8192.5|512|4096|20480.5|10240|4.5|M|ua\n"
      "n2|?|512|4096|20480|10240|4|M|ub|9|t|Y|7|7|7.5\n"
      "n3|8192| 512|4096|1e4|- 1|4|q|ub|2|ta,tb|Y|5|3|1e-2|junk\n"
      "\n"
      "i1|1024|2048|1|running|Y|n1|n3|drbd|\n"
      "i2|1024|2048|1|ADMIN_down|N|n3|n3|plain|a,b|3|4|Y|junk\n"
      "\n"
      "t1\n"
      "\n"
      "gb|1,2,3,4,5,6|1,1,1,1,1,1;9,9,9,9,9,9|ext,drbd|0.05|1e23\n",
      "v1.data");

  REQUIRE(c.groups.size() == 2);
  CHECK(c.groups[0].name == "ga");
  CHECK(c.groups[0].uuid == "ua");
  CHECK(c.groups[0].tags.empty());
  CHECK(c.groups[0].networks.empty());
  CHECK(c.groups[0].policy.vcpu_ratio == 4.0);
  CHECK(c.groups[1].alloc_policy == htools::AllocPolicy::LastResort);
  CHECK(c.groups[1].tags == Strings{"x", "y"});
  CHECK(c.groups[1].networks == Strings{"net1", "net2"});
  CHECK(c.groups[1].policy.std == htools::InstanceSpec{1, 2, 3, 4, 5, 6});
  REQUIRE(c.groups[1].policy.minmax.size() == 1);
  CHECK(c.groups[1].policy.minmax[0].min == htools::InstanceSpec{1, 1, 1, 1, 1, 1});
  CHECK(c.groups[1].policy.minmax[0].max == htools::InstanceSpec{9, 9, 9, 9, 9, 9});
  CHECK(c.groups[1].policy.disk_templates == std::vector{DiskTemplate::Ext, DiskTemplate::Drbd});
  CHECK(c.groups[1].policy.vcpu_ratio == 0.05);
  CHECK(c.groups[1].policy.spindle_ratio == 1e23);

  REQUIRE(c.nodes.size() == 3);
  const Node& n1 = c.nodes[0];
  CHECK(n1.facts->name == "n1");
  CHECK(n1.facts->group == GroupIndex(0));
  CHECK(n1.facts->total_memory == 8192.5);
  CHECK(n1.facts->node_memory == 512);
  CHECK(n1.facts->free_memory == 4096);
  CHECK(n1.facts->total_disk == 20480.5);
  CHECK(n1.facts->free_disk == 10240);
  CHECK(n1.facts->total_cpus == 4.5);
  CHECK(n1.facts->master);
  CHECK(!n1.offline);
  CHECK(n1.facts->spindles == 1);
  CHECK(n1.facts->free_spindles == 0);
  CHECK(n1.facts->node_cpus == 1);
  CHECK(n1.facts->cpu_speed == 1.0);
  CHECK(!n1.facts->exclusive_storage);
  const Node& n3 = c.nodes[2];
  CHECK(n3.facts->group == GroupIndex(1));
  CHECK(n3.facts->total_disk == 10000.0);
  CHECK(n3.facts->free_disk == -1);
  CHECK(!n3.facts->master);
  CHECK(!n3.offline);
  CHECK(n3.facts->spindles == 2);
  CHECK(n3.facts->tags == Strings{"ta", "tb"});
  CHECK(n3.facts->exclusive_storage);
  CHECK(n3.facts->free_spindles == 5);
  CHECK(n3.facts->node_cpus == 3);
  CHECK(n3.facts->cpu_speed == 0.01);

  REQUIRE(c.instances.size() == 2);
  const Instance& i1 = c.instances[0];
  CHECK(i1.facts->name == "i1");
  CHECK(i1.facts->memory == 1024);
  CHECK(i1.facts->disk == 2048);
  CHECK(i1.facts->vcpus == 1);
  CHECK(i1.facts->status == htools::InstanceStatus::Running);
  CHECK(i1.facts->auto_balance);
  CHECK(i1.primary == NodeIndex(0));
  CHECK(i1.secondary == NodeIndex(2));
  CHECK(i1.facts->disk_template == DiskTemplate::Drbd);
  CHECK(i1.facts->tags.empty());
  CHECK(i1.facts->spindle_use == 1);
  CHECK(!i1.facts->forthcoming);
  REQUIRE(i1.facts->disks.size() == 1);
  CHECK(i1.facts->disks[0].size == 2048);
  CHECK(!i1.facts->disks[0].spindles);
  const Instance& i2 = c.instances[1];
  CHECK(i2.facts->status == htools::InstanceStatus::AdminDown);
  CHECK(!i2.facts->auto_balance);
  CHECK(i2.primary == NodeIndex(2));
  CHECK(i2.secondary == NodeIndex(2));
  CHECK(i2.facts->tags == Strings{"a", "b"});
  CHECK(i2.facts->spindle_use == 3);
  CHECK(i2.facts->disks[0].spindles == 4);
  CHECK(i2.facts->forthcoming);

  CHECK(c.tags == Strings{"t1"});
  CHECK(c.policy.minmax.size() == 1);
  CHECK(c.policy.spindle_ratio == 32.0);
  CHECK(c.first_number == 0);
}

TEST_CASE("a node with an unknown number is offline and has nothing") {
  for (std::size_t field = 2; field <= 7; ++field) {
    CAPTURE(field);
    Strings fields = {"n1", "1", "2", "3", "4", "5", "6", "M", "uuid", "x", "t", "x", "x", "x", "x"};
    fields[field - 1] = "?";
    const Node node = node_of(htools::join(fields, "|"));
    CHECK(node.offline);
    CHECK(!node.facts->master);
    CHECK(!node.facts->exclusive_storage);
    CHECK(node.facts->tags.empty());
    CHECK(node.facts->total_memory == 0.0);
    CHECK(node.facts->node_memory == 0);
    CHECK(node.facts->free_memory == 0);
    CHECK(node.facts->total_disk == 0.0);
    CHECK(node.facts->free_disk == 0);
    CHECK(node.facts->total_cpus == 0.0);
    CHECK(node.facts->node_cpus == 0);
    CHECK(node.facts->spindles == 0);
    CHECK(node.facts->free_spindles == 0);
    CHECK(node.facts->cpu_speed == 1.0);
  }
}

TEST_CASE("empty lines separate the sections, and at least four are needed") {
  const std::string complaint = "Invalid format of the input file: ";
  const std::string expectation = " sections instead of 4 or more";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "0"},
      {"x", "1"},
      {"\n", "2"},
      {"\n\n", "3"},
      {"g1|u|preferred|\n\n\n", "3"},
      {"g1|u|preferred|\r\n\r\nn1|1|1|1|1|1|1|M|u\r\n\r\n\r\n", "1"},
      {"\n \n\n", "3"},
      {std::string(1, '\0'), "1"},
  };
  for (const auto& c : cases) {
    const auto& [text, sections] = c;
    CAPTURE(c.first);
    CHECK(failure_of(text).what == complaint + sections + expectation);
    CHECK(failure_of(text).where == "x.data");
  }
}

TEST_CASE("empty sections are sections, and those behind the fifth do not matter") {
  struct Case {
    std::string text;
    std::size_t groups;
    Strings tags;
  };
  const std::vector<Case> cases = {
      {"\n\n\n", 0, {}},
      {"\n\n\n\n", 0, {}},
      {"\n\n\n\n\n\n\n\n", 0, {}},
      {"g1|u|preferred|\n\n\n\nct1", 1, {"ct1"}},
      {"g1|u|preferred|\n\n\n\nct1\n", 1, {"ct1"}},
      {"g1|u|preferred|\n\n\n\nct1\n\n\nfoo\nbar", 1, {"ct1"}},
      {"\n\n\n a|b,c \n\r\n", 0, {" a|b,c ", "\r"}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const Cluster cluster = htools::read_text_cluster(c.text, "x.data");
    CHECK(cluster.groups.size() == c.groups);
    CHECK(cluster.tags == c.tags);
  }
}

TEST_CASE("a line that cannot be accepted is described with its place") {
  struct Case {
    std::string text;
    std::string what;
    std::string where;
  };
  const std::string node_place = "x.data, line 3, field ";
  const std::string instance_place = "x.data, line 6, field ";
  const std::string policy_place = "x.data, line 8, field ";
  const std::vector<Case> cases = {
      {"g|u|preferred\n\n\n\n", R"(Invalid/incomplete group data: '["g","u","preferred"]')", "x.data, line 1"},
      {"g|u|p|\n\n\n\n", R"(Invalid string value for type AllocPolicy: "p")",
       "x.data, line 1, field 3 (allocation policy)"},
      {with_node("n1|a|b|c|d|e|f|M|uuid|g|t|h|i|j|k"), "n1: cannot parse string 'a'", node_place + "2 (total memory)"},
      {with_node("n1|1|2|3|4|5|6|M|uuid|g|t|h|i|j|k"), "n1: cannot parse string 'j'", node_place + "14 (node cpus)"},
      {with_node("n1|1|2|3|4|5|6|M|uuid|g|t|h|i|1|k"), "n1: cannot parse string 'g'", node_place + "10 (spindles)"},
      {with_node("n1|1|2|3|4|5|6|M|uuid|1|t|h|i|1|k"), "n1: cannot parse string 'k'", node_place + "15 (cpu speed)"},
      {with_node("n1|1|2|3|4|5|6|M|uuid|1|t|h|i|1|1"), "n1: cannot parse string 'i'",
       node_place + "13 (free spindles)"},
      {with_node("n1|1|2|3|4|5|6|M|uuid|1|t|h|1|1|1"), "Invalid exclusive_storage value for node 'n1': h",
       node_place + "12 (exclusive storage)"},
      {with_node("n1|1|2|3|4|5|6|M|uuid|1|t|"),
       "Invalid exclusive_storage value for node 'n1': ", node_place + "12 (exclusive storage)"},
      {with_node("n1|1|2|3|4|5|6|M|uuid|"), "n1: cannot parse string ''", node_place + "10 (spindles)"},
      {with_node("n1|1|2|3|4|5|6|N"), R"(Invalid/incomplete node data: '["n1","1","2","3","4","5","6","N"]')",
       "x.data, line 3"},
      {with_node("n1|1|2|5 |4|5|6|N|uuid"), "n1: leftover characters when parsing '5 ': ' '",
       node_place + "4 (free memory)"},
      {with_node("n1|x|2|5|4|5|6|N|g1"), "Unknown group 'g1' for node n1", node_place + "9 (group uuid)"},
      {with_node("n1|?|2|5|4|5|6|N|g1"), "Unknown group 'g1' for node n1", node_place + "9 (group uuid)"},

      {with_instance("i1|x|1|1|running|Y|n1||drbd"),
       R"(Invalid/incomplete instance data: '["i1","x","1","1","running","Y","n1","","drbd"]')", "x.data, line 6"},
      {with_instance("i1|x|1|1|running|Y|n|n2,n3|drbd|"), "Unknown node 'n' for instance i1",
       instance_place + "7 (primary node)"},
      {with_instance("i1|x|1|1|running|Y|n1|n2,n3|drbd|"), "Unknown node 'n2,n3' for instance i1",
       instance_place + "8 (secondary node)"},
      {with_instance("i1|x|1|1|running|Y|||plain|"), "Unknown node '' for instance i1",
       instance_place + "7 (primary node)"},
      {with_instance("i1|x|y|z|r|b|n1||p||s|t|f"), "i1: cannot parse string 'x'", instance_place + "2 (memory)"},
      {with_instance("i1|1|y|z|r|b|n1||p||s|t|f"), "i1: cannot parse string 'y'", instance_place + "3 (disk)"},
      {with_instance("i1|1|1|z|r|b|n1||p||s|t|f"), "i1: cannot parse string 'z'", instance_place + "4 (vcpus)"},
      {with_instance("i1|1|1|1|Running|b|n1||p||s|t|f"), R"(Invalid string value for type InstanceStatus: "Running")",
       instance_place + "5 (status)"},
      {with_instance("i1|1|1|1|running|y|n1||p||s|t|f"), "Invalid auto_balance value 'y' for instance i1",
       instance_place + "6 (auto-balance)"},
      {with_instance("i1|1|1|1|running|Y|n1||Plain||s|t|f"),
       R"(Instance i1: Invalid string value for type DiskTemplate: "Plain")", instance_place + "9 (disk template)"},
      {with_instance("i1|1|1|1|running|Y|n1||plain||s|t|f"), "i1: cannot parse string 's'",
       instance_place + "11 (spindle use)"},
      {with_instance("i1|1|1|1|running|Y|n1||plain||1|t|f"), "i1: cannot parse string 't'",
       instance_place + "12 (spindles)"},
      {with_instance("i1|1|1|1|running|Y|n1||plain||1|1|f"), "Invalid forthcoming value 'f' for instance i1",
       instance_place + "13 (forthcoming)"},
      {with_instance("i1|1|1|1|running|Y|n1|n1|drbd|"), "Instance i1 has same primary and secondary node - n1",
       instance_place + "8 (secondary node)"},

      {with_policy("g1|1,2,x,4,5,6|y|z|a"), R"(Invalid ipolicy data: '["g1","1,2,x,4,5,6","y","z","a"]')",
       "x.data, line 8"},
      {with_policy("g1|1,2,x,4,5,6|y|z|a|b"), "g1/stdspec/disksize: cannot parse string 'x'",
       policy_place + "2 (std specs)"},
      {with_policy("g2|1,2|y|z|a|b"), R"(Invalid ispec data for g2/stdspec: ["1","2"])",
       policy_place + "2 (std specs)"},
      {with_policy("|1,1,1,1,1,1|1,1,1,1,1,1;|z|a|b"), "Invalid ispec data for /maxspec: []",
       policy_place + "3 (min-max specs)"},
      {with_policy("|1,1,1,1,1,1|x|z|a|b"), "Odd number of min/max specs for ", policy_place + "3 (min-max specs)"},
      {with_policy("g|1,1,1,1,1,1|1,1,1,1,1,1;1,1,1,1,1,y;x|z|a|b"), "Odd number of min/max specs for g",
       policy_place + "3 (min-max specs)"},
      {with_policy("g|1,1,1,1,1,1|1,1,1,1,1,1;1,1,1,1,1,y|z|a|b"), "g/maxspec/spindleuse: cannot parse string 'y'",
       policy_place + "3 (min-max specs)"},
      {with_policy("g|1,1,1,1,1,1||z|a|b"), R"(Invalid string value for type DiskTemplate: "z")",
       policy_place + "4 (disk templates)"},
      {with_policy("g|1,1,1,1,1,1||plain|a|b"), "g/vcpu_ratio: cannot parse string 'a'",
       policy_place + "5 (vcpu ratio)"},
      {with_policy("g|1,1,1,1,1,1||plain|1|b"), "g/spindle_ratio: cannot parse string 'b'",
       policy_place + "6 (spindle ratio)"},
      {with_policy("g|1,1,1,1,1,1||plain|1|1"), "Wrong number of elems found with name g", policy_place + "1 (owner)"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const Failure failure = failure_of(c.text);
    CHECK(failure.what == c.what);
    CHECK(failure.where == c.where);
  }
}

TEST_CASE("the first section with an error decides, policies come last") {
  const std::string bad_node = "n1|x|2|5|4|5|6|N|uuid\n";
  CHECK(failure_of("g\n\n" + bad_node + "\ni\n\n\np").what.starts_with("Invalid/incomplete group data"));
  CHECK(failure_of(kGroup + "\n" + bad_node + "\ni\n\n\np").what == "n1: cannot parse string 'x'");
  CHECK(failure_of(kGroup + "\n" + kNodes + "\ni\n\n\np").what.starts_with("Invalid/incomplete instance data"));
  CHECK(failure_of(kGroup + "\n" + kNodes + "\n\n\np").what == R"(Invalid ipolicy data: '["p"]')");
}

TEST_CASE("node totals are decimals with fraction and exponent") {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<std::pair<std::string, double>> cases = {
      {"-3", -3},
      {"- 3", -3},
      {"1e+2", 100},
      {"1E2", 100},
      {"0012", 12},
      {"1e400", infinity},
      {"1e-400", 0},
      {" Infinity", infinity},
      {"-Infinity", -infinity},
      {"  7.5", 7.5},
  };
  for (const auto& c : cases) {
    const auto& [text, value] = c;
    CAPTURE(c.first);
    CHECK(node_of(node_line(2, text)).facts->total_memory == value);
  }
  CHECK(std::isnan(node_of(node_line(2, "NaN")).facts->total_memory));
}

TEST_CASE("numbers that are not plain decimals are rejected") {
  struct Case {
    std::size_t field;
    std::string text;
    std::string problem;
  };
  const std::vector<Case> cases = {
      {2, "-(3)", "cannot parse string '-(3)'"},
      {2, "+5", "cannot parse string '+5'"},
      {2, ".5", "cannot parse string '.5'"},
      {2, "inf", "cannot parse string 'inf'"},
      {2, "nan", "cannot parse string 'nan'"},
      {2, "--7", "cannot parse string '--7'"},
      {2, "(7", "cannot parse string '(7'"},
      {2, "((-3))", "cannot parse string '((-3))'"},
      {2, "0X1F", "leftover characters when parsing '0X1F': 'X1F'"},
      {2, "0b1", "leftover characters when parsing '0b1': 'b1'"},
      {2, "5e+", "leftover characters when parsing '5e+': 'e+'"},
      {2, "7)", "leftover characters when parsing '7)': ')'"},
      {2, "1,5", "leftover characters when parsing '1,5': ',5'"},
      {4, "1.0", "cannot parse string '1.0'"},
      {4, "1e0", "cannot parse string '1e0'"},
      {4, "NaN", "cannot parse string 'NaN'"},
      {4, "0xg", "leftover characters when parsing '0xg': 'xg'"},
      {4, "5.", "leftover characters when parsing '5.': '.'"},
      {4, "-9223372036854775809", "number out of the 64-bit range: '-9223372036854775809'"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(failure_of(with_node(node_line(c.field, c.text))).what == "n1: " + c.problem);
  }
}

TEST_CASE("integers use the whole 64-bit range, negative sizes are accepted") {
  CHECK(node_of(node_line(4, "9223372036854775807")).facts->free_memory == std::numeric_limits<std::int64_t>::max());
  CHECK(node_of(node_line(6, "-9223372036854775808")).facts->free_disk == std::numeric_limits<std::int64_t>::min());
  CHECK(instance_of(instance_line(2, "-5")).facts->memory == -5);
}

TEST_CASE("roles: Y is offline, M is the master, anything else is an ordinary node") {
  for (const std::string role : {"Y", "M", "N", "", "y", "YM", "q"}) {
    CAPTURE(role);
    const Node node = node_of(node_line(8, role));
    CHECK(node.offline == (role == "Y"));
    CHECK(node.facts->master == (role == "M"));
  }
}

TEST_CASE("tag lists keep order, duplicates and empty elements") {
  CHECK(node_of(node_line(11, "b,a,b")).facts->tags == Strings{"b", "a", "b"});
  CHECK(node_of(node_line(11, ",")).facts->tags == Strings{"", ""});
  CHECK(node_of(node_line(11, "a,")).facts->tags == Strings{"a", ""});
  CHECK(instance_of(instance_line(10, "")).facts->tags.empty());
}

TEST_CASE("spindles of an instance may be unknown") {
  CHECK(!instance_of(instance_line(12, "-")).facts.edit().disks[0].spindles);
  CHECK(instance_of(instance_line(12, "0")).facts.edit().disks[0].spindles == 0);
  CHECK(instance_of(instance_line(12, "-1")).facts.edit().disks[0].spindles == -1);
}

TEST_CASE("a drbd instance may lack its secondary, others may have one, even twice the same node") {
  CHECK(instance_of(instance_line(8, "")).secondary.is_none());
  const Instance twice = instance_of("i1|1|2|3|running|Y|n2|n2|plain|");
  CHECK(twice.primary == NodeIndex(1));
  CHECK(twice.secondary == NodeIndex(1));
}

TEST_CASE("of equal names all elements exist and the last one is meant") {
  const Cluster c = htools::read_text_cluster(
      "g1|u|preferred|\ng2|u|preferred|\n\nn|1|1|1|1|1|1|M|u\nn|2|1|1|1|1|1|M|u\n\n"
      "i|1|1|1|running|Y|n||plain|\ni|1|1|1|running|Y|n||plain|\n\n",
      "x.data");
  CHECK(c.groups.size() == 2);
  CHECK(c.nodes.size() == 2);
  CHECK(c.instances.size() == 2);
  CHECK(c.nodes[0].facts->group == GroupIndex(1));
  CHECK(c.instances[0].primary == NodeIndex(1));
}

TEST_CASE("a policy belongs to the one group with this name or uuid") {
  const std::string groups = "a|ua|preferred|\nb|ub|preferred|\nb|uc|preferred|\nua|ud|preferred|\ne|e|preferred|\n";
  const auto text = [&](const std::string& owner) { return groups + "\n\n\n\n" + owner + "|1,1,1,1,1,1|||7|8\n"; };
  const std::vector<std::pair<std::string, std::size_t>> owners = {{"a", 0}, {"ub", 1}, {"uc", 2}, {"ud", 3}, {"e", 4}};
  for (const auto& owner_and_group : owners) {
    const auto& [owner, group] = owner_and_group;
    CAPTURE(owner_and_group.first);
    const Cluster c = htools::read_text_cluster(text(owner), "x.data");
    for (std::size_t i = 0; i < c.groups.size(); ++i) CHECK(c.groups[i].policy.vcpu_ratio == (i == group ? 7.0 : 4.0));
    CHECK(c.groups[group].policy.minmax.empty());
    CHECK(c.groups[group].policy.disk_templates.empty());
    CHECK(c.policy.vcpu_ratio == 4.0);
  }
  for (const std::string owner : {"b", "ua", "A", " a"}) {
    CAPTURE(owner);
    CHECK(failure_of(text(owner)).what == "Wrong number of elems found with name " + owner);
  }
}

TEST_CASE("the last policy of an owner counts, groups do not inherit that of the cluster") {
  const Cluster c = htools::read_text_cluster(
      kGroup + "\n\n\n\n|1,1,1,1,1,1|||5|5\nuuid|1,1,1,1,1,1|||6|6\ng1|1,1,1,1,1,1,junk|||7|7|junk\n", "x.data");
  CHECK(c.policy.vcpu_ratio == 5.0);
  CHECK(c.groups[0].policy.vcpu_ratio == 7.0);
  const Cluster only_cluster = htools::read_text_cluster(with_policy("|1,1,1,1,1,1|||5|5"), "x.data");
  CHECK(only_cluster.policy.vcpu_ratio == 5.0);
  CHECK(only_cluster.groups[0].policy.vcpu_ratio == 4.0);
}

TEST_CASE("several min-max pairs keep their order") {
  const Cluster c = htools::read_text_cluster(
      with_policy("|9,9,9,9,9,9|1,1,1,1,1,1;2,2,2,2,2,2;3,3,3,3,3,3;4,4,4,4,4,4|drbd,drbd|1|1"), "x.data");
  REQUIRE(c.policy.minmax.size() == 2);
  CHECK(c.policy.minmax[0].min.memory == 1);
  CHECK(c.policy.minmax[0].max.memory == 2);
  CHECK(c.policy.minmax[1].min.memory == 3);
  CHECK(c.policy.minmax[1].max.memory == 4);
  CHECK(c.policy.disk_templates == std::vector{DiskTemplate::Drbd, DiskTemplate::Drbd});
}

TEST_CASE("names may hold zero bytes and any UTF-8") {
  const std::string name = std::string("n\xc3\xa9") + '\0' + "x";
  CHECK(node_of(node_line(1, name)).facts->name == name);
  CHECK(failure_of(with_node(name + "|1")).what == "Invalid/incomplete node data: '[\"n\\233\\NULx\",\"1\"]'");
}

TEST_CASE("text that is not UTF-8 is refused with its line") {
  for (const char* name : {"n\xff", "\xc0\x80", "\xed\xa0\x80", "n\xc3"}) {
    const Failure failure = failure_of(with_node(std::string(name) + "|1"));
    CHECK(failure.what == "x.data is not a text file in UTF-8");
    CHECK(failure.where.find("line 3") != std::string::npos);
  }
}

TEST_CASE("every truncation of a file is read or rejected") {
  const std::string text =
      kGroup + "\n" + kNodes + "\ni1|1|2|3|running|Y|n1|n2|drbd|t|1|-|N\n\nt\n\ng1|1,1,1,1,1,1|||1|1\n";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    CHECK_NOTHROW(failure_of(text.substr(0, size)));
    std::string damaged = text;
    if (size < text.size()) damaged[size] = '\n';
    CHECK_NOTHROW(failure_of(damaged));
  }
  CHECK(failure_of(text).what == "(no error)");
}

TEST_CASE("time is proportional to the size of the text") {
  using Clock = std::chrono::steady_clock;
  const auto seconds_for = [](const std::string& text) {
    const auto start = Clock::now();
    failure_of(text);
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  constexpr double kManySeconds = 20;  // a quadratic reader takes minutes
  std::string groups, nodes, instances, policies;
  for (int i = 0; i < 50000; ++i) {
    const std::string n = std::to_string(i);
    groups += "g" + n + "|u" + n + "|preferred|\n";
    nodes += "n" + n + "|1|1|1|1|1|1|M|u" + n + "\n";
    instances += "i" + n + "|1|2|3|running|Y|n" + n + "||plain|\n";
    policies += "g" + n + "|1,1,1,1,1,1|||1|1\n";
  }
  const std::string text = groups + "\n" + nodes + "\n" + instances + "\n\n" + policies;
  CHECK(failure_of(text).what == "(no error)");
  CHECK(seconds_for(text) < kManySeconds);

  std::string pairs = "1,1,1,1,1,1;1,1,1,1,1,1";
  while (pairs.size() < 1000000) pairs += ";" + pairs;
  const std::string owner(100000, 'o');
  CHECK(seconds_for(owner + "|u|preferred|\n\n\n\n\n" + owner + "|1,1,1,1,1,1|" + pairs + "||1|1\n") < kManySeconds);
  CHECK(seconds_for(with_node("n1" + std::string(5000000, '|'))) < kManySeconds);
  CHECK(seconds_for(std::string(5000000, '\n')) < kManySeconds);
  CHECK(seconds_for(with_node(node_line(11, std::string(5000000, ',')))) < kManySeconds);
}

}  // namespace htools::text_reader_test
