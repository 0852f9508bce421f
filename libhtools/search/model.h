// Describes a node group as the search for plans sees it: plain numbers in rows, so that millions of placements can be
// scored in a second.
//
// All components of the score that are deviations, except that of the reserved memory, are columns: each node has a
// value, which changes by `slope * amount` when an instance comes, and the amount depends on the instance and on its
// role alone. Columns that are equal for all nodes and instances, like the loads of instances of which nothing is
// known, are one column with the sum of their weights.
//
// Limits are what the rules (rules/admission.h) demand of a node in the end: amounts that must be left, N+1 safety,
// exclusion tags that must not meet. Whether an order of moves exists that obeys the rules all the time is another
// question (plan/ordering.h), except for one demand: a secondary node must be able to run the instance while its
// primary node is replaced.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "htools/balance.h"
#include "htools/moves.h"
#include "search/slot_counts.h"
#include "search/wishes.h"

namespace htools {

// The nodes that an instance is on, as positions in the model.
struct SlotPair {
  Slot primary = kNoSlot;
  Slot secondary = kNoSlot;
  bool operator==(const SlotPair&) const = default;
};

// The number of columns is at most this: all deviations but that of the reserved memory.
inline constexpr std::size_t kMaxColumns = 12;
using ColumnValues = std::array<double, kMaxColumns>;

// The amounts that a node has for instances. What is left must not become negative.
enum class CapacityLimit : std::uint8_t { Memory, ForthcomingMemory, Disk, Vcpus, SpindleUse, Spindles };
inline constexpr std::size_t kLimitCount = 6;
using Amounts = std::array<std::int64_t, kLimitCount>;  // memory and disk in MiB

// What a limit is checked for, as in rules/admission.h: whatever is to run on the node, or whatever keeps data there.
// An instance on shared storage comes to a node without a disk, and one that needs nothing is refused where the memory
// is full.
enum class LimitedRole : std::uint8_t { Runs, Stores };
inline constexpr std::size_t kLimitedRoles = 2;
inline constexpr std::array<LimitedRole, kLimitCount> kLimitedRoleOf{LimitedRole::Runs,   LimitedRole::Runs,
                                                                     LimitedRole::Stores, LimitedRole::Runs,
                                                                     LimitedRole::Stores, LimitedRole::Stores};
using RoleCounts = std::array<std::int64_t, kLimitedRoles>;

// A node at the start, before any move.
struct ModelNode {
  NodeIndex index;
  bool online = false;
  bool receives = false;    // instances may come to it
  bool is_down = false;     // offline, and not only to be emptied
  bool is_emptied = false;  // nothing is to stay on it
  bool fails_n1 = false;    // a failover to the node may not find enough memory
  ColumnValues values{};    // differences to the means of the online nodes
  ColumnValues slopes{};
  Amounts left{};
  double memory_slope = 0.0;        // 1 / total memory
  std::int64_t free_memory = 0;     // MiB, unallocated
  std::size_t migration_class = 0;  // nodes of a class have equal migration tags
  std::size_t location_class = 0;   // nodes of a class have equal location tags
  std::vector<Slot> location_tags;  // numbers of the location tags
  ResourceShares used{};            // what is used of it
  ResourceShares shares{};          // what one MiB or virtual cpu more uses of it
};

// Groups with so few nodes are searched more thoroughly, since each place counts there: moves off nodes that are down
// need not pass soft checks (on more nodes, the orders that this needs are not found, and plans for 10 to 160 nodes
// have scores that are 4 per cent higher), and what could not be reached is excluded more sparingly.
inline constexpr std::size_t kHandful = 6;

// An instance that may move. What walks look at first comes first: their time is that of reading it.
struct ModelInstance {
  InstanceIndex index;
  SlotPair home;  // at the start
  bool has_secondary = false;
  bool stores_locally = false;    // it uses disk and spindles of its nodes
  bool may_fail_over = false;     // to its secondary node, at the start
  bool is_source_dead = false;    // MoveRules::dead_disks forbids copies from its primary node
  bool has_lost_primary = false;  // its nodes at the start are down: what replaces them need not pass soft checks
  bool has_lost_secondary = false;
  std::int64_t disk = 0;             // MiB that a new secondary node copies
  std::int64_t copied = 0;           // MiB that a move of an instance without a secondary copies
  std::int64_t migrated = 0;         // MiB of memory that a live migration copies; 0 if the instance restarts
  std::int64_t reserved = 0;         // MiB that its secondary node keeps free
  std::vector<Slot> exclusion_tags;  // numbers of the exclusion tags, each as often as the instance has it
  ColumnValues as_primary{};         // amounts by column
  ColumnValues as_secondary{};
  Amounts primary_need{};
  Amounts secondary_need{};
  std::int64_t location_score = 0;  // at the start
  std::size_t desire_class = 0;     // instances of a class desire equal locations
  bool is_ruled = false;            // placement rules bind it
  std::vector<Slot> place_rules;    // positions of those about places in PlacementModel::place_rules()
};

// What a placement costs, compared with the home of the instance.
struct SlotPrice {
  std::int64_t moves = 0;
  std::int64_t copied = 0;    // MiB
  std::int64_t migrated = 0;  // MiB
};

// Returns what it costs to bring the instance from its home to the placement.
inline SlotPrice price(const ModelInstance& instance, SlotPair to) {
  const SlotPair& home = instance.home;
  if (to == home) return {};
  const std::int64_t disk = instance.disk, memory = instance.migrated;
  if (!instance.has_secondary) return {1, instance.copied, memory};
  const bool primary_stays = to.primary == home.primary || to.primary == home.secondary;
  const bool secondary_stays = to.secondary == home.primary || to.secondary == home.secondary;
  if (primary_stays) return {1, secondary_stays ? 0 : disk, to.primary == home.primary ? 0 : memory};
  if (to.secondary == home.primary) return {1, disk, memory};
  if (to.secondary == home.secondary) return {1, disk, 2 * memory};
  return {2, 2 * disk, memory};
}

// A node group at the start.
class PlacementModel {
 public:
  // The cluster must outlive the model.
  PlacementModel(const Cluster& cluster, const GroupMembers& members, const MoveRules& rules,
                 const Wishes& wishes = {});

  // False if the search has nothing to do: no instance may move, or some value is no finite number.
  bool is_useful() const { return is_useful_; }

  const std::vector<ModelNode>& nodes() const { return nodes_; }
  const std::vector<ModelInstance>& instances() const { return instances_; }
  const std::vector<Slot>& online() const { return online_; }
  std::size_t column_count() const { return column_count_; }
  const ColumnValues& weights() const { return weights_; }  // of the columns
  // Returns the part of the score that no move changes: columns in which no instance takes part.
  double constant_score() const { return constant_score_; }
  bool force() const { return rules_.force; }
  // True if some instance has a node that is down.
  bool has_lost_nodes() const { return has_lost_nodes_; }
  // Returns the weight of a component that is no column.
  double weight(Component c) const { return kComponents[position(c)].weight * wishes_.factors[position(c)]; }
  bool has_bands() const { return has_bands_; }
  const ShareBands& bands() const { return bands_; }
  std::int64_t largest_disk() const { return largest_disk_; }

  // Instances that do not move are part of the start only. These are the start values of everything that counts.
  struct Start {
    std::vector<std::vector<SlotCount>> peers;           // by node: MiB reserved for each primary node
    std::vector<std::vector<SlotCount>> exclusion_tags;  // by node: of the primaries
    std::vector<std::int64_t> instances;                 // by node: primaries and secondaries
    std::vector<std::int64_t> tag_pairs;                 // by location tag * exclusion_tag_count() + exclusion tag
    std::int64_t tag_conflicts = 0;
    std::int64_t location_score = 0;
    std::int64_t offline_all = 0;
    std::int64_t offline_primaries = 0;
  };
  const Start& start() const { return start_; }
  std::size_t exclusion_tag_count() const { return exclusion_tag_count_; }

  // True if a move, or two of them, lead from the instance's home to the placement, as far as the kinds of moves and
  // migration tags are concerned.
  bool is_reachable(const ModelInstance& instance, SlotPair to) const;
  // Returns what the instance adds to the location score of the placement's primary node.
  std::int64_t location_score(const ModelInstance& instance, SlotPair at) const;

  Placement placement(SlotPair at) const;
  std::optional<SlotPair> slots(const Placement& placement) const;  // nothing for nodes of other groups
  // The rules about places (apart, together) that bind instances which may move.
  const std::vector<const ResolvedRule*>& place_rules() const { return place_rules_; }
  // The cluster at the start, for its placement rules.
  const Cluster& cluster() const { return cluster_; }
  Slot slot(InstanceIndex instance) const { return slot_of_instance_[instance.position()]; }
  bool has_locations() const { return has_locations_; }

 private:
  void add_nodes(const Cluster& cluster, const GroupMembers& members);
  void add_instances(const Cluster& cluster, const GroupMembers& members);
  void add_start(const Cluster& cluster);
  void add_rules(const Cluster& cluster, ModelInstance& instance);
  void add_columns(const Cluster& cluster);
  bool may_migrate(Slot from, Slot to) const {
    return may_migrate_[nodes_[from].migration_class * migration_classes_ + nodes_[to].migration_class];
  }

  const Cluster& cluster_;
  MoveRules rules_;
  Wishes wishes_;
  bool has_bands_;
  ShareBands bands_;
  bool is_useful_ = false;
  bool has_locations_ = false;
  bool has_lost_nodes_ = false;
  std::vector<ModelNode> nodes_;
  std::vector<ModelInstance> instances_;
  std::vector<Slot> online_;
  std::vector<Slot> slot_of_node_;
  std::vector<Slot> slot_of_instance_;
  std::vector<const ResolvedRule*> place_rules_;
  std::size_t column_count_ = 0;
  ColumnValues weights_{};
  double constant_score_ = 0.0;
  std::size_t migration_classes_ = 0;
  std::vector<char> may_migrate_;  // by classes of source and target
  std::size_t location_classes_ = 0;
  std::vector<std::int64_t> shared_locations_;  // by two location classes
  std::vector<std::int64_t> missed_locations_;  // by desire class and location class
  std::size_t location_tag_count_ = 0;
  std::size_t exclusion_tag_count_ = 0;
  std::int64_t largest_disk_ = 0;
  Start start_;
};

}  // namespace htools
