#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "balance/balancer.h"
#include "cluster/members.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "formats/text_writer.h"
#include "metric/statistics.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"
#include "trial/trial.h"

namespace htools::saved_states_test {

namespace {

using htools::Cluster;
using htools::GroupIndex;
using htools::NodeIndex;
using htools::prepare;
using htools::PrepareReport;
using htools::read_text_cluster;
using htools::Trial;
using htools::write_text_cluster;
using htools::testing::ClusterShape;
using htools::testing::Random;
using htools::testing::scaled;

// A cluster as it is read from text, with the warnings.
struct Read {
  Cluster cluster;
  std::vector<std::string> warnings;
};
Read read(const std::string& text) {
  Read result{read_text_cluster(text, "state"), {}};
  const PrepareReport report = prepare(result.cluster, {});
  result.warnings = report.warnings;
  return result;
}

}  // namespace

TEST_CASE("a state that is saved after moves adds up") {
  Random random(31);
  int moved = 0, with_history = 0;
  for (int round = 0; round < scaled(2000); ++round) {
    CAPTURE(round);
    ClusterShape shape = random_shape(random);
    shape.no_spindles = 0;  // scores that are no numbers
    shape.forthcoming = 0;  // where these have been counts for the disk that planned instances take
    const Read original = read(write_text_cluster(random_cluster(random, shape)));
    Trial trial(original.cluster);
    for (std::size_t g = 0; g < original.cluster.groups.size(); ++g) {
      const auto members = members_of(original.cluster, GroupIndex(g));
      if (!members.nodes.empty())
        moved += static_cast<int>(balance(trial, members, {.moves = {}, .max_steps = 6}).steps.size());
    }
    const Cluster& after = trial.cluster();
    const Read again = read(write_text_cluster(after));
    std::vector<std::string> more;
    for (const std::string& warning : again.warnings) {
      const auto& known = original.warnings;
      if (std::find(known.begin(), known.end(), warning) == known.end()) more.push_back(warning);
    }
    CHECK(more == std::vector<std::string>{});
    const std::vector<NodeIndex> history = nodes_with_history(after);
    for (std::size_t n = 0; n < after.nodes.size(); ++n) {
      CAPTURE(n);
      const auto &mine = after.nodes[n].books, &read_back = again.cluster.nodes[n].books;
      CHECK(mine.instance_memory == read_back.instance_memory);
      CHECK(mine.real.memory_ratio == read_back.real.memory_ratio);
      CHECK(mine.real.free_disk == read_back.real.free_disk);
      CHECK(mine.reserved_memory == read_back.reserved_memory);
      const bool is_named = std::find(history.begin(), history.end(), NodeIndex(n)) != history.end();
      CHECK(is_named == (mine.n1_failed != read_back.n1_failed));
    }
    with_history += history.empty() ? 0 : 1;
    if (history.empty()) {
      const double before = score(all_nodes(after.nodes)), now = score(all_nodes(again.cluster.nodes));
      CHECK(now == doctest::Approx(before).epsilon(1e-12));
    }
  }
  CHECK(moved > 100);
  CHECK(with_history > 0);
}

}  // namespace htools::saved_states_test
