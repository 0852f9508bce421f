#include "maintain/max_tree.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/scale.h"

namespace htools::max_tree_test {

using htools::MaxTree;
using htools::testing::Random;
using htools::testing::scaled;

TEST_CASE("a search in a tree of maxima finds what a search from left to right finds") {
  Random random(163);
  for (int round = 0; round < scaled(200); ++round) {
    const std::size_t size = 1 + random.index(40);
    MaxTree<2> tree(size);
    std::vector<MaxTree<2>::Numbers> numbers;
    for (std::size_t p = 0; p < size; ++p) {
      numbers.push_back({random.between(0, 5), random.between(0, 5)});
      tree.set(p, numbers[p]);
    }
    for (int step = 0; step < 50; ++step) {
      const std::size_t changed = random.index(size);
      numbers[changed] = {random.between(0, 5), random.between(0, 5)};
      tree.set(changed, numbers[changed]);
      REQUIRE(tree[changed] == numbers[changed]);
      const MaxTree<2>::Numbers needed{random.between(0, 6), random.between(0, 6)};
      const std::size_t begin = random.index(size + 1), end = begin + random.index(size + 1 - begin);
      std::size_t first = begin;
      while (first < end && (numbers[first][0] < needed[0] || numbers[first][1] < needed[1])) ++first;
      CHECK(tree.first_at_least(begin, end, needed) == first);
    }
  }
}

TEST_CASE("the maxima of a tree") {
  MaxTree<2> tree(3);
  tree.set(0, {1, 7});
  tree.set(2, {4, -2});
  CHECK(tree.max() == MaxTree<2>::Numbers{4, 7});
  tree.set(2, {0, 0});
  CHECK(tree.max() == MaxTree<2>::Numbers{1, 7});
}

}  // namespace htools::max_tree_test
