#include "search/relief.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>

#include "balance/move_generation.h"
#include "metric/statistics.h"
#include "plan/cheapest_way.h"
#include "plan/paths.h"
#include "search/wishes.h"
#include "trial/trial.h"

namespace htools {
namespace {

// Returns the online node that is farthest above the limits; nothing if none is. Where nodes must not be far apart, it
// is the fullest one.
std::optional<NodeIndex> farthest_node(const Cluster& cluster, const GroupMembers& members, const Wishes& wishes) {
  std::optional<NodeIndex> farthest;
  double longest = kShareTolerance;
  const auto consider = [&](NodeIndex n, double distance) {
    if (!(distance > longest)) return;
    longest = distance;
    farthest = n;
  };
  for (std::size_t r = 0; r < kResourceCount; ++r) {
    double lowest = 1e300;
    for (const NodeIndex n : members.nodes) {
      if (!cluster.node(n).offline) lowest = std::min(lowest, used_shares(cluster.node(n))[r]);
    }
    for (const NodeIndex n : members.nodes) {
      if (cluster.node(n).offline) continue;
      const double share = used_shares(cluster.node(n))[r];
      if (wishes.at_most[r]) consider(n, share - *wishes.at_most[r]);
      if (wishes.spread[r]) consider(n, share - lowest - *wishes.spread[r]);
    }
  }
  return farthest;
}

// A move, how far the group is from the limits after it, and its price.
struct Relief {
  BalanceStep step;
  double excess;
  PriceRank price;
};

std::optional<Relief> best_relief(Trial& trial, NodeIndex node, const GroupMembers& members, const SearchRules& rules,
                                  PriceOrder order) {
  const Cluster& cluster = trial.cluster();
  std::set<InstanceIndex> residents;
  for (const auto& list : {cluster.node(node).primaries, cluster.node(node).secondaries}) {
    residents.insert(list.begin(), list.end());
  }
  std::optional<Relief> best;
  const double now = excess_of(cluster, members, rules.wishes);
  for (const InstanceIndex i : residents) {
    if (!is_candidate(cluster, cluster.instance(i), rules.balance.moves)) continue;
    for (const Move& move : generate_moves(cluster, members, cluster.instance(i), rules.balance.moves)) {
      const Placement before = placement_of(cluster.instance(i));
      const BalanceStep step{i, move, before, placement_after(before, move), 0.0};
      if (!is_allowed(cluster, step, rules.balance.moves.force)) continue;
      const WayPrice price = price_of(cluster, step);
      const Attempt attempt(trial);
      trial.apply(i, move);
      const Relief relief{step, excess_of(cluster, members, rules.wishes),
                          price_rank(order, price.copied, price.steps, price.migrated)};
      const double difference = best ? relief.excess - best->excess : relief.excess - now + kShareTolerance;
      const bool is_equal = best && difference >= -kShareTolerance && difference <= kShareTolerance;
      if (is_equal ? relief.price < best->price : difference < 0.0) best = relief;
    }
  }
  return best;
}

}  // namespace

Ordering relieving_moves(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                         PriceOrder order) {
  Ordering plan;
  Trial trial(start);
  while (const std::optional<NodeIndex> node = farthest_node(trial.cluster(), members, rules.wishes)) {
    std::optional<Relief> relief = best_relief(trial, *node, members, rules, order);
    if (!relief) break;
    trial.apply(relief->step.instance, relief->step.move);
    relief->step.score = score(member_nodes(trial.cluster(), members));
    plan.steps.push_back({relief->step, std::nullopt});
  }
  return plan;
}

}  // namespace htools
