#include "metric/lower_bound.h"

#include <doctest/doctest.h>

#include <string>

#include "cluster/prepare.h"
#include "formats/text_reader.h"

namespace htools::lower_bound_test {

namespace {

// Returns the lower bound for the nodes of a cluster. An instance of 2000 MiB on the first one has its secondary on the
// second one.
double bound(const std::string& nodes) {
  Cluster cluster =
      read_text_cluster("g|u|preferred||\n\n" + nodes + "\na|2000|10|1|running|Y|n1|n2|drbd|\n\n", "x.data");
  prepare(cluster, {});
  return reservation_lower_bound({cluster.nodes.begin(), cluster.nodes.end()});
}

}  // namespace

TEST_CASE("the bound compares reservations on all nodes but the largest with those on all nodes") {
  const std::string first = "n1|10000|0|8000|1000|990|8|N|u|1\n", second = "n2|10000|0|10000|1000|990|8|N|u|1\n";
  CHECK(bound(first + second) == doctest::Approx(0.25 * (2000.0 / 10000 - 2000.0 / 20000)));
  CHECK(bound(first + second + "n3|20000|0|20000|1000|1000|8|Y|u|1\n") ==
        doctest::Approx(0.25 * (2000.0 / 20000 - 2000.0 / 40000)));
}

TEST_CASE("a single node has no bound") {
  Cluster cluster = read_text_cluster("g|u|preferred||\n\nn1|10000|0|8000|1000|990|8|N|u|1\n\n\n", "x.data");
  prepare(cluster, {});
  CHECK(reservation_lower_bound({cluster.nodes.begin(), cluster.nodes.end()}) == 0.0);
}

}  // namespace htools::lower_bound_test
