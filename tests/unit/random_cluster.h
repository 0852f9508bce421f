// Random clusters that are the same in every run, and literal versions of the placement rules to compare with.
//
// The literal versions follow the text of the rules step by step: they copy nodes, recompute everything, and score
// every candidate. They share only the admission checks and the bookkeeping of single nodes with the code under test.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/numbers.h"
#include "cluster/admission.h"
#include "cluster/bookkeeping.h"
#include "cluster/cluster.h"
#include "cluster/members.h"
#include "cluster/prepare.h"
#include "metric/statistics.h"
#include "placement/move.h"
#include "placement/move_generation.h"

namespace htools::testing {

// Draws do not depend on the standard library's distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // Both ends included.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(std::int64_t percent) { return between(1, 100) <= percent; }
  std::size_t index(std::size_t size) { return static_cast<std::size_t>(engine_() % size); }
  template <class T>
  const T& one_of(const std::vector<T>& values) {
    return values[index(values.size())];
  }
  double fraction() { return static_cast<double>(between(0, 1'000'000)) / 1'000'000.0; }

 private:
  std::mt19937_64 engine_;
};

inline bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
// Bitwise, but any NaN is any other.
inline bool same_score(double a, double b) { return (std::isnan(a) && std::isnan(b)) || same_bits(a, b); }

enum class NodeMix { Same, TwoKinds, Many };

// Percentages unless said otherwise.
struct ClusterShape {
  std::int64_t nodes = 6;
  std::int64_t groups = 1;
  NodeMix mix = NodeMix::Many;
  std::int64_t instances = 8;  // at most
  std::vector<DiskTemplate> templates{DiskTemplate::Diskless, DiskTemplate::File,  DiskTemplate::SharedFile,
                                      DiskTemplate::Plain,    DiskTemplate::Block, DiskTemplate::Drbd,
                                      DiskTemplate::Rbd,      DiskTemplate::Ext,   DiskTemplate::Gluster};
  std::int64_t largest_memory = 2048;  // MiB, of an instance
  std::int64_t tagged = 0;             // nodes and instances with tags, per kind of tag
  std::int64_t migration_tagged = 0;
  std::int64_t exclusive = 0;    // nodes with exclusive storage
  std::int64_t offline = 0;      // nodes
  std::int64_t odd = 0;          // nodes with fractional totals or with books that do not add up
  std::int64_t no_spindles = 0;  // nodes with 0 spindles: their scores are NaN
  std::int64_t forthcoming = 0;  // instances
  std::int64_t stopped = 10;     // instances in some state other than running
  std::int64_t crowded = 0;      // instances that are put somewhere without looking for room
  std::int64_t narrow = 0;       // groups with a policy of their own
  std::int64_t uneven = 0;       // instances with utilisation other than 1
  std::int64_t second_node = 0;  // instances that name a secondary without keeping data there; it may be any node
};

inline InstancePolicy random_policy(Random& random) {
  InstancePolicy policy;
  policy.minmax.clear();
  for (std::int64_t pairs = random.between(1, 2); pairs > 0; --pairs) {
    MinMaxSpecs pair;
    pair.min = {random.between(0, 512),
                random.between(0, 2),
                random.between(0, 1024),
                random.chance(8) ? 2 : random.between(0, 1),
                1,
                random.between(0, 1)};
    pair.max = {random.between(512, 4096), random.between(2, 8), random.between(1024, 8192), random.between(1, 4), 8,
                random.between(1, 6)};
    policy.minmax.push_back(pair);
  }
  if (random.chance(15)) policy.minmax.clear();
  policy.vcpu_ratio = random.one_of(std::vector<double>{4.0, 1.0, 2.75, -1.0, 16.0});
  policy.spindle_ratio = random.one_of(std::vector<double>{32.0, 4.0, 8.0, 2.5});
  if (random.chance(15)) std::erase(policy.disk_templates, random.one_of(policy.disk_templates));
  return policy;
}

inline Node random_node(Random& random) {
  Node node;
  node.total_memory = static_cast<double>(random.between(2, 10) * 1024);
  if (random.chance(30)) node.total_memory += static_cast<double>(random.between(-700, 700));
  node.node_memory = random.one_of(std::vector<std::int64_t>{0, 512, 333});
  node.total_disk = static_cast<double>(random.between(8, 60) * 1024);
  node.total_cpus = static_cast<double>(random.between(2, 16));
  node.node_cpus = random.between(0, 2);
  node.cpu_speed = random.one_of(std::vector<double>{1.0, 1.0, 1.3, 0.7});
  node.spindles = random.between(1, 4);
  node.free_spindles = random.chance(20) ? random.between(0, 4) : 0;
  return node;
}

// Facts only; random_cluster() prepares it.
inline Cluster random_facts(Random& random, const ClusterShape& shape) {
  Cluster cluster;
  cluster.tags = {"htools:nlocation:power",
                  "htools:nlocation:rack",
                  "htools:iextags:svc",
                  "htools:iextags:power",
                  "htools:desiredlocation:power",
                  "htools:migration:hv",
                  "htools:allowmigration:hv:1::hv:2"};
  for (std::int64_t g = 0; g < shape.groups; ++g) {
    Group group;
    group.name = "g" + std::to_string(g);
    group.uuid = "u" + std::to_string(g);
    if (random.chance(shape.narrow)) group.policy = random_policy(random);
    cluster.groups.push_back(group);
  }
  const std::vector<Node> kinds{random_node(random), random_node(random)};
  const std::size_t kind_count = shape.mix == NodeMix::Same ? 1 : 2;
  for (std::int64_t n = 0; n < shape.nodes; ++n) {
    Node node = shape.mix == NodeMix::Many ? random_node(random) : kinds[random.index(kind_count)];
    node.name = "n" + std::to_string(n);
    node.group = GroupIndex(random.index(cluster.groups.size()));
    node.offline = random.chance(shape.offline);
    if (random.chance(shape.exclusive)) {
      node.exclusive_storage = true;
      node.free_spindles = node.spindles = random.between(2, 10);
    }
    if (random.chance(shape.no_spindles)) node.spindles = node.free_spindles = 0;
    for (const char* kind : {"power:a", "power:b", "rack:1", "rack:2"}) {
      if (random.chance(shape.tagged / 2)) node.tags.emplace_back(kind);
    }
    if (random.chance(shape.migration_tagged)) node.tags.emplace_back(random.chance(50) ? "hv:1" : "hv:2");
    if (random.chance(shape.odd)) node.total_memory += 0.5;
    if (random.chance(shape.odd)) node.total_disk += 0.25;
    cluster.nodes.push_back(node);
  }

  std::vector<std::int64_t> memory_left, disk_left;
  for (const Node& node : cluster.nodes) {
    memory_left.push_back(static_cast<std::int64_t>(node.total_memory) - node.node_memory);
    disk_left.push_back(static_cast<std::int64_t>(node.total_disk));
  }
  for (std::int64_t i = 0; i < shape.instances && !cluster.nodes.empty(); ++i) {
    Instance instance;
    instance.name = "i" + std::to_string(i);
    instance.memory = random.between(0, shape.largest_memory / 64) * 64;
    if (random.chance(30)) instance.memory = random.between(1, shape.largest_memory);
    instance.disk = random.between(1, 16) * 256;
    instance.vcpus = random.between(1, 3);
    instance.disk_template = random.one_of(shape.templates);
    instance.spindle_use = random.between(0, 3);
    instance.disks = {{instance.disk, random.chance(90) ? std::optional(random.between(1, 3)) : std::nullopt}};
    if (random.chance(shape.stopped))
      instance.status = static_cast<InstanceStatus>(random.index(kInstanceStatuses.size()));
    instance.auto_balance = random.chance(92);
    instance.forthcoming = random.chance(shape.forthcoming);
    for (const char* tag : {"svc:a", "svc:b", "power:a"}) {
      if (random.chance(shape.tagged / 2)) instance.tags.emplace_back(tag);
    }
    if (random.chance(shape.tagged / 8)) instance.tags.emplace_back("svc:a");

    const bool crowded = random.chance(shape.crowded);
    for (int attempt = 0; attempt < 12; ++attempt) {
      const std::size_t p = random.index(cluster.nodes.size()), s = random.index(cluster.nodes.size());
      const bool drbd = instance.has_secondary();
      if (drbd && (p == s || cluster.nodes[p].group != cluster.nodes[s].group)) continue;
      const bool memory_fits =
          memory_left[p] > instance.used_memory() && (!drbd || memory_left[s] > instance.secondary_memory());
      const bool disk_fits =
          !instance.uses_local_storage() || (disk_left[p] > instance.disk && (!drbd || disk_left[s] > instance.disk));
      if (!crowded && !(memory_fits && disk_fits)) continue;
      instance.primary = NodeIndex(p);
      if (drbd || (shape.second_node > 0 && random.chance(shape.second_node))) instance.secondary = NodeIndex(s);
      if (!instance.forthcoming) {
        memory_left[p] -= instance.used_memory();
        const std::int64_t spindles = instance.total_spindles().value_or(0);
        for (std::size_t n : drbd ? std::vector{p, s} : std::vector{p}) {
          if (instance.uses_local_storage()) disk_left[n] -= instance.disk;
          if (cluster.nodes[n].exclusive_storage) cluster.nodes[n].free_spindles -= spindles;
        }
      }
      cluster.instances.push_back(instance);
      break;
    }
  }
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    Node& node = cluster.nodes[n];
    node.free_memory = std::max<std::int64_t>(0, memory_left[n]);
    node.free_disk = std::max<std::int64_t>(0, disk_left[n]);
    if (random.chance(shape.odd))
      node.free_memory = std::max<std::int64_t>(0, node.free_memory + random.between(-400, 400));
    if (random.chance(shape.odd)) node.free_disk += random.between(-1000, 0);
  }
  return cluster;
}

inline Cluster random_cluster(Random& random, const ClusterShape& shape) {
  Cluster cluster = random_facts(random, shape);
  PrepareOptions options;
  for (const Instance& instance : cluster.instances) {
    if (!random.chance(shape.uneven)) continue;
    options.utilisation.emplace_back(
        instance.name, Load{random.fraction(), random.fraction() * 3, random.fraction() / 7, random.fraction()});
  }
  prepare(cluster, options);
  return cluster;
}

// A shape with everything in it.
inline ClusterShape random_shape(Random& random) {
  ClusterShape shape;
  shape.nodes = random.between(2, 9);
  shape.groups = random.between(1, 3);
  shape.mix = static_cast<NodeMix>(random.between(0, 2));
  shape.instances = random.between(0, 25);
  shape.tagged = random.chance(50) ? 60 : 0;
  shape.migration_tagged = random.chance(20) ? 50 : 0;
  shape.exclusive = random.chance(30) ? 50 : 0;
  shape.offline = random.chance(50) ? 20 : 0;
  shape.odd = random.chance(40) ? 30 : 0;
  shape.forthcoming = random.chance(40) ? 25 : 0;
  shape.crowded = random.chance(30) ? 15 : 0;
  shape.narrow = random.chance(50) ? 60 : 0;
  shape.uneven = random.chance(50) ? 50 : 0;
  return shape;
}

// ---------------------------------------------------------------------------------------------------------------------
namespace literal {

// The components in their order: which are standard deviations, which look at the offline nodes.
inline constexpr std::array<double, 20> kWeights{0.5, 0.5, 1,   1,   4,   16,  0.5, 1, 1, 1,
                                                 1,   2,   0.5, 0.5, 0.5, 0.5, 0.5, 1, 1, 0.25};
inline bool is_deviation(std::size_t k) {
  const std::array<std::size_t, 12> others{2, 4, 5, 11, 17, 18, 19, 99, 99, 99, 99, 99};
  return std::find(others.begin(), others.end(), k) == others.end();
}
inline bool is_offline_component(std::size_t k) { return k == 4 || k == 5; }
inline constexpr std::size_t kMapComponent = 18;

using Values = std::array<double, 20>;
using PairMap = std::map<std::pair<std::string, std::string>, std::int64_t>;

// From the node's lists and amounts rather than from its kept ratios.
inline Values node_values(const Node& node) {
  const NodeBooks& b = node.books;
  const auto number = [](auto x) { return static_cast<double>(x); };
  const std::int64_t unallocated = static_cast<std::int64_t>(node.total_memory) - node.node_memory - b.instance_memory -
                                   std::max<std::int64_t>(0, node.missing_memory);
  const auto disk_ratio = [&](const Ledger& ledger) {
    if (node.exclusive_storage) return node.spindles == 0 ? 1.0 : number(ledger.free_spindles) / number(node.spindles);
    return node.total_disk == 0 ? 1.0 : number(ledger.free_disk) / node.total_disk;
  };
  const auto vcpu_ratio = [&](const Ledger& ledger) {
    const double by_cpus = number(ledger.used_vcpus) / node.total_cpus;
    return by_cpus / node.cpu_speed;
  };
  std::int64_t reserved = 0;
  for (const auto& entry : node.peers.entries()) reserved = std::max(reserved, entry.memory);
  std::int64_t conflicts = 0;
  for (const auto& [tag, count] : node.primary_tags.entries()) conflicts += count - 1;
  const double primaries = number(node.primaries.size()), secondaries = number(node.secondaries.size());

  Values v{};
  v[0] = number(unallocated) / node.total_memory;
  v[1] = disk_ratio(b.real);
  v[2] = b.n1_failed ? secondaries + primaries : 0.0;
  v[3] = number(reserved) / node.total_memory;
  v[4] = primaries + secondaries;
  v[5] = primaries;
  v[6] = vcpu_ratio(b.real);
  v[7] = b.load.cpu;
  v[8] = b.load.memory;
  v[9] = b.load.disk;
  v[10] = b.load.network;
  v[11] = number(conflicts);
  v[12] = b.real.instance_spindles / node.max_instance_spindles;
  v[13] = number(b.forthcoming_free_memory) / node.total_memory;
  v[14] = disk_ratio(b.forthcoming);
  v[15] = vcpu_ratio(b.forthcoming);
  v[16] = b.forthcoming.instance_spindles / node.max_instance_spindles;
  v[17] = number(b.location_score);
  v[19] = v[3];
  return v;
}

inline double weighted(const Values& values) {
  double score = 0.0;
  for (std::size_t k = 0; k < values.size(); ++k) score = score + kWeights[k] * values[k];
  return score;
}

inline double collisions(const PairMap& map) {
  std::int64_t sum = 0;
  for (const auto& entry : map) sum += entry.second;
  return static_cast<double>(sum - static_cast<std::int64_t>(map.size()));
}

// Count, sum, variance or map per component.
struct Statistics {
  double online = 0.0;
  Values sum{}, variance{};
  PairMap map;

  explicit Statistics(const NodeRefs& nodes) {
    std::vector<std::pair<const Node*, Values>> all;
    for (const Node& node : nodes) all.emplace_back(&node, literal::node_values(node));
    for (const Node& node : nodes) {
      if (node.offline) continue;
      online += 1.0;
      for (const auto& [key, count] : node.location_exclusion.entries()) map[key] += count;
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
  void update(const Node& before, const Node& after) {
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
    for (const auto& [key, count] : before.location_exclusion.entries()) map[key] -= count;
    for (const auto& [key, count] : after.location_exclusion.entries()) map[key] += count;
  }
  Values values() const {
    Values v{};
    for (std::size_t k = 0; k < v.size(); ++k) v[k] = is_deviation(k) ? std::sqrt(variance[k]) : sum[k];
    v[kMapComponent] = collisions(map);
    return v;
  }
  double score() const { return online == 0.0 ? 0.0 : weighted(values()); }
};

inline double score(const NodeRefs& nodes) { return Statistics(nodes).score(); }

// The nodes with one of them replaced.
inline NodeRefs with(NodeRefs nodes, const Node& before, const Node& after) {
  for (auto& ref : nodes) {
    if (&ref.get() == &before) ref = after;
  }
  return nodes;
}

// Merge sort of lists that makes maximal runs first; "greater" is what is neither less nor equal.
template <class T>
std::vector<T> sort_by_score(const std::vector<T>& list, const std::function<double(const T&)>& score_of) {
  using List = std::vector<T>;
  const auto greater = [&](const T& a, const T& b) {
    const double x = score_of(a), y = score_of(b);
    return !(x < y) && !(x == y);
  };
  std::vector<List> runs;
  List rest = list;
  while (rest.size() >= 2) {
    const bool descending = greater(rest[0], rest[1]);
    List run{rest[0], rest[1]};
    std::size_t taken = 2;
    while (taken < rest.size() && greater(rest[taken - 1], rest[taken]) == descending) run.push_back(rest[taken++]);
    if (descending) std::reverse(run.begin(), run.end());
    runs.push_back(run);
    rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(taken));
  }
  runs.push_back(rest);
  const std::function<List(List, List)> merge = [&](List left, List right) {
    List merged;
    while (!left.empty() && !right.empty()) {
      List& from = greater(left.front(), right.front()) ? right : left;
      merged.push_back(from.front());
      from.erase(from.begin());
    }
    merged.insert(merged.end(), left.begin(), left.end());
    merged.insert(merged.end(), right.begin(), right.end());
    return merged;
  };
  while (runs.size() > 1) {
    std::vector<List> next;
    for (std::size_t r = 0; r < runs.size(); r += 2) {
      next.push_back(r + 1 < runs.size() ? merge(runs[r], runs[r + 1]) : runs[r]);
    }
    runs = next;
  }
  return runs.front();
}

struct Solution {
  double score;
  NodeIndex primary, secondary;
};
struct PlaceResult {
  FailCounts failures;
  std::int64_t successes = 0;
  std::optional<Solution> solution;
};
using Good = std::function<bool(const Solution&)>;

// `found`: the successes in candidate order.
inline PlaceResult choose(const std::vector<Solution>& found, const Good& good) {
  std::vector<Solution> newest_first(found.rbegin(), found.rend());
  newest_first = sort_by_score<Solution>(newest_first, [](const Solution& s) { return s.score; });
  PlaceResult result;
  std::int64_t dropped = 0;
  for (const Solution& solution : newest_first) {
    if (good(solution)) {
      result.solution = solution;
      break;
    }
    ++dropped;
  }
  result.successes = static_cast<std::int64_t>(found.size()) - dropped;
  result.failures[FailMode::N1] = dropped;
  return result;
}

inline void add_failures(FailCounts& to, const FailCounts& more) {
  for (std::size_t m = 0; m < kFailModeCount; ++m) to.count[m] += more.count[m];
}

inline std::vector<NodeIndex> candidate_nodes(const Cluster& cluster) {
  std::vector<NodeIndex> nodes;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    const Node& node = cluster.nodes[n];
    if (!node.offline && cluster.group(node.group).is_allocable()) nodes.push_back(NodeIndex(n));
  }
  return nodes;
}

// Policy, then admission; the node with the instance if both let it in.
inline std::optional<FailMode> put_primary(const Cluster& cluster, Node& node, const Instance& instance,
                                           AdmissionRules rules) {
  if (const auto fail = check_policy(instance, cluster.group(node.group).policy, node.exclusive_storage)) return fail;
  if (const auto fail = check_primary(node, books_with_primary(node, instance), instance, rules)) return fail;
  add_primary(node, InstanceIndex(cluster.instances.size()), instance);
  return std::nullopt;
}

inline PlaceResult place_single(const Cluster& cluster, const Instance& instance, const Good& good) {
  std::vector<Solution> found;
  FailCounts failures;
  const NodeRefs all = all_nodes(cluster.nodes);
  for (NodeIndex n : candidate_nodes(cluster)) {
    Node after = cluster.node(n);
    if (const auto fail = put_primary(cluster, after, instance, {})) {
      failures[*fail] += 1;
    } else {
      found.push_back({literal::score(with(all, cluster.node(n), after)), n, NodeIndex::none()});
    }
  }
  PlaceResult result = choose(found, good);
  add_failures(result.failures, failures);
  return result;
}

inline PlaceResult place_pair(const Cluster& cluster, const Instance& instance, const Good& good) {
  const Statistics base(all_nodes(cluster.nodes));
  const std::vector<NodeIndex> nodes = candidate_nodes(cluster);
  const InstanceIndex index(cluster.instances.size());
  PlaceResult total;
  for (NodeIndex p : nodes) {
    std::vector<Solution> found;
    FailCounts failures;
    for (NodeIndex s : nodes) {
      if (s == p || cluster.node(s).group != cluster.node(p).group) continue;
      Instance placed = instance;
      placed.location_score = cluster.node(p).location_tags.common_with(cluster.node(s).location_tags);
      Node primary = cluster.node(p), secondary = cluster.node(s);
      if (const auto fail = put_primary(cluster, primary, placed, {})) {
        failures[*fail] += 1;
        continue;
      }
      if (const auto fail = check_secondary(secondary, books_with_secondary(secondary, placed, p), placed)) {
        failures[*fail] += 1;
        continue;
      }
      add_secondary(secondary, index, placed, p);
      Statistics statistics = base;
      statistics.update(cluster.node(p), primary);
      statistics.update(cluster.node(s), secondary);
      found.push_back({statistics.score(), p, s});
    }
    const PlaceResult chosen = choose(found, good);
    add_failures(total.failures, chosen.failures);
    add_failures(total.failures, failures);
    total.successes += chosen.successes;
    if (!chosen.solution) continue;
    const bool keep_old = total.solution && total.solution->score < chosen.solution->score;
    if (!keep_old) total.solution = chosen.solution;
  }
  return total;
}

inline PlaceResult place(const Cluster& cluster, const Instance& instance, const Good& good) {
  return instance.disk_template == DiskTemplate::Drbd ? place_pair(cluster, instance, good)
                                                      : place_single(cluster, instance, good);
}
inline PlaceResult place(const Cluster& cluster, const Instance& instance) {
  return place(cluster, instance, [](const Solution&) { return true; });
}

inline Cluster applied(Cluster cluster, Instance instance, const Solution& solution) {
  const InstanceIndex index(cluster.instances.size());
  instance.primary = solution.primary;
  instance.secondary = solution.secondary;
  if (!solution.secondary.is_none()) {
    instance.location_score =
        cluster.node(solution.primary).location_tags.common_with(cluster.node(solution.secondary).location_tags);
  }
  add_primary(cluster.node(solution.primary), index, instance);
  if (!solution.secondary.is_none()) add_secondary(cluster.node(solution.secondary), index, instance, solution.primary);
  cluster.instances.push_back(instance);
  return cluster;
}

inline bool is_in(const std::vector<NodeIndex>& nodes, NodeIndex n) {
  return std::find(nodes.begin(), nodes.end(), n) != nodes.end();
}

// The drbd instance changes its two nodes; false if it cannot.
inline bool fail_over(Cluster& cluster, InstanceIndex i, NodeIndex n) {
  constexpr AdmissionRules kForce{.force = true};
  Instance& instance = cluster.instance(i);
  const NodeIndex s = instance.secondary;
  if (s.is_none()) return false;
  Node from = cluster.node(n), to = cluster.node(s);
  remove_primary(from, i, instance);
  remove_secondary(to, i, instance, n);
  if (!migration_allowed(from, to)) return false;
  if (check_primary(to, books_with_primary(to, instance), instance, kForce)) return false;
  add_primary(to, i, instance);
  const AdmissionRules back{.force = true, .ignore_disks = from.offline};
  if (check_secondary(from, books_with_secondary(from, instance, s), instance, back)) return false;
  add_secondary(from, i, instance, s);
  cluster.node(n) = from;
  cluster.node(s) = to;
  std::swap(instance.primary, instance.secondary);
  return true;
}

// The movable instance goes to the best node of the group; false if there is none.
inline bool move_away(Cluster& cluster, InstanceIndex i, NodeIndex n, const std::vector<NodeIndex>& escapes,
                      const NodeRefs& group) {
  constexpr AdmissionRules kForce{.force = true};
  Instance& instance = cluster.instance(i);
  Node without = cluster.node(n);
  remove_primary(without, i, instance);
  std::optional<std::pair<NodeIndex, double>> best;
  for (NodeIndex t : escapes) {
    Node target = cluster.node(t);
    if (!migration_allowed(cluster.node(n), target)) continue;
    if (check_primary(target, books_with_primary(target, instance), instance, kForce)) continue;
    add_primary(target, i, instance);
    const double s = literal::score(with(with(group, cluster.node(n), without), cluster.node(t), target));
    if (best && best->second < s) continue;
    best = {t, s};
  }
  if (!best) return false;
  add_primary(cluster.node(best->first), i, instance);
  cluster.node(n) = without;
  instance.primary = best->first;
  return true;
}

// A copy of the fixed instance is created elsewhere; false if that is not possible.
inline bool create_anew(Cluster& cluster, InstanceIndex i, const std::vector<NodeIndex>& escapes, const NodeRefs& all) {
  std::vector<Solution> found;
  for (NodeIndex t : escapes) {
    Node target = cluster.node(t);
    if (put_primary(cluster, target, cluster.instance(i), {.force = true})) continue;
    found.push_back({literal::score(with(all, cluster.node(t), target)), t, NodeIndex::none()});
  }
  const auto solution = choose(found, [](const Solution&) { return true; }).solution;
  if (!solution) return false;
  add_primary(cluster.node(solution->primary), i, cluster.instance(i));
  return true;
}

// `nodes` are the whole cluster for this question.
inline bool vacatable(Cluster cluster, const std::vector<NodeIndex>& nodes, NodeIndex n) {
  std::vector<InstanceIndex> drbd, movable, fixed;
  const auto& primaries = cluster.node(n).primaries;
  for (auto i = primaries.rbegin(); i != primaries.rend(); ++i) {
    switch (cluster.instance(*i).disk_template) {
      case DiskTemplate::Drbd:
        drbd.push_back(*i);
        break;
      case DiskTemplate::Diskless:
      case DiskTemplate::SharedFile:
      case DiskTemplate::Rbd:
      case DiskTemplate::Ext:
      case DiskTemplate::Gluster:
        movable.push_back(*i);
        break;
      default:
        fixed.push_back(*i);
    }
  }
  std::stable_sort(fixed.begin(), fixed.end(), [&](InstanceIndex a, InstanceIndex b) {
    return cluster.instance(a).memory > cluster.instance(b).memory;
  });
  std::vector<NodeIndex> escapes;
  NodeRefs all, group;
  for (NodeIndex t : nodes) {
    all.push_back(cluster.node(t));
    if (cluster.node(t).group != cluster.node(n).group) continue;
    group.push_back(cluster.node(t));
    if (t != n) escapes.push_back(t);
  }
  const auto every = [](const auto& list, const auto& leaves) { return std::all_of(list.begin(), list.end(), leaves); };
  return every(drbd, [&](InstanceIndex i) { return fail_over(cluster, i, n); }) &&
         every(movable, [&](InstanceIndex i) { return move_away(cluster, i, n, escapes, group); }) &&
         every(fixed, [&](InstanceIndex i) { return create_anew(cluster, i, escapes, all); });
}

inline std::vector<NodeIndex> every_node(const Cluster& cluster) {
  std::vector<NodeIndex> nodes;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) nodes.push_back(NodeIndex(n));
  return nodes;
}

inline bool redundant(const Cluster& cluster, const std::vector<NodeIndex>& nodes,
                      const std::vector<bool>& ignored_groups = {}, bool skip_offline = false) {
  return std::all_of(nodes.begin(), nodes.end(), [&](NodeIndex n) {
    const Node& node = cluster.node(n);
    if (!ignored_groups.empty() && ignored_groups[node.group.position()]) return true;
    if (skip_offline && node.offline) return true;
    return vacatable(cluster, nodes, n);
  });
}
inline bool redundant(const Cluster& cluster) { return redundant(cluster, every_node(cluster)); }

// ---- Moves

// The nodes that a move changes, and the instance in its new place.
struct Moved {
  Instance instance;
  std::vector<std::pair<NodeIndex, Node>> nodes;
};
using MoveOutcome = std::variant<Moved, FailMode>;

inline std::optional<FailMode> migrate(const Node& from, const Node& to) {
  const auto& receivable = to.receivable_migration_tags.tags();
  for (const std::string& tag : from.migration_tags.tags()) {
    if (std::find(receivable.begin(), receivable.end(), tag) == receivable.end()) return FailMode::Migration;
  }
  return std::nullopt;
}

// With every check and every change of the nodes on the way, one after the other. What the checks pass is added.
inline MoveOutcome moved(const Cluster& cluster, InstanceIndex i, const Move& move, bool force) {
  const Instance& old = cluster.instance(i);
  const NodeIndex p = old.primary, s = old.secondary, t = move.target;
  const auto offline = [&](NodeIndex n) { return cluster.node(n).offline; };
  const auto can_migrate = [&](NodeIndex a, NodeIndex b) { return migrate(cluster.node(a), cluster.node(b)); };
  const auto add_p = [&](bool flag, Node& node, const Instance& instance) {
    const auto fail = check_primary(node, books_with_primary(node, instance), instance, {.force = flag});
    if (!fail) add_primary(node, i, instance);
    return fail;
  };
  const auto add_s = [&](AdmissionRules rules, Node& node, const Instance& instance, NodeIndex peer) {
    const auto fail = check_secondary(node, books_with_secondary(node, instance, peer), instance, rules);
    if (!fail) add_secondary(node, i, instance, peer);
    return fail;
  };
  const auto rem_p = [&](Node& node, const Instance& instance) { remove_primary(node, i, instance); };
  const auto rem_s = [&](Node& node, const Instance& instance) { remove_secondary(node, i, instance, p); };
  const auto placed = [&](NodeIndex primary, NodeIndex secondary) {
    Instance instance = old;
    instance.primary = primary;
    instance.secondary = secondary;
    return instance;
  };
  const auto shared = [&](NodeIndex a, NodeIndex b) {
    std::int64_t common = 0;
    for (const std::string& x : cluster.node(a).location_tags.tags()) {
      for (const std::string& y : cluster.node(b).location_tags.tags()) common += x == y ? 1 : 0;
    }
    return common;
  };
  const auto scored = [&](Instance instance) {
    instance.location_score = shared(instance.primary, instance.secondary);
    return instance;
  };

  Node P = cluster.node(p);
  switch (move.kind) {
    case MoveKind::Failover: {
      Node S = cluster.node(s);
      if (const auto fail = can_migrate(p, s)) return *fail;
      rem_s(S, old);
      if (const auto fail = add_p(offline(p) || force, S, old)) return *fail;
      rem_p(P, old);
      const AdmissionRules back{.force = offline(p) || force, .ignore_disks = offline(p)};
      if (const auto fail = add_s(back, P, old, s)) return *fail;
      return Moved{placed(s, p), {{p, P}, {s, S}}};
    }
    case MoveKind::FailoverToAny: {
      Node T = cluster.node(t);
      if (const auto fail = can_migrate(p, t)) return *fail;
      if (const auto fail = add_p(offline(p) || force, T, old)) return *fail;
      rem_p(P, old);
      return Moved{placed(t, s), {{p, P}, {t, T}}};
    }
    case MoveKind::ReplacePrimary: {
      const Instance now = scored(placed(t, s));
      Node S = cluster.node(s), T = cluster.node(t);
      if (const auto fail = can_migrate(p, s)) return *fail;
      if (const auto fail = can_migrate(s, t)) return *fail;
      rem_s(S, old);
      if (const auto fail = add_p(offline(p) || force, S, now)) return *fail;
      if (const auto fail = add_p(offline(p) || force, T, now)) return *fail;
      rem_p(S, now);
      if (const auto fail = add_s({.force = offline(p) || force}, S, now, t)) return *fail;
      rem_p(P, old);
      return Moved{now, {{p, P}, {s, S}, {t, T}}};
    }
    case MoveKind::ReplaceSecondary: {
      const Instance now = scored(placed(p, t));
      Node S = cluster.node(s), T = cluster.node(t);
      if (const auto fail = add_s({.force = offline(s) || force}, T, now, p)) return *fail;
      rem_p(P, old);
      if (const auto fail = add_p(true, P, now)) return *fail;
      rem_s(S, old);
      return Moved{now, {{p, P}, {s, S}, {t, T}}};
    }
    case MoveKind::ReplaceAndFailover: {
      const Instance now = scored(placed(t, p));
      Node S = cluster.node(s), T = cluster.node(t);
      if (const auto fail = can_migrate(p, t)) return *fail;
      if (const auto fail = add_p(force, T, now)) return *fail;
      rem_p(P, old);
      if (const auto fail = add_s({.force = offline(s) || force}, P, now, t)) return *fail;
      rem_s(S, old);
      return Moved{now, {{p, P}, {s, S}, {t, T}}};
    }
    case MoveKind::FailoverAndReplace: {
      const Instance now = scored(placed(s, t));
      Node S = cluster.node(s), T = cluster.node(t);
      if (const auto fail = can_migrate(p, s)) return *fail;
      rem_s(S, old);
      if (const auto fail = add_p(offline(p) || force, S, now)) return *fail;
      if (const auto fail = add_s({.force = offline(p) || force}, T, now, s)) return *fail;
      rem_p(P, old);
      return Moved{now, {{p, P}, {s, S}, {t, T}}};
    }
  }
  return FailMode::Internal;
}

inline void apply(Cluster& cluster, InstanceIndex i, const Moved& result) {
  cluster.instance(i) = result.instance;
  for (const auto& [index, node] : result.nodes) cluster.node(index) = node;
}

inline bool has_offline_node(const Cluster& cluster, const Instance& instance) {
  if (cluster.node(instance.primary).offline) return true;
  return instance.disk_template == DiskTemplate::Drbd && cluster.node(instance.secondary).offline;
}

inline std::vector<InstanceIndex> movable_instances(const Cluster& cluster, const GroupMembers& members,
                                                    const MoveRules& rules) {
  std::vector<InstanceIndex> result;
  for (InstanceIndex i : members.instances) {
    const Instance& instance = cluster.instance(i);
    if (!instance.movable || !instance.auto_balance) continue;
    if (rules.evacuation && !has_offline_node(cluster, instance)) continue;
    result.push_back(i);
  }
  return result;
}

// Row by row of the table, as it is written down.
inline std::vector<MoveKind> kinds_per_target(const Cluster& cluster, const Instance& instance, const MoveRules& rules,
                                              bool secondary_usable) {
  using enum MoveKind;
  switch (facts(instance.disk_template).mirror) {
    case MirrorType::None:
      return {};
    case MirrorType::External:
      return rules.instance_moves ? std::vector{FailoverToAny} : std::vector<MoveKind>{};
    case MirrorType::Internal:
      break;
  }
  if (!rules.disk_moves) return {};
  if (!rules.instance_moves) return {ReplaceSecondary};
  if (rules.restricted_migration && !cluster.node(instance.primary).offline) return {ReplaceSecondary};
  if (!secondary_usable) return {ReplaceSecondary, ReplaceAndFailover};
  if (rules.restricted_migration) return {ReplaceSecondary, ReplaceAndFailover, FailoverAndReplace};
  return {ReplaceSecondary, ReplaceAndFailover, ReplacePrimary, FailoverAndReplace};
}

inline std::vector<Move> moves_of(const Cluster& cluster, const GroupMembers& members, const Instance& instance,
                                  const MoveRules& rules) {
  const bool internal = facts(instance.disk_template).mirror == MirrorType::Internal;
  const bool secondary_usable = internal && is_in(members.nodes, instance.secondary) &&
                                !cluster.node(instance.secondary).offline && rules.instance_moves;
  std::vector<Move> moves;
  if (secondary_usable) moves.push_back({MoveKind::Failover, NodeIndex::none()});
  for (NodeIndex n : members.nodes) {
    if (cluster.node(n).offline || n == instance.primary || n == instance.secondary) continue;
    for (MoveKind kind : kinds_per_target(cluster, instance, rules, secondary_usable)) moves.push_back({kind, n});
  }
  return moves;
}

}  // namespace literal
}  // namespace htools::testing
