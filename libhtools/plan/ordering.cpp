#include "plan/ordering.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "balance/move_generation.h"
#include "metric/statistics.h"
#include "plan/journey.h"
#include "plan/paths.h"
#include "rules/move_application.h"

namespace htools {
namespace {

// The number of orders that are tried without detours.
constexpr std::uint64_t direct_attempts(std::size_t travellers) {
  constexpr std::size_t kFewTravellers = 8;  // trying is cheap, and one order may be the only one
  return travellers <= kFewTravellers ? 24 : travellers <= kExactTravellers ? 4 : 1;
}

// Returns why the instance cannot have the place for reasons that no order changes; nothing if there is none.
std::optional<UnreachedReason> obstacle(const Cluster& cluster, const WantedPlacement& wanted, const MoveRules& rules) {
  const Instance& instance = cluster.instance(wanted.instance);
  if (placement_of(instance) == wanted.placement) return std::nullopt;
  const bool paired = !wanted.placement.secondary.is_none();
  if (instance.facts->has_secondary() != paired) return UnreachedReason::OtherShape;
  MoveRules any_node = rules;
  any_node.evacuation = false;
  if (!is_candidate(cluster, instance, any_node)) return UnreachedReason::NotMovable;
  for (const NodeIndex n : nodes_of(wanted.placement)) {
    if (cluster.node(n).facts->group != cluster.node(instance.primary).facts->group) return UnreachedReason::OtherGroup;
    const bool is_there = n == instance.primary || n == instance.secondary;
    if (cluster.node(n).offline && !is_there) return UnreachedReason::OfflineNode;
    if (cluster.node(n).cordoned && !is_there) return UnreachedReason::CordonedNode;
  }
  const MoveKinds kinds = move_kinds(cluster, instance, rules);
  if (!kinds.failover && kinds.per_target.empty()) return UnreachedReason::NotMovable;
  return std::nullopt;
}

// Returns what keeps the instance from any moves to the place.
std::optional<Immovable> immovable_on_the_way(const Cluster& cluster, const WantedPlacement& wanted,
                                              const MoveRules& rules) {
  const Instance& instance = cluster.instance(wanted.instance);
  if (const auto reason = immovable_reason(cluster, instance, rules)) return reason;
  const auto option = forbidding_option(rules, [&](const MoveRules& r) {
    return !possible_moves_towards(cluster, *instance.facts, placement_of(instance), wanted.placement, r).empty();
  });
  if (option) return option;
  const bool is_secondary_down = instance.facts->has_secondary() && cluster.node(instance.secondary).offline;
  return is_secondary_down ? std::optional(Immovable::SecondaryOffline) : std::nullopt;
}

Unreached unreached(const Cluster& cluster, const WantedPlacement& wanted, UnreachedReason reason,
                    const MoveRules& rules) {
  Unreached result{wanted, reason, std::nullopt};
  if (reason == UnreachedReason::NotMovable) result.immovable = immovable_on_the_way(cluster, wanted, rules);
  return result;
}

// Returns for each wanted placement whether its instance is in a hurry (Traveller::is_urgent).
std::vector<char> urgent_placements(Trial& trial, const std::vector<WantedPlacement>& wanted, const MoveRules& rules) {
  const Cluster& cluster = trial.cluster();
  std::vector<Placement> starts;
  const Attempt end(trial);
  for (const WantedPlacement& w : wanted) {
    starts.push_back(placement_of(cluster.instance(w.instance)));
    for (;;) {
      const std::vector<Move> moves = moves_towards(placement_of(cluster.instance(w.instance)), w.placement);
      if (moves.empty()) break;
      trial.apply(w.instance, moves.front());
    }
  }
  const auto is_urgent = [&](const WantedPlacement& w, const Placement& start) {
    if (w.placement.secondary.is_none()) return false;
    if (w.placement.secondary != start.secondary) {
      const Node& node = cluster.node(w.placement.secondary);
      return cluster.instance(w.instance).facts->secondary_memory() >=
             std::min(node.unallocated_memory(), node.books.forthcoming_free_memory);
    }
    const MoveTrials trials(cluster, w.instance, rules.force);
    return w.placement.primary != start.primary &&
           !std::holds_alternative<MoveEffect>(trials.attempt({MoveKind::Failover, NodeIndex::none()}));
  };
  std::vector<char> urgent;
  for (std::size_t i = 0; i < wanted.size(); ++i) urgent.push_back(is_urgent(wanted[i], starts[i]) ? 1 : 0);
  return urgent;
}

}  // namespace

Ordering ordering_of(const std::vector<BalanceStep>& steps) {
  Ordering ordering;
  for (const BalanceStep& step : steps) ordering.steps.push_back({step, std::nullopt});
  return ordering;
}

Ordering concatenated(const Ordering& first, const Ordering& second) {
  Ordering both = first;
  for (OrderedStep s : second.steps) {
    if (s.enables) *s.enables += first.steps.size();
    both.steps.push_back(s);
  }
  return both;
}

Ordering order_moves(Trial& trial, const GroupMembers& members, const std::vector<WantedPlacement>& wanted,
                     const MoveRules& rules, const OrderingEffort& effort) {
  std::vector<Unreached> impossible;
  std::vector<WantedPlacement> possible;
  for (const WantedPlacement& w : wanted) {
    if (const auto reason = obstacle(trial.cluster(), w, rules)) {
      impossible.push_back(unreached(trial.cluster(), w, *reason, rules));
    } else {
      possible.push_back(w);
    }
  }
  const std::vector<char> urgent = urgent_placements(trial, possible, rules);
  // Other orders are tried before detours, which make a plan longer.
  std::optional<Ordering> best;
  const std::uint64_t direct = direct_attempts(possible.size());
  std::size_t detours = effort.detours;
  for (std::uint64_t attempt = 0; attempt < direct + effort.orders; ++attempt) {
    const bool with_detours = attempt >= direct;
    const Attempt level(trial);
    std::size_t none = 0;
    Journey journey(trial, members, rules, with_detours ? attempt - direct : attempt, with_detours ? detours : none);
    for (std::size_t i = 0; i < possible.size(); ++i) journey.add(possible[i], urgent[i] != 0);
    journey.run();
    Ordering ordering = std::move(journey).result();
    if (!best || ordering.unreached.size() < best->unreached.size()) best = std::move(ordering);
    if (best->unreached.empty() || (with_detours && detours == 0)) break;
  }
  for (const OrderedStep& step : best->steps) trial.apply(step.step.instance, step.step.move);
  best->unreached.insert(best->unreached.begin(), impossible.begin(), impossible.end());
  return std::move(*best);
}

Ordering order_anew(const Cluster& start, const GroupMembers& members, const Ordering& plan, const MoveRules& rules,
                    const OrderingEffort& effort) {
  Trial there(start);
  for (const OrderedStep& s : plan.steps) there.apply(s.step.instance, s.step.move);
  std::vector<WantedPlacement> target;
  for (const InstanceIndex i : members.instances) {
    const Placement to = placement_of(there.cluster().instance(i));
    if (!(to == placement_of(start.instance(i)))) target.push_back({i, to});
  }
  Trial trial(start);
  Ordering direct = order_moves(trial, members, target, rules, effort);
  return direct.unreached.empty() && direct.steps.size() <= plan.steps.size() ? direct : plan;
}

DirectMoves make_direct_moves(Trial& trial, const GroupMembers& members, const WantedPlacement& wanted,
                              const MoveRules& rules) {
  const Cluster& cluster = trial.cluster();
  if (const auto reason = obstacle(cluster, wanted, rules)) return {{}, unreached(cluster, wanted, *reason, rules)};
  const auto allowed_moves = [&](std::optional<Refusal>& refusal) {
    const Instance& instance = cluster.instance(wanted.instance);
    const MoveKinds kinds = move_kinds(cluster, instance, rules);
    const MoveReasons reasons(cluster, wanted.instance, rules.force);
    std::vector<Move> allowed;
    for (const Move& move : moves_towards(placement_of(instance), wanted.placement)) {
      if (!kinds.have(move)) continue;
      const auto outcome = reasons.attempt(move);
      if (std::holds_alternative<MoveEffect>(outcome)) {
        allowed.push_back(move);
      } else if (!refusal) {
        refusal = std::get<Refusal>(outcome);
      }
    }
    return allowed;
  };
  const auto make = [&](const Move& move) {
    const Placement before = placement_of(cluster.instance(wanted.instance));
    trial.apply(wanted.instance, move);
    return BalanceStep{wanted.instance, move, before, placement_after(before, move),
                       score(member_nodes(cluster, members))};
  };
  std::optional<Refusal> refusal;
  for (const Move& first : allowed_moves(refusal)) {
    Attempt attempt(trial);
    std::vector<BalanceStep> steps{make(first)};
    if (steps.back().after != wanted.placement) {
      const std::vector<Move> seconds = allowed_moves(refusal);
      if (seconds.empty()) continue;
      steps.push_back(make(seconds.front()));
    }
    attempt.keep();
    return {std::move(steps), std::nullopt};
  }
  if (refusal) return {{}, Unreached{wanted, UnreachedReason::Refused, refusal}};
  return {{}, unreached(cluster, wanted, UnreachedReason::NotMovable, rules)};
}

}  // namespace htools
