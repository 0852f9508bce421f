// Measures how many changes can be tried in a second on a cluster of 200 nodes with 2,000 drbd instances. In each try,
// two instances swap their primary nodes, the score is bounded, and everything is undone.
// Usage: trial_speed [TRIES]
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "cluster/prepare.h"
#include "metric/changed_scores.h"
#include "metric/node_values.h"
#include "metric/statistics.h"
#include "tests/support/random.h"
#include "trial/trial.h"

namespace {

using htools::Cluster;
using htools::InstanceIndex;
using htools::NodeIndex;

constexpr std::size_t kNodes = 200;
constexpr std::size_t kInstances = 2000;

Cluster drbd_cluster(htools::testing::Random& random) {
  Cluster cluster;
  cluster.groups.resize(1);
  for (std::size_t n = 0; n < kNodes; ++n) {
    htools::NodeFacts facts;
    facts.name = fmt::format("node{}", n);
    facts.group = htools::GroupIndex(0);
    facts.total_memory = 131072;
    facts.free_memory = 131072;
    facts.total_disk = 4194304;
    facts.free_disk = 4194304;
    facts.total_cpus = 64;
    cluster.nodes.emplace_back().facts = htools::Shared(std::move(facts));
  }
  for (std::size_t i = 0; i < kInstances; ++i) {
    htools::InstanceFacts facts;
    facts.name = fmt::format("instance{}", i);
    facts.memory = random.between(1, 8) * 1024;
    facts.disk = random.between(1, 8) * 10240;
    facts.vcpus = random.between(1, 4);
    facts.disk_template = htools::DiskTemplate::Drbd;
    htools::Instance instance(std::move(facts));
    instance.primary = NodeIndex(random.index(kNodes));
    instance.secondary = NodeIndex((instance.primary.position() + 1 + random.index(kNodes - 1)) % kNodes);
    cluster.nodes[instance.primary.position()].facts.edit().free_memory -= instance.facts->memory;
    cluster.instances.push_back(std::move(instance));
  }
  htools::prepare(cluster, {});
  return cluster;
}

}  // namespace

int main(int argc, char** argv) {
  const long tries = argc > 1 ? std::atol(argv[1]) : 1000000;
  htools::testing::Random random(1);
  const Cluster cluster = drbd_cluster(random);
  htools::NodeRefs nodes(cluster.nodes.begin(), cluster.nodes.end());
  const htools::ChangedScores scores(nodes);
  htools::Trial trial(cluster);
  double lowest = 1e300;
  long swapped = 0;
  const auto begin = std::chrono::steady_clock::now();
  while (swapped < tries) {
    const InstanceIndex a(random.index(kInstances)), b(random.index(kInstances));
    const htools::Instance &first = trial.cluster().instance(a), &second = trial.cluster().instance(b);
    const std::array<NodeIndex, 4> touched{first.primary, first.secondary, second.primary, second.secondary};
    if (a == b || touched[0] == touched[2] || touched[0] == touched[3] || touched[1] == touched[2] ||
        touched[1] == touched[3]) {
      continue;
    }
    const htools::Attempt attempt(trial);
    trial.apply(a, {htools::MoveKind::ReplacePrimary, touched[2]});
    trial.apply(b, {htools::MoveKind::ReplacePrimary, touched[0]});
    htools::ChangedScores::Candidate candidate{{}, scores.pair_collisions()};
    for (NodeIndex n : touched) candidate.changes.push_back({n.position(), node_values(trial.cluster().node(n))});
    lowest = std::min(lowest, scores.bounds(candidate).low);
    ++swapped;
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  fmt::print("{} swaps in {:.2f} s: {:.0f} a second; lowest score {:.8f}\n", swapped, elapsed.count(),
             static_cast<double>(swapped) / elapsed.count(), lowest);
  return 0;
}
