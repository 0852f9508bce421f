// The instance allocator: one request, one result.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "allocate/allocation.h"
#include "allocate/evacuation.h"
#include "allocate/request.h"
#include "cluster/cluster.h"

namespace htools {

// One instance of several: its place, or why there is none.
struct MultiAllocationItem {
  std::variant<Placement, AllocationAnswer> outcome;
};

// The answer to a request for several new instances.
struct MultiAllocationResult {
  bool lost_allocations = false;           // places were judged by these
  std::vector<MultiAllocationItem> items;  // in the request's order
  // A request that does not name a group fails as a whole with the first instance that has no place (its answer; it is
  // that of the instance behind `items`); so does one that names a group which cannot be used at all.
  std::optional<AllocationAnswer> failure;
};

// The answer to a request for a mirror of an instance that has none.
struct SecondaryResult {
  bool has_secondary = false;  // already: nothing was tried
  Allocation allocation;
};

enum class RelocationProblem : std::uint8_t { NodeCount, NotMirrored, NotOnTheseNodes };

// The answer to a request for another secondary node.
struct RelocationResult {
  std::variant<NodeIndex, EvacuationFailure, RelocationProblem> outcome;  // the one new node
  NodeIndex expected;  // NotOnTheseNodes: the node that the request should have named; none for a missing secondary
};

using AllocatorResult = std::variant<AllocationAnswer, MultiAllocationResult, SecondaryResult, RelocationResult,
                                     std::vector<InstanceOutcome>>;

// The cluster while a request is worked on.
struct AllocatorState {
  const Cluster& cluster() const { return trial.cluster(); }

  Trial trial;
  // Those in play: allocations on exclusive storage and in a named group leave the nodes of that group only.
  std::vector<NodeIndex> nodes;
  // A single new instance comes first, others last.
  std::vector<InstanceIndex> instances;
};

// The allocation judges nodes by the allocations lost (lost_allocations.h): all nodes of the groups in question have
// exclusive storage.
bool uses_lost_allocations(const Cluster& cluster, const AllocatorRequest& request);

// Works on the request and carries its result out on the state; a failed request leaves it as it is. Throws InputError
// when the cluster cannot be judged (a drbd instance without its secondary).
AllocatorResult answer_request(AllocatorState& state, const AllocatorRequest& request, const AllocationRules& rules);

}  // namespace htools
