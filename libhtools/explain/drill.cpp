#include "explain/drill.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <utility>
#include <variant>

#include "cluster/members.h"
#include "explain/packing.h"
#include "metric/statistics.h"
#include "rules/move_application.h"
#include "rules/refusal.h"
#include "rules/rule_check.h"
#include "survival/capacity_check.h"
#include "trial/scored_nodes.h"
#include "trial/trial.h"

namespace htools {
namespace {

// Rehearses losses on a trial, one after the other.
class Rehearsal {
 public:
  explicit Rehearsal(const Cluster& cluster)
      : trial_(cluster), cluster_(trial_.cluster()), members_(members_by_group(cluster)) {
    for (const GroupMembers& group : members_) scores_.push_back(score_of_group(group));
  }

  // Rehearses one loss. Looks for nodes that cannot be emptied afterwards only if `is_thorough`.
  Drill lose(const std::vector<NodeIndex>& nodes, bool is_thorough);

 private:
  // Notes the instances of the node that is lost: those to restart, by the way in which that is done, and the others.
  void take_stock(NodeIndex n, Drill& drill);
  // Notes the instances that had their last copy on a node that was online until now, since their primary nodes have
  // been offline before.
  void note_last_copies(NodeIndex n, Drill& drill);
  // Returns the score of a node group; nothing if no node of it is online.
  std::optional<double> score_of_group(const GroupMembers& group) const;
  void fail_over(Drill& drill);
  // Start the instances on shared storage of one group: where the score is lowest, or packed tightly. Return those
  // without room.
  std::vector<InstanceIndex> start_by_score(GroupIndex group, const std::vector<InstanceIndex>& instances);
  std::vector<InstanceIndex> start_packed(GroupIndex group, const std::vector<InstanceIndex>& instances);
  void start_elsewhere(Drill& drill);
  // True if a placement rule forbids that the instance, which is on shared storage, starts there now.
  bool is_refused_by_rule(InstanceIndex i, NodeIndex target) const;
  std::vector<NodeIndex> online_nodes(GroupIndex group) const;
  // Returns the refusal that lacks least; nothing if there is no node that could refuse.
  std::optional<Refusal> nearest_refusal(InstanceIndex i) const;
  void judge_the_rest(Drill& drill, bool is_thorough);

  Trial trial_;
  const Cluster& cluster_;
  std::vector<GroupMembers> members_;
  std::vector<std::optional<double>> scores_;                // of the groups, before any loss
  std::vector<InstanceIndex> failing_over_;                  // the smallest first
  std::map<GroupIndex, std::vector<InstanceIndex>> shared_;  // by group; in the order of the nodes' lists
  // Work space of one choice; kept, because it is large.
  std::vector<NodeIndex> targets_;
  std::vector<ScoredNodes::Candidate> candidates_;
};

void Rehearsal::take_stock(NodeIndex n, Drill& drill) {
  const Node& node = cluster_.node(n);
  for (const InstanceIndex i : node.primaries) {
    const Instance& instance = cluster_.instance(i);
    const MirrorType mirror = facts(instance.facts->disk_template).mirror;
    const bool has_copy = mirror != MirrorType::None;
    if (has_copy && is_bound(cluster_, i)) {
      drill.bound.push_back(i);
    } else if (mirror == MirrorType::External) {
      shared_[node.facts->group].push_back(i);
    } else if (mirror == MirrorType::Internal && !instance.secondary.is_none() &&
               !cluster_.node(instance.secondary).offline) {
      failing_over_.push_back(i);
      drill.unprotected.push_back(i);
    } else {
      drill.data_lost.push_back(i);
    }
  }
  for (const InstanceIndex i : node.secondaries) {
    const Instance& instance = cluster_.instance(i);
    if (instance.facts->has_secondary() && !cluster_.node(instance.primary).offline) drill.unprotected.push_back(i);
  }
}

void Rehearsal::note_last_copies(NodeIndex n, Drill& drill) {
  for (const InstanceIndex i : cluster_.node(n).secondaries) {
    const Instance& instance = cluster_.instance(i);
    const bool is_told = std::binary_search(drill.lost.begin(), drill.lost.end(), instance.primary);
    const bool is_mirrored = facts(instance.facts->disk_template).mirror == MirrorType::Internal;
    if (is_mirrored && !is_told && cluster_.node(instance.primary).offline) drill.data_lost.push_back(i);
  }
}

std::optional<double> Rehearsal::score_of_group(const GroupMembers& group) const {
  const Statistics statistics = Statistics::evaluate(member_nodes(cluster_, group));
  return statistics.has_components() ? std::optional(statistics.score()) : std::nullopt;
}

// The smallest come first, because most of them find room like that.
void Rehearsal::fail_over(Drill& drill) {
  std::stable_sort(failing_over_.begin(), failing_over_.end(), [&](InstanceIndex a, InstanceIndex b) {
    return cluster_.instance(a).facts->used_memory() < cluster_.instance(b).facts->used_memory();
  });
  const Move failover{MoveKind::Failover, NodeIndex::none()};
  for (const InstanceIndex i : failing_over_) {
    if (!std::holds_alternative<MoveEffect>(MoveTrials(cluster_, i, false).attempt(failover))) {
      drill.homeless.push_back({i});
      continue;
    }
    drill.restarts.push_back({i, cluster_.instance(i).primary, cluster_.instance(i).secondary});
    trial_.apply(i, failover);
  }
}

std::vector<NodeIndex> Rehearsal::online_nodes(GroupIndex group) const {
  std::vector<NodeIndex> online;
  const auto& all = members_[group.position()].nodes;
  std::copy_if(all.begin(), all.end(), std::back_inserter(online),
               [&](NodeIndex n) { return !cluster_.node(n).offline; });
  return online;
}

std::vector<InstanceIndex> Rehearsal::start_by_score(GroupIndex group, const std::vector<InstanceIndex>& instances) {
  std::vector<InstanceIndex> left;
  ScoredNodes scope(cluster_, members_[group.position()].nodes);
  const std::vector<NodeIndex> online = online_nodes(group);
  for (const InstanceIndex i : instances) {
    const Instance& instance = cluster_.instance(i);
    const MoveTrials trials(cluster_, i, false);
    targets_.clear();
    candidates_.clear();
    for (const NodeIndex n : online) {
      const MoveTrials::Outcome outcome = trials.attempt({MoveKind::FailoverToAny, n});
      const auto* effect = std::get_if<MoveEffect>(&outcome);
      if (effect == nullptr) continue;
      targets_.push_back(n);
      candidates_.push_back(scope.candidate(effect->changes(), n, instance));
    }
    const auto best = scope.best(candidates_);
    if (!best) {
      left.push_back(i);
      continue;
    }
    const NodeIndex from = instance.primary;
    trial_.apply(i, {MoveKind::FailoverToAny, targets_[*best]});
    scope.changed(from);
    scope.changed(targets_[*best]);
  }
  return left;
}

bool Rehearsal::is_refused_by_rule(InstanceIndex i, NodeIndex target) const {
  const Placement now{cluster_.instance(i).primary, NodeIndex::none()};
  return rule_against(cluster_, i, now, {target, NodeIndex::none()}).has_value();
}

std::vector<InstanceIndex> Rehearsal::start_packed(GroupIndex group, const std::vector<InstanceIndex>& instances) {
  std::vector<NodeIndex> online = online_nodes(group);
  std::erase_if(online, [&](NodeIndex n) { return !receives(cluster_.node(n)); });
  std::vector<std::int64_t> items, bins;
  bool has_tags = false;
  for (const InstanceIndex i : instances) {
    items.push_back(cluster_.instance(i).facts->used_memory());
    has_tags |= !cluster_.node(cluster_.instance(i).primary).facts->migration_tags.empty();
  }
  for (const NodeIndex n : online) bins.push_back(cluster_.node(n).unallocated_memory());
  MayGo may_go;
  if (has_tags || cluster_.rule_book) {
    may_go = [&](std::size_t item, std::size_t bin) {
      const InstanceIndex i = instances[item];
      return migration_allowed(cluster_.node(cluster_.instance(i).primary), cluster_.node(online[bin])) &&
             !is_refused_by_rule(i, online[bin]);
    };
  }
  std::vector<InstanceIndex> left;
  const auto places = pack(items, bins, may_go);
  for (std::size_t k = 0; k < instances.size(); ++k) {
    if (places[k] && !is_refused_by_rule(instances[k], online[*places[k]])) {  // after those before it
      trial_.apply(instances[k], {MoveKind::FailoverToAny, online[*places[k]]});
    } else {
      left.push_back(instances[k]);
    }
  }
  return left;
}

void Rehearsal::start_elsewhere(Drill& drill) {
  for (const auto& [group, instances] : shared_) {
    std::map<InstanceIndex, NodeIndex> from;
    for (const InstanceIndex i : instances) from[i] = cluster_.instance(i).primary;
    trial_.begin();
    std::vector<InstanceIndex> left = start_by_score(group, instances);
    if (!left.empty()) {
      trial_.undo();
      trial_.begin();
      const std::vector<InstanceIndex> left_by_packing = start_packed(group, instances);
      if (left_by_packing.size() < left.size()) {
        left = left_by_packing;
        drill.is_packed = true;
      } else {
        trial_.undo();
        trial_.begin();
        left = start_by_score(group, instances);
      }
    }
    trial_.keep();
    for (const InstanceIndex i : left) drill.homeless.push_back({i});
    for (const InstanceIndex i : instances) {
      const NodeIndex to = cluster_.instance(i).primary;
      if (to != from[i]) drill.restarts.push_back({i, from[i], to});
    }
  }
}

std::optional<Refusal> Rehearsal::nearest_refusal(InstanceIndex i) const {
  const Instance& instance = cluster_.instance(i);
  const MoveReasons reasons(cluster_, i, false);
  std::vector<Move> moves{{MoveKind::Failover, NodeIndex::none()}};
  if (!instance.facts->has_secondary()) {
    moves.clear();
    for (const NodeIndex n : online_nodes(cluster_.node(instance.primary).facts->group))
      moves.push_back({MoveKind::FailoverToAny, n});
  }
  std::vector<Refusal> refusals;
  for (const Move& move : moves) {
    const MoveReasons::Outcome outcome = reasons.attempt(move);
    if (const auto* refusal = std::get_if<Refusal>(&outcome)) refusals.push_back(*refusal);
  }
  return htools::nearest_refusal(refusals);
}

void Rehearsal::judge_the_rest(Drill& drill, bool is_thorough) {
  std::vector<GroupIndex> groups;
  for (const NodeIndex n : drill.lost) groups.push_back(cluster_.node(n).facts->group);
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  for (const GroupIndex group : groups) {
    const GroupMembers& members = members_[group.position()];
    drill.scores.push_back({group, {scores_[group.position()], score_of_group(members)}});
    const std::vector<NodeIndex> online = online_nodes(group);
    drill.nodes_left += online.size();
    std::copy_if(online.begin(), online.end(), std::back_inserter(drill.not_n1),
                 [&](NodeIndex n) { return cluster_.node(n).books.n1_failed; });
    if (!is_thorough) continue;
    CapacityCheck check(trial_, online, {.ignored_groups = {}, .skip_offline = true, .refuse_incomplete = false});
    const std::vector<NodeIndex> stuck = check.stuck_nodes();
    drill.not_evacuable.insert(drill.not_evacuable.end(), stuck.begin(), stuck.end());
  }
}

Drill Rehearsal::lose(const std::vector<NodeIndex>& nodes, bool is_thorough) {
  const Attempt attempt(trial_);
  failing_over_.clear();
  shared_.clear();
  Drill drill{.lost = nodes};
  std::sort(drill.lost.begin(), drill.lost.end());
  drill.lost.erase(std::unique(drill.lost.begin(), drill.lost.end()), drill.lost.end());
  std::vector<NodeIndex> fresh;
  std::copy_if(drill.lost.begin(), drill.lost.end(), std::back_inserter(fresh),
               [&](NodeIndex n) { return !cluster_.node(n).offline; });
  for (const NodeIndex n : fresh) trial_.change(n).offline = true;
  for (const NodeIndex n : drill.lost) take_stock(n, drill);
  for (const NodeIndex n : fresh) note_last_copies(n, drill);
  fail_over(drill);
  start_elsewhere(drill);
  // Room is not what these lack.
  std::erase_if(drill.homeless, [&](const WithoutRoom& homeless) {
    if (!is_bound(cluster_, homeless.instance)) return false;
    drill.bound.push_back(homeless.instance);
    return true;
  });
  for (WithoutRoom& homeless : drill.homeless) homeless.nearest = nearest_refusal(homeless.instance);
  std::erase_if(drill.unprotected,
                [&](InstanceIndex i) { return cluster_.node(cluster_.instance(i).primary).offline; });
  std::sort(drill.unprotected.begin(), drill.unprotected.end());
  std::sort(drill.bound.begin(), drill.bound.end());
  std::sort(drill.data_lost.begin(), drill.data_lost.end());
  std::sort(drill.restarts.begin(), drill.restarts.end(),
            [](const Restart& a, const Restart& b) { return a.instance < b.instance; });
  judge_the_rest(drill, is_thorough);
  return drill;
}

DrillRow row_of(const LossScenario& scenario, const Drill& drill) {
  DrillRow row{.name = scenario.name, .lost = drill.lost, .restarts = drill.restarts.size()};
  for (const WithoutRoom& homeless : drill.homeless) row.homeless.push_back(homeless.instance);
  row.data_lost = drill.data_lost;
  row.unprotected = drill.unprotected.size();
  row.not_n1 = drill.not_n1.size();
  for (const GroupScores& group : drill.scores) {
    row.score = row.score && group.score.after ? std::optional(*row.score + *group.score.after) : std::nullopt;
  }
  return row;
}

}  // namespace

Drill rehearse_loss(const Cluster& cluster, const std::vector<NodeIndex>& lost) {
  return Rehearsal(cluster).lose(lost, true);
}

DrillTable rehearse_each(const Cluster& cluster, const std::vector<LossScenario>& scenarios) {
  Rehearsal rehearsal(cluster);
  DrillTable table;
  for (const LossScenario& scenario : scenarios) {
    const Drill drill = rehearsal.lose(scenario.nodes, false);
    ++table.drills;
    table.with_homeless += drill.homeless.empty() ? 0 : 1;
    table.with_data_lost += drill.data_lost.empty() ? 0 : 1;
    table.survived += drill.is_survived() ? 1 : 0;
    table.rows.push_back(row_of(scenario, drill));
  }
  return table;
}

}  // namespace htools
