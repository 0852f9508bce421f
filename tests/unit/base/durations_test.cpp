#include "base/durations.h"

#include <doctest/doctest.h>

#include <limits>

namespace htools::durations_test {

TEST_CASE("a duration is rounded to the last unit that is shown") {
  CHECK(duration_text(0.0) == "0 s");
  CHECK(duration_text(0.5) == "1 s");
  CHECK(duration_text(119.4) == "119 s");
  CHECK(duration_text(119.5) == "2 min");
  CHECK(duration_text(149.9) == "2 min");
  CHECK(duration_text(150.0) == "3 min");
  CHECK(duration_text(36.9 * 60) == "37 min");
  CHECK(duration_text(7169.9) == "119 min");
  CHECK(duration_text(7170.0) == "2 h 0 min");
  CHECK(duration_text(7536.64) == "2 h 6 min");
  CHECK(duration_text(3 * 3600.0 - 30) == "3 h 0 min");
  CHECK(duration_text(48 * 3600.0 - 31) == "47 h 59 min");
  CHECK(duration_text(48 * 3600.0 - 30) == "2 d 0 h");
  CHECK(duration_text(52.5 * 3600) == "2 d 5 h");
  CHECK(duration_text(71.5 * 3600) == "3 d 0 h");
  CHECK(duration_text(std::numeric_limits<double>::infinity()) == "forever");
}

}  // namespace htools::durations_test
