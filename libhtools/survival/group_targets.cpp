#include "survival/group_targets.h"

#include <algorithm>

namespace htools {

namespace {

// The number of changed nodes from which sorting all targets is faster than moving the changed ones to their places.
constexpr std::size_t kManyChanges = 16;

void sort_by_memory(std::vector<FitTarget>& targets) {
  std::sort(targets.begin(), targets.end(),
            [](const FitTarget& a, const FitTarget& b) { return a.free.memory > b.free.memory; });
}

std::vector<FitTarget>::iterator find_target(std::vector<FitTarget>& targets, NodeIndex node) {
  return std::find_if(targets.begin(), targets.end(), [&](const FitTarget& t) { return t.node == node; });
}

// Gives a target other capacities, and moves it to its place in the order.
void replace(std::vector<FitTarget>& targets, std::vector<FitTarget>::iterator at, const FreeCapacity& free) {
  FitTarget target = *at;
  target.free = free;
  for (; at != targets.begin() && (at - 1)->free.memory < free.memory; --at) *at = *(at - 1);
  for (; at + 1 != targets.end() && (at + 1)->free.memory > free.memory; ++at) *at = *(at + 1);
  *at = target;
}

}  // namespace

GroupTargets::GroupTargets(const Trial& trial, const std::vector<NodeIndex>& nodes)
    : trial_(trial), watch_(trial, nodes) {
  for (NodeIndex n : nodes) {
    if (!trial.cluster().node(n).cordoned) targets_.push_back({n, FreeCapacity(trial.cluster().node(n))});
  }
  sort_by_memory(targets_);
}

std::span<const FitTarget> GroupTargets::current() {
  const std::span<const NodeIndex> changed = watch_.changed();
  if (changed.size() < kManyChanges) {
    for (NodeIndex n : changed) change_target(targets_, n, FreeCapacity(trial_.cluster().node(n)));
  } else {
    for (FitTarget& target : targets_) target.free = FreeCapacity(trial_.cluster().node(target.node));
    sort_by_memory(targets_);
  }
  return targets_;
}

void change_target(std::vector<FitTarget>& targets, NodeIndex node, const FreeCapacity& free) {
  const auto at = find_target(targets, node);
  if (at != targets.end()) replace(targets, at, free);
}

void take_from_target(std::vector<FitTarget>& targets, NodeIndex node, const Demand& demand) {
  const auto at = find_target(targets, node);
  if (at == targets.end()) return;
  FreeCapacity free = at->free;
  free.add_primary(demand);
  replace(targets, at, free);
}

}  // namespace htools
