#include "tests/support/literal_allocation.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cluster/bookkeeping.h"

namespace htools::testing::literal {

NodeRefs references(const Cluster& cluster, const Nodes& nodes) {
  NodeRefs refs;
  for (NodeIndex n : nodes) refs.push_back(cluster.node(n));
  return refs;
}

namespace {

double score_after(const Cluster& cluster, const Nodes& nodes, const Moved& moved) {
  NodeRefs refs = references(cluster, nodes);
  for (const auto& [index, node] : moved.nodes) refs = with(refs, cluster.node(index), node);
  return literal::score(refs);
}

bool can_be_vacated(Cluster cluster, const Nodes& nodes, NodeIndex n) {
  Nodes group, escapes;
  for (NodeIndex t : nodes) {
    if (cluster.node(t).facts->group != cluster.node(n).facts->group) continue;
    group.push_back(t);
    if (t != n) escapes.push_back(t);
  }
  const auto newest_first = [&](auto wanted) {
    std::vector<InstanceIndex> list;
    const auto& primaries = cluster.node(n).primaries;
    for (auto i = primaries.rbegin(); i != primaries.rend(); ++i) {
      if (wanted(facts(cluster.instance(*i).facts->disk_template))) list.push_back(*i);
    }
    return list;
  };
  const auto drbd = newest_first([](const DiskTemplateFacts& f) { return f.has_secondary; });
  const auto movable = newest_first([](const DiskTemplateFacts& f) { return f.freely_movable; });
  auto fixed = newest_first([](const DiskTemplateFacts& f) { return !f.has_secondary && !f.freely_movable; });
  for (InstanceIndex i : drbd) {
    if (!is_in(nodes, cluster.instance(i).secondary)) throw NodeMissing{};
    const MoveOutcome outcome = moved(cluster, i, {MoveKind::Failover, NodeIndex::none()}, true);
    if (std::holds_alternative<FailMode>(outcome)) return false;
    apply(cluster, i, std::get<Moved>(outcome));
  }
  for (InstanceIndex i : movable) {
    std::optional<std::pair<Moved, double>> best;
    for (NodeIndex t : escapes) {
      const MoveOutcome outcome = moved(cluster, i, {MoveKind::FailoverToAny, t}, true);
      if (std::holds_alternative<FailMode>(outcome)) continue;
      const double s = score_after(cluster, group, std::get<Moved>(outcome));
      if (!best || !(best->second < s)) best = {std::get<Moved>(outcome), s};
    }
    if (!best) return false;
    apply(cluster, i, best->first);
  }
  std::stable_sort(fixed.begin(), fixed.end(), [&](InstanceIndex a, InstanceIndex b) {
    return cluster.instance(a).facts->memory > cluster.instance(b).facts->memory;
  });
  return std::all_of(fixed.begin(), fixed.end(),
                     [&](InstanceIndex i) { return create_anew(cluster, i, escapes, references(cluster, nodes)); });
}

bool every_node_can_be_vacated(const Cluster& cluster, const Nodes& nodes) {
  return std::all_of(nodes.begin(), nodes.end(), [&](NodeIndex n) { return can_be_vacated(cluster, nodes, n); });
}

}  // namespace

Cluster with_arrival(Cluster cluster, const Arrival& arrival, const Solution& place) {
  if (arrival.index.position() == cluster.instances.size()) return applied(cluster, arrival.instance, place);
  Instance instance = arrival.instance;
  instance.location_score = 0;
  if (!place.secondary.is_none()) {
    instance.location_score = cluster.node(place.primary)
                                  .facts->location_tags.common_with(cluster.node(place.secondary).facts->location_tags);
  }
  add_primary(cluster.node(place.primary), arrival.index, instance);
  if (!place.secondary.is_none()) {
    add_secondary(cluster.node(place.secondary), arrival.index, instance, place.primary);
  }
  return cluster;
}

Good capacity_check(const Cluster& cluster, const Nodes& nodes, const Arrival& arrival, const AllocationRules& rules) {
  return [&](const Solution& place) {
    return !rules.capacity_checks || every_node_can_be_vacated(with_arrival(cluster, arrival, place), nodes);
  };
}

namespace {

Allocation as_allocation(const PlaceResult& result) {
  Allocation allocation{.failures = result.failures, .successes = result.successes, .choice = {}};
  if (result.solution) {
    allocation.choice = {{result.solution->primary, result.solution->secondary}, result.solution->score};
  }
  return allocation;
}

}  // namespace

Allocation try_nodes(const Cluster& cluster, const Nodes& nodes, const Nodes& candidates, const Arrival& arrival,
                     const AllocationRules& rules) {
  std::vector<Solution> found;
  FailCounts failures;
  for (NodeIndex p : candidates) {
    Node node = cluster.node(p);
    if (const auto fail = put_primary(cluster, node, arrival.instance, {.force = rules.force})) {
      failures[*fail] += 1;
    } else {
      found.push_back({literal::score(with(references(cluster, nodes), cluster.node(p), node)), p, NodeIndex::none()});
    }
  }
  PlaceResult result = choose(found, capacity_check(cluster, nodes, arrival, rules));
  add_failures(result.failures, failures);
  return as_allocation(result);
}

Allocation try_pairs(const Cluster& cluster, const Nodes& nodes, const Nodes& primaries, const Nodes& secondaries,
                     const Arrival& arrival, const AllocationRules& rules) {
  const Statistics base(references(cluster, nodes));
  PlaceResult total;
  for (NodeIndex p : primaries) {
    std::vector<Solution> found;
    for (NodeIndex s : secondaries) {
      if (s == p) continue;
      Instance instance = arrival.instance;
      instance.location_score = cluster.node(p).facts->location_tags.common_with(cluster.node(s).facts->location_tags);
      Node primary = cluster.node(p), secondary = cluster.node(s);
      auto fail = put_primary(cluster, primary, instance, {.force = rules.force});
      if (!fail) fail = check_secondary(secondary, books_with_secondary(secondary, instance, p), instance);
      if (fail) {
        total.failures[*fail] += 1;
        continue;
      }
      add_secondary(secondary, arrival.index, instance, p);
      Statistics statistics = base;
      statistics.update(cluster.node(p), primary);
      statistics.update(cluster.node(s), secondary);
      found.push_back({statistics.score(), p, s});
    }
    const PlaceResult chosen = choose(found, capacity_check(cluster, nodes, arrival, rules));
    add_failures(total.failures, chosen.failures);
    total.successes += chosen.successes;
    if (!chosen.solution) continue;
    const bool keep = total.solution && total.solution->score < chosen.solution->score;
    if (!keep) total.solution = chosen.solution;
  }
  return as_allocation(total);
}

std::vector<std::int64_t> allocation_vector(const Node& node, const InstancePolicy& policy) {
  std::vector<InstanceSpec> sizes;
  for (const MinMaxSpecs& pair : policy.minmax) sizes.push_back(pair.min);
  std::stable_sort(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a.disk_size > b.disk_size; });
  std::vector<std::int64_t> vector;
  for (const InstanceSpec& size : sizes) {
    Instance instance;
    instance.facts.edit().disk_template = DiskTemplate::Plain;
    instance.facts.edit().memory = size.memory;
    instance.facts.edit().vcpus = size.vcpus;
    instance.facts.edit().spindle_use = size.spindle_use;
    instance.facts.edit().disk = size.disk_size;
    Node filled = node;
    std::int64_t times = 0;
    while (!check_primary(filled, books_with_primary(filled, instance), instance)) {
      add_primary(filled, InstanceIndex(0), instance);
      ++times;
    }
    vector.push_back(times);
  }
  return vector;
}

LostAllocations loss(const Cluster& cluster, const std::vector<std::pair<const Node*, const Node*>>& changes) {
  const InstancePolicy& policy = cluster.group(changes.front().first->facts->group).policy;
  LostAllocations result{std::vector<std::int64_t>(policy.minmax.size(), 0), 0};
  for (const auto& [before, after] : changes) {
    const auto had = literal::allocation_vector(*before, policy), has = literal::allocation_vector(*after, policy);
    for (std::size_t k = 0; k < had.size(); ++k) result.lost[k] += had[k] - has[k];
    result.remaining_disk += after->books.real.free_disk;
  }
  return result;
}

Allocation try_by_loss(const Cluster& cluster, const Nodes& candidates, const Arrival& arrival,
                       std::int64_t required_nodes, const AllocationRules& rules) {
  Allocation result;
  const auto found = [&](const Placement& place, const LostAllocations& lost) {
    result.successes += 1;
    if (!result.choice || !(std::get<LostAllocations>(result.choice->score) < lost)) result.choice = {place, lost};
  };
  for (NodeIndex p : candidates) {
    const Nodes secondaries = required_nodes == 2 ? candidates : Nodes{NodeIndex::none()};
    for (NodeIndex s : secondaries) {
      if (s == p) continue;
      Node primary = cluster.node(p);
      if (const auto fail = put_primary(cluster, primary, arrival.instance, {.force = rules.force})) {
        result.failures[*fail] += 1;
      } else if (s.is_none()) {
        found({p, s}, loss(cluster, {{&cluster.node(p), &primary}}));
      } else {
        Node secondary = cluster.node(s);
        const NodeBooks after = books_with_secondary(secondary, arrival.instance, p);
        if (const auto refused = check_secondary(secondary, after, arrival.instance)) {
          result.failures[*refused] += 1;
          continue;
        }
        add_secondary(secondary, arrival.index, arrival.instance, p);
        found({p, s}, loss(cluster, {{&cluster.node(p), &primary}, {&cluster.node(s), &secondary}}));
      }
    }
  }
  return result;
}

namespace {

bool lacks_network(const Group& group, const Instance& instance) {
  return std::any_of(instance.facts->nics.begin(), instance.facts->nics.end(), [&](const Nic& nic) {
    return nic.network && std::count(group.networks.begin(), group.networks.end(), *nic.network) == 0;
  });
}

}  // namespace

Nodes members(const Cluster& cluster, const Nodes& nodes, GroupIndex group) {
  Nodes result;
  for (NodeIndex n : nodes) {
    if (cluster.node(n).facts->group == group) result.push_back(n);
  }
  return result;
}

namespace {

// Tries one group. `judged` are the nodes that count in the scores and in the capacity check.
GroupTrial try_group(const Cluster& cluster, const Nodes& judged, const Nodes& group_nodes, GroupIndex group,
                     const Arrival& arrival, std::int64_t required_nodes, const AllocationRules& rules, Judge judge) {
  Nodes candidates;
  for (NodeIndex n : group_nodes) {
    const auto& allowed = rules.allowed_nodes;
    const bool is_allowed = !allowed || allowed->count(cluster.node(n).facts->name) > 0;
    if (!cluster.node(n).offline && !cluster.node(n).cordoned && is_allowed) candidates.push_back(n);
  }
  if (required_nodes != 1 && required_nodes != 2) return {group, GroupProblem::UnsupportedNodeCount};
  if (required_nodes == 1 && candidates.empty()) return {group, GroupProblem::NoOnlineNodes};
  if (required_nodes == 2 && candidates.size() < 2) return {group, GroupProblem::NotEnoughOnlineNodes};
  if (judge == Judge::LostAllocations) {
    return {group, try_by_loss(cluster, candidates, arrival, required_nodes, rules)};
  }
  return {group, required_nodes == 1 ? try_nodes(cluster, judged, candidates, arrival, rules)
                                     : try_pairs(cluster, judged, candidates, candidates, arrival, rules)};
}

// Returns the group with the best policy and, among those, the lowest score; among equal ones, the last group.
std::optional<std::size_t> select_group(const Cluster& cluster, const std::vector<GroupTrial>& trials) {
  for (const AllocPolicy policy : {AllocPolicy::Preferred, AllocPolicy::LastResort}) {
    std::vector<std::size_t> newest_first;
    for (std::size_t t = trials.size(); t-- > 0;) {
      if (trials[t].choice() && cluster.group(trials[t].group).alloc_policy == policy) newest_first.push_back(t);
    }
    if (newest_first.empty()) continue;
    const auto score_of = [&](std::size_t t) -> const AllocationScore& { return trials[t].choice()->score; };
    if (std::holds_alternative<double>(score_of(newest_first.front()))) {
      const auto number = [&](const std::size_t& t) { return std::get<double>(score_of(t)); };
      return sort_by_score<std::size_t>(newest_first, number).front();
    }
    return *std::min_element(newest_first.begin(), newest_first.end(),
                             [&](std::size_t a, std::size_t b) { return score_of(a) < score_of(b); });
  }
  return std::nullopt;
}

}  // namespace

AllocationAnswer allocate_anywhere(const Cluster& cluster, const Nodes& nodes, const Arrival& arrival,
                                   std::int64_t required_nodes, const AllocationRules& rules, Judge judge,
                                   const std::optional<std::vector<GroupIndex>>& targets) {
  AllocationAnswer answer{.any_group = true, .unconnected = {}, .trials = {}, .selected = {}};
  for (std::size_t g = 0; g < cluster.groups.size(); ++g) {
    const GroupIndex group(g);
    const Nodes group_nodes = members(cluster, nodes, group);
    if (group_nodes.empty() || (targets && std::count(targets->begin(), targets->end(), group) == 0)) continue;
    if (!lacks_network(cluster.group(group), arrival.instance)) {
      answer.trials.push_back(try_group(cluster, nodes, group_nodes, group, arrival, required_nodes, rules, judge));
    } else if (judge == Judge::Score) {
      answer.unconnected.push_back(group);
    } else {
      answer.trials.push_back({group, GroupProblem::NotConnected});
    }
  }
  answer.selected = select_group(cluster, answer.trials);
  return answer;
}

AllocationAnswer allocate_in_group(const Cluster& cluster, const Nodes& nodes, const Arrival& arrival,
                                   std::int64_t required_nodes, const AllocationRules& rules, Judge judge,
                                   const std::string& id) {
  AllocationAnswer answer{.unconnected = {}, .trials = {}, .selected = {}};
  std::vector<GroupIndex> found;
  for (std::size_t g = 0; g < cluster.groups.size(); ++g) {
    if (cluster.groups[g].name == id || cluster.groups[g].uuid == id) found.push_back(GroupIndex(g));
  }
  answer.group_known = found.size() == 1;
  if (!answer.group_known) return answer;
  const Nodes own = members(cluster, nodes, found.front());
  answer.trials.push_back(lacks_network(cluster.group(found.front()), arrival.instance)
                              ? GroupTrial{found.front(), GroupProblem::NotConnected}
                              : try_group(cluster, own, own, found.front(), arrival, required_nodes, rules, judge));
  if (answer.trials.front().choice()) answer.selected = 0;
  return answer;
}

}  // namespace htools::testing::literal
