#include "placement/secondary_sides.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "metric/statistics.h"
#include "tests/support/random.h"
#include "tests/support/scale.h"

namespace htools::secondary_sides_test {

namespace {

using htools::Component;
using htools::ComponentValues;
using htools::kSecondaryDeviations;
using htools::SecondarySides;
using htools::Statistics;
using htools::testing::Random;
using htools::testing::scaled;

ComponentValues random_values(Random& random) {
  ComponentValues values;
  for (double& value : values.by_position) value = static_cast<double>(random.between(0, 1000)) / 64;
  return values;
}

// The values of a side before and after the nodes take the instance.
struct Side {
  ComponentValues before, after;
};

std::vector<Side> random_class(Random& random) {
  std::vector<Side> sides(static_cast<std::size_t>(random.between(0, 4)));
  for (Side& side : sides) side = {random_values(random), random_values(random)};
  return sides;
}

// Returns statistics of the values, in which each component is that of a few nodes.
Statistics random_statistics(Random& random) {
  std::vector<htools::Node> nodes(static_cast<std::size_t>(random.between(2, 9)));
  for (htools::Node& node : nodes) {
    node.facts.edit().total_memory = 1024;
    node.facts.edit().max_instance_spindles = 1;
    node.books.real.disk_ratio = static_cast<double>(random.between(0, 100)) / 128;
    node.books.reserved_ratio = static_cast<double>(random.between(0, 100)) / 128;
  }
  return Statistics::evaluate(htools::all_nodes(nodes));
}

double weight(Component c) { return htools::kComponents[htools::position(c)].weight; }

}  // namespace

TEST_CASE("sides of secondaries are those of the classes as they are now") {
  Random random(1);
  for (int round = 0; round < scaled(300); ++round) {
    CAPTURE(round);
    const Statistics base = random_statistics(random);
    SecondarySides sides;
    std::vector<std::vector<Side>> classes(10);
    for (int change = 0; change < 25; ++change) {
      const auto index = static_cast<std::size_t>(random.between(0, 9));
      classes[index] = random_class(random);
      sides.remove(index);
      for (std::size_t v = 0; v < classes[index].size(); ++v) {
        sides.add(index, v, classes[index][v].before, classes[index][v].after);
      }
    }
    using Place = std::tuple<std::size_t, std::size_t>;
    std::vector<Place> expected, found;
    for (std::size_t c = 0; c < classes.size(); ++c) {
      for (std::size_t v = 0; v < classes[c].size(); ++v) expected.emplace_back(c, v);
    }
    const std::vector<double> own = sides.own_changes(base);
    for (std::size_t side = 0; side < sides.size(); ++side) {
      found.emplace_back(sides.node_class(side), sides.variant(side));
      const auto& [x, y] = classes[sides.node_class(side)][sides.variant(side)];
      const auto updated = [&, &x = x, &y = y](Component k) {
        const double delta = y[k] - x[k], square_delta = y[k] * y[k] - x[k] * x[k];
        return htools::updated_variance(base.variances()[k], base.online(), base.sums()[k], delta, square_delta);
      };
      double change = weight(Component::ReservedMemory) * (std::sqrt(updated(Component::ReservedMemory)) -
                                                           std::sqrt(base.variances()[Component::ReservedMemory]));
      for (const auto& c : htools::kComponents) {
        const std::size_t k = static_cast<std::size_t>(&c - htools::kComponents.data());
        if (c.aggregation == htools::Aggregation::Deviation || c.nodes == htools::NodeSet::Offline) continue;
        change += c.weight * (y[k] - x[k]);
      }
      CHECK(own[side] == doctest::Approx(change).epsilon(1e-12));
      for (std::size_t i = 0; i < kSecondaryDeviations.size(); ++i) {
        const Component k = kSecondaryDeviations[i];
        CHECK(sides.change(side, i).delta == y[k] - x[k]);
        CHECK(sides.change(side, i).square_delta == y[k] * y[k] - x[k] * x[k]);
        CHECK(sides.largest_deltas()[k] >= std::abs(y[k] - x[k]));
        CHECK(sides.largest_values()[k] >= std::max(std::abs(x[k]), std::abs(y[k])));
      }
    }
    std::sort(found.begin(), found.end());
    CHECK(found == expected);
    for (std::size_t i = 0; i < kSecondaryDeviations.size() && sides.size() > 0; ++i) {
      const SecondarySides::Gains gains = sides.gains(base, i);
      for (std::size_t side = 0; side < sides.size(); ++side) {
        const auto [delta, square_delta] = sides.change(side, i);
        CHECK(gains.by_side[side] ==
              htools::variance_gain(base.online(), base.sums()[kSecondaryDeviations[i]], delta, square_delta));
      }
      CHECK(gains.lowest == *std::min_element(gains.by_side.begin(), gains.by_side.end()));
      CHECK(gains.highest == *std::max_element(gains.by_side.begin(), gains.by_side.end()));
    }
  }
}

}  // namespace htools::secondary_sides_test
