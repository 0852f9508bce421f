#include "plan/cheapest_way.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <queue>
#include <utility>

#include "balance/move_generation.h"
#include "metric/statistics.h"
#include "plan/paths.h"
#include "plan/plan.h"
#include "rules/move_application.h"

namespace htools {
namespace {

// The instances that are not where they were, and where they are; states with equal keys are equal.
using StateKey = std::vector<std::array<std::size_t, 3>>;

// A way that was found but not yet looked at.
struct Entry {
  Way way;
  PriceRank least;    // a lower bound on the price of the ways to the goal that begin with this one
  std::size_t order;  // among equal bounds, the first one found is looked at first
};
struct IsDearer {
  bool operator()(const Entry& a, const Entry& b) const {
    return a.least != b.least ? a.least > b.least : a.order > b.order;
  }
};
using OpenWays = std::priority_queue<Entry, std::vector<Entry>, IsDearer>;

StateKey key_of(const std::vector<BalanceStep>& steps) {
  StateKey key;
  for (const BalanceStep& s : steps) {
    const std::array<std::size_t, 3> entry{s.instance.position(), s.after.primary.position(),
                                           s.after.secondary.is_none() ? SIZE_MAX : s.after.secondary.position()};
    const auto it = std::ranges::find(key, entry[0], [](const auto& e) { return e[0]; });
    if (it == key.end()) {
      key.push_back(entry);
    } else {
      *it = entry;
    }
  }
  std::ranges::sort(key);
  return key;
}

// Returns the nodes with the most free memory, in the order of the group: as many as some_moves() may need, since an
// instance does not move to its own two nodes.
GroupMembers emptiest_nodes(const Cluster& cluster, const WaySearch& search) {
  std::vector<NodeIndex> nodes;
  std::ranges::copy_if(search.members.nodes, std::back_inserter(nodes),
                       [&](NodeIndex n) { return receives(cluster.node(n)); });
  std::ranges::stable_sort(nodes, std::greater(), [&](NodeIndex n) { return cluster.node(n).unallocated_memory(); });
  nodes.resize(std::min(nodes.size(), search.most_targets + 2));
  GroupMembers emptiest;
  std::ranges::copy_if(search.members.nodes, std::back_inserter(emptiest.nodes),
                       [&](NodeIndex n) { return std::ranges::find(nodes, n) != nodes.end(); });
  return emptiest;
}

// Returns the moves of an instance: of each kind those to the nodes with the most free memory.
std::vector<Move> some_moves(const Cluster& cluster, const WaySearch& search, const GroupMembers& emptiest,
                             const Instance& instance) {
  std::vector<Move> moves = generate_moves(cluster, emptiest, instance, search.rules);
  const auto free_memory = [&](const Move& move) {
    return move.target.is_none() ? 0 : cluster.node(move.target).unallocated_memory();
  };
  std::ranges::stable_sort(moves, [&](const Move& a, const Move& b) { return free_memory(a) > free_memory(b); });
  std::array<std::size_t, kMoveKindNames.size()> taken{};
  std::erase_if(moves,
                [&](const Move& move) { return taken[static_cast<std::size_t>(move.kind)]++ >= search.most_targets; });
  return moves;
}

// Adds a way that has led to this state, unless it cannot lead to the goal below the given price.
void add_way(Way way, const Cluster& cluster, const WaySearch& search, OpenWays& open, std::size_t& order) {
  WayPrice least = way.price;
  if (search.least_left) least += search.least_left(cluster);
  const auto rank = [&](const WayPrice& p) { return price_rank(search.order, p.copied, p.steps, p.migrated); };
  if (search.below && !(rank(least) < rank(*search.below))) return;
  open.push({std::move(way), rank(least), order++});
}

// Adds all ways that are one allowed move longer than this one, which has led to the state of the trial.
void add_longer_ways(const Way& way, Trial& trial, const WaySearch& search, OpenWays& open, std::size_t& order) {
  const Cluster& cluster = trial.cluster();
  const GroupMembers emptiest = emptiest_nodes(cluster, search);
  for (const InstanceIndex i : search.movers) {
    const Instance& instance = cluster.instance(i);
    if (!is_candidate(cluster, instance, search.rules)) continue;
    const MoveTrials trials(cluster, i, search.rules.force);
    for (const Move& move : some_moves(cluster, search, emptiest, instance)) {
      if (!std::holds_alternative<MoveEffect>(trials.attempt(move))) continue;
      const Placement before = placement_of(instance);
      const BalanceStep step{
          .instance = i, .move = move, .before = before, .after = placement_after(before, move), .score = 0};
      Way longer = way;
      longer.steps.push_back(step);
      longer.price += price_of(cluster, step);
      const Attempt attempt(trial);
      trial.apply(i, move);
      add_way(std::move(longer), cluster, search, open, order);
    }
  }
}

// Gives each step of a way the score of the group after it.
void add_scores(Trial& trial, const GroupMembers& members, Way& way) {
  const Attempt attempt(trial);
  for (BalanceStep& step : way.steps) {
    trial.apply(step.instance, step.move);
    step.score = score(member_nodes(trial.cluster(), members));
  }
}

}  // namespace

WayPrice& WayPrice::operator+=(const WayPrice& other) {
  copied += other.copied;
  steps += other.steps;
  migrated += other.migrated;
  return *this;
}

WayPrice price_of(const Cluster& cluster, const BalanceStep& step) {
  const MoveCost cost = cost_of(cluster, step, {});
  return {cost.copied_mib, 1, cost.migrated_mib};
}

std::optional<Way> cheapest_way(Trial& trial, const WaySearch& search, const std::function<bool(Trial&)>& is_goal) {
  OpenWays open;
  std::map<StateKey, std::size_t> seen;  // with the number of steps of the shortest way to it
  std::size_t order = 0;
  add_way({}, trial.cluster(), search, open, order);
  for (std::size_t states = 0; states < search.most_states && !open.empty(); ++states) {
    Way way = open.top().way;
    open.pop();
    const auto [known, is_new] = seen.try_emplace(key_of(way.steps), way.steps.size());
    if (!is_new && known->second <= way.steps.size()) {
      --states;
      continue;
    }
    known->second = way.steps.size();
    {
      const Attempt attempt(trial);
      for (const BalanceStep& s : way.steps) trial.apply(s.instance, s.move);
      if (!is_goal(trial)) {
        if (way.steps.size() < search.most_steps) add_longer_ways(way, trial, search, open, order);
        continue;
      }
    }
    add_scores(trial, search.members, way);
    return way;
  }
  return std::nullopt;
}

}  // namespace htools
