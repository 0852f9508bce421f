// Vacates nodes step by step, for those that amounts alone do not decide about.
#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "cluster/bookkeeping.h"
#include "metric/ranking.h"
#include "rules/admission.h"
#include "survival/capacity_check.h"

namespace htools {

namespace {

constexpr AdmissionRules kHardLimits{.force = true};

// Removes the first item.
void remove_first(std::vector<FitRun>& items) {
  if (--items.front().count == 0) items.erase(items.begin());
}

}  // namespace

std::optional<InstanceIndex> CapacityCheck::left_behind(NodeIndex n, const Occupants& occupants) {
  const Attempt attempt(trial_);
  fail_over(occupants.drbd);
  std::vector<FitRun> rest = occupants.items;
  std::span<const InstanceIndex> movable = occupants.movable;
  if (!occupants.elsewhere && !movable.empty()) {
    const Course course = clear_course(n, occupants);
    if (course.end == Course::End::LeavesRoom) return std::nullopt;
    if (course.end == Course::End::Nowhere) return movable[course.targets.size()];
    for (NodeIndex target : course.targets) {
      const InstanceIndex i = movable.front();
      remove_first(rest);
      remove_primary(trial_.change(n), i, cluster_.instance(i));
      add_primary(trial_.change(target), i, cluster_.instance(i));
      movable = movable.subspan(1);
    }
  }
  for (InstanceIndex i : movable) {
    remove_first(rest);
    const Move outcome = move(n, i, occupants.elsewhere ? std::nullopt : std::optional(std::span<const FitRun>(rest)));
    if (outcome == Move::Nowhere) return i;
    if (outcome == Move::LeavesRoom) return std::nullopt;
  }
  for (InstanceIndex i : occupants.fixed) {
    if (!recreate(n, i)) return i;
  }
  return std::nullopt;
}

void CapacityCheck::fail_over(const std::vector<InstanceIndex>& instances) {
  for (InstanceIndex i : instances) {  // failover_obstacle() has found that they can fail over
    const Instance& instance = cluster_.instance(i);
    Node& secondary = trial_.change(instance.secondary);
    Node& primary = trial_.change(instance.primary);
    remove_secondary(secondary, i, instance, instance.primary);
    remove_primary(primary, i, instance);
    add_primary(secondary, i, instance);
    add_secondary(primary, i, instance, instance.secondary);
  }
}

CapacityCheck::Course CapacityCheck::clear_course(NodeIndex n, const Occupants& occupants) {
  Course course;
  Group& group = group_of(n);
  MoveEstimates& estimates = group.estimates;
  if (!estimates.start(group.scores.current().scores().statistics())) return course;
  const FitTargets before = targets_of(n);
  estimates.bar(n);
  for (const NodeIndex t : group.nodes) {
    if (cluster_.node(t).cordoned) estimates.bar(t);
  }
  for (const FitTarget& target : before.by_memory) {
    if (!target.reachable && target.node != n) estimates.bar(target.node);
  }
  std::vector<FitTarget> after(before.by_memory.begin(), before.by_memory.end());
  std::vector<FitRun> rest = occupants.items;
  for (InstanceIndex i : occupants.movable) {
    const auto load = MoveEstimates::Load::of(cluster_.instance(i));
    if (!load) break;
    estimates.leave(n, *load);
    NodeIndex best;
    if (!estimates.find_best_target(*load, best)) break;
    if (best.is_none()) {
      course.end = Course::End::Nowhere;
      break;
    }
    estimates.come(best, *load);
    course.targets.push_back(best);
    remove_first(rest);
    take_from_target(after, best, Demand(cluster_.instance(i)));
    if (all_certainly_fit(rest, {after, n, before.all_reachable})) {
      course.end = Course::End::LeavesRoom;
      break;
    }
  }
  estimates.finish();
  return course;
}

CapacityCheck::Move CapacityCheck::move(NodeIndex n, InstanceIndex i, std::optional<std::span<const FitRun>> rest) {
  const Instance& instance = cluster_.instance(i);
  const Node& source = cluster_.node(instance.primary);
  const auto reachable = [&](const Node& target) { return migration_allowed(source, target); };
  const std::vector<NodeChange> targets = targets_for(n, instance, reachable);

  // In a candidate, the instance leaves its node by other books. Its tags and a place on another node than `n` need a
  // real departure.
  const bool has_left = !rest || !instance.facts->exclusion_tags().empty();
  const NodeChange departure{instance.primary, books_without_primary(source, instance)};
  if (has_left) remove_primary(trial_.change(instance.primary), i, instance);
  const ScoredNodes& scores = group_of(n).scores.current();
  std::vector<ScoredNodes::Candidate> candidates;
  candidates.reserve(targets.size());
  for (const NodeChange& target : targets) {
    const std::array changes{target, departure};
    candidates.push_back(scores.candidate(std::span(changes).first(has_left ? 1 : 2), target.node, instance));
  }

  // This decides most evacuations at the first instance, without ranking its targets.
  if (rest && best_leaves_room(n, *rest, instance, targets, candidates, scores.scores())) return Move::LeavesRoom;
  const auto best = scores.best(candidates);
  if (!best) return Move::Nowhere;
  if (!has_left) remove_primary(trial_.change(instance.primary), i, instance);
  add_primary(trial_.change(targets[*best].node), i, instance);
  return rest && all_certainly_fit(*rest, targets_of(n)) ? Move::LeavesRoom : Move::Somewhere;
}

bool CapacityCheck::best_leaves_room(NodeIndex n, std::span<const FitRun> rest, const Instance& instance,
                                     const std::vector<NodeChange>& targets,
                                     const std::vector<ScoredNodes::Candidate>& candidates,
                                     const ChangedScores& scores) {
  const auto is_moderate = [&](const auto& candidate) { return scores.is_moderate(candidate); };
  if (candidates.empty() || !std::all_of(candidates.begin(), candidates.end(), is_moderate)) return false;
  const FitTargets before = targets_of(n);
  const auto spare = spare_memory(rest, before);
  if (!spare) return false;

  // The lowest score that a target may have if amounts do not tell that the rest finds places when it is chosen.
  double low = std::numeric_limits<double>::infinity();
  std::vector<std::size_t> good;  // the other targets
  std::vector<FitTarget> after;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    FreeCapacity free(cluster_.node(targets[t].node));
    bool leaves_room = free.memory <= *spare;
    if (!leaves_room) {
      after.assign(before.by_memory.begin(), before.by_memory.end());
      free.add_primary(Demand(instance));
      change_target(after, targets[t].node, free);
      leaves_room = all_certainly_fit(rest, {after, n, before.all_reachable});
    }
    if (leaves_room) {
      good.push_back(t);
    } else {
      low = std::min(low, scores.bounds(candidates[t]).low);
    }
  }
  return std::any_of(good.begin(), good.end(), [&](std::size_t t) { return scores.bounds(candidates[t]).high < low; });
}

bool CapacityCheck::recreate(NodeIndex n, InstanceIndex i) {
  const Instance& instance = cluster_.instance(i);
  const auto accepts = [&](const Node& target) {
    return !check_policy(instance, cluster_.group(target.facts->group).policy, target.facts->exclusive_storage);
  };
  const std::vector<NodeChange> targets = targets_for(n, instance, accepts);
  const ScoredNodes& scores = all_scores_.current();
  std::vector<ScoredNodes::Candidate> candidates;
  candidates.reserve(targets.size());
  for (const NodeChange& target : targets) {
    candidates.push_back(scores.with_primary(target.node, target.books, instance));
  }
  const auto best = Ranking(scores.scores(), candidates).next();
  if (!best) return false;
  add_primary(trial_.change(targets[*best].node), i, instance);
  return true;
}

template <class Accepts>
std::vector<NodeChange> CapacityCheck::targets_for(NodeIndex n, const Instance& instance, Accepts accepts) {
  std::vector<NodeIndex> nodes;
  for (const FitTarget& target : group_of(n).targets.current()) {
    if (target.free.memory <= instance.facts->used_memory()) break;
    if (target.node != n) nodes.push_back(target.node);
  }
  std::sort(nodes.begin(), nodes.end());
  std::vector<NodeChange> targets;
  targets.reserve(nodes.size());
  for (NodeIndex t : nodes) {
    const Node& target = cluster_.node(t);
    if (!accepts(target)) continue;
    const NodeBooks after = books_with_primary(target, instance);
    if (!check_primary(target, after, instance, kHardLimits)) targets.push_back({t, after});
  }
  return targets;
}

}  // namespace htools
