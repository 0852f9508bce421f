// The loss of any two nodes. Most pairs have nothing to do with each other, so that their losses add up; amounts of
// memory decide about the others. drill.h declares the function.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "explain/drill.h"
#include "explain/packing.h"
#include "rules/move_application.h"
#include "trial/trial.h"

namespace htools {
namespace {

// An instance that has to start elsewhere.
struct Leaver {
  std::int64_t memory;  // MiB
  NodeIndex from;
  NodeIndex to;             // the secondary; none on shared storage
  bool is_blocked = false;  // something else than memory refuses its failover
};

// What one node that is lost asks of the others.
struct Departure {
  std::vector<Leaver> failovers;  // by target; of one target, the smallest first
  std::vector<Leaver> shared;
  std::int64_t data_lost = 0;  // instances whose only copy is there
  std::int64_t homeless = 0;   // instances without room if only this node is lost
  bool was_offline = false;    // before the drill
};

// How many instances the loss of a pair brings down.
struct PairLoss {
  std::int64_t homeless = 0;
  std::int64_t data_lost = 0;

  bool is_survived() const { return homeless == 0 && data_lost == 0; }
  bool is_worse_than(const PairLoss& other) const {
    return data_lost != other.data_lost ? data_lost > other.data_lost : homeless > other.homeless;
  }
};

bool is_before(const Leaver& a, const Leaver& b) { return std::pair(a.to, a.memory) < std::pair(b.to, b.memory); }

// Rehearses the loss of pairs by amounts of memory.
class PairRehearsal {
 public:
  PairRehearsal(const Cluster& cluster, const std::vector<NodeIndex>& nodes);

  // Rehearses the loss of the nodes at these positions.
  PairLoss lose(std::size_t a, std::size_t b);

 private:
  Departure departure_of(Trial& trial, NodeIndex n) const;
  // Returns how many instances fail over from the node at position `from` to the one at `to`.
  std::int64_t failovers_to(std::size_t from, std::size_t to) const;
  bool has_common_target(std::size_t a, std::size_t b);
  std::int64_t homeless_of(const std::vector<std::size_t>& lost);
  // Returns how many of the failovers find no memory, and notes in taken_ what the others take.
  std::int64_t without_failover(const std::vector<std::size_t>& lost, const std::vector<Leaver>& failovers);
  // Returns how many of the instances, all of one group, find no place.
  std::int64_t without_place(const std::vector<std::size_t>& lost, const std::vector<Leaver>& shared,
                             std::size_t failovers) const;

  const Cluster& cluster_;
  const std::vector<NodeIndex>& nodes_;
  std::vector<std::vector<NodeIndex>> receiving_;  // by group: its nodes that receive, the emptiest first
  std::vector<std::int64_t> free_;                 // MiB, by node
  std::vector<std::int64_t> taken_;                // MiB that failovers take, by node; 0 between calls
  std::vector<Departure> departures_;              // by position in nodes_
};

PairRehearsal::PairRehearsal(const Cluster& cluster, const std::vector<NodeIndex>& nodes)
    : cluster_(cluster), nodes_(nodes), receiving_(cluster.groups.size()), taken_(cluster.nodes.size(), 0) {
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    const Node& node = cluster.nodes[n];
    free_.push_back(node.unallocated_memory());
    if (receives(node)) receiving_[node.facts->group.position()].emplace_back(n);
  }
  for (auto& group : receiving_) {
    std::stable_sort(group.begin(), group.end(),
                     [&](NodeIndex a, NodeIndex b) { return free_[a.position()] > free_[b.position()]; });
  }
  Trial trial(cluster);
  for (const NodeIndex n : nodes) departures_.push_back(departure_of(trial, n));
  for (std::size_t d = 0; d < nodes.size(); ++d) departures_[d].homeless = homeless_of({d});
}

Departure PairRehearsal::departure_of(Trial& trial, NodeIndex n) const {
  const Attempt attempt(trial);
  trial.change(n).offline = true;
  Departure departure;
  departure.was_offline = cluster_.node(n).offline;
  for (const InstanceIndex i : cluster_.node(n).primaries) {
    const Instance& instance = cluster_.instance(i);
    const MirrorType mirror = facts(instance.facts->disk_template).mirror;
    Leaver leaver{instance.facts->used_memory(), n, instance.secondary};
    if (mirror == MirrorType::External) {
      departure.shared.push_back(leaver);
    } else if (mirror == MirrorType::Internal && !instance.secondary.is_none() &&
               !cluster_.node(instance.secondary).offline) {
      const auto outcome = MoveTrials(trial.cluster(), i, false).attempt({MoveKind::Failover, NodeIndex::none()});
      const auto* refused = std::get_if<FailMode>(&outcome);
      leaver.is_blocked = refused != nullptr && *refused != FailMode::Memory;
      departure.failovers.push_back(leaver);
    } else {
      ++departure.data_lost;
    }
  }
  std::sort(departure.failovers.begin(), departure.failovers.end(), is_before);
  if (departure.was_offline) return departure;
  departure.data_lost +=
      std::count_if(cluster_.node(n).secondaries.begin(), cluster_.node(n).secondaries.end(), [&](InstanceIndex i) {
        const Instance& instance = cluster_.instance(i);
        return facts(instance.facts->disk_template).mirror == MirrorType::Internal && instance.primary != n &&
               cluster_.node(instance.primary).offline;
      });
  return departure;
}

std::int64_t PairRehearsal::failovers_to(std::size_t from, std::size_t to) const {
  const auto& all = departures_[from].failovers;
  return std::count_if(all.begin(), all.end(), [&](const Leaver& l) { return l.to == nodes_[to]; });
}

bool PairRehearsal::has_common_target(std::size_t a, std::size_t b) {
  const auto& first = departures_[a].failovers;
  const auto& second = departures_[b].failovers;
  auto x = first.begin();
  auto y = second.begin();
  while (x != first.end() && y != second.end() && x->to != y->to) x->to < y->to ? ++x : ++y;
  return x != first.end() && y != second.end();
}

std::int64_t PairRehearsal::without_failover(const std::vector<std::size_t>& lost,
                                             const std::vector<Leaver>& failovers) {
  std::int64_t homeless = 0;
  for (const Leaver& l : failovers) {
    if (std::any_of(lost.begin(), lost.end(), [&](std::size_t d) { return nodes_[d] == l.to; })) continue;
    std::int64_t& taken = taken_[l.to.position()];
    if (!l.is_blocked && free_[l.to.position()] - taken - l.memory > 0) {
      taken += l.memory;
    } else {
      ++homeless;
    }
  }
  return homeless;
}

// The emptiest nodes decide, as many as there are instances. If the largest instance always goes to the emptiest node,
// all of them usually find a place; only if they do not, the search is thorough.
std::int64_t PairRehearsal::without_place(const std::vector<std::size_t>& lost, const std::vector<Leaver>& shared,
                                          std::size_t failovers) const {
  const auto& online = receiving_[cluster_.node(shared.front().from).facts->group.position()];
  const bool has_tags = std::any_of(shared.begin(), shared.end(), [&](const Leaver& l) {
    return !cluster_.node(l.from).facts->migration_tags.empty();
  });
  std::vector<NodeIndex> targets;
  std::vector<std::int64_t> bins, items;
  const auto add_targets = [&](std::size_t most) {
    targets.clear();
    bins.clear();
    for (const NodeIndex n : online) {
      if (targets.size() == most) break;
      if (std::any_of(lost.begin(), lost.end(), [&](std::size_t d) { return nodes_[d] == n; })) continue;
      targets.push_back(n);
      bins.push_back(free_[n.position()] - taken_[n.position()]);
    }
  };
  for (const Leaver& l : shared) items.push_back(l.memory);
  if (!has_tags) {
    add_targets(shared.size() + failovers);
    std::sort(items.begin(), items.end(), std::greater<>());
    std::int64_t left = 0;
    for (const std::int64_t item : items) {
      const auto emptiest = std::max_element(bins.begin(), bins.end());
      if (emptiest == bins.end() || *emptiest <= item) {
        ++left;
      } else {
        *emptiest -= item;
      }
    }
    if (left == 0) return 0;
    items.clear();
    for (const Leaver& l : shared) items.push_back(l.memory);
  }
  add_targets(online.size());
  MayGo may_go;
  if (has_tags) {
    may_go = [&](std::size_t item, std::size_t bin) {
      return migration_allowed(cluster_.node(shared[item].from), cluster_.node(targets[bin]));
    };
  }
  const auto places = pack(items, bins, may_go);
  return std::count(places.begin(), places.end(), std::nullopt);
}

std::int64_t PairRehearsal::homeless_of(const std::vector<std::size_t>& lost) {
  std::vector<Leaver> failovers, shared;
  std::int64_t homeless = 0;
  for (const std::size_t d : lost) {
    const Departure& departure = departures_[d];
    failovers.insert(failovers.end(), departure.failovers.begin(), departure.failovers.end());
    shared.insert(shared.end(), departure.shared.begin(), departure.shared.end());
  }
  if (lost.size() > 1) std::sort(failovers.begin(), failovers.end(), is_before);
  homeless += without_failover(lost, failovers);
  const auto group_of = [&](const Leaver& l) { return cluster_.node(l.from).facts->group; };
  std::stable_sort(shared.begin(), shared.end(),
                   [&](const Leaver& a, const Leaver& b) { return group_of(a) < group_of(b); });
  for (auto begin = shared.begin(); begin != shared.end();) {
    const auto end =
        std::find_if(begin, shared.end(), [&](const Leaver& l) { return group_of(l) != group_of(*begin); });
    homeless += without_place(lost, {begin, end}, failovers.size());
    begin = end;
  }
  for (const Leaver& l : failovers) taken_[l.to.position()] = 0;
  return homeless;
}

PairLoss PairRehearsal::lose(std::size_t a, std::size_t b) {
  const Departure& first = departures_[a];
  const Departure& second = departures_[b];
  const std::int64_t from_first = failovers_to(a, b), from_second = failovers_to(b, a);
  PairLoss loss{.homeless = 0, .data_lost = first.data_lost + second.data_lost};
  // An instance whose primary node was offline already is one of those whose last copy is on the other node.
  if (!first.was_offline) loss.data_lost += from_first;
  if (!second.was_offline) loss.data_lost += from_second;
  const bool are_apart =
      first.shared.empty() && second.shared.empty() && from_first + from_second == 0 && !has_common_target(a, b);
  loss.homeless = are_apart ? first.homeless + second.homeless : homeless_of({a, b});
  return loss;
}

// A pair of positions, and what its loss does.
struct BadPair {
  std::size_t a, b;
  PairLoss loss;
};

DrillRow row_of_pair(const Cluster& cluster, NodeIndex a, NodeIndex b) {
  const LossScenario scenario{cluster.node(a).facts->name + "," + cluster.node(b).facts->name, {a, b}};
  return rehearse_each(cluster, {scenario}).rows.front();
}

PairLoss loss_of_pair(const Cluster& cluster, NodeIndex a, NodeIndex b) {
  const DrillRow row = row_of_pair(cluster, a, b);
  return {.homeless = static_cast<std::int64_t>(row.homeless.size()),
          .data_lost = static_cast<std::int64_t>(row.data_lost.size())};
}

}  // namespace

DrillTable rehearse_pairs(const Cluster& cluster, const std::vector<NodeIndex>& nodes, std::size_t most_rows) {
  // With placement rules, amounts of memory say too little.
  std::optional<PairRehearsal> by_amounts;
  if (!cluster.rule_book) by_amounts.emplace(cluster, nodes);
  DrillTable table;
  std::vector<BadPair> worst;
  const auto is_worse = [](const BadPair& x, const BadPair& y) { return x.loss.is_worse_than(y.loss); };
  const auto shorten = [&] {
    std::stable_sort(worst.begin(), worst.end(), is_worse);
    worst.resize(std::min(worst.size(), most_rows));
  };
  for (std::size_t a = 0; a < nodes.size(); ++a) {
    for (std::size_t b = a + 1; b < nodes.size(); ++b) {
      const PairLoss loss = by_amounts ? by_amounts->lose(a, b) : loss_of_pair(cluster, nodes[a], nodes[b]);
      ++table.drills;
      table.with_homeless += loss.homeless > 0 ? 1 : 0;
      table.with_data_lost += loss.data_lost > 0 ? 1 : 0;
      table.survived += loss.is_survived() ? 1 : 0;
      if (loss.is_survived()) continue;
      worst.push_back({a, b, loss});
      constexpr std::size_t kSlack = 10000;
      if (worst.size() > most_rows + kSlack) shorten();
    }
  }
  shorten();
  for (const BadPair& pair : worst) table.rows.push_back(row_of_pair(cluster, nodes[pair.a], nodes[pair.b]));
  return table;
}

}  // namespace htools
