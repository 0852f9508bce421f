#include "balance/bound_queue.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <limits>
#include <vector>

namespace {

using htools::BoundQueue;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("a queue without movers is empty") {
  BoundQueue queue(0);
  queue.fill(Eigen::ArrayXd(0));
  CHECK(queue.lowest() == kInfinity);
}

TEST_CASE("the mover with the lowest bound comes first, the earlier one of equal ones") {
  BoundQueue queue(100);
  Eigen::ArrayXd bounds = Eigen::ArrayXd::Constant(100, 7.0);
  bounds[99] = bounds[40] = 2.0;
  queue.fill(bounds);
  CHECK(queue.lowest() == 2.0);
  CHECK(queue.first() == 40);
  queue.remove(40);
  CHECK(queue.first() == 99);
  queue.set(99, 8.0);
  CHECK(queue.lowest() == 7.0);
  CHECK(queue.first() == 0);
}

TEST_CASE("all movers with the lowest bound can be removed at once") {
  BoundQueue queue(70);
  Eigen::ArrayXd bounds = Eigen::ArrayXd::Constant(70, 1.0);
  bounds[3] = bounds[33] = bounds[69] = -kInfinity;
  queue.fill(bounds);
  CHECK(queue.remove_all(-kInfinity) == std::vector<std::size_t>{3, 33, 69});
  CHECK(queue.remove_all(-kInfinity).empty());
  CHECK(queue.lowest() == 1.0);
}
