#include "formats/text_writer.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/strings.h"
#include "cluster/bookkeeping.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"

namespace htools::text_writer_test {

namespace {

using htools::Cluster;
using htools::InstanceIndex;
using htools::NodeIndex;

Cluster load(const std::string& text) {
  Cluster cluster = htools::read_text_cluster(text, "x.data");
  htools::prepare(cluster, {});
  return cluster;
}

std::string rewritten(const std::string& text) { return write_text_cluster(load(text)); }

// The policy line without its owner.
const std::string kBuiltInPolicy =
    "|128,1,1024,1,1,1|128,1,1024,1,1,1;32768,8,1048576,16,8,12|"
    "diskless,file,sharedfile,plain,blockdev,drbd,rbd,ext,gluster|4.0|32.0\n";

}  // namespace

TEST_CASE("a cluster is written with all fields, numbers in their normal form") {
  CHECK(rewritten("ga|ua|preferred|\n"
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
                  "gb|1,2,3,4,5,6|1,1,1,1,1,1;9,9,9,9,9,9|ext,drbd|0.05|1e23\n") ==
        "ga|ua|preferred||\n"
        "gb|ub|last_resort|x,y|net1,net2\n"
        "\n"
        "n1|8192|512|4096|20480|10240|4|M|ua|1||N|0|1|1.0\n"
        "n2|0|0|0|0|0|0|Y|ub|0||N|0|0|1.0\n"
        "n3|8192|512|4096|10000|-1|4|N|ub|2|ta,tb|Y|5|3|0.01\n"
        "\n"
        "i1|1024|2048|1|running|Y|n1|n3|drbd||1|-|N\n"
        "i2|1024|2048|1|ADMIN_down|N|n3|n3|plain|a,b|3|4|Y\n"
        "\n"
        "t1\n"
        "\n" +
            kBuiltInPolicy + "ga" + kBuiltInPolicy +
            "gb|1,2,3,4,5,6|1,1,1,1,1,1;9,9,9,9,9,9|ext,drbd|5.0e-2|9.999999999999999e22\n");
}

TEST_CASE("what was written is read and written the same") {
  const std::string first = rewritten(
      "g|u|unallocable|t\n\nn1.x|1e7|0|5|7.5|8|0.5|N|u|3|a,,b|N|4|0|1e10\nn2.x|1|2|3|4|5|6|Y|u\n\n"
      "i.x|-1|2|3|ERROR_up|N|n1.x|n2.x|drbd|b,a,b|0|0\n\ntag|with,signs\n\n|1,2,3,4,5,6||drbd|1e7|0.1\n");
  CHECK(rewritten(first) == first);
  CHECK(first.find("n1.x|10000000|0|5|8|8|0|N|u|3|a,,b|N|4|0|10000000000.0\n") != std::string::npos);
  CHECK(first.find("\n|1,2,3,4,5,6||drbd|1.0e7|0.1\n") != std::string::npos);
}

TEST_CASE("empty blocks leave their separators") {
  CHECK(rewritten("\n\n\n") == "\n\n\n\n" + kBuiltInPolicy);
  CHECK(rewritten("g|u|preferred|\n\n\n\n") == "g|u|preferred||\n\n\n\n\n" + kBuiltInPolicy + "g" + kBuiltInPolicy);
}

TEST_CASE("nodes are written with their current free disk and spindles, instances with their current nodes") {
  Cluster c = load(
      "g1|uuid-1|preferred||\n\n"
      "na|16384|1024|9000|204800|150000|8|N|uuid-1|2||N|7|2|1.5\n"
      "nb|16384|1024|15000|204800|100000|8|M|uuid-1|2||N|6|1|2\n"
      "nc|16384|1024|2000|204800|204800|8|N|uuid-1|4|x:1,y:2|N|5|3|1\n\n"
      "i1|2048|20480|2|running|Y|na|nb|drbd|s:a,t:b,s:a|2\n"
      "i2|4096|10240|1|ADMIN_down|Y|na|nb|drbd||3\n"
      "i4|512|10240|1|ERROR_up|N|nb|na|drbd|s:q|1\n"
      "i7|800|1024|1|running|Y|nb||sharedfile||5|-\n\n");
  const std::string before = write_text_cluster(c);

  const NodeIndex na(0), nb(1), nc(2);
  const InstanceIndex i1(0), i7(3);
  htools::remove_primary(c.node(nb), i7, c.instance(i7));
  htools::add_primary(c.node(nc), i7, c.instance(i7));
  c.instance(i7).primary = nc;
  htools::remove_primary(c.node(na), i1, c.instance(i1));
  htools::remove_secondary(c.node(nb), i1, c.instance(i1), na);
  c.instance(i1).primary = nb;
  c.instance(i1).secondary = na;
  htools::add_primary(c.node(nb), i1, c.instance(i1));
  htools::add_secondary(c.node(na), i1, c.instance(i1), nb);

  const std::string policies = kBuiltInPolicy + "g1" + kBuiltInPolicy;
  CHECK(before ==
        "g1|uuid-1|preferred||\n\n"
        "na|16384|1024|9000|204800|150000|8|N|uuid-1|2||N|7|2|1.5\n"
        "nb|16384|1024|15000|204800|100000|8|M|uuid-1|2||N|6|1|2.0\n"
        "nc|16384|1024|2000|204800|204800|8|N|uuid-1|4|x:1,y:2|N|5|3|1.0\n\n"
        "i1|2048|20480|2|running|Y|na|nb|drbd|s:a,t:b,s:a|2|-|N\n"
        "i2|4096|10240|1|ADMIN_down|Y|na|nb|drbd||3|-|N\n"
        "i4|512|10240|1|ERROR_up|N|nb|na|drbd|s:q|1|-|N\n"
        "i7|800|1024|1|running|Y|nb||sharedfile||5|-|N\n\n\n" +
            policies);
  CHECK(write_text_cluster(c) ==
        "g1|uuid-1|preferred||\n\n"
        "na|16384|1024|11048|204800|150000|8|N|uuid-1|2||N|0|2|1.5\n"
        "nb|16384|1024|13752|204800|100000|8|M|uuid-1|2||N|0|1|2.0\n"
        "nc|16384|1024|1200|204800|204800|8|N|uuid-1|4|x:1,y:2|N|0|3|1.0\n\n"
        "i1|2048|20480|2|running|Y|nb|na|drbd|s:a,t:b,s:a|2|-|N\n"
        "i2|4096|10240|1|ADMIN_down|Y|na|nb|drbd||3|-|N\n"
        "i4|512|10240|1|ERROR_up|N|nb|na|drbd|s:q|1|-|N\n"
        "i7|800|1024|1|running|Y|nc||sharedfile||5|-|N\n\n\n" +
            policies);
  // The memory books from which the written amounts follow.
  const std::vector<std::int64_t> instance_memory{0, 2560, 800}, unallocated{11048, 12800, 1200};
  for (std::size_t i = 0; i < c.nodes.size(); ++i) {
    CAPTURE(i);
    CHECK(c.nodes[i].books.instance_memory == instance_memory[i]);
    CHECK(c.nodes[i].unallocated_memory() == unallocated[i]);
  }
}

TEST_CASE("spindles of an instance are those of all its disks, if they are known") {
  Cluster c = load("g|u|preferred|\n\nn|1|1|1|1|1|1|N|u\n\ni|1|1|1|running|Y|n||plain|\n\n");
  const auto spindles = [&c](std::vector<htools::Disk> disks) {
    c.instances[0].facts.edit().disks = std::move(disks);
    const std::string text = write_text_cluster(c);
    const std::size_t start = text.find("|plain||1|") + std::string("|plain||1|").size();
    return text.substr(start, text.find('|', start) - start);
  };
  CHECK(spindles({}) == "0");
  CHECK(spindles({{10, 2}, {10, 3}}) == "5");
  CHECK(spindles({{10, 2}, {10, std::nullopt}}) == "-");
}

TEST_CASE("a part of a cluster is written with all groups, tags and policies") {
  const Cluster cluster = load(
      "ga|ua|preferred|\ngb|ub|preferred|\n\n"
      "n1|8192|512|4096|20480|10240|4|M|ua\nn2|8192|512|4096|20480|10240|4|N|ub\n\n"
      "i1|1024|2048|1|running|Y|n1|n2|drbd|\ni2|1024|2048|1|running|Y|n2||rbd|\n\nt1\n\n");
  CHECK(write_text_cluster(cluster, members_of(cluster, htools::GroupIndex(0))) ==
        "ga|ua|preferred||\ngb|ub|preferred||\n\n"
        "n1|8192|512|4096|20480|10240|4|M|ua|1||N|0|1|1.0\n\n"
        "i1|1024|2048|1|running|Y|n1|n2|drbd||1|-|N\n\nt1\n\n" +
            kBuiltInPolicy + "ga" + kBuiltInPolicy + "gb" + kBuiltInPolicy);
}

namespace {

// Writes two nodes with a mirrored instance, after `change(cluster)`.
template <class Change>
std::string written_after(Change change) {
  Cluster cluster =
      load("g|u|preferred|t|\n\na|8192|0|8192|9|9|4|M|u\nb|8192|0|8192|9|9|4|N|u\n\ni|1|1|1|running|Y|a|b|drbd|\n\n\n");
  change(cluster);
  return write_text_cluster(cluster);
}

constexpr const char* kEndsWhatItIsIn = " cannot be saved: in a text file, | ends a field and a line feed ends a line";

}  // namespace

TEST_CASE("names that would be read as something else are not written") {
  for (const char* name : {"x|y", "x\ny", "\n", "|"}) {
    const std::string message = htools::quote(name) + kEndsWhatItIsIn;
    CHECK_THROWS_WITH(written_after([&](Cluster& c) { c.groups[0].name = name; }), message.c_str());
    CHECK_THROWS_WITH(written_after([&](Cluster& c) { c.groups[0].uuid = name; }), message.c_str());
    CHECK_THROWS_WITH(written_after([&](Cluster& c) { c.nodes[0].facts.edit().name = name; }), message.c_str());
    CHECK_THROWS_WITH(written_after([&](Cluster& c) { c.nodes[1].facts.edit().name = name; }), message.c_str());
    CHECK_THROWS_WITH(written_after([&](Cluster& c) { c.instances[0].facts.edit().name = name; }), message.c_str());
  }
  for (const char* tag : {"x|y", "x\ny"}) {
    const std::string message = htools::quote(tag) + kEndsWhatItIsIn;
    CHECK_THROWS_WITH(written_after([&](Cluster& c) { c.groups[0].tags = {"t", tag}; }), message.c_str());
    CHECK_THROWS_WITH(written_after([&](Cluster& c) { c.groups[0].networks = {tag}; }), message.c_str());
    CHECK_THROWS_WITH(written_after([&](Cluster& c) { c.nodes[0].facts.edit().tags = {tag}; }), message.c_str());
    CHECK_THROWS_WITH(written_after([&](Cluster& c) { c.instances[0].facts.edit().tags = {tag}; }), message.c_str());
  }
  CHECK_THROWS(written_after([](Cluster& c) { c.tags = {"x\ny"}; }));
  // A tag with a comma is read as two tags.
  CHECK(load(written_after([](Cluster& c) { c.nodes[0].facts.edit().tags = {"x,y"}; })).nodes[0].facts->tags ==
        std::vector<std::string>{"x", "y"});
  // All other characters are parts of names. In tags of the cluster, these include commas, because each tag has a line
  // of its own.
  CHECK_NOTHROW(written_after([](Cluster& c) { c.tags = {"x|y", "x,y"}; }));
  CHECK_NOTHROW(written_after([](Cluster& c) { c.nodes[0].facts.edit().name = "x,y;\r\x1b'\""; }));
}

TEST_CASE("where nothing means something else, empty names are not written") {
  CHECK_THROWS_WITH(written_after([](Cluster& c) { c.nodes[1].facts.edit().name = ""; }),
                    "an empty name of a secondary node cannot be saved");
  CHECK_THROWS_WITH(written_after([](Cluster& c) { c.tags = {""}; }), "an empty tag of the cluster cannot be saved");
  CHECK_THROWS_WITH(written_after([](Cluster& c) { c.groups[0].name = c.groups[0].uuid = ""; }),
                    "an empty name and UUID of a node group cannot be saved");
  CHECK_NOTHROW(written_after([](Cluster& c) { c.instances[0].facts.edit().name = ""; }));
  CHECK_NOTHROW(written_after([](Cluster& c) { c.instances[0].facts.edit().tags = {""}; }));
  // The policy of a group without a name is written with its UUID.
  const std::string text = written_after([](Cluster& c) {
    c.groups[0].name = "";
    c.groups[0].policy.vcpu_ratio = 9;
  });
  const Cluster again = load(text);
  CHECK(again.policy.vcpu_ratio == 4);
  CHECK(again.groups[0].policy.vcpu_ratio == 9);
}

}  // namespace htools::text_writer_test
