#include "metric/lanes.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tests/support/random.h"

namespace htools::lanes_test {

// On a processor without AVX2 this compares the common width with itself.
TEST_CASE("loops over lanes give the same bits, whatever the width") {
  testing::Random random(1);
  for (const std::ptrdiff_t count : {0, 1, 7, 8, 31, 64, 1000}) {
    CAPTURE(count);
    std::vector<float> a, b;
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      a.push_back(static_cast<float>(random.between(-1000000, 1000000)) * 1e-5F);
      b.push_back(static_cast<float>(random.between(-1000000, 1000000)) * 1e-7F);
    }
    const auto results = [&](LaneWidth width) {
      std::vector<float> sums(a.size(), 0.5F);
      for (int round = 0; round < 3; ++round) {
        for_lanes(width, count,
                  [x = EachLane<float>{a.data()}, y = EachLane<float>{b.data()}, z = SameLane<float>{0.3F},
                   sum = sums.data()](std::ptrdiff_t i) {
                    const float square = x[i] + y[i] * (z[i] + x[i] * y[i]);
                    sum[i] += std::sqrt(square > 0.0F ? square : 0.0F);
                  });
      }
      return sums;
    };
    CHECK(results(LaneWidth::Common) == results(widest_lanes()));
  }
}

}  // namespace htools::lanes_test
