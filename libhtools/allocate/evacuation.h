// Taking instances off their nodes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "allocate/allocation.h"
#include "allocate/request.h"
#include "cluster/cluster.h"
#include "rules/fail_mode.h"
#include "rules/move.h"
#include "rules/refusal.h"

namespace htools {

// One job step; the target is none for a failover to the secondary.
struct EvacuationStep {
  MoveAction action;
  NodeIndex target;
};

// An instance has left: how, and where it is.
struct Evacuated {
  Placement after;  // without a secondary unless the template has one
  std::vector<EvacuationStep> steps;
};

// The instance's disks exist only once: templates plain and file.
struct NotRelocatable {};
// Only the secondary was to be changed, but the template has none.
struct NoSecondary {};
// The only possible move, the failover to the secondary, is refused.
struct FailoverRefused {
  FailMode mode;
  std::vector<Refusal> refusals = {};
};
// No target can take the instance: each with the reason, in index order.
struct TargetsRefused {
  std::vector<std::pair<NodeIndex, FailMode>> targets;
  std::vector<Refusal> refusals = {};
};
// No pair of targets can take the instance.
enum class PairStage : std::uint8_t {
  FailoverToSecondary,
  ReplaceBySoonPrimary,
  FailoverToPrimary,
  ReplaceByFinalSecondary
};

// No pair of nodes can take the instance.
struct PairsRefused {
  std::optional<std::pair<PairStage, FailMode>> last;  // of the last pair; empty if there was no pair
  std::vector<Refusal> refusals = {};                  // of the targets as new secondaries
};
// No target group has nodes; these are allowed.
struct NoTargetGroup {
  std::vector<GroupIndex> allowed;
};
// No target group has room.
struct GroupsRefused {
  AllocationAnswer answer;
};

using EvacuationFailure = std::variant<NotRelocatable, NoSecondary, FailoverRefused, TargetsRefused, PairsRefused,
                                       NoTargetGroup, GroupsRefused>;

// What became of one instance.
struct InstanceOutcome {
  InstanceIndex instance;
  std::variant<Evacuated, EvacuationFailure> outcome;
};

// Moves the instances in their order, each from where it was at the beginning, with what the earlier ones left. `force`
// leaves out the soft checks. The successful moves stay on the trial.
std::vector<InstanceOutcome> evacuate(Trial& trial, const EvacuationRequest& request, bool force);

// Runs `work` for each instance in turn, with the instance as it was before the first.
std::vector<InstanceOutcome> for_each_original(
    const Cluster& cluster, const std::vector<InstanceIndex>& instances,
    const std::function<std::variant<Evacuated, EvacuationFailure>(InstanceIndex, const Instance& original)>& work);

// One instance, from the nodes that `original` names, to those of `targets` (ascending, of one group, none of them the
// instance's primary). Throws InputError for a drbd instance without a secondary that would have to move.
std::variant<Evacuated, EvacuationFailure> evacuate_instance(Trial& trial, InstanceIndex instance,
                                                             const Instance& original, EvacuationMode mode,
                                                             const std::vector<NodeIndex>& targets,
                                                             GroupIndex target_group, bool force);

}  // namespace htools
