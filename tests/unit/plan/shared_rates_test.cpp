#include "plan/shared_rates.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "tests/support/random.h"
#include "tests/support/scale.h"

namespace htools::shared_rates_test {

namespace {

using doctest::Approx;
using htools::ChainTimes;
using htools::Cluster;
using htools::CopyRules;
using htools::NodeIndex;
using htools::Transfer;
using htools::testing::Random;
using htools::testing::scaled;

using Chain = std::vector<Transfer>;

// Empty nodes with these tags.
Cluster nodes_with_tags(const std::vector<std::string>& tags) {
  std::string text = "g|u|preferred||\n\n";
  for (std::size_t n = 0; n < tags.size(); ++n) {
    text += "n" + std::to_string(n) + "|10240|0|10240|102400|102400|8|N|u|1|" + tags[n] + "\n";
  }
  Cluster cluster = htools::read_text_cluster(text + "\n\n\n", "x.data");
  htools::prepare(cluster, {});
  return cluster;
}

Transfer disk(std::size_t from, std::size_t to, std::int64_t mib) {
  return {NodeIndex(from), NodeIndex(to), mib, true};
}
Transfer memory(std::size_t from, std::size_t to, std::int64_t mib) {
  return {NodeIndex(from), NodeIndex(to), mib, false};
}

double end_of(const std::vector<ChainTimes>& times) {
  double end = 0.0;
  for (const ChainTimes& chain : times) {
    if (!chain.transfers.empty()) end = std::max(end, chain.transfers.back().to);
  }
  return end;
}

// Moves the transfers in small steps of time, at the rates that hold when a step begins. Returns the seconds until the
// last one has ended.
double simulated(const std::vector<Chain>& chains, const std::vector<double>& rates, double tick) {
  std::vector<std::size_t> at(chains.size(), 0);
  std::vector<double> left;
  for (const Chain& chain : chains) left.push_back(chain.empty() ? 0.0 : static_cast<double>(chain[0].mib));
  for (double now = 0.0;; now += tick) {
    std::vector<int> running(rates.size(), 0);
    bool any = false;
    for (std::size_t c = 0; c < chains.size(); ++c) {
      if (at[c] == chains[c].size()) continue;
      any = true;
      ++running[chains[c][at[c]].from.position()];
      ++running[chains[c][at[c]].to.position()];
    }
    if (!any) return now;
    for (std::size_t c = 0; c < chains.size(); ++c) {
      if (at[c] == chains[c].size()) continue;
      const std::size_t from = chains[c][at[c]].from.position(), to = chains[c][at[c]].to.position();
      left[c] -= tick * std::min(rates[from] / running[from], rates[to] / running[to]);
      if (left[c] > 0.0) continue;
      if (++at[c] < chains[c].size()) left[c] += static_cast<double>(chains[c][at[c]].mib);
    }
  }
}

}  // namespace

TEST_CASE("transfers of a node share its rate, whatever they are and wherever they go") {
  const Cluster cluster = nodes_with_tags({"", "", "", "", ""});
  const CopyRules rules{.rate = 100};
  const auto end = [&](const std::vector<Chain>& chains) { return end_of(shared_times(cluster, chains, rules)); };
  CHECK(end({}) == 0.0);
  CHECK(end({{}}) == 0.0);
  CHECK(end({{disk(0, 1, 1000)}}) == 10.0);
  CHECK(end({{disk(0, 1, 1000)}, {disk(2, 3, 500)}}) == 10.0);
  CHECK(end({{disk(0, 1, 1000)}, {disk(0, 2, 1000)}}) == 20.0);
  CHECK(end({{memory(0, 1, 1000)}, {memory(0, 2, 1000)}}) == 20.0);
  CHECK(end({{memory(0, 1, 1000)}, {disk(2, 0, 1000)}}) == 20.0);  // what is sent and what is received
  CHECK(end({{memory(0, 1, 16384)}, {memory(0, 2, 16384)}, {memory(0, 3, 16384)}, {memory(0, 4, 16384)}}) == 655.36);
  // The short one ends after 20 s, with 2000 MiB of the other left, which take 20 s more.
  CHECK(end({{disk(0, 1, 3000)}, {disk(0, 2, 1000)}}) == 40.0);
  CHECK(end({{disk(0, 1, 500), memory(1, 2, 500)}}) == 10.0);
}

TEST_CASE("a transfer is as fast as the slower share of its two nodes") {
  const Cluster cluster = nodes_with_tags({"htools:bandwidth:300", "htools:bandwidth:50", "", ""});
  const auto times = shared_times(
      cluster, std::vector<Chain>{{disk(0, 1, 1000)}, {disk(0, 2, 1000)}, {memory(3, 2, 500), disk(3, 0, 1000)}}, {});
  CHECK(times[0].transfers[0].to == 20.0);  // n1 gives 50, n0 a half of 300, then a third of it
  // n2 gives each of its two transfers 50; then its other one has 100 of n2 and of n0.
  CHECK(times[2].transfers[0].to == 10.0);
  CHECK(times[1].transfers[0].to == 15.0);
  CHECK(times[2].transfers[1].from == 10.0);
  CHECK(times[2].transfers[1].to == 20.0);
  CHECK(times[0].shares);
}

TEST_CASE("transfers share only while they run") {
  const Cluster cluster = nodes_with_tags({"", "", "", "", ""});
  const auto times = shared_times(
      cluster, std::vector<Chain>{{disk(0, 1, 1000)}, {disk(2, 3, 1000), memory(3, 0, 200)}, {disk(4, 4, 0)}}, {});
  CHECK(times[0].transfers[0].to == 10.0);
  CHECK(times[1].transfers[1].to == 12.0);
  CHECK_FALSE(times[0].shares);
  CHECK_FALSE(times[1].shares);
  CHECK(times[2].transfers[0].to == 0.0);
}

TEST_CASE("the times are those of a simulation in small steps") {
  Random random(5);
  double furthest = 0.0;
  for (int round = 0; round < scaled(150); ++round) {
    CAPTURE(round);
    const std::size_t nodes = random.index(6) + 2;
    std::vector<std::string> tags;
    std::vector<double> rates;
    for (std::size_t n = 0; n < nodes; ++n) {
      const std::int64_t own = random.chance(30) ? random.between(10, 500) : 0;
      tags.push_back(own > 0 ? "htools:bandwidth:" + std::to_string(own) : "");
      rates.push_back(own > 0 ? static_cast<double>(own) : 100.0);
    }
    const Cluster cluster = nodes_with_tags(tags);
    std::vector<Chain> chains(random.index(8) + 1);
    for (Chain& chain : chains) {
      for (std::size_t length = random.index(3) + 1; length > 0; --length) {
        const std::size_t from = random.index(nodes), other = random.index(nodes - 1);
        chain.push_back({NodeIndex(from), NodeIndex(other < from ? other : other + 1), random.between(100, 20'000),
                         random.chance(50)});
      }
    }
    const double promised = end_of(shared_times(cluster, chains, {}));
    const double simulation = simulated(chains, rates, promised / 4000);
    furthest = std::max(furthest, std::abs(simulation / promised - 1.0));
    CHECK(simulation <= promised * 1.01);
    CHECK(simulation >= promised * 0.95);
  }
  MESSAGE("the simulation differs by at most ", 100.0 * furthest, " %");
}

}  // namespace htools::shared_rates_test
