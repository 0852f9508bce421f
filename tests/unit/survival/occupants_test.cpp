#include "survival/occupants.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "cluster/prepare.h"
#include "formats/text_reader.h"

namespace htools::occupants_test {

TEST_CASE("occupants leave newest first, those that are created anew largest first") {
  Cluster cluster = read_text_cluster(
      "g|u|preferred||\n\n"
      "n1|10240|0|3072|102400|92160|8|N|u|1\n"
      "n2|10240|0|10240|102400|102400|8|N|u|1\n\n"
      "a|512|1024|1|running|Y|n1||plain|\n"
      "b|1024|1024|1|running|Y|n1||plain|\n"
      "c|1024|1024|1|running|Y|n1||plain|\n"
      "d|256|1024|1|running|Y|n1||ext|\n"
      "e|256|1024|1|running|Y|n1||ext|\n"
      "f|256|1024|1|running|Y|n1|n2|drbd|\n"
      "g|256|1024|1|running|Y|n1|n2|drbd|\n\n",
      "x.data");
  prepare(cluster, {});
  const Occupants occupants(cluster, NodeIndex(0));
  using List = std::vector<InstanceIndex>;
  const InstanceIndex a(0), b(1), c(2), d(3), e(4), f(5), g(6);
  CHECK(occupants.drbd == List{g, f});
  CHECK(occupants.movable == List{e, d});
  CHECK(occupants.fixed == List{c, b, a});
  std::vector<std::int64_t> counts;
  for (const FitRun& run : occupants.items) counts.push_back(run.count);
  CHECK(counts == std::vector<std::int64_t>{2, 2, 1});
  CHECK_FALSE(occupants.elsewhere);
}

}  // namespace htools::occupants_test
