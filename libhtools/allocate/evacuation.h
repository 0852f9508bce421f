// Evacuates nodes: moves instances off them.
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
#include "htools/moves.h"
#include "htools/refusal.h"
#include "rules/refusal.h"

namespace htools {

// A step of a job. The target is none for a failover to the secondary.
struct EvacuationStep {
  MoveAction action;
  NodeIndex target;
};

// The result for an instance that has moved: its new place, and the steps that lead there.
struct Evacuated {
  Placement after;  // has a secondary only if the disk template has one
  std::vector<EvacuationStep> steps;
};

// The failure for an instance whose disks exist only once, such as with templates plain and file.
struct NotRelocatable {};
// The failure for a request to change only the secondary if the template has none.
struct NoSecondary {};
// The failure if the only possible move, the failover to the secondary, is refused.
struct FailoverRefused {
  FailMode mode;
  std::vector<Refusal> refusals = {};
};
// The failure if no target can take the instance. It lists each target with the reason, in index order.
struct TargetsRefused {
  std::vector<std::pair<NodeIndex, FailMode>> targets;
  std::vector<Refusal> refusals = {};
};
// The step, on the way to a pair of new nodes, that was refused.
enum class PairStage : std::uint8_t {
  FailoverToSecondary,
  ReplaceBySoonPrimary,
  FailoverToPrimary,
  ReplaceByFinalSecondary
};

// The failure if no pair of targets can take the instance.
struct PairsRefused {
  std::optional<std::pair<PairStage, FailMode>> last;  // the refusal of the last pair; empty if there was no pair
  std::vector<Refusal> refusals = {};                  // the refusals of the targets as new secondaries
};
// The failure if no target group has nodes. It lists the allowed groups.
struct NoTargetGroup {
  std::vector<GroupIndex> allowed;
};
// The failure if no target group has room.
struct GroupsRefused {
  AllocationAnswer answer;
};

using EvacuationFailure = std::variant<NotRelocatable, NoSecondary, FailoverRefused, TargetsRefused, PairsRefused,
                                       NoTargetGroup, GroupsRefused>;

// The result for one instance.
struct InstanceOutcome {
  InstanceIndex instance;
  std::variant<Evacuated, EvacuationFailure> outcome;
};

// Moves the instances, one after the other. Each one starts from its original place, on the cluster as the earlier ones
// have left it. `force` leaves out the soft checks. The successful moves stay on the trial.
std::vector<InstanceOutcome> evacuate(Trial& trial, const EvacuationRequest& request, bool force);

// Calls `work` for each instance in turn, with the instance as it was before the first call.
std::vector<InstanceOutcome> for_each_original(
    const Cluster& cluster, const std::vector<InstanceIndex>& instances,
    const std::function<std::variant<Evacuated, EvacuationFailure>(InstanceIndex, const Instance& original)>& work);

// Moves one instance from the nodes that `original` names to nodes of `targets` (ascending, all of `target_group`,
// without the instance's primary). Throws InputError for a drbd instance without a secondary that would have to move.
std::variant<Evacuated, EvacuationFailure> evacuate_instance(Trial& trial, InstanceIndex instance,
                                                             const Instance& original, EvacuationMode mode,
                                                             const std::vector<NodeIndex>& targets,
                                                             GroupIndex target_group, bool force);

}  // namespace htools
