#include "base/page_faults.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace htools::page_faults_test {

TEST_CASE("memory that is made ready keeps what it contains") {
  // Less than a page, some pages, and several huge pages; none of them begins where a page begins.
  for (const std::size_t size : {std::size_t{1}, std::size_t{5000}, std::size_t{1'000'000}, std::size_t{9'000'000}}) {
    CAPTURE(size);
    std::string block(size + 1, 'x');
    htools::populate(block.data() + 1, size);
    htools::prefer_huge_pages(block.data() + 1, size);
    htools::expect_use(block.data() + 1, size);
    CHECK(std::ranges::count(block, 'x') == static_cast<std::ptrdiff_t>(size + 1));
  }
}

}  // namespace htools::page_faults_test
