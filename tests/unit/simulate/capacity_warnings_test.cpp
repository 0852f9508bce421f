#include "simulate/capacity_warnings.h"

#include <doctest/doctest.h>

#include <string>

#include "cluster/prepare.h"
#include "formats/text_reader.h"

namespace htools::capacity_warnings_test {

namespace {

using htools::DiskTemplate;
using htools::SimulatedSize;

// Two groups with a node each; instances of the first may have up to 4096 MiB of memory, those of the second 2048.
htools::Cluster two_groups() {
  const std::string policy = "|128,1,1024,1,1,1|128,1,1024,1,1,1;";
  htools::Cluster cluster = htools::read_text_cluster(
      "a|ua|preferred|\nb|ub|preferred|\n\nn1|8192|0|8192|9000|9000|4|M|ua|1|\nn2|8192|0|8192|9000|9000|4|N|ub|1|"
      "\n\n\n\n"
      "a" +
          policy + "4096,4,4096,1,1,1|plain|4.0|32.0\n" + "b" + policy + "2048,4,4096,1,1,1|plain|4.0|32.0\n",
      "x.data");
  prepare(cluster, {});
  return cluster;
}

std::string warning(const SimulatedSize& size, DiskTemplate disk_template = DiskTemplate::Plain) {
  return size_warning(two_groups(), {disk_template, 1}, size, "standard");
}

}  // namespace

TEST_CASE("a size gives a warning only if every group refuses it") {
  CHECK(warning({2048, 1024, 1, 1}) == "");
  CHECK(warning({4096, 1024, 1, 1}) == "");
  CHECK(warning({4097, 1024, 1, 1}) ==
        "The standard instance is outside the policy of node group a (max-memory: 4097 instead of 4096).");
  CHECK(warning({64, 1024, 1, 1}) ==
        "The standard instance is outside the policy of node group a (min-memory: 64 instead of 128).");
  CHECK(warning({2048, 1024, 1, 1}, DiskTemplate::Drbd) ==
        "The standard instance is outside the policy of node group a (disk-template).");
}

TEST_CASE("instances without disks give a warning") {
  CHECK(htools::default_template_warning({.kind = {DiskTemplate::Diskless, 1}})
            .starts_with("The instances have no disks"));
  CHECK(htools::default_template_warning({.kind = {DiskTemplate::Drbd, 1}}) == "");
}

TEST_CASE("groups that prevent placements in the others are named") {
  htools::Cluster cluster = two_groups();
  CHECK(group_warning(cluster, {}) == "");
  cluster.nodes[1].books.n1_failed = true;
  CHECK(group_warning(cluster, {}).find("not N+1 safe: b.") != std::string::npos);
  CHECK(group_warning(cluster, {.kind = {}, .independent_groups = true}) == "");
  cluster.nodes[0].books.n1_failed = true;
  CHECK(group_warning(cluster, {}).starts_with("Nothing is placed, because the cluster is not N+1 safe as it is"));
}

}  // namespace htools::capacity_warnings_test
