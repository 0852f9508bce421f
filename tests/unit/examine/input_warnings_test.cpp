#include "examine/input_warnings.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cluster/prepare.h"
#include "formats/text_reader.h"

namespace htools::input_warnings_test {

namespace {

using Warnings = std::vector<std::string>;

const std::string kGroup = "g|u|preferred|\n\n";
const std::string kNodes =
    "n1.x|8192|0|8192|1000|1000|4|M|u|1|\nn2.x|8192|0|8192|1000|1000|4|N|u|1|\nn3.x|8192|0|8192|1000|1000|4|Y|u|1|\n";

Warnings warnings_of(const std::string& text) {
  htools::Cluster cluster = htools::read_text_cluster(text, "x.data");
  prepare(cluster, {});
  return input_warnings(cluster);
}

std::string instance(const std::string& name, const std::string& nodes) {
  return name + "|100|100|1|running|Y|" + nodes + "|drbd|\n";
}

}  // namespace

TEST_CASE("a healthy cluster gives no warning") {
  CHECK(warnings_of(kGroup + kNodes + "\n" + instance("i1", "n1.x|n2.x") + "\n").empty());
  CHECK(warnings_of("g|u|preferred|\n\n\n\n").empty());
}

TEST_CASE("names that occur several times are named once") {
  CHECK(warnings_of(kGroup + kNodes + kNodes + kNodes + "\n\n") ==
        Warnings{"Several nodes have the same name (n1.x, n2.x, n3.x). Instances and options refer to the last one."});
  const std::string twice = instance("i1", "n1.x|n2.x") + instance("i1", "n2.x|n1.x");
  CHECK(warnings_of(kGroup + kNodes + "\n" + twice + "\n") ==
        Warnings{"Several instances have the same name (i1). Commands cannot tell them apart."});
}

TEST_CASE("mirrored instances without a mirror, or without any node") {
  CHECK(warnings_of(kGroup + kNodes + "\n" + instance("i1", "n1.x|") + "\n") ==
        Warnings{"Instances of the template drbd have no secondary node: i1. Nothing protects them."});
  const std::string offline = "n4|8192|0|8192|1000|1000|4|Y|u|1|\n";
  CHECK(
      warnings_of(kGroup + kNodes + offline + "\n" + instance("i1", "n3.x|n4") + instance("i2", "n3.x|n1.x") + "\n") ==
      Warnings{"Both nodes of instances are offline: i1. Their data is gone; no move can bring it back."});
}

TEST_CASE("tags that are meant as locations, and declarations that declare nothing") {
  const std::string tagged =
      "n1|8192|0|8192|1000|1000|4|M|u|1|rack1\nn2|8192|0|8192|1000|1000|4|N|u|1|rack:2,racks:a\n";
  CHECK(warnings_of(kGroup + tagged + "\n\nhtools:nlocation:rack\n") ==
        Warnings{"Node tags look like locations, but have no colon: rack1 of n1. Location tags begin with 'rack:'."});
  CHECK(warnings_of(kGroup + tagged + "\n\n").empty());
  CHECK(warnings_of(kGroup + tagged + "\n\nhtools:nlocation\nhtools:iextags:\n") ==
        Warnings{"Cluster tags have no effect because they are incomplete: htools:nlocation, htools:iextags:. The form "
                 "is WORD:PREFIX."});
}

TEST_CASE("a policy that applies to no group") {
  const std::string policy = "|128,1,1024,1,1,1|128,1,1024,1,1,1;32768,8,1048576,16,8,12|drbd|4.0|32.0\n";
  CHECK(
      warnings_of(kGroup + kNodes + "\n\n\n" + policy) ==
      Warnings{"The policy of the cluster does not apply to the node groups without one of their own: g. The built-in "
               "policy does."});
  CHECK(warnings_of(kGroup + kNodes + "\n\n\n" + policy + "g" + policy).empty());
}

TEST_CASE("amounts below 0") {
  const std::string negative = "n1|-8192|0|0|1000|1000|-4|M|u|1|\nn2|8192|0|8192|-1|0|4|N|u|1|\n";
  const std::string wrong = "i1|-100|100|-1|running|Y|n2||plain|\n";
  CHECK(warnings_of(kGroup + negative + "\n" + wrong + "\n") ==
        Warnings{
            "Amounts are below 0: -8192 MiB memory of node n1, -4 CPUs of node n1, -1 MiB disk of node n2, -100 MiB "
            "memory of instance i1, -1 vcpus of instance i1. Expected at least 0; the answer is of no use until they "
            "are corrected."});
  CHECK(warnings_of(kGroup + "n1|0|0|0|0|0|0|M|u|1|\n\n\n").empty());
}

TEST_CASE("a warning names only the first few elements") {
  std::string instances;
  for (int i = 0; i < 100; ++i) instances += instance("i" + std::to_string(100 + i), "n1.x|");
  CHECK(warnings_of(kGroup + kNodes + "\n" + instances + "\n") ==
        Warnings{
            "Instances of the template drbd have no secondary node: i100, i101, i102, i103, i104 and 95 more. Nothing "
            "protects them."});
}

}  // namespace htools::input_warnings_test
