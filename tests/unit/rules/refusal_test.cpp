#include "rules/refusal.h"

#include <doctest/doctest.h>

#include <limits>
#include <optional>
#include <vector>

#include "cluster/prepare.h"
#include "formats/text_reader.h"

namespace htools::refusal_test {

namespace {

using htools::AdmissionLimit;
using htools::Cluster;
using htools::FailMode;
using htools::Homeless;
using htools::Instance;
using htools::InstanceIndex;
using htools::lacking;
using htools::mode_of;
using htools::nearest_refusal;
using htools::NodeIndex;
using htools::NotReceivable;
using htools::Placement;
using htools::Refusal;
using htools::Shortage;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Shortage shortage(std::optional<double> needed, std::optional<double> available,
                  AdmissionLimit limit = AdmissionLimit::Memory) {
  return {FailMode::Memory, limit, needed, available};
}

// Three nodes. `a` has its secondary on n2, which so reserves 6 GiB for failures of n1. n3 is nearly full.
Cluster three_nodes() {
  Cluster cluster = htools::read_text_cluster(
      "g|u|preferred||\n\n"
      "n1|10240|0|4096|102400|76800|8|N|u|1\n"
      "n2|10240|0|10240|102400|76800|8|N|u|1\n"
      "n3|10240|0|512|102400|102400|8|N|u|1\n\n"
      "a|6144|25600|1|running|Y|n1|n2|drbd|\n"
      "b|9728|25600|1|running|Y|n3||rbd|\n\n",
      "x.data");
  htools::prepare(cluster, {});
  return cluster;
}

// Returns the instance `a` with another size of memory, as if it were new.
Instance request(const Cluster& cluster, std::int64_t memory) {
  Instance instance = cluster.instance(InstanceIndex(0));
  instance.facts.edit().memory = memory;
  return instance;
}

std::vector<Placement> places_of(const std::vector<Refusal>& refusals) {
  std::vector<Placement> places;
  for (const Refusal& refusal : refusals) places.push_back(refusal.place);
  return places;
}

}  // namespace

TEST_CASE("what is lacking is a share of what is needed") {
  CHECK(lacking(shortage(4.0, 1.0)) == 0.75);
  CHECK(lacking(shortage(1.0, 4.0)) == 3.0);  // above a bound of the policy
  CHECK(lacking(shortage(-8.0, -2.0)) == 0.75);
  CHECK(lacking(shortage(0.5, 0.0)) == 0.5);  // as if 1 were needed
  CHECK(lacking(shortage(0.0, -2.0)) == 2.0);
  CHECK(lacking(shortage(4.0, 4.0)) == 0.0);
}

TEST_CASE("what no amount would help against lacks infinitely much") {
  CHECK(lacking(shortage(std::nullopt, 1.0)) == kInfinity);
  CHECK(lacking(shortage(1.0, std::nullopt)) == kInfinity);
  CHECK(lacking(shortage(1.0, 1.0, AdmissionLimit::ExclusionTags)) == kInfinity);
  CHECK(lacking(Refusal{{}, NotReceivable{}}) == kInfinity);
  CHECK(lacking(Refusal{{}, shortage(4.0, 1.0)}) == 0.75);
}

TEST_CASE("the nearest refusal is the first of those that lack least") {
  const auto refusal = [](std::size_t node, double available) {
    return Refusal{{NodeIndex(node), NodeIndex::none()}, shortage(4.0, available)};
  };
  CHECK_FALSE(nearest_refusal({}).has_value());
  const std::vector refusals{refusal(0, 1.0), refusal(1, 3.0), refusal(2, 3.0), refusal(3, 2.0)};
  CHECK(nearest_refusal(refusals)->place.primary == NodeIndex(1));
}

TEST_CASE("a refusal counts as the check that failed") {
  CHECK(mode_of({{}, Shortage{FailMode::Cpu, AdmissionLimit::VcpuRatio, {}, {}}}) == FailMode::Cpu);
  CHECK(mode_of({{}, NotReceivable{}}) == FailMode::Migration);
  CHECK(mode_of({{}, Homeless{NodeIndex(0), InstanceIndex(0)}}) == FailMode::N1);
}

TEST_CASE("a pair is refused by one of its nodes, or because of what the secondary reserves for the primary") {
  const Cluster cluster = three_nodes();
  const std::vector nodes{NodeIndex(0), NodeIndex(1), NodeIndex(2)};
  constexpr NodeIndex kAny = NodeIndex::none();
  // n3 has not enough memory in either role. n2 has reserved 6144 MiB for
  // failures of n1 already, and has room for 3000 more.
  const std::vector<Refusal> refusals = refusals_of_pairs(cluster, nodes, nodes, request(cluster, 3000), false);
  CHECK(places_of(refusals) == std::vector<Placement>{{NodeIndex(2), kAny}, {kAny, NodeIndex(2)}});
  // With 5000 MiB, n1 lacks memory, n2 has reserved too much to run the instance, and cannot take it for n1 as well.
  const std::vector<Refusal> more = refusals_of_pairs(cluster, nodes, nodes, request(cluster, 5000), false);
  CHECK(places_of(more) == std::vector<Placement>{{NodeIndex(0), kAny},
                                                  {NodeIndex(1), kAny},
                                                  {NodeIndex(2), kAny},
                                                  {kAny, NodeIndex(0)},
                                                  {NodeIndex(0), NodeIndex(1)},
                                                  {kAny, NodeIndex(2)}});
}

TEST_CASE("a secondary counts what it reserves for the primary already, however little that is") {
  Cluster cluster = htools::read_text_cluster(
      "g|u|preferred||\n\n"
      "n1|10240|0|10239|102400|100352|8|N|u|1\n"
      "n2|2048|0|2048|102400|100352|8|N|u|1\n\n"
      "a|1|2048|1|running|Y|n1|n2|drbd|\n\n",
      "x.data");
  htools::prepare(cluster, {});
  const std::vector primaries{NodeIndex(0)}, secondaries{NodeIndex(1)};
  CHECK(refusals_of_pairs(cluster, primaries, secondaries, request(cluster, 2046), false).empty());
  CHECK(places_of(refusals_of_pairs(cluster, primaries, secondaries, request(cluster, 2047), false)) ==
        std::vector<Placement>{{NodeIndex(0), NodeIndex(1)}});
}

}  // namespace htools::refusal_test
