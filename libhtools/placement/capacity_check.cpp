#include "placement/capacity_check.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "cluster/admission.h"
#include "cluster/bookkeeping.h"
#include "metric/node_values.h"
#include "metric/replacement.h"
#include "placement/ranking.h"

namespace htools {

namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max() / 4;
constexpr AdmissionRules kHardLimits{.force = true};

// How many instances of one size find room: each takes `size` of `room`, and more than `rest` must be left.
std::int64_t fitting(std::int64_t room, std::int64_t size, std::int64_t rest) {
  const std::int64_t usable = room - rest;
  if (usable < 0) return 0;
  return size <= 0 ? kUnlimited : usable / size;
}

// Memory, disk and spindles of instances that have to find a place, taken together.
struct Sizes {
  std::int64_t memory = 0;
  std::int64_t disk = 0;
  std::int64_t spindles = 0;
};

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
  Scope(const Cluster& cluster, const std::vector<NodeIndex>& nodes) : nodes_(nodes), refs_(references(cluster, nodes)), scores_(refs_) {}

  // The node of `targets` (ascending) that gives the best score when it takes the instance. Equal: the last.
  std::optional<NodeIndex> best_target(const std::vector<NodeIndex>& targets, const Instance& instance) const {
    std::vector<ReplacementScores::Candidate> candidates;
    std::vector<NodeIndex> candidate_nodes;
    std::size_t position = 0;
    for (NodeIndex target : targets) {
      while (nodes_[position] != target) ++position;
      const Node& node = refs_[position];
      const NodeBooks after = books_with_primary(node, instance);
      if (check_primary(node, after, instance, kHardLimits)) continue;
      candidates.push_back({position, node_values(node, after), collisions_with(position, instance)});
      candidate_nodes.push_back(target);
    }
    Ranking ranking(scores_, candidates);
    const auto best = ranking.next();
    return best ? std::optional(candidate_nodes[*best]) : std::nullopt;
  }

 private:
  static NodeRefs references(const Cluster& cluster, const std::vector<NodeIndex>& nodes) {
    NodeRefs refs;
    for (NodeIndex n : nodes) refs.push_back(cluster.node(n));
    return refs;
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
      taken_(cluster.nodes.size(), 0) {
  for (NodeIndex n : nodes_) group_nodes_[cluster.node(n).group.position()].push_back(n);
}

bool CapacityCheck::is_checked(const Node& node) const {
  if (options_.skip_offline && node.offline) return false;
  return options_.ignored_groups.empty() || !options_.ignored_groups[node.group.position()];
}

bool CapacityCheck::survives() {
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
  const bool failover = failover_possible(n, occupants, taken_);
  const Verdict verdict = failover ? judge_by_room(n, occupants, taken_) : Verdict::Stuck;
  for (InstanceIndex i : occupants.drbd) taken_[cluster_.instance(i).secondary.position()] = 0;
  fails_for_good_ = verdict == Verdict::Stuck;
  if (verdict != Verdict::Unclear) return verdict == Verdict::Vacatable;
  return vacate_step_by_step(n, occupants);
}

// Moving a drbd instance between its two nodes leaves their disks and spindles as they are: only memory is taken.
bool CapacityCheck::failover_possible(NodeIndex n, const Occupants& occupants, std::vector<std::int64_t>& taken) const {
  const Node& node = cluster_.node(n);
  for (InstanceIndex i : occupants.drbd) {
    const Instance& instance = cluster_.instance(i);
    if (instance.secondary.is_none() || !std::binary_search(nodes_.begin(), nodes_.end(), instance.secondary)) {
      throw InputError(fmt::format("the failover of instance {} cannot be checked: its secondary node is {}", instance.name,
                                   instance.secondary.is_none() ? "not set" : "in another node group"));
    }
  }
  for (InstanceIndex i : occupants.drbd) {
    const Instance& instance = cluster_.instance(i);
    const Node& secondary = cluster_.node(instance.secondary);
    const bool spindles_known = instance.total_spindles().has_value();
    const auto storage_left = [&](const Node& side, bool ignore_disk) {
      if (!ignore_disk && side.books.real.free_disk <= 0) return false;
      return !side.exclusive_storage || (spindles_known && side.books.real.free_spindles >= 0);
    };
    std::int64_t& memory = taken[instance.secondary.position()];
    memory += instance.used_memory();
    if (!migration_allowed(node, secondary) || secondary.unallocated_memory() - memory <= 0 ||
        !storage_left(secondary, false) || !storage_left(node, node.offline)) {
      return false;
    }
  }
  return true;
}

// Where only the amounts matter, not the choices: if even instances as large as the largest of each kind all find room, any
// sequence of choices succeeds; if instances as small as the smallest do not, or one finds no room at all, none does.
CapacityCheck::Verdict CapacityCheck::judge_by_room(NodeIndex n, const Occupants& occupants,
                                                    const std::vector<std::int64_t>& taken) const {
  const auto count = static_cast<std::int64_t>(occupants.movable.size() + occupants.fixed.size());
  if (count == 0) return Verdict::Vacatable;

  struct Item {
    const Instance* instance;
    Sizes size;
    bool local;
    bool known_spindles;
    bool allowed[2];  // by the policy, without and with exclusive storage
  };
  const InstancePolicy& policy = cluster_.group(cluster_.node(n).group).policy;
  std::vector<Item> items;
  for (const auto* list : {&occupants.movable, &occupants.fixed}) {
    for (InstanceIndex i : *list) {
      const Instance& instance = cluster_.instance(i);
      const bool local = instance.uses_local_storage();
      const auto spindles = instance.total_spindles();
      Item item{&instance,  {instance.used_memory(), local ? instance.disk : 0, spindles.value_or(0)},
                local, spindles.has_value(), {true, true}};
      if (list == &occupants.fixed) {
        for (bool exclusive : {false, true}) item.allowed[exclusive] = !check_policy(instance, policy, exclusive);
      }
      items.push_back(item);
    }
  }

  Sizes largest, smallest{kUnlimited, kUnlimited, kUnlimited};
  bool any_local = false, all_local = true, all_known = true, all_positive = true;
  bool all_allowed[2] = {true, true};
  for (const Item& item : items) {
    largest.memory = std::max(largest.memory, item.size.memory);
    largest.disk = std::max(largest.disk, item.size.disk);
    largest.spindles = std::max(largest.spindles, item.size.spindles);
    smallest.memory = std::min(smallest.memory, item.size.memory);
    smallest.disk = std::min(smallest.disk, item.size.disk);
    any_local |= item.local, all_local &= item.local, all_known &= item.known_spindles;
    all_positive &= item.size.memory >= 0 && item.size.disk >= 0 && item.size.spindles >= 0;
    for (int exclusive : {0, 1}) all_allowed[exclusive] &= item.allowed[exclusive];
  }

  std::int64_t room_for_largest = 0, room_for_smallest = 0;
  std::vector<bool> finds_room(items.size(), false);
  for (NodeIndex t : group_nodes_[cluster_.node(n).group.position()]) {
    if (t == n) continue;
    const Node& target = cluster_.node(t);
    const bool reachable = occupants.movable.empty() || migration_allowed(cluster_.node(n), target);
    const std::int64_t memory = target.unallocated_memory() - taken[t.position()];
    const std::int64_t disk = target.books.real.free_disk;
    const std::int64_t spindles = target.books.real.free_spindles;

    if (reachable && all_allowed[target.exclusive_storage]) {
      std::int64_t places = fitting(memory, largest.memory, 1);
      if (any_local) places = std::min(places, fitting(disk, largest.disk, 1));
      if (any_local && target.exclusive_storage) {
        places = all_known ? std::min(places, fitting(spindles, largest.spindles, 0)) : 0;
      }
      room_for_largest = std::min(kUnlimited, room_for_largest + places);
      if (room_for_largest >= count) return Verdict::Vacatable;
    }
    std::int64_t places = fitting(memory, smallest.memory, 1);
    if (all_local) places = std::min(places, fitting(disk, smallest.disk, 1));
    room_for_smallest = std::min(kUnlimited, room_for_smallest + places);
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (finds_room[i] || !items[i].allowed[target.exclusive_storage]) continue;
      if (i < occupants.movable.size() && !reachable) continue;
      bool fits = memory - items[i].size.memory > 0;
      if (items[i].local) {
        fits = fits && disk - items[i].size.disk > 0;
        if (target.exclusive_storage) {
          fits = fits && items[i].known_spindles && spindles - items[i].size.spindles >= 0;
        }
      }
      finds_room[i] = fits;
    }
  }
  if (!all_positive) return Verdict::Unclear;
  const bool all_find_room = std::find(finds_room.begin(), finds_room.end(), false) == finds_room.end();
  return room_for_smallest < count || !all_find_room ? Verdict::Stuck : Verdict::Unclear;
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
  for (InstanceIndex i : occupants.movable) {
    const Instance& instance = cluster_.instance(i);
    remove_primary(saved.change(n), i, instance);
    const auto target = Scope(cluster_, group).best_target(reachable, instance);
    if (!target) return false;
    add_primary(saved.change(*target), i, instance);
  }
  for (InstanceIndex i : occupants.fixed) {
    const Instance& instance = cluster_.instance(i);
    std::vector<NodeIndex> allowed;
    for (NodeIndex t : escapes) {
      const Node& target = cluster_.node(t);
      if (!check_policy(instance, cluster_.group(target.group).policy, target.exclusive_storage)) allowed.push_back(t);
    }
    const auto target = Scope(cluster_, nodes_).best_target(allowed, instance);
    if (!target) return false;
    add_primary(saved.change(*target), i, instance);
  }
  return true;
}

}  // namespace htools
