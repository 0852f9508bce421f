// Finds detours: moves of instances that stand in the way of others.
#include <algorithm>

#include "balance/move_generation.h"
#include "plan/journey.h"
#include "plan/paths.h"
#include "plan/plan.h"
#include "rules/move_application.h"

namespace htools {
namespace {

// The number of instances in each other's way for which detours are compared, before the best one is taken.
constexpr std::size_t kComparedBlocks = 6;
// The number of target nodes that a detour is tried with: those with the most free memory.
constexpr std::size_t kDetourTargets = 12;
// The number of first detours after which a second one is looked for, if one alone does not help.
constexpr std::size_t kFirstDetours = 40;

}  // namespace

std::vector<NodeIndex> Journey::roomy_nodes() const {
  std::vector<NodeIndex> nodes;
  for (const NodeIndex n : members_.nodes) {
    if (receives(cluster_.node(n))) nodes.push_back(n);
  }
  const auto room = [&](NodeIndex n) {
    return cluster_.node(n).unallocated_memory() - cluster_.node(n).books.reserved_memory;
  };
  std::stable_sort(nodes.begin(), nodes.end(), [&](NodeIndex a, NodeIndex b) { return room(a) > room(b); });
  if (nodes.size() > kDetourTargets) nodes.resize(kDetourTargets);
  return nodes;
}

std::vector<Journey::Candidate> Journey::allowed_moves(InstanceIndex i, const std::vector<NodeIndex>& targets) const {
  const Instance& instance = cluster_.instance(i);
  std::vector<Candidate> allowed;
  if (!is_candidate(cluster_, instance, {.evacuation = false})) return allowed;
  const MoveKinds kinds = move_kinds(cluster_, instance, rules_);
  const MoveTrials trials(cluster_, i, rules_.force);
  const auto try_move = [&](const Move& move) {
    if (std::holds_alternative<MoveEffect>(trials.attempt(move))) allowed.push_back({i, move});
  };
  if (kinds.failover) try_move({MoveKind::Failover, NodeIndex::none()});
  for (const NodeIndex target : targets) {
    if (target == instance.primary || target == instance.secondary) continue;
    for (const MoveKind kind : kinds.per_target) try_move({kind, target});
  }
  return allowed;
}

std::vector<Journey::Candidate> Journey::detours_for(const Traveller& t) const {
  std::vector<NodeIndex> refusing;
  const MoveReasons reasons(cluster_, t.wanted.instance, rules_.force);
  for (const Move& move : moves_to(t.wanted)) {
    const auto outcome = reasons.attempt(move);
    const auto* refusal = std::get_if<Refusal>(&outcome);
    if (!refusal) continue;
    for (const NodeIndex n : {refusal->place.primary, refusal->place.secondary}) {
      if (!n.is_none() && std::find(refusing.begin(), refusing.end(), n) == refusing.end()) refusing.push_back(n);
    }
  }
  std::vector<InstanceIndex> movers{t.wanted.instance};
  for (const NodeIndex n : refusing) {
    const Node& node = cluster_.node(n);
    for (const auto* list : {&node.primaries, &node.secondaries})
      movers.insert(movers.end(), list->begin(), list->end());
  }
  std::sort(movers.begin() + 1, movers.end());
  movers.erase(std::unique(movers.begin() + 1, movers.end()), movers.end());
  std::vector<NodeIndex> targets = roomy_nodes();
  for (const NodeIndex n : nodes_of(t.wanted.placement)) {
    if (receives(cluster_.node(n)) && std::find(targets.begin(), targets.end(), n) == targets.end())
      targets.push_back(n);
  }
  std::vector<Candidate> detours;
  for (const InstanceIndex i : movers) {
    const std::vector<Candidate> allowed = allowed_moves(i, targets);
    detours.insert(detours.end(), allowed.begin(), allowed.end());
  }
  return detours;
}

Journey::Cost Journey::cost_of(const Candidate& detour) const {
  const Placement before = placement_of(cluster_.instance(detour.instance));
  const BalanceStep step{.instance = detour.instance,
                         .move = detour.move,
                         .before = before,
                         .after = placement_after(before, detour.move),
                         .score = 0};
  const MoveCost cost = htools::cost_of(cluster_, step, {});
  return {cost.copied_mib, wanted_of(detour.instance) ? 0 : 1, cost.migrated_mib};
}

void Journey::go(Way& way, const Candidate& c) {
  const Placement before = placement_of(cluster_.instance(c.instance)), after = placement_after(before, c.move);
  if (end_of(way, c.instance) == nullptr) way.homes.push_back({c.instance, before});
  const Placement end = *end_of(way, c.instance);
  way.left += moves_between(after, end) - moves_between(before, end);
  for (const Placement& placement : {before, after}) {
    for (const NodeIndex n : nodes_of(placement)) way.touched.push_back(n);
  }
  way.moves.push_back(c);
  trial_.apply(c.instance, c.move);
}

const Placement* Journey::end_of(const Way& way, InstanceIndex i) const {
  if (const Placement* wanted = wanted_of(i)) return wanted;
  const auto home = std::ranges::find(way.homes, i, &WantedPlacement::instance);
  return home != way.homes.end() ? &home->placement : nullptr;
}

void Journey::follow(Way& way) {
  const auto go_on = [&](const WantedPlacement& wanted) {
    while (const auto move = first_allowed(wanted)) go(way, {wanted.instance, *move});
  };
  for (std::size_t seen = 0; seen < way.touched.size(); ++seen) {
    for (const std::size_t position : interested_[way.touched[seen].position()]) go_on(travellers_[position].wanted);
    if (seen + 1 < way.touched.size()) continue;
    for (const WantedPlacement& home : way.homes) go_on(home);
  }
}

void Journey::try_detours(const Way& way, Cost cost_so_far, const Traveller& t,
                          std::optional<std::pair<Cost, Way>>& best) {
  for (const Candidate& detour : detours_for(t)) {
    Cost cost = cost_of(detour);
    for (std::size_t c = 0; c < cost.size(); ++c) cost[c] += cost_so_far[c];
    if (best && !(cost < best->first)) continue;
    if (detours_left_ == 0) return;
    --detours_left_;
    const Attempt attempt(trial_);
    Way longer = way;
    go(longer, detour);
    ++longer.detours;
    const auto move = first_allowed(t.wanted);
    if (!move) continue;
    go(longer, {t.wanted.instance, *move});
    follow(longer);
    if (longer.left < 0) best = {cost, std::move(longer)};
  }
}

std::optional<Journey::Way> Journey::find_way() {
  std::optional<std::pair<Cost, Way>> best;
  std::size_t compared = 0;
  for (const Traveller& t : travellers_) {
    if (t.arrived) continue;
    try_detours({}, {}, t, best);
    if (best && ++compared >= kComparedBlocks) break;
  }
  if (best) return best->second;
  compared = 0;
  for (const Traveller& t : travellers_) {
    if (t.arrived) continue;
    if (++compared > kComparedBlocks) break;
    std::vector<Candidate> firsts = detours_for(t);
    std::stable_sort(firsts.begin(), firsts.end(),
                     [&](const Candidate& a, const Candidate& b) { return cost_of(a) < cost_of(b); });
    if (firsts.size() > kFirstDetours) firsts.resize(kFirstDetours);
    for (const Candidate& first : firsts) {
      const Cost cost = cost_of(first);
      const Attempt attempt(trial_);
      Way way;
      go(way, first);
      ++way.detours;
      try_detours(way, cost, t, best);
    }
    if (best) return best->second;
  }
  return std::nullopt;
}

}  // namespace htools
