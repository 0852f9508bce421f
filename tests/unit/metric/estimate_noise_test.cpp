#include "metric/estimate_noise.h"

#include <doctest/doctest.h>

namespace htools::estimate_noise_test {

using doctest::Approx;

// Each line has one more of the terms.
TEST_CASE("the noise of a variance has a term for each rounding error") {
  const auto noise = [](double n, double variance, double size, double largest_change) {
    return variance_noise(n, variance, size, largest_change) / kEstimateError;
  };
  CHECK(noise(100, 4, 0, 0) == Approx(400).epsilon(1e-9));
  CHECK(noise(100, 0, 3, 0) == Approx(0.09).epsilon(1e-9));
  CHECK(noise(100, 0, 3, 5) == Approx(15.09).epsilon(1e-9));
  CHECK(noise(100, 4, 3, 5) == Approx(421.09).epsilon(1e-9));
  // The error of the mean counts only if values are large: here it is 1e-14 * 1e4 * 1e12, and its square is 1e4.
  CHECK(variance_noise(1e4, 0, 1e12, 0) == Approx(1e-14 * 1e12 * 1e8 + 1e4).epsilon(1e-9));
}

}  // namespace htools::estimate_noise_test
