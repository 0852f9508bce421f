#include "tests/support/literal_evacuation.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace htools::testing {

std::string text(const Evacuated& evacuated) {
  std::string result = text(evacuated.after) + " by";
  for (const EvacuationStep& step : evacuated.steps) {
    static const std::array<std::string, 3> names{" failover", " failover to ", " replacement by "};
    result += names[static_cast<std::size_t>(step.action)];
    if (step.action != MoveAction::Failover) result += text(step.target);
  }
  return result;
}

std::string text(const FailoverRefused& refused) { return "failover " + std::string(name(refused.mode)); }

std::string text(const TargetsRefused& refused) {
  std::string result = "no target";
  for (const auto& [node, mode] : refused.targets) result += fmt::format(", {} {}", text(node), name(mode));
  return result;
}

std::string text(const PairsRefused& refused) {
  if (!refused.last) return "no pair";
  static const std::array<std::string, 4> names{"failover to secondary", "replacement by soon primary",
                                                "failover to primary", "replacement by final secondary"};
  return fmt::format("{} {}", names[static_cast<std::size_t>(refused.last->first)], name(refused.last->second));
}

std::string text(const NoTargetGroup& none) {
  std::string result = "no target group of";
  for (GroupIndex g : none.allowed) result += " " + std::to_string(g.position());
  return result;
}

std::string text(const EvacuationFailure& failure) {
  return std::visit([](const auto& reason) { return text(reason); }, failure);
}

std::string text(const std::vector<InstanceOutcome>& outcomes) {
  std::string result;
  for (const InstanceOutcome& outcome : outcomes) {
    result += fmt::format("{}: ", outcome.instance.position());
    result += std::visit([](const auto& either) { return text(either); }, outcome.outcome) + "; ";
  }
  return result;
}

namespace literal {

namespace {

// An instance on its way to new nodes. Each step is tried on the nodes as the step before has left them.
struct Journey {
  Cluster cluster;
  InstanceIndex index;
  bool force;
  std::vector<EvacuationStep> steps = {};

  std::optional<FailMode> take(const Move& move) {
    const Instance& instance = cluster.instance(index);
    if (instance.facts->has_secondary() && instance.secondary.is_none()) throw NodeMissing{};
    const MoveOutcome outcome = moved(cluster, index, move, force);
    if (const FailMode* fail = std::get_if<FailMode>(&outcome)) return *fail;
    apply(cluster, index, std::get<Moved>(outcome));
    static const std::map<MoveKind, MoveAction> actions{{MoveKind::Failover, MoveAction::Failover},
                                                        {MoveKind::FailoverToAny, MoveAction::FailoverTo},
                                                        {MoveKind::ReplaceSecondary, MoveAction::ReplaceSecondary}};
    steps.push_back({actions.at(move.kind), move.target});
    return std::nullopt;
  }

  Evacuated result() const {
    const Instance& instance = cluster.instance(index);
    return {{instance.primary, instance.facts->has_secondary() ? instance.secondary : NodeIndex::none()}, steps};
  }
};

// Keeps the journey whose end gives the group the best score; among equal scores, the last one.
class BestEnd {
 public:
  explicit BestEnd(const Nodes& group) : group_(group) {}

  void offer(const Journey& journey) {
    const double score_now = literal::score(references(journey.cluster, group_));
    if (best_ && score_ < score_now) return;
    best_ = journey;
    score_ = score_now;
  }
  const std::optional<Journey>& best() const { return best_; }

 private:
  const Nodes& group_;
  std::optional<Journey> best_;
  double score_ = 0.0;
};

// Evacuates one instance. `start` is the cluster, with the instance as it was before the request; on success it gets
// the result.
EvacuationResult evacuate_one(Cluster& start, InstanceIndex index, EvacuationMode mode, const Nodes& available,
                              const Nodes& target_group, bool force) {
  const Instance instance = start.instance(index);
  const bool drbd = instance.facts->disk_template == DiskTemplate::Drbd;
  const Move failover{MoveKind::Failover, NodeIndex::none()};
  switch (instance.facts->disk_template) {
    case DiskTemplate::Plain:
    case DiskTemplate::File:
      return EvacuationFailure{NotRelocatable{}};
    default:
      if (!drbd && mode == EvacuationMode::SecondaryOnly) return EvacuationFailure{NoSecondary{}};
  }
  BestEnd ends(target_group);
  EvacuationFailure failure;
  if (drbd && mode == EvacuationMode::PrimaryOnly) {
    Journey journey{start, index, force};
    if (const auto fail = journey.take(failover)) {
      failure = FailoverRefused{*fail};
    } else {
      ends.offer(journey);
    }
  } else if (drbd && mode == EvacuationMode::All) {
    PairsRefused refused;
    for (NodeIndex p : available) {
      for (NodeIndex s : available) {
        if (s == p) continue;
        Journey journey{start, index, force};
        std::vector<std::pair<PairStage, Move>> way{
            {PairStage::ReplaceBySoonPrimary, {MoveKind::ReplaceSecondary, p}},
            {PairStage::FailoverToPrimary, failover},
            {PairStage::ReplaceByFinalSecondary, {MoveKind::ReplaceSecondary, s}}};
        if (start.node(instance.primary).offline) {
          way.insert(way.begin(), {PairStage::FailoverToSecondary, failover});
        }
        bool arrived = true;
        for (const auto& [stage, move] : way) {
          const auto fail = journey.take(move);
          if (!fail) continue;
          refused.last = {stage, *fail};
          arrived = false;
          break;
        }
        if (arrived) ends.offer(journey);
      }
    }
    failure = refused;
  } else {
    TargetsRefused refused;
    for (NodeIndex x : available) {
      Journey journey{start, index, force};
      if (const auto fail = journey.take({drbd ? MoveKind::ReplaceSecondary : MoveKind::FailoverToAny, x})) {
        refused.targets.emplace_back(x, *fail);
      } else {
        ends.offer(journey);
      }
    }
    failure = refused;
  }
  if (!ends.best()) return failure;
  start = ends.best()->cluster;
  return ends.best()->result();
}

}  // namespace

std::vector<InstanceOutcome> evacuate(Cluster& cluster, const EvacuationRequest& request, bool force) {
  const Cluster beginning = cluster;
  Nodes excluded;
  for (NodeIndex n : every_node(cluster)) {
    if (cluster.node(n).offline || cluster.node(n).cordoned) excluded.push_back(n);
  }
  for (InstanceIndex i : request.instances) {
    const Instance& instance = beginning.instance(i);
    const bool drbd = instance.facts->disk_template == DiskTemplate::Drbd;
    if (request.mode != EvacuationMode::SecondaryOnly) excluded.push_back(instance.primary);
    if (request.mode != EvacuationMode::PrimaryOnly && drbd) excluded.push_back(instance.secondary);
  }
  std::vector<InstanceOutcome> outcomes;
  for (InstanceIndex i : request.instances) {
    const Instance& instance = beginning.instance(i);
    const Nodes group = members(cluster, every_node(cluster), cluster.node(instance.primary).facts->group);
    Nodes available;
    for (NodeIndex n : group) {
      if (!is_in(excluded, n) && n != instance.primary) available.push_back(n);
    }
    Cluster start = cluster;
    start.instance(i) = instance;
    outcomes.push_back({i, evacuate_one(start, i, request.mode, available, group, force)});
    if (std::holds_alternative<Evacuated>(outcomes.back().outcome)) cluster = start;
  }
  return outcomes;
}

std::vector<InstanceOutcome> change_groups(Cluster& cluster, const GroupChangeRequest& request,
                                           const AllocationRules& rules) {
  const Cluster beginning = cluster;
  const auto group_of = [&](InstanceIndex i) { return beginning.node(beginning.instance(i).primary).facts->group; };
  std::vector<GroupIndex> targets;
  for (std::size_t g = 0; g < cluster.groups.size(); ++g) {
    if (request.targets.empty()) targets.push_back(GroupIndex(g));
  }
  if (!request.targets.empty()) targets = request.targets;
  for (InstanceIndex i : request.instances) std::erase(targets, group_of(i));

  std::vector<InstanceOutcome> outcomes;
  for (InstanceIndex i : request.instances) {
    const Instance& instance = beginning.instance(i);
    const bool drbd = instance.facts->disk_template == DiskTemplate::Drbd;
    const AllocationAnswer answer = literal::allocate_anywhere(cluster, every_node(cluster), {instance, i},
                                                               drbd ? 2 : 1, rules, Judge::Score, targets);
    if (answer.trials.empty() && answer.unconnected.empty()) {
      outcomes.push_back({i, EvacuationFailure{NoTargetGroup{targets}}});
      continue;
    }
    if (!answer.selected) {
      outcomes.push_back({i, EvacuationFailure{GroupsRefused{answer}}});
      continue;
    }
    const Nodes group = members(cluster, every_node(cluster), answer.trials[*answer.selected].group);
    Nodes available;
    for (NodeIndex n : group) {
      if (!beginning.node(n).offline && !beginning.node(n).cordoned) available.push_back(n);
    }
    Cluster start = cluster;
    start.instance(i) = instance;
    outcomes.push_back({i, evacuate_one(start, i, EvacuationMode::All, available, group, false)});
    if (std::holds_alternative<Evacuated>(outcomes.back().outcome)) cluster = start;
  }
  return outcomes;
}

}  // namespace literal

}  // namespace htools::testing
