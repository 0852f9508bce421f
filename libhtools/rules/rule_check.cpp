#include "rules/rule_check.h"

#include <algorithm>
#include <iterator>

namespace htools {
namespace {

// The cluster as it is, or as it would be with one instance elsewhere, or with the primaries that `where_is` says.
struct State {
  const Cluster& cluster;
  InstanceIndex moved = InstanceIndex::none();
  Placement to = {};
  const WhereIs* where_is = nullptr;

  Placement at(InstanceIndex i) const {
    if (where_is != nullptr) return {(*where_is)(i), NodeIndex::none()};
    if (i == moved) return to;
    const Instance& instance = cluster.instance(i);
    return {instance.primary, instance.facts->has_secondary() ? instance.secondary : NodeIndex::none()};
  }
};

// The numbers of instances by place.
using Counts = std::vector<std::int64_t>;

// Counts them; those on offline nodes, which leave them, are in no place.
Counts count(const State& state, const ResolvedRule& rule, const std::vector<InstanceIndex>& instances) {
  Counts counts(rule.place_count, 0);
  for (const InstanceIndex i : instances) {
    const NodeIndex primary = state.at(i).primary;
    if (primary.is_none() || state.cluster.node(primary).offline) continue;
    ++counts[rule.places[primary.position()]];
  }
  return counts;
}

// Says in which places an apart rule counts its instances, and how many are there.
struct Crowding {
  Counts members, beside;

  Crowding(const State& state, const ResolvedRule& rule)
      : members(count(state, rule, rule.instances)), beside(count(state, rule, rule.from)) {}
  bool counts_in(const ResolvedRule& rule, std::size_t place) const {
    return rule.given.from.empty() || beside[place] > 0;
  }
};

RuleExtent apart_extent(const State& state, const ResolvedRule& rule) {
  const Crowding crowding(state, rule);
  RuleExtent extent;
  for (std::size_t p = 0; p < rule.place_count; ++p) {
    const std::int64_t there = crowding.members[p];
    if (crowding.counts_in(rule, p)) extent.broken += std::max<std::int64_t>(0, there - rule.at_most);
    extent.unevenness += there * there;
  }
  if (extent.broken == 0) extent.unevenness = 0;
  return extent;
}

RuleExtent together_extent(const State& state, const ResolvedRule& rule) {
  const Counts members = count(state, rule, rule.instances);
  const auto used = std::ranges::count_if(members, [](std::int64_t n) { return n > 0; });
  return {.broken = std::max<std::int64_t>(0, used - 1)};
}

bool is_out_of_place(const ResolvedRule& rule, const Placement& at) {
  const auto is_forbidden = [&](NodeIndex n) { return !n.is_none() && !rule.permits(n); };
  return is_forbidden(at.primary) || is_forbidden(at.secondary);
}

RuleExtent extent(const State& state, const ResolvedRule& rule) {
  switch (rule.given.kind) {
    case RuleKind::Stay:
      return {};
    case RuleKind::RunOn:
    case RuleKind::NotOn:
      return {.broken = std::ranges::count_if(rule.instances,
                                              [&](InstanceIndex i) { return is_out_of_place(rule, state.at(i)); })};
    case RuleKind::Apart:
      return apart_extent(state, rule);
    case RuleKind::Together:
      return together_extent(state, rule);
  }
  return {};
}

bool has(const std::vector<InstanceIndex>& sorted, InstanceIndex i) {
  return std::binary_search(sorted.begin(), sorted.end(), i);
}

bool speaks_of_places(const ResolvedRule& rule) {
  return rule.given.kind == RuleKind::Apart || rule.given.kind == RuleKind::Together;
}

// True if a rule that speaks of nodes forbids it.
bool forbids(const ResolvedRule& rule, const Placement& from, const Placement& to) {
  if (rule.given.kind == RuleKind::Stay) return true;
  const auto is_new = [&](NodeIndex n) { return !n.is_none() && n != from.primary && n != from.secondary; };
  return (is_new(to.primary) && !rule.permits(to.primary)) || (is_new(to.secondary) && !rule.permits(to.secondary));
}

bool refuses(const ResolvedRule& rule, const State& after, const Placement& from) {
  if (!speaks_of_places(rule)) return forbids(rule, from, after.to);
  return from.primary != after.to.primary && extent({after.cluster}, rule) < extent(after, rule);
}

}  // namespace

RuleExtent extent_of(const Cluster& cluster, const ResolvedRule& rule) { return extent({cluster}, rule); }

std::vector<InstanceIndex> offenders(const Cluster& cluster, const ResolvedRule& rule) {
  const State state{cluster};
  std::vector<InstanceIndex> found;
  if (extent(state, rule).broken == 0) return found;
  if (rule.given.kind == RuleKind::Together) return rule.instances;
  if (rule.given.kind != RuleKind::Apart) {
    std::ranges::copy_if(rule.instances, std::back_inserter(found),
                         [&](InstanceIndex i) { return is_out_of_place(rule, state.at(i)); });
    return found;
  }
  const Crowding crowding(state, rule);
  const auto is_crowded = [&](InstanceIndex i) {
    const NodeIndex primary = state.at(i).primary;
    if (primary.is_none() || cluster.node(primary).offline) return false;
    const std::uint32_t place = rule.places[primary.position()];
    return crowding.members[place] > rule.at_most && crowding.counts_in(rule, place);
  };
  for (const auto* list : {&rule.instances, &rule.from}) {
    std::ranges::copy_if(*list, std::back_inserter(found), is_crowded);
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::optional<std::uint32_t> rule_against(const Cluster& cluster, InstanceIndex instance, const Placement& from,
                                          const Placement& to) {
  if (!cluster.rule_book) return std::nullopt;
  const State after{cluster, instance, to};
  for (const std::uint32_t number : cluster.rule_book->binding(instance)) {
    if (refuses(cluster.rule_book->rule(number), after, from)) return number;
  }
  return std::nullopt;
}

bool is_forbidden(const Cluster& cluster, InstanceIndex instance, const Placement& from, const Placement& to) {
  if (!cluster.rule_book) return false;
  return std::ranges::any_of(cluster.rule_book->binding(instance), [&](std::uint32_t number) {
    const ResolvedRule& rule = cluster.rule_book->rule(number);
    return !speaks_of_places(rule) && forbids(rule, from, to);
  });
}

bool spoils_places(const Cluster& cluster, std::span<const InstanceIndex> instances, const WhereIs& before,
                   const WhereIs& after) {
  if (!cluster.rule_book) return false;
  return std::ranges::any_of(instances, [&](InstanceIndex i) {
    return std::ranges::any_of(cluster.rule_book->binding(i), [&](std::uint32_t number) {
      const ResolvedRule& rule = cluster.rule_book->rule(number);
      return speaks_of_places(rule) && extent({.cluster = cluster, .where_is = &before}, rule) <
                                           extent({.cluster = cluster, .where_is = &after}, rule);
    });
  });
}

std::optional<std::uint32_t> rule_mended_by(const Cluster& cluster, InstanceIndex instance, const Placement& to) {
  if (!cluster.rule_book) return std::nullopt;
  const std::vector<ResolvedRule>& rules = cluster.rule_book->rules();
  for (std::uint32_t number = 0; number < rules.size(); ++number) {
    const ResolvedRule& rule = rules[number];
    if (!has(rule.instances, instance) && !has(rule.from, instance)) continue;
    if (extent({cluster, instance, to}, rule) < extent({cluster}, rule)) return number;
  }
  return std::nullopt;
}

bool is_bound(const Cluster& cluster, InstanceIndex index) {
  if (!cluster.rule_book || cluster.rule_book->binding(index).empty()) return false;
  const Placement now = State{cluster}.at(index);
  const auto refuses_alone = [&](const Placement& to) {
    return std::ranges::any_of(cluster.rule_book->binding(index), [&](std::uint32_t number) {
      const ResolvedRule& rule = cluster.rule_book->rule(number);
      return rule.given.kind != RuleKind::Together && refuses(rule, {cluster, index, to}, now);
    });
  };
  const GroupIndex group = cluster.node(now.primary).facts->group;
  bool has_others = false;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    const NodeIndex node(n);
    if (node == now.primary || cluster.node(node).facts->group != group || !receives(cluster.node(node))) continue;
    // An instance with two nodes changes their roles; on other nodes, it leaves the second one.
    const NodeIndex secondary = node == now.secondary ? now.primary : now.secondary;
    if (!refuses_alone({node, secondary})) return false;
    has_others = true;
  }
  return has_others;
}

}  // namespace htools
