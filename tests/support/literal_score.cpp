#include "tests/support/literal_score.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace htools::testing::literal {

bool is_deviation(std::size_t k) {
  const std::array<std::size_t, 12> others{2, 4, 5, 11, 17, 18, 19, 99, 99, 99, 99, 99};
  return std::find(others.begin(), others.end(), k) == others.end();
}

Values node_values(const Node& node) {
  const NodeBooks& b = node.books;
  const auto number = [](auto x) { return static_cast<double>(x); };
  const std::int64_t unallocated = static_cast<std::int64_t>(node.facts->total_memory) - node.facts->node_memory -
                                   b.instance_memory - std::max<std::int64_t>(0, node.facts->missing_memory);
  const auto disk_ratio = [&](const Ledger& ledger) {
    if (node.facts->exclusive_storage)
      return node.facts->spindles == 0 ? 1.0 : number(ledger.free_spindles) / number(node.facts->spindles);
    return node.facts->total_disk == 0 ? 1.0 : number(ledger.free_disk) / node.facts->total_disk;
  };
  const auto vcpu_ratio = [&](const Ledger& ledger) {
    const double by_cpus = number(ledger.used_vcpus) / node.facts->total_cpus;
    return by_cpus / node.facts->cpu_speed;
  };
  std::int64_t reserved = 0;
  for (const auto& entry : node.peers.entries()) reserved = std::max(reserved, entry.memory);
  std::int64_t conflicts = 0;
  for (const auto& [tag, count] : node.primary_tags) conflicts += count - 1;
  const double primaries = number(node.primaries.size()), secondaries = number(node.secondaries.size());

  Values v{};
  v[0] = number(unallocated) / node.facts->total_memory;
  v[1] = disk_ratio(b.real);
  v[2] = b.n1_failed ? secondaries + primaries : 0.0;
  v[3] = number(reserved) / node.facts->total_memory;
  v[4] = primaries + secondaries;
  v[5] = primaries;
  v[6] = vcpu_ratio(b.real);
  v[7] = b.load.cpu;
  v[8] = b.load.memory;
  v[9] = b.load.disk;
  v[10] = b.load.network;
  v[11] = number(conflicts);
  v[12] = b.real.instance_spindles / node.facts->max_instance_spindles;
  v[13] = number(b.forthcoming_free_memory) / node.facts->total_memory;
  v[14] = disk_ratio(b.forthcoming);
  v[15] = vcpu_ratio(b.forthcoming);
  v[16] = b.forthcoming.instance_spindles / node.facts->max_instance_spindles;
  v[17] = number(b.location_score);
  v[19] = v[3];
  return v;
}

double weighted(const Values& values) {
  double score = 0.0;
  for (std::size_t k = 0; k < values.size(); ++k) score = score + kWeights[k] * values[k];
  return score;
}

double collisions(const PairMap& map) {
  std::int64_t sum = 0;
  for (const auto& entry : map) sum += entry.second;
  return static_cast<double>(sum - static_cast<std::int64_t>(map.size()));
}

Statistics::Statistics(const NodeRefs& nodes) {
  std::vector<std::pair<const Node*, Values>> all;
  for (const Node& node : nodes) all.emplace_back(&node, literal::node_values(node));
  for (const Node& node : nodes) {
    if (node.offline) continue;
    online += 1.0;
    for (const auto& [key, count] : node.location_exclusion) map[PairMap::key_type(key)] += count;
  }
  for (std::size_t k = 0; k < kWeights.size(); ++k) {
    double s = 0.0, q = 0.0;
    for (const auto& [node, v] : all) {
      if (node->offline == is_offline_component(k)) s = s + v[k];
    }
    const double mean = s / online;
    for (const auto& [node, v] : all) {
      if (node->offline != is_offline_component(k)) continue;
      const double d = v[k] - mean;
      q = q + d * d;
    }
    sum[k] = s;
    variance[k] = q / online;
  }
}

void Statistics::update(const Node& before, const Node& after) {
  const Values old_values = literal::node_values(before), new_values = literal::node_values(after);
  for (std::size_t k = 0; k < kWeights.size(); ++k) {
    if (before.offline != is_offline_component(k)) continue;
    const double x = old_values[k], y = new_values[k];
    if (!is_deviation(k)) {
      sum[k] = sum[k] + (y - x);
      continue;
    }
    const double n = online, ds = y - x, dss = y * y - x * x;
    const double t = (n * dss - (2 * sum[k]) * ds) - ds * ds;
    sum[k] = sum[k] + ds;
    variance[k] = variance[k] + t / (n * n);
    if (!(0 <= variance[k])) variance[k] = 0.0;
  }
  if (before.offline) return;
  for (const auto& [key, count] : before.location_exclusion) map[PairMap::key_type(key)] -= count;
  for (const auto& [key, count] : after.location_exclusion) map[PairMap::key_type(key)] += count;
}

Values Statistics::values() const {
  Values v{};
  for (std::size_t k = 0; k < v.size(); ++k) v[k] = is_deviation(k) ? std::sqrt(variance[k]) : sum[k];
  v[kMapComponent] = collisions(map);
  return v;
}

NodeRefs with(NodeRefs nodes, const Node& before, const Node& after) {
  for (auto& ref : nodes) {
    if (&ref.get() == &before) ref = after;
  }
  return nodes;
}

}  // namespace htools::testing::literal
