#include "survival/capacity_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/literal.h"
#include "htools/errors.h"
#include "rules/admission.h"

namespace htools {

namespace {

// The number of targets that one more instance can take capacity from: its primary and its secondary. If the others
// suffice, that instance cannot change the verdict.
constexpr std::size_t kSpareTargets = 2;

// True if the node's free amounts are so large that one more instance may take them out of the 64-bit range.
bool may_wrap(const Node& node) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 60;
  const auto is_large = [](std::int64_t amount) { return amount > kLarge || amount < -kLarge; };
  return is_large(node.unallocated_memory()) || is_large(node.books.real.free_disk) ||
         is_large(node.books.real.free_spindles);
}

}  // namespace

CapacityCheck::CapacityCheck(Trial& trial, std::vector<NodeIndex> nodes, Options options)
    : trial_(trial),
      cluster_(trial.cluster()),
      nodes_(std::move(nodes)),
      options_(std::move(options)),
      groups_(cluster_.groups.size()),
      occupants_(trial),
      all_scores_(trial, nodes_),
      taken_(cluster_.nodes.size(), 0) {
  std::vector<std::vector<NodeIndex>> members(groups_.size());
  for (NodeIndex n : nodes_) members[cluster_.node(n).facts->group.position()].push_back(n);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (!members[g].empty()) groups_[g] = std::make_unique<Group>(trial, std::move(members[g]));
  }
}

bool CapacityCheck::is_checked(const Node& node) const {
  if (options_.skip_offline && node.offline) return false;
  return options_.ignored_groups.empty() || !options_.ignored_groups[node.facts->group.position()];
}

bool CapacityCheck::survives() { return kLiteral ? survives_in_order() : survives(nodes_); }

bool CapacityCheck::survives(const std::vector<NodeIndex>& nodes) {
  if (last_stuck_ && !vacatable(*last_stuck_)) return false;
  for (NodeIndex n : nodes) {
    if (!is_checked(cluster_.node(n)) || n == last_stuck_ || vacatable(n)) continue;
    last_stuck_ = n;
    return false;
  }
  return true;
}

std::vector<NodeIndex> CapacityCheck::uncertain(const std::vector<NodeIndex>& nodes) {
  if (std::any_of(nodes_.begin(), nodes_.end(), [&](NodeIndex n) { return may_wrap(cluster_.node(n)); })) return nodes;
  std::vector<NodeIndex> left;
  for (NodeIndex n : nodes) {
    if (is_checked(cluster_.node(n)) && quick_verdict(n) != Verdict::Vacatable) left.push_back(n);
  }
  return left;
}

bool CapacityCheck::is_hopeless() {
  return std::any_of(nodes_.begin(), nodes_.end(),
                     [&](NodeIndex n) { return is_checked(cluster_.node(n)) && quick_verdict(n) == Verdict::Stuck; });
}

void CapacityCheck::remember() {
  if (kLiteral) {
    remembered_.in_order = true;
    return;
  }
  remembered_ = Remembered{.failover_memory = std::vector<std::int64_t>(cluster_.nodes.size(), 0)};
  for (NodeIndex n : nodes_) {
    remembered_.in_order |= may_wrap(cluster_.node(n));
    if (!is_checked(cluster_.node(n)) || cluster_.node(n).primaries.empty()) continue;
    const Occupants& occupants = occupants_.of(n);
    const bool incomplete = has_incomplete(occupants);
    const bool is_open = incomplete || occupants.are_ruled;
    const Verdict verdict = is_open ? Verdict::Unclear : judge(n, occupants, kSpareTargets);
    const bool shrinks = std::any_of(occupants.drbd.begin(), occupants.drbd.end(),
                                     [&](InstanceIndex i) { return cluster_.instance(i).facts->used_memory() < 0; });
    remembered_.in_order |= incomplete;
    if (verdict == Verdict::Stuck) remembered_.stuck = true;
    if (verdict != Verdict::Vacatable || shrinks) remembered_.unclear.push_back(n);
    for (InstanceIndex i : occupants.drbd) {
      const NodeIndex secondary = cluster_.instance(i).secondary;
      if (secondary.is_none()) continue;
      std::int64_t& memory = remembered_.failover_memory[secondary.position()];
      if (verdict == Verdict::Vacatable && !shrinks) memory = std::max(memory, taken_[secondary.position()]);
      taken_[secondary.position()] = 0;
    }
  }
}

bool CapacityCheck::fails_with(const Instance& instance) const {
  const bool grows =
      instance.facts->memory >= 0 && instance.facts->disk >= 0 && instance.facts->total_spindles().value_or(0) >= 0;
  return remembered_.stuck && grows && !remembered_.in_order;
}

bool CapacityCheck::survives_with(const Placement& place) {
  if (remembered_.in_order) return survives_in_order();
  for (NodeIndex n : {place.primary, place.secondary}) {
    if (n.is_none()) continue;
    const Node& node = cluster_.node(n);
    if (!FreeCapacity(node).enough_storage()) return survives_in_order();
    const std::int64_t memory = remembered_.failover_memory[n.position()];
    if (memory > 0 && node.unallocated_memory() - memory <= 0) return false;
  }
  if (!vacatable(place.primary)) return false;
  if (last_stuck_ && !vacatable(*last_stuck_)) return false;
  for (NodeIndex n : remembered_.unclear) {
    if (n == last_stuck_ || vacatable(n)) continue;
    last_stuck_ = n;
    return false;
  }
  return true;
}

bool CapacityCheck::survives_in_order() {
  return std::all_of(nodes_.begin(), nodes_.end(),
                     [&](NodeIndex n) { return !is_checked(cluster_.node(n)) || vacatable(n); });
}

std::vector<NodeIndex> CapacityCheck::stuck_nodes() {
  std::vector<NodeIndex> stuck;
  std::copy_if(nodes_.begin(), nodes_.end(), std::back_inserter(stuck),
               [&](NodeIndex n) { return is_checked(cluster_.node(n)) && !vacatable(n); });
  return stuck;
}

std::optional<Homeless> CapacityCheck::first_homeless() {
  for (NodeIndex n : nodes_) {
    if (auto homeless = known_homeless_of(n)) return homeless;
  }
  return std::nullopt;
}

std::optional<Homeless> CapacityCheck::homeless_of(NodeIndex n) { return known_homeless_of(n); }

std::optional<Homeless> CapacityCheck::known_homeless_of(NodeIndex n) {
  const Node& node = cluster_.node(n);
  if (!is_checked(node) || vacatable(n)) return std::nullopt;
  const std::optional<InstanceIndex> homeless = kLiteral ? plainly_left_behind(n) : known_left_behind(n);
  if (!homeless) return std::nullopt;
  const Instance& instance = cluster_.instance(*homeless);
  const bool is_recreated = !instance.facts->has_secondary() && !facts(instance.facts->disk_template).freely_movable;
  return Homeless{
      n, *homeless,
      is_recreated && check_policy(instance, cluster_.group(node.facts->group).policy, node.facts->exclusive_storage)};
}

std::optional<InstanceIndex> CapacityCheck::known_left_behind(NodeIndex n) {
  const Occupants& occupants = occupants_.of(n);
  if (occupants.are_ruled) return plainly_left_behind(n);
  const std::optional<InstanceIndex> obstacle = failover_obstacle(occupants);
  clear_taken(occupants);
  return obstacle ? obstacle : left_behind(n, occupants);
}

bool CapacityCheck::is_incomplete(const Instance& instance) const {
  return options_.refuse_incomplete &&
         (instance.secondary.is_none() || !std::binary_search(nodes_.begin(), nodes_.end(), instance.secondary));
}

void CapacityCheck::refuse(const Instance& incomplete) {
  throw InputError(ErrorCode::Unanswerable,
                   fmt::format("the capacity check needs both nodes of drbd instance '{}', {}", incomplete.facts->name,
                               incomplete.secondary.is_none() ? "which has no secondary node"
                                                              : "whose secondary node is in another node group"));
}

bool CapacityCheck::has_incomplete(const Occupants& occupants) const {
  return std::any_of(occupants.drbd.begin(), occupants.drbd.end(),
                     [&](InstanceIndex i) { return is_incomplete(cluster_.instance(i)); });
}

void CapacityCheck::clear_taken(const Occupants& occupants) {
  for (InstanceIndex i : occupants.drbd) {
    const NodeIndex secondary = cluster_.instance(i).secondary;
    if (!secondary.is_none()) taken_[secondary.position()] = 0;
  }
}

CapacityCheck::Verdict CapacityCheck::judge(NodeIndex n, const Occupants& occupants, std::size_t spare_targets) {
  return failover_obstacle(occupants) ? Verdict::Stuck : judge_by_amounts(n, occupants, spare_targets);
}

CapacityCheck::Verdict CapacityCheck::quick_verdict(NodeIndex n) {
  if (cluster_.node(n).primaries.empty()) return Verdict::Vacatable;
  const Occupants& occupants = occupants_.of(n);
  if (has_incomplete(occupants) || occupants.are_ruled) return Verdict::Unclear;
  const Verdict verdict = judge(n, occupants, 0);
  clear_taken(occupants);
  return verdict;
}

bool CapacityCheck::vacatable(NodeIndex n) {
  if (kLiteral) return !plainly_left_behind(n);
  if (cluster_.node(n).primaries.empty()) return true;
  const Occupants& occupants = occupants_.of(n);
  if (occupants.are_ruled) {
    fails_for_good_ = false;
    return !plainly_left_behind(n);
  }
  const Verdict verdict = judge(n, occupants, 0);
  clear_taken(occupants);
  fails_for_good_ = verdict == Verdict::Stuck;
  if (verdict != Verdict::Unclear) return verdict == Verdict::Vacatable;
  return !left_behind(n, occupants);
}

// A failover of a drbd instance leaves the disks and spindles of its two nodes as they are; it only takes memory of the
// secondary.
std::optional<InstanceIndex> CapacityCheck::failover_obstacle(const Occupants& occupants) {
  for (InstanceIndex i : occupants.drbd) {
    const Instance& instance = cluster_.instance(i);
    if (is_incomplete(instance)) {
      clear_taken(occupants);
      refuse(instance);
    }
    if (instance.secondary.is_none()) return i;
    const Node& primary = cluster_.node(instance.primary);
    const Node& secondary = cluster_.node(instance.secondary);
    const auto storage_suffices = [&](const FreeCapacity& side, bool ignore_disk) {
      return side.enough_storage(ignore_disk) && (!side.counts_spindles || instance.facts->total_spindles());
    };
    std::int64_t& memory = taken_[instance.secondary.position()];
    memory += instance.facts->used_memory();
    if (!migration_allowed(primary, secondary) || secondary.unallocated_memory() - memory <= 0 ||
        !storage_suffices(FreeCapacity(secondary), false) ||
        !storage_suffices(FreeCapacity(primary), primary.offline)) {
      return i;
    }
  }
  return std::nullopt;
}

// Decides by amounts alone, without choosing targets. This succeeds if the result is the same for all choices;
// otherwise the verdict is Unclear.
CapacityCheck::Verdict CapacityCheck::judge_by_amounts(NodeIndex n, const Occupants& occupants,
                                                       std::size_t spare_targets) {
  if (occupants.elsewhere) return Verdict::Unclear;
  if (occupants.items.empty()) return Verdict::Vacatable;
  const FitTargets targets = targets_of(n, occupants.drbd);
  if (all_certainly_fit(occupants.items, targets, spare_targets)) return Verdict::Vacatable;
  return some_certainly_do_not_fit(occupants.items, targets) ? Verdict::Stuck : Verdict::Unclear;
}

FitTargets CapacityCheck::targets_of(NodeIndex n, std::span<const InstanceIndex> failed_over) {
  const Node& node = cluster_.node(n);
  const std::span<const FitTarget> targets = group_of(n).targets.current();
  const bool tagged = !node.facts->migration_tags.empty();
  if (failed_over.empty() && !tagged) return {targets, n};
  own_targets_.assign(targets.begin(), targets.end());
  for (FitTarget& target : own_targets_) target.reachable = migration_allowed(node, cluster_.node(target.node));
  for (InstanceIndex i : failed_over) {
    const NodeIndex secondary = cluster_.instance(i).secondary;
    FreeCapacity free(cluster_.node(secondary));
    free.memory -= taken_[secondary.position()];
    change_target(own_targets_, secondary, free);
  }
  return {own_targets_, n, !tagged};
}

}  // namespace htools
