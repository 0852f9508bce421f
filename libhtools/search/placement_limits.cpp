// The limits that a placement must not break, and the penalties for the wishes that it misses.
#include <algorithm>
#include <array>
#include <utility>

#include "search/placement_state.h"
#include "search/slot_counts.h"

namespace htools {
namespace {

// What a node outside of its band adds to the score, and what it adds for each hundredth that it is away from it. Any
// change of the score is worth less.
constexpr double kOutsideBand = 1.0;
constexpr double kOutsideBandPerShare = 100.0;
// The amounts that use each resource.
constexpr std::array<CapacityLimit, kResourceCount> kUsers{CapacityLimit::Memory, CapacityLimit::Disk,
                                                           CapacityLimit::Vcpus};

}  // namespace

double PlacementState::penalty(Slot node, const Amounts& needs) const {
  const ModelNode& facts = model_.nodes()[node];
  double penalty = 0.0;
  for (std::size_t r = 0; r < kResourceCount; ++r) {
    const auto limit = static_cast<std::size_t>(kUsers[r]);
    const std::int64_t more = facts.left[limit] - nodes_[node].left[limit] + needs[limit];
    const double share = facts.used[r] + facts.shares[r] * static_cast<double>(more);
    const double away = std::max({0.0, share - model_.bands()[r].highest, model_.bands()[r].lowest - share});
    if (away > kShareTolerance) penalty += kOutsideBand + kOutsideBandPerShare * missed_by(away);
  }
  return penalty;
}

bool PlacementState::is_within_limits() const {
  for (std::size_t t = 0; t < touched_count_; ++t) {
    const Touched& touched = touched_[t];
    const NodeState& node = nodes_[touched.node];
    for (std::size_t l = 0; l < kLimitCount; ++l) {
      // What a node lacks from the start may stay so, unless something comes to it that is checked for that.
      const auto role = static_cast<std::size_t>(kLimitedRoleOf[l]);
      if (node.left[l] < touched.needs[l] && node.newcomers[role] + touched.newcomers[role] > 0) return false;
    }
  }
  return true;
}

bool PlacementState::may_pass_by_secondary(const Relocation& relocation) const {
  const ModelInstance& instance = model_.instances()[relocation.instance];
  const SlotPair& home = instance.home;
  if (instance.may_fail_over || !instance.has_secondary || relocation.to.primary == home.primary ||
      relocation.to.secondary != home.secondary) {
    return true;
  }
  const Slot host = home.secondary;
  const SlotPair& now = places_[relocation.instance];
  std::int64_t left = nodes_[host].free_memory;
  if (now.primary != host) left -= instance.primary_need[static_cast<std::size_t>(CapacityLimit::Memory)];
  std::int64_t reserved = 0;
  for (const SlotCount& peer : peers_[host]) {
    const bool is_own = now.secondary == host && peer.number == now.primary;
    reserved = std::max(reserved, peer.count - (is_own ? instance.reserved : 0));
  }
  if (left <= reserved) return false;
  return model_.force() || std::ranges::all_of(instance.exclusion_tags, [&](Slot tag) {
           return count_of(tags_[host], tag) <= (now.primary == host ? 1 : 0);
         });
}

bool PlacementState::may_become_secondary(const Relocation& relocation) {
  const ModelInstance& instance = model_.instances()[relocation.instance];
  const Slot host = relocation.to.secondary;
  if (host == kNoSlot || host == instance.home.secondary || host == places_[relocation.instance].secondary) return true;
  constexpr auto kMemory = static_cast<std::size_t>(CapacityLimit::ForthcomingMemory);
  const std::int64_t left = nodes_[host].left[kMemory] - touched(host).needs[kMemory];
  return instance.reserved <= std::max(left, model_.nodes()[host].left[kMemory]);
}

bool PlacementState::may_fail_n1(Slot node, std::span<const Relocation> relocations) const {
  if (!model_.has_lost_nodes()) return false;
  return nodes_[node].fails_n1 || std::ranges::any_of(relocations, [&](const Relocation& r) {
           const ModelInstance& instance = model_.instances()[r.instance];
           return (instance.has_lost_primary && r.to.primary == node) ||
                  (instance.has_lost_secondary && r.to.secondary == node);
         });
}

void PlacementState::count_in_places(Slot instance, Slot from, Slot to) {
  const ModelInstance& moved = model_.instances()[instance];
  for (const Slot rule : moved.place_rules) {
    place_counts_[rule].move(moved.index, model_.nodes()[from].index, model_.nodes()[to].index);
  }
}

bool PlacementState::keeps_rules(std::span<const Relocation> relocations) {
  // Each of them is there and back again; the extents of at most all their rules are compared.
  std::vector<std::pair<Slot, RuleExtent>> before;
  for (const Relocation& r : relocations) {
    if (r.to.primary == places_[r.instance].primary) continue;
    for (const Slot rule : model_.instances()[r.instance].place_rules) {
      before.emplace_back(rule, place_counts_[rule].extent());
    }
  }
  if (before.empty()) return true;
  for (const Relocation& r : relocations) count_in_places(r.instance, places_[r.instance].primary, r.to.primary);
  const bool keeps =
      std::ranges::none_of(before, [&](const auto& rule) { return rule.second < place_counts_[rule.first].extent(); });
  for (const Relocation& r : relocations) count_in_places(r.instance, r.to.primary, places_[r.instance].primary);
  return keeps;
}

bool PlacementState::keeps_tags_apart(std::span<const Relocation> relocations) const {
  for (const Relocation& r : relocations) {
    const ModelInstance& instance = model_.instances()[r.instance];
    if (instance.exclusion_tags.empty() || r.to.primary == places_[r.instance].primary) continue;
    if (instance.has_lost_primary && r.to.primary != instance.home.primary) continue;
    const bool at_home = r.to.primary == instance.home.primary;
    for (const Slot tag : instance.exclusion_tags) {
      std::int64_t count = count_of(tags_[r.to.primary], tag) + 1;
      for (const Relocation& other : relocations) {
        if (other.instance == r.instance) continue;
        const std::vector<Slot>& tags = model_.instances()[other.instance].exclusion_tags;
        if (std::find(tags.begin(), tags.end(), tag) == tags.end()) continue;
        count += other.to.primary == r.to.primary ? 1 : 0;
        count -= places_[other.instance].primary == r.to.primary ? 1 : 0;
      }
      const std::int64_t start = at_home ? count_of(model_.start().exclusion_tags[r.to.primary], tag) : 1;
      if (count > std::max<std::int64_t>(start, 1)) return false;
    }
  }
  return true;
}

}  // namespace htools
