#include "placement/capacity_check.h"

#include <algorithm>
#include <utility>

#include "cluster/admission.h"
#include "cluster/bookkeeping.h"
#include "metric/node_values.h"
#include "metric/replacement.h"
#include "placement/ranking.h"
#include "placement/room.h"

namespace htools {

namespace {

constexpr AdmissionRules kHardLimits{.force = true};

// Nodes as they were before a step by step evacuation; puts them back.
class SavedNodes {
 public:
  explicit SavedNodes(Cluster& cluster) : cluster_(cluster) {}
  ~SavedNodes() {
    for (auto& [index, node] : saved_) cluster_.node(index) = std::move(node);
  }
  SavedNodes(const SavedNodes&) = delete;
  SavedNodes& operator=(const SavedNodes&) = delete;

  Node& change(NodeIndex index) {
    const auto known = [index](const auto& entry) { return entry.first == index; };
    if (std::none_of(saved_.begin(), saved_.end(), known)) saved_.emplace_back(index, cluster_.node(index));
    return cluster_.node(index);
  }

 private:
  Cluster& cluster_;
  std::vector<std::pair<NodeIndex, Node>> saved_;
};

// A set of nodes whose score decides where an instance goes.
class Scope {
 public:
  Scope(const Cluster& cluster, const std::vector<NodeIndex>& nodes)
      : nodes_(nodes), refs_(references(cluster, nodes)), scores_(refs_) {}

  // The node of `targets` (ascending) that gives the best score when it takes the instance. Equal: the last. Scores
  // that are not finite are compared one after the other for moves, and sorted for new places.
  std::optional<NodeIndex> best_target(const std::vector<NodeIndex>& targets, const Instance& instance,
                                       bool is_move) const {
    std::vector<ReplacementScores::Candidate> candidates;
    std::vector<NodeIndex> candidate_nodes;
    bool finite = true;
    std::size_t position = 0;
    for (NodeIndex target : targets) {
      while (nodes_[position] != target) ++position;
      const Node& node = refs_[position];
      const NodeBooks after = books_with_primary(node, instance);
      if (check_primary(node, after, instance, kHardLimits)) continue;
      candidates.push_back({{{position, node_values(node, after)}}, collisions_with(position, instance)});
      candidate_nodes.push_back(target);
      finite = finite && scores_.is_finite(candidates.back());
    }
    if (is_move && !finite) return candidate_nodes[last_not_beaten(candidates)];
    Ranking ranking(scores_, candidates);
    const auto best = ranking.next();
    return best ? std::optional(candidate_nodes[*best]) : std::nullopt;
  }

  // The node (one of the scope's) has taken an instance or lost one.
  void changed(NodeIndex node) {
    const auto at = std::lower_bound(nodes_.begin(), nodes_.end(), node);
    const auto position = static_cast<std::size_t>(at - nodes_.begin());
    scores_.replace({{{position, node_values(refs_[position])}}, pair_collisions(refs_)});
  }

 private:
  static NodeRefs references(const Cluster& cluster, const std::vector<NodeIndex>& nodes) {
    NodeRefs refs;
    refs.reserve(nodes.size());
    for (NodeIndex n : nodes) refs.push_back(cluster.node(n));
    return refs;
  }

  std::size_t last_not_beaten(const std::vector<ReplacementScores::Candidate>& candidates) const {
    std::vector<const ReplacementScores::Candidate*> all;
    for (const auto& candidate : candidates) all.push_back(&candidate);
    const std::vector<double> scores = scores_.exact(all);
    std::size_t best = 0;
    for (std::size_t c = 1; c < scores.size(); ++c) {
      if (!(scores[best] < scores[c])) best = c;
    }
    return best;
  }

  // Collisions of location and exclusion tags in the whole scope after the node at `position` took the instance.
  double collisions_with(std::size_t position, const Instance& instance) const {
    const Node& node = refs_[position];
    if (instance.exclusion_tags.empty() || node.location_tags.empty()) return scores_.pair_collisions();
    Node changed = node;
    add_primary(changed, InstanceIndex::none(), instance);
    NodeRefs refs = refs_;
    refs[position] = changed;
    return pair_collisions(refs);
  }

  const std::vector<NodeIndex>& nodes_;
  NodeRefs refs_;
  ReplacementScores scores_;
};

}  // namespace

// The real primaries of a node, newest first, by how they leave it.
struct CapacityCheck::Occupants {
  std::vector<InstanceIndex> drbd;
  std::vector<InstanceIndex> movable;
  std::vector<InstanceIndex> fixed;  // largest memory first
};

CapacityCheck::CapacityCheck(Cluster& cluster, std::vector<NodeIndex> nodes, Options options)
    : cluster_(cluster),
      nodes_(std::move(nodes)),
      options_(std::move(options)),
      group_nodes_(cluster.groups.size()),
      room_(cluster.groups.size()),
      taken_(cluster.nodes.size(), 0) {
  for (NodeIndex n : nodes_) group_nodes_[cluster.node(n).group.position()].push_back(n);
}

bool CapacityCheck::is_checked(const Node& node) const {
  if (options_.skip_offline && node.offline) return false;
  return options_.ignored_groups.empty() || !options_.ignored_groups[node.group.position()];
}

bool CapacityCheck::survives() {
  for (auto& targets : room_) targets.clear();
  if (last_stuck_ && !vacatable(*last_stuck_)) return false;
  for (NodeIndex n : nodes_) {
    if (!is_checked(cluster_.node(n)) || n == last_stuck_ || vacatable(n)) continue;
    last_stuck_ = n;
    return false;
  }
  return true;
}

CapacityCheck::Occupants CapacityCheck::occupants_of(NodeIndex n) const {
  Occupants occupants;
  const auto& primaries = cluster_.node(n).primaries;
  for (auto it = primaries.rbegin(); it != primaries.rend(); ++it) {
    const DiskTemplateFacts& f = facts(cluster_.instance(*it).disk_template);
    (f.has_secondary ? occupants.drbd : f.freely_movable ? occupants.movable : occupants.fixed).push_back(*it);
  }
  std::stable_sort(occupants.fixed.begin(), occupants.fixed.end(), [&](InstanceIndex a, InstanceIndex b) {
    return cluster_.instance(a).memory > cluster_.instance(b).memory;
  });
  return occupants;
}

bool CapacityCheck::vacatable(NodeIndex n) {
  if (cluster_.node(n).primaries.empty()) return true;
  const Occupants occupants = occupants_of(n);
  const bool failover = failover_possible(n, occupants);
  const Verdict verdict = failover ? judge_by_room(n, occupants) : Verdict::Stuck;
  for (InstanceIndex i : occupants.drbd) {
    const NodeIndex secondary = cluster_.instance(i).secondary;
    if (!secondary.is_none()) taken_[secondary.position()] = 0;
  }
  fails_for_good_ = verdict == Verdict::Stuck;
  if (verdict != Verdict::Unclear) return verdict == Verdict::Vacatable;
  return vacate_step_by_step(n, occupants);
}

// Moving a drbd instance between its two nodes leaves their disks and spindles as they are: only memory is taken.
bool CapacityCheck::failover_possible(NodeIndex n, const Occupants& occupants) {
  const Node& node = cluster_.node(n);
  for (InstanceIndex i : occupants.drbd) {
    const Instance& instance = cluster_.instance(i);
    if (instance.secondary.is_none()) return false;
    const Node& secondary = cluster_.node(instance.secondary);
    const bool spindles_known = instance.total_spindles().has_value();
    const auto storage_left = [&](const Node& side, bool ignore_disk) {
      if (!ignore_disk && side.books.real.free_disk <= 0) return false;
      return !side.exclusive_storage || (spindles_known && side.books.real.free_spindles >= 0);
    };
    std::int64_t& memory = taken_[instance.secondary.position()];
    memory += instance.used_memory();
    if (!migration_allowed(node, secondary) || secondary.unallocated_memory() - memory <= 0 ||
        !storage_left(secondary, false) || !storage_left(node, node.offline)) {
      return false;
    }
  }
  return true;
}

// Where the choices of targets do not matter, only the amounts, the answer is found without making the choices.
CapacityCheck::Verdict CapacityCheck::judge_by_room(NodeIndex n, const Occupants& occupants) {
  const Node& node = cluster_.node(n);
  const InstancePolicy& policy = cluster_.group(node.group).policy;
  std::vector<RoomItem> items;
  for (const auto* list : {&occupants.movable, &occupants.fixed}) {
    for (InstanceIndex i : *list) {
      RoomItem item = room_item(cluster_.instance(i));
      item.migrates = list == &occupants.movable;
      if (!item.migrates) {
        for (bool exclusive : {false, true})
          item.allowed[exclusive] = !check_policy(cluster_.instance(i), policy, exclusive);
      }
      items.push_back(item);
    }
  }
  if (items.empty()) return Verdict::Vacatable;

  const std::vector<NodeIndex>& group = group_nodes_[node.group.position()];
  std::vector<RoomTarget>& all_targets = room_[node.group.position()];
  if (all_targets.empty()) {
    for (NodeIndex t : group) all_targets.push_back(room_target(cluster_.node(t)));
  }
  const auto self = static_cast<std::size_t>(std::lower_bound(group.begin(), group.end(), n) - group.begin());
  // What holds for this node only: no place at the node itself, memory taken by failovers, migration.
  std::vector<std::pair<std::size_t, RoomTarget>> originals{{self, all_targets[self]}};
  all_targets[self] = RoomTarget{};
  if (!occupants.drbd.empty() || !node.migration_tags.empty()) {
    for (std::size_t t = 0; t < group.size(); ++t) {
      if (t == self) continue;
      originals.emplace_back(t, all_targets[t]);
      all_targets[t].memory -= taken_[group[t].position()];
      all_targets[t].reachable = migration_allowed(node, cluster_.node(group[t]));
    }
  }
  Verdict verdict = Verdict::Unclear;
  if (all_certainly_fit(items, all_targets)) {
    verdict = Verdict::Vacatable;
  } else if (some_certainly_do_not_fit(std::move(items), all_targets)) {
    verdict = Verdict::Stuck;
  }
  for (const auto& [place, target] : originals) all_targets[place] = target;
  return verdict;
}

bool CapacityCheck::vacate_step_by_step(NodeIndex n, const Occupants& occupants) {
  SavedNodes saved(cluster_);
  for (InstanceIndex i : occupants.drbd) {  // known to be possible
    const Instance& instance = cluster_.instance(i);
    Node& secondary = saved.change(instance.secondary);
    Node& node = saved.change(n);
    remove_secondary(secondary, i, instance, n);
    remove_primary(node, i, instance);
    add_primary(secondary, i, instance);
    add_secondary(node, i, instance, instance.secondary);
  }

  const std::vector<NodeIndex>& group = group_nodes_[cluster_.node(n).group.position()];
  std::vector<NodeIndex> escapes, reachable;
  for (NodeIndex t : group) {
    if (t == n) continue;
    escapes.push_back(t);
    if (migration_allowed(cluster_.node(n), cluster_.node(t))) reachable.push_back(t);
  }
  if (!occupants.movable.empty()) {
    Scope scope(cluster_, group);
    for (InstanceIndex i : occupants.movable) {
      const Instance& instance = cluster_.instance(i);
      remove_primary(saved.change(n), i, instance);
      scope.changed(n);
      const auto target = scope.best_target(reachable, instance, true);
      if (!target) return false;
      add_primary(saved.change(*target), i, instance);
      scope.changed(*target);
    }
  }
  if (!occupants.fixed.empty()) {
    Scope scope(cluster_, nodes_);
    for (InstanceIndex i : occupants.fixed) {
      const Instance& instance = cluster_.instance(i);
      std::vector<NodeIndex> allowed;
      for (NodeIndex t : escapes) {
        const Node& target = cluster_.node(t);
        if (!check_policy(instance, cluster_.group(target.group).policy, target.exclusive_storage))
          allowed.push_back(t);
      }
      const auto target = scope.best_target(allowed, instance, false);
      if (!target) return false;
      add_primary(saved.change(*target), i, instance);
      scope.changed(*target);
    }
  }
  return true;
}

}  // namespace htools
