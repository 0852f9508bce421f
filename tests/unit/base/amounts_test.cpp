#include "base/amounts.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace htools::amounts_test {

TEST_CASE("amounts have the unit that suits them, and one decimal from 1 GiB on") {
  const std::pair<double, std::string> cases[] = {
      {0.0, "0 MiB"},
      {512.0, "512 MiB"},
      {1023.0, "1023 MiB"},
      {0.25, "0.25 MiB"},
      {1024.0, "1.0 GiB"},
      {10240.0, "10.0 GiB"},
      {1048525.0, "1.0 TiB"},  // 1023.95 GiB, which would be "1024.0 GiB"
      {1048524.0, "1023.9 GiB"},
      {1572864.0, "1.5 TiB"},
      {1073741824.0, "1.0 PiB"},
      {1099511627776.0, "1.0 EiB"},
      {-512.0, "-512 MiB"},
      {-20480.0, "-20.0 GiB"},
      {-1048576.0, "-1.0 TiB"},
      {std::numeric_limits<double>::infinity(), "Infinity EiB"},
      {std::numeric_limits<double>::quiet_NaN(), "NaN MiB"},
  };
  for (const auto& [mib, text] : cases) CHECK(amount_text(mib) == text);
  CHECK(amount_text(std::int64_t{10240}) == "10.0 GiB");
  CHECK(amount_text(std::numeric_limits<std::int64_t>::max()) == "8388608.0 EiB");
  CHECK(exact_amount_text(40960.0) == "40960 MiB");
  CHECK(exact_amount_text(40960.5) == "40960.50 MiB");
}

TEST_CASE("amounts that are compared are exact if they differ, but would look the same") {
  using Texts = std::array<std::string, 2>;
  CHECK(compared_amounts(std::array{40960.0, 36864.0}) == Texts{"40.0 GiB", "36.0 GiB"});
  CHECK(compared_amounts(std::array{40960.0, 40960.0}) == Texts{"40.0 GiB", "40.0 GiB"});
  CHECK(compared_amounts(std::array{40960.0, 40959.0}) == Texts{"40960 MiB", "40959 MiB"});
  CHECK(compared_amounts(std::array{512.0, 511.0}) == Texts{"512 MiB", "511 MiB"});
  const std::array<std::string, 3> all_exact{"16384 MiB", "28666 MiB", "16383 MiB"};
  CHECK(compared_amounts(std::array{16384.0, 28666.0, 16383.0}) == all_exact);
}

}  // namespace htools::amounts_test
