#include "search/model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "balance/move_generation.h"
#include "cluster/bookkeeping.h"
#include "cluster/mobility.h"
#include "htools/score.h"
#include "metric/node_values.h"
#include "plan/paths.h"
#include "rules/rule_check.h"

namespace htools {
namespace {

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max() / 4;

// With more pairs of a location tag and an exclusion tag than these, nothing is searched. (They take 8 bytes each.)
constexpr std::size_t kMostTagPairs = 10'000'000;

// A component of the score that is a column: its value on a node changes by slope(node) * amount(instance).
struct ColumnFacts {
  Component component;
  double (*slope)(const NodeFacts&);
  double (*as_primary)(const InstanceFacts&);
  double (*as_secondary)(const InstanceFacts&);
};

double nothing(const InstanceFacts&) { return 0.0; }
double one(const NodeFacts&) { return 1.0; }
double memory_slope(const NodeFacts& n) { return -1.0 / n.total_memory; }
double disk_slope(const NodeFacts& n) {
  if (n.exclusive_storage) return n.spindles == 0 ? 0.0 : -1.0 / static_cast<double>(n.spindles);
  return n.total_disk == 0 ? 0.0 : -1.0 / n.total_disk;
}
double disk_share(const NodeFacts& n) { return n.exclusive_storage || n.total_disk == 0 ? 0.0 : 1.0 / n.total_disk; }
double vcpu_slope(const NodeFacts& n) { return 1.0 / n.total_cpus / n.cpu_speed; }
double spindle_slope(const NodeFacts& n) { return n.exclusive_storage ? 0.0 : 1.0 / n.max_instance_spindles; }
double used_memory(const InstanceFacts& i) { return static_cast<double>(i.used_memory()); }
double memory(const InstanceFacts& i) { return static_cast<double>(i.memory); }
double disk(const InstanceFacts& i) { return i.uses_local_storage() ? static_cast<double>(i.disk) : 0.0; }
// Nodes with exclusive storage count spindles in place of disk.
double spindles(const InstanceFacts& i) { return static_cast<double>(i.total_spindles().value_or(0)); }
double vcpus(const InstanceFacts& i) { return static_cast<double>(i.counted_vcpus()); }
double spindle_use(const InstanceFacts& i) { return i.uses_local_storage() ? static_cast<double>(i.spindle_use) : 0.0; }
double cpu_load(const InstanceFacts& i) { return i.utilisation.cpu; }
double memory_load(const InstanceFacts& i) { return i.utilisation.memory; }
double disk_load(const InstanceFacts& i) { return i.utilisation.disk; }
double network_load(const InstanceFacts& i) { return i.utilisation.network; }

constexpr std::array<ColumnFacts, kMaxColumns> kColumns{{
    {Component::FreeMemory, memory_slope, used_memory, nothing},
    {Component::FreeDisk, disk_slope, disk, disk},
    {Component::VcpuRatio, vcpu_slope, vcpus, nothing},
    {Component::CpuLoad, one, cpu_load, nothing},
    {Component::MemoryLoad, one, memory_load, nothing},
    {Component::DiskLoad, one, disk_load, disk_load},
    {Component::NetworkLoad, one, network_load, nothing},
    {Component::Spindles, spindle_slope, spindle_use, spindle_use},
    {Component::FreeMemoryForthcoming, memory_slope, memory, nothing},
    {Component::FreeDiskForthcoming, disk_slope, disk, disk},
    {Component::VcpuRatioForthcoming, vcpu_slope, vcpus, nothing},
    {Component::SpindlesForthcoming, spindle_slope, spindle_use, spindle_use},
}};

// A column of the model before equal ones are merged.
struct RawColumn {
  double weight = 0.0;
  std::vector<double> values = {}, slopes = {};            // by node
  std::vector<double> as_primary = {}, as_secondary = {};  // by instance
  bool operator==(const RawColumn& other) const {
    if (slopes != other.slopes || as_primary != other.as_primary || as_secondary != other.as_secondary) return false;
    // Values that come from different sums may differ in their last digits.
    for (std::size_t n = 0; n < values.size(); ++n) {
      if (!(std::abs(values[n] - other.values[n]) <= 1e-11)) return false;
    }
    return true;
  }
  bool is_constant() const {
    const auto is_zero = [](double v) { return v == 0.0; };
    return std::all_of(as_primary.begin(), as_primary.end(), is_zero) &&
           std::all_of(as_secondary.begin(), as_secondary.end(), is_zero);
  }
};

// Numbers equal keys, from 0.
template <class Key>
class Numbering {
 public:
  std::size_t number(const Key& key) { return numbers_.try_emplace(key, numbers_.size()).first->second; }
  std::size_t size() const { return numbers_.size(); }

 private:
  std::map<Key, std::size_t> numbers_;
};

// Returns how many vcpus may be added before the ratio is above the limit.
std::int64_t vcpus_left(const NodeFacts& node, std::int64_t used) {
  const double limit = node.vcpu_ratio_limit;
  if (limit < 0 || node.total_cpus < 0) return kNoLimit;
  const auto is_allowed = [&](std::int64_t n) { return !(limit < static_cast<double>(n) / node.total_cpus); };
  const double product = limit * node.total_cpus;
  if (!(std::abs(product) < 1e15)) return kNoLimit;
  auto most = static_cast<std::int64_t>(product);
  while (is_allowed(most + 1)) ++most;
  while (!is_allowed(most) && most > -1) --most;
  return most - used;
}

std::int64_t disk_left(const NodeFacts& node, std::int64_t free, bool force) {
  return force ? free - 1 : std::min(free - 1, free - node.min_free_disk);
}

std::int64_t spindle_use_left(const NodeFacts& node, double in_use) {
  const double left = std::floor(node.max_instance_spindles - in_use);
  return std::abs(left) < 1e15 ? static_cast<std::int64_t>(left) : kNoLimit;
}

// Returns the stricter one of the limits with and without forthcoming instances; if soft checks are left out, those
// without.
Amounts amounts_left(const Node& node, bool force) {
  const NodeBooks& b = node.books;
  const NodeFacts& facts = *node.facts;
  const auto set = [](Amounts& amounts, CapacityLimit limit, std::int64_t value) {
    amounts[static_cast<std::size_t>(limit)] = value;
  };
  Amounts left;
  left.fill(kNoLimit);
  set(left, CapacityLimit::Memory, node.unallocated_memory() - 1);
  set(left, CapacityLimit::Disk, disk_left(facts, b.real.free_disk, force));
  if (facts.exclusive_storage) set(left, CapacityLimit::Spindles, b.real.free_spindles);
  if (force) return left;
  set(left, CapacityLimit::ForthcomingMemory, b.forthcoming_free_memory - 1);
  set(left, CapacityLimit::Disk,
      std::min(left[static_cast<std::size_t>(CapacityLimit::Disk)], disk_left(facts, b.forthcoming.free_disk, force)));
  set(left, CapacityLimit::Vcpus,
      std::min(vcpus_left(facts, b.real.used_vcpus), vcpus_left(facts, b.forthcoming.used_vcpus)));
  if (facts.exclusive_storage) {
    set(left, CapacityLimit::Spindles, std::min(b.real.free_spindles, b.forthcoming.free_spindles));
  } else {
    set(left, CapacityLimit::SpindleUse,
        std::min(spindle_use_left(facts, b.real.instance_spindles),
                 spindle_use_left(facts, b.forthcoming.instance_spindles)));
  }
  return left;
}

void add_count(std::vector<SlotCount>& counts, Slot number, std::int64_t count) {
  const auto it = std::find_if(counts.begin(), counts.end(), [&](const SlotCount& c) { return c.number == number; });
  if (it == counts.end()) {
    counts.push_back({number, count});
  } else {
    it->count += count;
  }
}

bool is_known(double value) { return std::isfinite(value); }

}  // namespace

PlacementModel::PlacementModel(const Cluster& cluster, const GroupMembers& members, const MoveRules& rules,
                               const Wishes& wishes)
    : cluster_(cluster),
      rules_(rules),
      wishes_(wishes),
      has_bands_(wishes.has_limits()),
      bands_(bands_of(cluster, members, wishes)),
      slot_of_node_(cluster.nodes.size(), kNoSlot),
      slot_of_instance_(cluster.instances.size(), kNoSlot) {
  add_nodes(cluster, members);
  add_instances(cluster, members);
  is_useful_ = !instances_.empty() && online_.size() > 1;
  // Nodes that count spindles differently have no common columns.
  const bool exclusive = is_useful_ && cluster.node(nodes_[online_.front()].index).facts->exclusive_storage;
  for (const ModelNode& node : nodes_) {
    is_useful_ = is_useful_ && cluster.node(node.index).facts->exclusive_storage == exclusive;
  }
  if (!is_useful_) return;
  add_columns(cluster);
  add_start(cluster);
}

void PlacementModel::add_nodes(const Cluster& cluster, const GroupMembers& members) {
  using Tags = std::vector<std::string>;
  Numbering<std::pair<Tags, Tags>> migration;
  Numbering<Tags> locations;
  Numbering<std::string> location_tags;
  std::vector<const Node*> of_migration, of_location;
  for (const NodeIndex n : members.nodes) {
    const Node& node = cluster.node(n);
    slot_of_node_[n.position()] = static_cast<Slot>(nodes_.size());
    ModelNode& added = nodes_.emplace_back();
    added.index = n;
    added.online = !node.offline;
    added.receives = receives(node);
    added.is_down = is_down(node);
    added.is_emptied = std::find(wishes_.emptied.begin(), wishes_.emptied.end(), n) != wishes_.emptied.end();
    if (added.online) online_.push_back(slot_of_node_[n.position()]);
    added.left = amounts_left(node, rules_.force);
    added.fails_n1 = node.books.n1_failed;
    added.memory_slope = 1.0 / node.facts->total_memory;
    added.used = used_shares(node);
    added.shares = {added.memory_slope, disk_share(*node.facts), 1.0 / node.facts->total_cpus};
    added.free_memory = node.unallocated_memory();
    added.migration_class =
        migration.number({node.facts->migration_tags.tags(), node.facts->receivable_migration_tags.tags()});
    if (added.migration_class == of_migration.size()) of_migration.push_back(&node);
    added.location_class = locations.number(node.facts->location_tags.tags());
    if (added.location_class == of_location.size()) of_location.push_back(&node);
    for (const std::string& tag : node.facts->location_tags.tags()) {
      added.location_tags.push_back(static_cast<Slot>(location_tags.number(tag)));
    }
  }
  migration_classes_ = of_migration.size();
  for (const Node* from : of_migration) {
    for (const Node* to : of_migration) may_migrate_.push_back(static_cast<char>(migration_allowed(*from, *to)));
  }
  location_classes_ = of_location.size();
  location_tag_count_ = location_tags.size();
  has_locations_ = location_tag_count_ > 0;
  for (const Node* a : of_location) {
    for (const Node* b : of_location) {
      shared_locations_.push_back(a->facts->location_tags.common_with(b->facts->location_tags));
    }
  }
}

void PlacementModel::add_instances(const Cluster& cluster, const GroupMembers& members) {
  Numbering<std::vector<std::string>> desires;
  Numbering<std::string> exclusion_tags;
  for (const InstanceIndex i : members.instances) {
    const Instance& instance = cluster.instance(i);
    const InstanceFacts& facts = *instance.facts;
    // Numbers of tags are needed for all instances.
    std::vector<Slot> tags;
    for (const TagView& tag : facts.exclusion_tags()) tags.push_back(static_cast<Slot>(exclusion_tags.number(tag)));
    if (!is_candidate(cluster, instance, rules_) || facts.forthcoming) continue;
    const MoveKinds kinds = move_kinds(cluster, instance, rules_);
    if (!kinds.failover && kinds.per_target.empty()) continue;
    const bool has_secondary = facts.has_secondary();
    const SlotPair home{slot_of_node_[instance.primary.position()],
                        has_secondary ? slot_of_node_[instance.secondary.position()] : kNoSlot};
    if (has_secondary && (home.secondary == kNoSlot || home.secondary == home.primary)) continue;
    const std::optional<std::int64_t> spindle_count = facts.total_spindles();
    if (!spindle_count && cluster.node(instance.primary).facts->exclusive_storage) continue;
    slot_of_instance_[i.position()] = static_cast<Slot>(instances_.size());
    ModelInstance& added = instances_.emplace_back();
    added.index = i;
    added.home = home;
    added.has_secondary = has_secondary;
    added.stores_locally = facts.uses_local_storage();
    const bool may_break_rules = members.nodes.size() <= kHandful;
    added.is_source_dead = !rules_.dead_disks && is_down(cluster.node(instance.primary));
    added.has_lost_primary = may_break_rules && is_down(cluster.node(instance.primary));
    added.has_lost_secondary = may_break_rules && has_secondary && is_down(cluster.node(instance.secondary));
    has_lost_nodes_ = has_lost_nodes_ || added.has_lost_primary || added.has_lost_secondary;
    const std::int64_t disk_need = facts.uses_local_storage() ? facts.disk : 0;
    const std::int64_t spindle_use = facts.uses_local_storage() ? facts.spindle_use : 0;
    const std::int64_t spindle_need = spindle_count.value_or(0);  // where they are counted, they always are
    added.primary_need = {facts.used_memory(),   facts.memory, disk_need,
                          facts.counted_vcpus(), spindle_use,  spindle_need};
    added.secondary_need = {0, 0, disk_need, 0, spindle_use, spindle_need};
    added.reserved = facts.secondary_memory();
    added.disk = facts.disk;
    added.copied = facts.moves_with_disks() ? facts.disk : 0;
    const bool is_live = mobility_of(facts, !nodes_[home.primary].online) == Mobility::Live;
    added.migrated = is_live ? facts.memory : 0;
    added.location_score = instance.location_score;
    if (has_secondary) {
      const Placement now = placement_of(instance);
      const Move failover{MoveKind::Failover, NodeIndex::none()};
      added.may_fail_over = is_allowed(cluster, {i, failover, now, placement_after(now, failover), 0.0}, rules_.force);
    }
    added.exclusion_tags = std::move(tags);
    add_rules(cluster, added);
    added.desire_class = desires.number(facts.desired_location_tags.tags());
    if (added.desire_class * location_classes_ == missed_locations_.size()) {
      std::vector<std::int64_t> misses(location_classes_, 0);
      for (const ModelNode& node : nodes_) {
        misses[node.location_class] = desired_location_misses(cluster.node(node.index), instance);
      }
      missed_locations_.insert(missed_locations_.end(), misses.begin(), misses.end());
    }
    has_locations_ = has_locations_ || !facts.desired_location_tags.empty();
    if (has_secondary || added.copied > 0) largest_disk_ = std::max(largest_disk_, facts.disk);
  }
  exclusion_tag_count_ = exclusion_tags.size();
  // The start has the tags of all primaries, whether they move or not.
  start_.exclusion_tags.resize(nodes_.size());
  if (location_tag_count_ * exclusion_tag_count_ > kMostTagPairs) {
    instances_.clear();
    return;
  }
  start_.tag_pairs.resize(location_tag_count_ * exclusion_tag_count_);
  for (const InstanceIndex i : members.instances) {
    const Instance& instance = cluster.instance(i);
    const Slot primary = slot_of_node_[instance.primary.position()];
    for (const TagView& name : instance.facts->exclusion_tags()) {
      const auto tag = static_cast<Slot>(exclusion_tags.number(name));
      add_count(start_.exclusion_tags[primary], tag, 1);
      if (instance.facts->forthcoming || !nodes_[primary].online) continue;
      for (const Slot location : nodes_[primary].location_tags) {
        ++start_.tag_pairs[static_cast<std::size_t>(location) * exclusion_tag_count_ + tag];
      }
    }
  }
}

void PlacementModel::add_rules(const Cluster& cluster, ModelInstance& instance) {
  if (!cluster.rule_book) return;
  for (const std::uint32_t number : cluster.rule_book->binding(instance.index)) {
    instance.is_ruled = true;
    const ResolvedRule& rule = cluster.rule_book->rule(number);
    if (!speaks_of_places(rule)) continue;
    const auto known = std::ranges::find(place_rules_, &rule);
    instance.place_rules.push_back(static_cast<Slot>(known - place_rules_.begin()));
    if (known == place_rules_.end()) place_rules_.push_back(&rule);
  }
}

void PlacementModel::add_columns(const Cluster& cluster) {
  std::vector<RawColumn> columns;
  const auto online = static_cast<double>(online_.size());
  const bool exclusive = cluster.node(nodes_.front().index).facts->exclusive_storage;
  std::vector<ComponentValues> values;
  for (const ModelNode& node : nodes_) values.push_back(node_values(cluster.node(node.index)));
  for (const ColumnFacts& facts : kColumns) {
    RawColumn column{.weight = weight(facts.component)};
    double mean = 0.0;
    for (const Slot n : online_) mean += values[n][facts.component];
    mean /= online;
    double variance = 0.0;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const bool counts = nodes_[n].online;
      column.values.push_back(counts ? values[n][facts.component] - mean : 0.0);
      column.slopes.push_back(counts ? facts.slope(*cluster.node(nodes_[n].index).facts) : 0.0);
      variance += column.values.back() * column.values.back();
    }
    const auto of_storage = [&](auto amount) { return exclusive && amount == disk ? spindles : amount; };
    for (const ModelInstance& instance : instances_) {
      const InstanceFacts& f = *cluster.instance(instance.index).facts;
      column.as_primary.push_back(of_storage(facts.as_primary)(f));
      column.as_secondary.push_back(instance.has_secondary ? of_storage(facts.as_secondary)(f) : 0.0);
    }
    if (column.is_constant()) {
      constant_score_ += column.weight * std::sqrt(variance / online);
      continue;
    }
    is_useful_ = is_useful_ && std::all_of(column.slopes.begin(), column.slopes.end(), is_known);
    const auto equal = std::find(columns.begin(), columns.end(), column);
    if (equal != columns.end()) {
      equal->weight += column.weight;
    } else {
      columns.push_back(std::move(column));
    }
  }
  is_useful_ = is_useful_ && is_known(constant_score_);
  column_count_ = columns.size();
  for (std::size_t k = 0; k < columns.size(); ++k) {
    weights_[k] = columns[k].weight;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      nodes_[n].values[k] = columns[k].values[n];
      nodes_[n].slopes[k] = columns[k].slopes[n];
      is_useful_ = is_useful_ && is_known(columns[k].values[n]);
    }
    for (std::size_t i = 0; i < instances_.size(); ++i) {
      instances_[i].as_primary[k] = columns[k].as_primary[i];
      instances_[i].as_secondary[k] = columns[k].as_secondary[i];
      is_useful_ = is_useful_ && is_known(columns[k].as_primary[i]) && is_known(columns[k].as_secondary[i]);
    }
  }
}

void PlacementModel::add_start(const Cluster& cluster) {
  start_.peers.resize(nodes_.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Node& node = cluster.node(nodes_[n].index);
    for (const PeerMap::Entry& entry : node.peers.entries()) {
      const Slot primary = slot_of_node_[entry.primary.position()];
      // Instances of other groups do not move; each of their nodes has a number of its own.
      const Slot number = primary != kNoSlot ? primary : static_cast<Slot>(nodes_.size() + entry.primary.position());
      start_.peers[n].push_back({number, entry.memory});
    }
    start_.instances.push_back(node.books.primary_count + node.books.secondary_count);
    is_useful_ = is_useful_ && is_known(nodes_[n].memory_slope);
    if (node.offline) {
      start_.offline_all += start_.instances.back();
      start_.offline_primaries += node.books.primary_count;
      continue;
    }
    start_.tag_conflicts += node.books.tag_conflicts;
    start_.location_score += node.books.location_score;
  }
}

bool PlacementModel::is_reachable(const ModelInstance& instance, SlotPair to) const {
  const SlotPair& home = instance.home;
  if (to == home) return true;
  if (instance.is_ruled && is_forbidden(cluster_, instance.index, placement(home), placement(to))) return false;
  if (!nodes_[to.primary].receives && to.primary != home.primary && to.primary != home.secondary) return false;
  if (!instance.has_secondary) return rules_.instance_moves && may_migrate(home.primary, to.primary);
  if (to.primary == to.secondary) return false;
  if (!nodes_[to.secondary].receives && to.secondary != home.secondary &&
      !(to.secondary == home.primary && (to.primary == home.secondary || nodes_[to.secondary].online))) {
    return false;
  }
  // A cordoned node takes over only from one that is down.
  const bool secondary_online = nodes_[home.secondary].online &&
                                (nodes_[home.secondary].receives || nodes_[home.primary].is_down || rules_.force);
  const bool is_restricted = rules_.restricted_migration && nodes_[home.primary].online;
  if (to.primary == home.primary) return rules_.disk_moves && !instance.is_source_dead;
  if (!rules_.instance_moves) return false;
  const bool may_fail_over = secondary_online && may_migrate(home.primary, home.secondary);
  if (to.primary == home.secondary) {
    return may_fail_over && (to.secondary == home.primary || (rules_.disk_moves && !is_restricted));
  }
  if (!rules_.disk_moves || is_restricted || (instance.is_source_dead && !may_fail_over)) return false;
  if (to.secondary == home.primary) return !instance.is_source_dead && may_migrate(home.primary, to.primary);
  if (to.secondary == home.secondary) {
    return may_fail_over && !rules_.restricted_migration && may_migrate(home.secondary, to.primary);
  }
  return may_migrate(home.primary, to.primary);  // in two moves
}

std::int64_t PlacementModel::location_score(const ModelInstance& instance, SlotPair at) const {
  const std::size_t primary = nodes_[at.primary].location_class;
  const std::int64_t missed = missed_locations_[instance.desire_class * location_classes_ + primary];
  // As the rules have it, the nodes that a move keeps keep their score, too.
  if (!instance.has_secondary) return instance.location_score + missed;
  return shared_locations_[primary * location_classes_ + nodes_[at.secondary].location_class] + missed;
}

Placement PlacementModel::placement(SlotPair at) const {
  return {nodes_[at.primary].index, at.secondary == kNoSlot ? NodeIndex::none() : nodes_[at.secondary].index};
}

std::optional<SlotPair> PlacementModel::slots(const Placement& placement) const {
  SlotPair at{slot_of_node_[placement.primary.position()], kNoSlot};
  if (at.primary == kNoSlot) return std::nullopt;
  if (placement.secondary.is_none()) return at;
  at.secondary = slot_of_node_[placement.secondary.position()];
  if (at.secondary == kNoSlot) return std::nullopt;
  return at;
}

}  // namespace htools
