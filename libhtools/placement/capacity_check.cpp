#include "placement/capacity_check.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "cluster/admission.h"
#include "cluster/bookkeeping.h"
#include "metric/node_values.h"
#include "metric/replacement.h"
#include "placement/ranking.h"

namespace htools {

namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max() / 4;
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
      candidates.push_back({position, node_values(node, after), collisions_with(position, instance)});
      candidate_nodes.push_back(target);
      finite = finite && scores_.is_finite(candidates.back());
    }
    if (is_move && !finite) return candidate_nodes[last_not_beaten(candidates)];
    Ranking ranking(scores_, candidates);
    const auto best = ranking.next();
    return best ? std::optional(candidate_nodes[*best]) : std::nullopt;
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
  for (InstanceIndex i : occupants.drbd) {
    const NodeIndex secondary = cluster_.instance(i).secondary;
    if (!secondary.is_none()) taken_[secondary.position()] = 0;
  }
  fails_for_good_ = verdict == Verdict::Stuck;
  if (verdict != Verdict::Unclear) return verdict == Verdict::Vacatable;
  return vacate_step_by_step(n, occupants);
}

// Moving a drbd instance between its two nodes leaves their disks and spindles as they are: only memory is taken.
bool CapacityCheck::failover_possible(NodeIndex n, const Occupants& occupants, std::vector<std::int64_t>& taken) const {
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
    std::int64_t& memory = taken[instance.secondary.position()];
    memory += instance.used_memory();
    if (!migration_allowed(node, secondary) || secondary.unallocated_memory() - memory <= 0 ||
        !storage_left(secondary, false) || !storage_left(node, node.offline)) {
      return false;
    }
  }
  return true;
}

namespace {

// An instance that has to find a place, as far as the amount of room is concerned.
struct Item {
  std::int64_t memory = 0;
  std::int64_t disk = 0;  // 0 if it takes no local storage
  std::int64_t spindles = 0;
  bool local = false;
  bool known_spindles = false;
  bool migrates = false;
  std::array<bool, 2> allowed{true, true};  // by the policy, without and with exclusive storage

  bool same_room(const Item& other) const {
    return memory == other.memory && disk == other.disk && spindles == other.spindles && local == other.local &&
           known_spindles == other.known_spindles && migrates == other.migrates && allowed == other.allowed;
  }
};

struct Target {
  std::int64_t memory, disk, spindles;
  bool exclusive;
  bool reachable;  // by migration
};

bool may_go(const Item& item, const Target& target) {
  return item.allowed[target.exclusive] && (!item.migrates || target.reachable);
}

// How many items of at most the sizes of `largest` it takes until `item` does not fit on the target any more.
std::int64_t items_to_block(const Item& item, const Item& largest, const Target& target) {
  if (!may_go(item, target)) return 0;
  // `taken` each time from `room`, until no more than `short_of` is left
  const auto steps = [](std::int64_t room, std::int64_t short_of, std::int64_t taken) {
    if (room <= short_of) return std::int64_t{0};
    return taken <= 0 ? kUnlimited : (room - short_of + taken - 1) / taken;
  };
  std::int64_t count = steps(target.memory, item.memory, largest.memory);
  if (item.local) {
    count = std::min(count, steps(target.disk, item.disk, largest.disk));
    if (target.exclusive) {
      count = largest.known_spindles ? std::min(count, steps(target.spindles, item.spindles - 1, largest.spindles)) : 0;
    }
  }
  return count;
}

// How many items that are at least as large as `smallest` fit on the target at the most.
std::int64_t most_fitting(const Item& smallest, const Target& target) {
  const auto fitting = [](std::int64_t room, std::int64_t size) {
    if (room < 1) return std::int64_t{0};
    return size <= 0 ? kUnlimited : (room - 1) / size;
  };
  const std::int64_t by_memory = fitting(target.memory, smallest.memory);
  return smallest.local ? std::min(by_memory, fitting(target.disk, smallest.disk)) : by_memory;
}

// Sum over the targets, as far as it matters whether it reaches `enough`.
template <class Count>
bool reaches(const std::vector<Target>& targets, std::size_t enough, Count count) {
  std::int64_t sum = 0;
  for (const Target& target : targets) {
    sum = std::min(kUnlimited, sum + count(target));
    if (sum >= static_cast<std::int64_t>(enough)) return true;
  }
  return false;
}

Item largest_of(const std::vector<Item>& items) {
  Item largest;
  largest.known_spindles = true;
  for (const Item& item : items) {
    largest.memory = std::max(largest.memory, item.memory);
    largest.disk = std::max(largest.disk, item.disk);
    largest.spindles = std::max(largest.spindles, item.spindles);
    largest.known_spindles &= item.known_spindles;
  }
  return largest;
}

// Whatever targets the earlier items chose, there is one left for each.
bool all_certainly_fit(const std::vector<Item>& items, const std::vector<Target>& targets) {
  const Item largest = largest_of(items);
  for (std::size_t i = 0; i < items.size(); ++i) {
    // Of equal items the last one has the hardest task.
    if (i + 1 < items.size() && items[i].same_room(items[i + 1])) continue;
    const auto to_block = [&](const Target& t) { return items_to_block(items[i], largest, t); };
    if (!reaches(targets, i + 1, to_block)) return false;
  }
  return true;
}

// However the targets are chosen, some item finds none. Only for sizes that are not negative.
bool some_certainly_do_not_fit(std::vector<Item> items, const std::vector<Target>& targets) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0 && items[i].same_room(items[i - 1])) continue;
    Item alone = items[i];
    const auto fits = [&](const Target& t) { return std::min<std::int64_t>(1, items_to_block(alone, alone, t)); };
    if (!reaches(targets, 1, fits)) return true;
  }
  // The n largest ones are all at least as large as the n-th, in memory; a common disk size may limit them, too.
  std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.memory > b.memory; });
  Item smallest{.memory = kUnlimited, .disk = kUnlimited, .local = true};
  for (std::size_t i = 0; i < items.size(); ++i) {
    smallest.memory = std::min(smallest.memory, items[i].memory);
    smallest.disk = std::min(smallest.disk, items[i].disk);
    smallest.local &= items[i].local;
    if (i + 1 < items.size() && items[i].same_room(items[i + 1])) continue;
    if (!reaches(targets, i + 1, [&](const Target& t) { return most_fitting(smallest, t); })) return true;
  }
  return false;
}

}  // namespace

// Where the choices of targets do not matter, only the amounts, the answer is found without making the choices.
CapacityCheck::Verdict CapacityCheck::judge_by_room(NodeIndex n, const Occupants& occupants,
                                                    const std::vector<std::int64_t>& taken) const {
  const Node& node = cluster_.node(n);
  const InstancePolicy& policy = cluster_.group(node.group).policy;
  std::vector<Item> items;
  for (const auto* list : {&occupants.movable, &occupants.fixed}) {
    for (InstanceIndex i : *list) {
      const Instance& instance = cluster_.instance(i);
      const auto spindles = instance.total_spindles();
      Item item{.memory = instance.used_memory(),
                .spindles = spindles.value_or(0),
                .local = instance.uses_local_storage(),
                .known_spindles = spindles.has_value(),
                .migrates = list == &occupants.movable};
      if (item.local) item.disk = instance.disk;
      if (!item.migrates) {
        for (bool exclusive : {false, true}) item.allowed[exclusive] = !check_policy(instance, policy, exclusive);
      }
      items.push_back(item);
    }
  }
  std::vector<Target> targets;
  for (NodeIndex t : group_nodes_[node.group.position()]) {
    if (t == n) continue;
    const Node& target = cluster_.node(t);
    targets.push_back({target.unallocated_memory() - taken[t.position()], target.books.real.free_disk,
                       target.books.real.free_spindles, target.exclusive_storage, migration_allowed(node, target)});
  }
  if (all_certainly_fit(items, targets)) return Verdict::Vacatable;
  const bool negative_sizes = std::any_of(items.begin(), items.end(), [](const Item& item) {
    return item.memory < 0 || item.disk < 0 || item.spindles < 0;
  });
  return !negative_sizes && some_certainly_do_not_fit(std::move(items), targets) ? Verdict::Stuck : Verdict::Unclear;
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
    const auto target = Scope(cluster_, group).best_target(reachable, instance, true);
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
    const auto target = Scope(cluster_, nodes_).best_target(allowed, instance, false);
    if (!target) return false;
    add_primary(saved.change(*target), i, instance);
  }
  return true;
}

}  // namespace htools
