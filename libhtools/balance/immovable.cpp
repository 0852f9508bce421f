#include "balance/immovable.h"

#include "balance/move_generation.h"

namespace htools {
namespace {

// An option that forbids moves: whether it is set, and how it is taken back.
struct ForbiddingOption {
  Immovable name;
  bool MoveRules::*member;
  bool forbids;  // the value that forbids moves
};
constexpr std::array<ForbiddingOption, 6> kOptions{
    {{Immovable::DeadDisks, &MoveRules::dead_disks, false},
     {Immovable::NoOfflineNode, &MoveRules::evacuation, true},
     {Immovable::NoDiskMoves, &MoveRules::disk_moves, false},
     {Immovable::NoInstanceMoves, &MoveRules::instance_moves, false},
     {Immovable::RestrictedMigration, &MoveRules::restricted_migration, true},
     {Immovable::OnlyCopy, &MoveRules::local_moves, false}}};

bool has_kinds(const Cluster& cluster, const Instance& instance, const MoveRules& rules) {
  const MoveKinds kinds = move_kinds(cluster, instance, rules);
  return kinds.failover || !kinds.per_target.empty();
}

}  // namespace

std::optional<Immovable> forbidding_option(const MoveRules& rules,
                                           const std::function<bool(const MoveRules&)>& is_possible) {
  std::optional<Immovable> first;
  MoveRules open = rules;
  for (const ForbiddingOption& option : kOptions) {
    if (rules.*option.member != option.forbids) continue;
    MoveRules without = rules;
    without.*option.member = !option.forbids;
    if (is_possible(without)) return option.name;
    open.*option.member = !option.forbids;
    if (!first) first = option.name;
  }
  return first && is_possible(open) ? first : std::nullopt;
}

std::optional<Immovable> immovable_reason(const Cluster& cluster, const Instance& instance, const MoveRules& rules) {
  const InstanceFacts& f = *instance.facts;
  const bool has_copy = facts(f.disk_template).mirror != MirrorType::None;
  const bool is_left_out = f.left_out != LeftOut::No;
  if (f.left_out == LeftOut::Stays) return Immovable::Stays;
  if (!has_copy && !is_left_out && (!f.movable || is_down(cluster.node(instance.primary)))) return Immovable::OnlyCopy;
  if (f.has_secondary() && instance.secondary.is_none()) return Immovable::NoSecondary;
  if (!instance.secondary.is_none() &&
      cluster.node(instance.primary).facts->group != cluster.node(instance.secondary).facts->group) {
    return Immovable::SplitGroups;
  }
  if (!f.movable) {
    return f.left_out == LeftOut::Excluded      ? Immovable::Excluded
           : f.left_out == LeftOut::NotSelected ? Immovable::NotSelected
                                                : Immovable::DiskTemplate;
  }
  if (!f.auto_balance && rules.auto_balanced_only) return Immovable::NotAutoBalanced;
  if (has_kinds(cluster, instance, rules)) return std::nullopt;
  return forbidding_option(rules, [&](const MoveRules& r) { return has_kinds(cluster, instance, r); });
}

}  // namespace htools
