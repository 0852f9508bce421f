#include "rules/rule_check.h"

#include <algorithm>
#include <iterator>

namespace htools {
namespace {

// The cluster as it is, or as it would be with one instance elsewhere.
struct State {
  const Cluster& cluster;
  InstanceIndex moved = InstanceIndex::none();
  Placement to = {};

  Placement at(InstanceIndex i) const {
    if (i == moved) return to;
    const Instance& instance = cluster.instance(i);
    return {instance.primary, instance.facts->has_secondary() ? instance.secondary : NodeIndex::none()};
  }
};

bool is_out_of_place(const ResolvedRule& rule, const Placement& at) {
  const auto is_forbidden = [&](NodeIndex n) { return !n.is_none() && !rule.permits(n); };
  return is_forbidden(at.primary) || is_forbidden(at.secondary);
}

bool has(const std::vector<InstanceIndex>& sorted, InstanceIndex i) {
  return std::binary_search(sorted.begin(), sorted.end(), i);
}

RuleExtent extent(const State& state, const ResolvedRule& rule) {
  if (rule.given.kind == RuleKind::Stay) return {};
  if (!speaks_of_places(rule)) {
    return {.broken = std::ranges::count_if(rule.instances,
                                            [&](InstanceIndex i) { return is_out_of_place(rule, state.at(i)); })};
  }
  PlaceCounts counts(state.cluster, rule);
  if (!state.moved.is_none()) counts.move(state.moved, state.cluster.instance(state.moved).primary, state.to.primary);
  return counts.extent();
}

// True if a rule that speaks of nodes forbids it.
bool forbids(const ResolvedRule& rule, const Placement& from, const Placement& to) {
  if (rule.given.kind == RuleKind::Stay) return true;
  const auto is_new = [&](NodeIndex n) { return !n.is_none() && n != from.primary && n != from.secondary; };
  return (is_new(to.primary) && !rule.permits(to.primary)) || (is_new(to.secondary) && !rule.permits(to.secondary));
}

bool refuses(const ResolvedRule& rule, const State& after, const Placement& from) {
  if (!speaks_of_places(rule)) return forbids(rule, from, after.to);
  if (from.primary == after.to.primary) return false;
  PlaceCounts counts(after.cluster, rule);
  const RuleExtent before = counts.extent();
  counts.move(after.moved, from.primary, after.to.primary);
  return before < counts.extent();
}

}  // namespace

RuleExtent extent_of(const Cluster& cluster, const ResolvedRule& rule) { return extent({cluster}, rule); }

bool speaks_of_places(const ResolvedRule& rule) {
  return rule.given.kind == RuleKind::Apart || rule.given.kind == RuleKind::Together;
}

PlaceCounts::PlaceCounts(const Cluster& cluster, const ResolvedRule& rule)
    : cluster_(cluster), rule_(rule), members_(rule.place_count, 0), beside_(rule.place_count, 0) {
  for (const InstanceIndex i : rule.instances) change(cluster.instance(i).primary, 1, 0);
  for (const InstanceIndex i : rule.from) change(cluster.instance(i).primary, 0, 1);
}

void PlaceCounts::change(NodeIndex node, std::int64_t members, std::int64_t beside) {
  if (node.is_none() || cluster_.node(node).offline) return;
  const std::uint32_t place = rule_.places[node.position()];
  std::int64_t &there = members_[place], &others = beside_[place];
  const auto too_many = [&] {
    return rule_.given.from.empty() || others > 0 ? std::max<std::int64_t>(0, there - rule_.at_most) : 0;
  };
  too_many_ -= too_many();
  squares_ -= there * there;
  used_ -= there > 0 ? 1 : 0;
  there += members;
  others += beside;
  too_many_ += too_many();
  squares_ += there * there;
  used_ += there > 0 ? 1 : 0;
}

void PlaceCounts::move(InstanceIndex instance, NodeIndex from, NodeIndex to) {
  const std::int64_t member = has(rule_.instances, instance) ? 1 : 0, other = has(rule_.from, instance) ? 1 : 0;
  change(from, -member, -other);
  change(to, member, other);
}

RuleExtent PlaceCounts::extent() const {
  if (rule_.given.kind == RuleKind::Together) return {.broken = std::max<std::int64_t>(0, used_ - 1)};
  return {.broken = too_many_, .unevenness = too_many_ == 0 ? 0 : squares_};
}

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
  // Whoever could go without breaking the rule more, and with less of it broken, is one of those too many.
  PlaceCounts counts(cluster, rule);
  const RuleExtent now = counts.extent();
  const auto is_crowded = [&](InstanceIndex i) {
    const NodeIndex primary = state.at(i).primary;
    counts.move(i, primary, NodeIndex::none());
    const RuleExtent without = counts.extent();
    counts.move(i, NodeIndex::none(), primary);
    return without.broken < now.broken;
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

bool spoils_places(const Cluster& cluster, InstanceIndex instance, NodeIndex to,
                   const std::function<NodeIndex(InstanceIndex)>& where_is) {
  if (!cluster.rule_book) return false;
  return std::ranges::any_of(cluster.rule_book->binding(instance), [&](std::uint32_t number) {
    const ResolvedRule& rule = cluster.rule_book->rule(number);
    if (!speaks_of_places(rule)) return false;
    PlaceCounts counts(cluster, rule);
    for (const auto* list : {&rule.instances, &rule.from}) {
      for (const InstanceIndex i : *list) {
        // One that is in both lists moves once.
        if (list == &rule.from && has(rule.instances, i)) continue;
        counts.move(i, cluster.instance(i).primary, where_is(i));
      }
    }
    const RuleExtent before = counts.extent();
    counts.move(instance, where_is(instance), to);
    return before < counts.extent();
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
