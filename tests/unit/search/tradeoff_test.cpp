#include "search/tradeoff.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cluster/members.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "plan/plan.h"

namespace htools::tradeoff_test {

namespace {

// Returns eight mirrored instances on two of four nodes.
Cluster lopsided_cluster() {
  std::string instances;
  for (int i = 0; i < 8; ++i) instances += "i" + std::to_string(i) + "|1000|1000|1|running|Y|n0|n1|drbd||1\n";
  Cluster cluster = read_text_cluster(
      "g|u|preferred||\n\n"
      "n0|32768|0|24768|102400|94400|8|N|u|1\n"
      "n1|32768|0|32768|102400|94400|8|N|u|1\n"
      "n2|32768|0|32768|102400|102400|8|N|u|1\n"
      "n3|32768|0|32768|102400|102400|8|N|u|1\n\n" +
          instances + "\n",
      "x.data");
  prepare(cluster, {});
  return cluster;
}

}  // namespace

TEST_CASE("plans to choose from have lower and lower limits, and tell how far the search is") {
  const Cluster cluster = lopsided_cluster();
  std::vector<double> shares;
  const std::vector<Ordering> plans =
      search_tradeoff(cluster, members_of(cluster, GroupIndex(0)), {}, {}, {.level = 1},
                      {.on_progress = [&](double, double share) { shares.push_back(share); }});
  REQUIRE(plans.size() == kTradeoffPlans);
  REQUIRE(plans[0].steps.size() > 3);
  for (std::size_t p = 1; p <= kShareOfMoves.size(); ++p) CHECK(plans[p].steps.size() < plans[0].steps.size());
  CHECK(plans[kShareOfMoves.size()].steps.size() == 1);
  for (const OrderedStep& s : plans.back().steps) CHECK(cost_of(cluster, s.step, {}).copied_mib == 0);
  REQUIRE(shares.size() > 10);
  CHECK(shares.back() > 0.9);
  // Each of the searches, of which there are two for each plan, may begin anew.
  constexpr double kOneSearch = 0.5 / kTradeoffPlans;
  for (std::size_t s = 0; s < shares.size(); ++s) {
    CHECK(shares[s] >= (s == 0 ? 0.0 : shares[s - 1] - kOneSearch));
    CHECK(shares[s] <= 1.0);
  }
}

}  // namespace htools::tradeoff_test
