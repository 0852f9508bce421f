#include "goals/retirement.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "balance/balancer.h"
#include "balance/move_generation.h"
#include "cluster/members.h"
#include "plan/least_price.h"
#include "plan/paths.h"
#include "trial/trial.h"

namespace htools {
namespace {

// Up to this many sets of nodes, all are tried.
constexpr std::size_t kMostSets = 400;

class Chooser {
 public:
  Chooser(const Cluster& cluster, const std::vector<GroupIndex>& groups, const MoveRules& rules)
      : start_(cluster), rules_(rules), trial_(cluster) {
    for (const GroupIndex g : groups) {
      for (const NodeIndex n : members_of(cluster, g).nodes) {
        if (!cluster.node(n).offline) ++online_[g.position()];
        if (!cluster.node(n).offline && !cluster.node(n).facts->master) candidates_.push_back(n);
      }
    }
    add_prices();
    std::ranges::stable_sort(candidates_, {}, [&](NodeIndex n) { return least_price_[n.position()]; });
  }

  const std::vector<NodeIndex>& candidates() const { return candidates_; }

  // True if instances that may not move keep the node.
  bool is_fixed(NodeIndex n) const { return fixed_[n.position()] > 0; }
  // Returns a price below which the node cannot be emptied.
  const WayPrice& least_price(NodeIndex n) const { return least_price_[n.position()]; }

  EmptyingTrial evacuate(const std::vector<NodeIndex>& nodes) { return try_emptying(start_, trial_, nodes, rules_); }

  // True if the group of each of the nodes keeps an online node.
  bool leaves_nodes(const std::vector<NodeIndex>& nodes) const {
    std::map<std::size_t, std::size_t> taken;
    for (const NodeIndex n : nodes) ++taken[start_.node(n).facts->group.position()];
    return std::ranges::all_of(taken, [&](const auto& entry) { return entry.second < online_.at(entry.first); });
  }

 private:
  void add_prices() {
    least_price_.resize(start_.nodes.size());
    fixed_.resize(start_.nodes.size());
    MoveRules any = rules_;
    any.evacuation = false;
    for (const Instance& instance : start_.instances) {
      if (instance.primary.is_none()) continue;
      const bool may_move = is_candidate(start_, instance, any);
      for (const NodeIndex n : nodes_of(placement_of(instance))) {
        least_price_[n.position()] += least_price_off(start_, instance, {&n, 1});
        if (!may_move) ++fixed_[n.position()];
      }
    }
  }

  const Cluster& start_;
  MoveRules rules_;
  Trial trial_;
  std::map<std::size_t, std::size_t> online_;  // nodes by group
  std::vector<NodeIndex> candidates_;          // cheapest first
  std::vector<WayPrice> least_price_;          // by node
  std::vector<std::size_t> fixed_;             // by node: instances that may not move
};

// Returns the number of sets of k out of n elements, or a number above kMostSets.
std::size_t number_of_sets(std::size_t n, std::size_t k) {
  std::size_t sets = 1;
  for (std::size_t i = 1; i <= std::min(k, n - k); ++i) {
    sets = sets * (n - i + 1) / i;
    if (sets > kMostSets) return sets;
  }
  return sets;
}

// Returns the cheapest set of `size` nodes that can be emptied; nothing if there is none.
std::optional<std::vector<NodeIndex>> best_set(Chooser& chooser, const std::vector<NodeIndex>& nodes,
                                               std::size_t size) {
  std::optional<std::vector<NodeIndex>> best;
  WayPrice best_price;
  std::vector<char> chosen(nodes.size(), 0);
  std::fill_n(chosen.begin(), size, char{1});
  do {  // all arrangements of the chosen ones
    std::vector<NodeIndex> set;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (chosen[i] != 0) set.push_back(nodes[i]);
    }
    if (!chooser.leaves_nodes(set)) continue;
    const EmptyingTrial result = chooser.evacuate(set);
    if (!result.is_done() || (best && !(result.price < best_price))) continue;
    best = set;
    best_price = result.price;
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return best;
}

// Returns the node whose addition to the set is cheapest. If no node can be added, returns nothing, and sets `obstacle`
// to what hinders the one that would be cheapest.
std::optional<NodeIndex> next_node(Chooser& chooser, const std::vector<NodeIndex>& set,
                                   std::optional<RetirementObstacle>& obstacle) {
  std::optional<NodeIndex> best;
  WayPrice best_price;
  obstacle.reset();
  for (const NodeIndex n : chooser.candidates()) {
    if (std::ranges::find(set, n) != set.end()) continue;
    std::vector<NodeIndex> larger = set;
    larger.push_back(n);
    if (!chooser.leaves_nodes(larger)) continue;
    // (Instances that two nodes of the set have in common are counted twice, so only the new node's price is a bound.)
    if (best && best_price < chooser.least_price(n)) break;
    if (chooser.is_fixed(n) && obstacle) continue;
    EmptyingTrial result = chooser.evacuate(larger);
    if (!result.is_done()) {
      if (obstacle) continue;
      const auto is_elsewhere = [&](const Staying& s) { return s.node != n; };
      if (!std::ranges::all_of(result.staying, is_elsewhere)) std::erase_if(result.staying, is_elsewhere);
      obstacle = RetirementObstacle{n, std::move(result.staying), std::move(result.unsafe)};
      continue;
    }
    if (best && !(result.price < best_price)) continue;
    best = n;
    best_price = result.price;
    if (set.size() >= 8) break;  // in larger sets, the first one that can go is good enough
  }
  if (best) obstacle.reset();
  return best;
}

}  // namespace

Retirement choose_retirement(const Cluster& cluster, const std::vector<GroupIndex>& groups,
                             std::optional<std::size_t> count, const MoveRules& rules,
                             const std::function<void(std::size_t nodes)>& on_progress) {
  Chooser chooser(cluster, groups, rules);
  std::vector<NodeIndex> free;  // nodes that no instance keeps
  std::ranges::copy_if(chooser.candidates(), std::back_inserter(free),
                       [&](NodeIndex n) { return !chooser.is_fixed(n); });
  Retirement result;
  const std::size_t wanted = std::min(count.value_or(free.size()), free.size());
  const auto use_best_set = [&](std::size_t size) {
    if (size > wanted || number_of_sets(free.size(), size) > kMostSets) return false;
    std::optional<std::vector<NodeIndex>> set = best_set(chooser, free, size);
    if (set) result.nodes = std::move(*set);
    return set.has_value();
  };
  if (count) use_best_set(wanted);
  for (;;) {
    if (on_progress) on_progress(result.nodes.size());
    if (!count && use_best_set(result.nodes.size() + 1)) continue;
    const std::optional<NodeIndex> next = next_node(chooser, result.nodes, result.obstacle);
    if (!next || result.nodes.size() >= wanted) return result;
    result.nodes.push_back(*next);
  }
}

namespace {

// Returns the least number of the largest capacities whose sum is at least `needed(number)`.
template <class Needed>
std::size_t least_number(std::vector<double> capacities, const Needed& needed) {
  std::ranges::sort(capacities, std::greater<>());
  double sum = 0.0;
  for (std::size_t k = 0; k < capacities.size(); ++k) {
    if (sum >= needed(k)) return k;
    sum += capacities[k];
  }
  return capacities.size();
}

}  // namespace

std::size_t least_nodes(const Cluster& cluster, GroupIndex group, const MoveRules& rules) {
  const GroupMembers members = members_of(cluster, group);
  std::vector<double> memory, disk, vcpus;
  std::set<NodeIndex> kept;
  double used_memory = 0.0, reserved = 0.0, used_disk = 0.0, used_vcpus = 0.0;
  bool has_drbd = false;
  std::map<std::string, std::set<std::size_t>> apart;  // by exclusion tag: the nodes on which it is
  MoveRules any = rules;
  any.evacuation = false;
  for (const InstanceIndex i : members.instances) {
    const Instance& instance = cluster.instance(i);
    if (cluster.node(instance.primary).offline) continue;  // it may stay there
    if (instance.facts->forthcoming) continue;             // moves off offline nodes count what is there only
    const bool has_secondary =
        instance.facts->has_secondary() && !instance.secondary.is_none() && !cluster.node(instance.secondary).offline;
    used_memory += static_cast<double>(instance.facts->used_memory());
    used_vcpus += static_cast<double>(instance.facts->counted_vcpus());
    if (has_secondary) reserved += static_cast<double>(instance.facts->secondary_memory());
    if (instance.facts->uses_local_storage()) {
      used_disk += static_cast<double>(instance.facts->disk) * (has_secondary ? 2.0 : 1.0);
    }
    has_drbd = has_drbd || has_secondary;
    if (!rules.force) {
      for (const TagView& tag : instance.facts->exclusion_tags()) apart[tag].insert(instance.primary.position());
    }
    if (is_candidate(cluster, instance, any)) continue;
    kept.insert(instance.primary);
    if (has_secondary) kept.insert(instance.secondary);
  }
  std::size_t online = 0;
  for (const NodeIndex n : members.nodes) {
    const Node& node = cluster.node(n);
    if (node.offline) continue;
    ++online;
    if (node.facts->master) kept.insert(n);
    // (What is over a limit may stay so.)
    memory.push_back(static_cast<double>(
        std::max(node.unallocated_memory() + node.books.instance_memory, node.books.instance_memory)));
    if (node.books.n1_failed) reserved = 0.0;
    double local = 0.0;  // of the disks that are there
    for (const auto& list : {node.primaries, node.secondaries}) {
      for (const InstanceIndex i : list) {
        const InstanceFacts& facts = *cluster.instance(i).facts;
        if (facts.uses_local_storage()) local += static_cast<double>(facts.disk);
      }
    }
    disk.push_back(std::max(local, static_cast<double>(node.books.real.free_disk) + local));
    const std::int64_t most_vcpus = std::max(node.facts->max_vcpus, node.books.real.used_vcpus);
    const bool is_limited = !rules.force && node.facts->has_vcpu_limit();
    vcpus.push_back(is_limited ? static_cast<double>(most_vcpus) : used_vcpus);
  }
  // On k nodes, the memory of the instances that have a secondary can be needed on the k - 1 others: all together, they
  // reserve at least a (k - 1)th of it.
  const auto with_reserve = [&](std::size_t k) {
    return used_memory + (k > 1 ? reserved / static_cast<double>(k - 1) : 0.0);
  };
  std::size_t least =
      std::max({least_number(memory, with_reserve), least_number(disk, [&](std::size_t) { return used_disk; }),
                least_number(vcpus, [&](std::size_t) { return used_vcpus; }), kept.size()});
  if (!members.instances.empty()) least = std::max<std::size_t>(least, has_drbd ? 2 : 1);
  for (const auto& [tag, nodes] : apart) least = std::max(least, nodes.size());
  return std::min(least, online);
}

}  // namespace htools
