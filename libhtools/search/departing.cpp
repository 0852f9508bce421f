#include "search/departing.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "balance/move_generation.h"
#include "plan/cheapest_way.h"
#include "plan/paths.h"
#include "search/plan_judge.h"
#include "search/wishes.h"
#include "trial/trial.h"

namespace htools {
namespace {

constexpr std::size_t kMostSteps = 4, kMostStatesOfWay = 400;  // of a way
constexpr std::size_t kMostTargets = 5;                        // of each kind of move
constexpr std::size_t kMostMovers = 40;                        // instances that may make room
constexpr std::size_t kMostTried = 12;                         // instances for which ways are looked for in vain

bool is_emptied(const Wishes& wishes, NodeIndex n) {
  return std::ranges::find(wishes.emptied, n) != wishes.emptied.end();
}

// Returns the instances on the nodes to be emptied that may move: those that run there first.
std::vector<InstanceIndex> staying(const Cluster& cluster, const GroupMembers& members, const SearchRules& rules) {
  std::vector<InstanceIndex> found;
  for (const InstanceIndex i : members.instances) {
    const Instance& instance = cluster.instance(i);
    const std::vector<NodeIndex> nodes = nodes_of(placement_of(instance));
    const bool is_there = std::ranges::any_of(nodes, [&](NodeIndex n) { return is_emptied(rules.wishes, n); });
    if (is_there && is_candidate(cluster, instance, rules.balance.moves)) found.push_back(i);
  }
  std::stable_partition(found.begin(), found.end(),
                        [&](InstanceIndex i) { return is_emptied(rules.wishes, cluster.instance(i).primary); });
  return found;
}

// Returns the instance and those that may make room for it: what runs on the nodes to which it can go, and then what
// runs where these can go.
std::vector<InstanceIndex> movers_for(const Cluster& cluster, InstanceIndex instance, const GroupMembers& members,
                                      const MoveRules& rules) {
  std::vector<InstanceIndex> movers{instance};
  for (std::size_t m = 0; m < movers.size() && movers.size() < kMostMovers; ++m) {
    const Placement now = placement_of(cluster.instance(movers[m]));
    for (const Move& move : generate_moves(cluster, members, cluster.instance(movers[m]), rules)) {
      const NodeIndex there = placement_after(now, move).primary;
      for (const InstanceIndex i : cluster.node(there).primaries) {
        const bool is_new = std::ranges::find(movers, i) == movers.end();
        if (is_new && movers.size() < kMostMovers && is_candidate(cluster, cluster.instance(i), rules))
          movers.push_back(i);
      }
    }
  }
  return movers;
}

// Returns the cheapest way found after which the instance has left a node and the wishes are nearer.
std::optional<Way> way_off(Trial& trial, InstanceIndex index, const GroupMembers& members, const SearchRules& rules) {
  const std::vector<InstanceIndex> movers = movers_for(trial.cluster(), index, members, rules.balance.moves);
  const Placement now = placement_of(trial.cluster().instance(index));
  const double excess = excess_of(trial.cluster(), members, rules.wishes);
  // It has to make a move itself: one that migrates it, or else one that copies its disk.
  WayPrice own{.copied = 0, .steps = 1, .migrated = 0};
  const InstanceFacts& facts = *trial.cluster().instance(index).facts;
  if (!is_emptied(rules.wishes, now.primary) && facts.uses_local_storage()) own.copied = facts.disk;
  const WaySearch search{.members = members,
                         .movers = movers,
                         .rules = rules.balance.moves,
                         .most_states = kMostStatesOfWay,
                         .most_targets = kMostTargets,
                         .most_steps = kMostSteps,
                         .least_left = [&](const Cluster& cluster) {
                           return placement_of(cluster.instance(index)) == now ? own : WayPrice{};
                         }};
  return cheapest_way(trial, search, [&](Trial& t) {
    return placement_of(t.cluster().instance(index)) != now &&
           excess_of(t.cluster(), members, rules.wishes) < excess - kSameScore;
  });
}

}  // namespace

Ordering with_further_departures(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                                 const Ordering& plan) {
  Trial trial(start);
  for (const OrderedStep& s : plan.steps) trial.apply(s.step.instance, s.step.move);
  Ordering extended = plan;
  std::size_t tried = 0;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (const InstanceIndex i : staying(trial.cluster(), members, rules)) {
      if (tried == kMostTried) break;
      const std::optional<Way> way = way_off(trial, i, members, rules);
      tried += way ? 0 : 1;
      if (!way) continue;
      for (const BalanceStep& step : way->steps) trial.apply(step.instance, step.move);
      extended = concatenated(extended, ordering_of(way->steps));
      goes_on = true;
      break;
    }
  }
  return extended;
}

}  // namespace htools
