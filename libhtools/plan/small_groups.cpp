#include "plan/small_groups.h"

#include <algorithm>
#include <functional>

#include "balance/move_generation.h"
#include "metric/statistics.h"
#include "plan/least_price.h"
#include "plan/paths.h"

namespace htools {
namespace {

// The most instances of a small group, and the number of states that are looked at.
constexpr std::size_t kMostInstances = 24, kMostStates = 300;

bool is_small(const GroupMembers& members) {
  return members.nodes.size() <= kSmallGroup && members.instances.size() <= kMostInstances;
}

WaySearch small_search(const GroupMembers& members, const MoveRules& rules, const std::optional<WayPrice>& below) {
  return {.members = members,
          .movers = members.instances,
          .rules = rules,
          .most_states = kMostStates,
          .most_targets = members.nodes.size(),
          .below = below};
}

// Looks for the cheapest way to a state of which `least_left` says that no steps are left.
std::optional<Way> way_in_small_group(Trial& trial, const GroupMembers& members, const MoveRules& rules,
                                      const std::optional<WayPrice>& below,
                                      const std::function<WayPrice(const Cluster&)>& least_left) {
  if (!is_small(members)) return std::nullopt;
  WaySearch search = small_search(members, rules, below);
  search.least_left = least_left;
  return cheapest_way(trial, search, [&](Trial& t) { return least_left(t.cluster()).steps == 0; });
}

}  // namespace

std::optional<Ordering> cheapest_order(Trial& trial, const GroupMembers& members,
                                       const std::vector<WantedPlacement>& wanted, const MoveRules& rules,
                                       const std::optional<WayPrice>& below) {
  // Other instances come back to where they are.
  std::vector<WantedPlacement> ends = wanted;
  for (const InstanceIndex i : members.instances) {
    if (std::ranges::find(wanted, i, &WantedPlacement::instance) == wanted.end()) {
      ends.push_back({i, placement_of(trial.cluster().instance(i))});
    }
  }
  const auto least_left = [&](const Cluster& cluster) {
    WayPrice least;
    for (const WantedPlacement& end : ends) least += least_price_to(cluster, end);
    return least;
  };
  const std::optional<Way> way = way_in_small_group(trial, members, rules, below, least_left);
  if (!way) return std::nullopt;
  Ordering ordering;
  std::optional<std::size_t> next;  // of the later steps that bring their instances nearer to their ends
  for (std::size_t s = way->steps.size(); s-- > 0;) {
    const BalanceStep& step = way->steps[s];
    const Placement& end = std::ranges::find(ends, step.instance, &WantedPlacement::instance)->placement;
    const bool is_nearer = moves_between(step.after, end) < moves_between(step.before, end);
    ordering.steps.push_back({step, is_nearer ? std::nullopt : next});
    if (is_nearer) next = s;
  }
  std::ranges::reverse(ordering.steps);
  return ordering;
}

std::optional<Way> cheapest_emptying(Trial& trial, const GroupMembers& members, std::span<const NodeIndex> nodes,
                                     const MoveRules& rules, const std::optional<WayPrice>& below) {
  const auto least_left = [&](const Cluster& cluster) {
    WayPrice least;
    for (const InstanceIndex i : members.instances) least += least_price_off(cluster, cluster.instance(i), nodes);
    return least;
  };
  const bool is_possible = std::ranges::all_of(members.instances, [&](InstanceIndex i) {
    const Instance& instance = trial.cluster().instance(i);
    return least_price_off(trial.cluster(), instance, nodes).steps == 0 ||
           is_candidate(trial.cluster(), instance, rules);
  });
  if (!is_possible) return std::nullopt;
  return way_in_small_group(trial, members, rules, below, least_left);
}

std::optional<Way> best_way_to(Trial& trial, const GroupMembers& members, const MoveRules& rules, PriceOrder order,
                               const std::function<bool(Trial&)>& is_goal) {
  if (!is_small(members)) return std::nullopt;
  WaySearch search = small_search(members, rules, std::nullopt);
  search.order = order;
  return cheapest_way(trial, search, is_goal);
}

}  // namespace htools
