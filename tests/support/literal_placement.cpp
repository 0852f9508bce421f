#include "tests/support/literal_placement.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "cluster/bookkeeping.h"

namespace htools::testing::literal {

PlaceResult choose(const std::vector<Solution>& found, const Good& good) {
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

void add_failures(FailCounts& to, const FailCounts& more) {
  for (std::size_t m = 0; m < kFailModeCount; ++m) to.count[m] += more.count[m];
}

std::vector<NodeIndex> candidate_nodes(const Cluster& cluster) {
  std::vector<NodeIndex> nodes;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    const Node& node = cluster.nodes[n];
    if (!node.offline && !node.cordoned && cluster.group(node.facts->group).is_allocable())
      nodes.push_back(NodeIndex(n));
  }
  return nodes;
}

std::optional<FailMode> put_primary(const Cluster& cluster, Node& node, const Instance& instance,
                                    AdmissionRules rules) {
  if (const auto fail = check_policy(instance, cluster.group(node.facts->group).policy, node.facts->exclusive_storage))
    return fail;
  if (const auto fail = check_primary(node, books_with_primary(node, instance), instance, rules)) return fail;
  add_primary(node, InstanceIndex(cluster.instances.size()), instance);
  return std::nullopt;
}

namespace {

PlaceResult place_single(const Cluster& cluster, const Instance& instance, const Good& good) {
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

PlaceResult place_pair(const Cluster& cluster, const Instance& instance, const Good& good) {
  const Statistics base(all_nodes(cluster.nodes));
  const std::vector<NodeIndex> nodes = candidate_nodes(cluster);
  const InstanceIndex index(cluster.instances.size());
  PlaceResult total;
  for (NodeIndex p : nodes) {
    std::vector<Solution> found;
    FailCounts failures;
    for (NodeIndex s : nodes) {
      if (s == p || cluster.node(s).facts->group != cluster.node(p).facts->group) continue;
      Instance placed = instance;
      placed.location_score = cluster.node(p).facts->location_tags.common_with(cluster.node(s).facts->location_tags);
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

}  // namespace

PlaceResult place(const Cluster& cluster, const Instance& instance, const Good& good) {
  return instance.facts->disk_template == DiskTemplate::Drbd ? place_pair(cluster, instance, good)
                                                             : place_single(cluster, instance, good);
}

PlaceResult place(const Cluster& cluster, const Instance& instance) {
  return place(cluster, instance, [](const Solution&) { return true; });
}

Cluster applied(Cluster cluster, Instance instance, const Solution& solution) {
  const InstanceIndex index(cluster.instances.size());
  instance.primary = solution.primary;
  instance.secondary = solution.secondary;
  if (!solution.secondary.is_none()) {
    instance.location_score =
        cluster.node(solution.primary)
            .facts->location_tags.common_with(cluster.node(solution.secondary).facts->location_tags);
  }
  add_primary(cluster.node(solution.primary), index, instance);
  if (!solution.secondary.is_none()) add_secondary(cluster.node(solution.secondary), index, instance, solution.primary);
  cluster.instances.push_back(instance);
  return cluster;
}

bool is_in(const std::vector<NodeIndex>& nodes, NodeIndex n) {
  return std::find(nodes.begin(), nodes.end(), n) != nodes.end();
}

namespace {

// Fails a drbd instance over to its secondary; returns false if that is not possible.
bool fail_over(Cluster& cluster, InstanceIndex i, NodeIndex n) {
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

// Moves a movable instance to the best of the nodes `escapes`; returns false if none can take it.
bool move_away(Cluster& cluster, InstanceIndex i, NodeIndex n, const std::vector<NodeIndex>& escapes,
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

}  // namespace

bool create_anew(Cluster& cluster, InstanceIndex i, const std::vector<NodeIndex>& escapes, const NodeRefs& all) {
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

bool vacatable(Cluster cluster, const std::vector<NodeIndex>& nodes, NodeIndex n) {
  std::vector<InstanceIndex> drbd, movable, fixed;
  const auto& primaries = cluster.node(n).primaries;
  for (auto i = primaries.rbegin(); i != primaries.rend(); ++i) {
    switch (cluster.instance(*i).facts->disk_template) {
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
    return cluster.instance(a).facts->memory > cluster.instance(b).facts->memory;
  });
  std::vector<NodeIndex> escapes;
  NodeRefs all, group;
  for (NodeIndex t : nodes) {
    all.push_back(cluster.node(t));
    if (cluster.node(t).facts->group != cluster.node(n).facts->group) continue;
    group.push_back(cluster.node(t));
    if (t != n && !cluster.node(t).cordoned) escapes.push_back(t);
  }
  const auto every = [](const auto& list, const auto& leaves) { return std::all_of(list.begin(), list.end(), leaves); };
  return every(drbd, [&](InstanceIndex i) { return fail_over(cluster, i, n); }) &&
         every(movable, [&](InstanceIndex i) { return move_away(cluster, i, n, escapes, group); }) &&
         every(fixed, [&](InstanceIndex i) { return create_anew(cluster, i, escapes, all); });
}

std::vector<NodeIndex> every_node(const Cluster& cluster) {
  std::vector<NodeIndex> nodes;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) nodes.push_back(NodeIndex(n));
  return nodes;
}

bool redundant(const Cluster& cluster, const std::vector<NodeIndex>& nodes, const std::vector<bool>& ignored_groups,
               bool skip_offline) {
  return std::all_of(nodes.begin(), nodes.end(), [&](NodeIndex n) {
    const Node& node = cluster.node(n);
    if (!ignored_groups.empty() && ignored_groups[node.facts->group.position()]) return true;
    if (skip_offline && node.offline) return true;
    return vacatable(cluster, nodes, n);
  });
}

}  // namespace htools::testing::literal
