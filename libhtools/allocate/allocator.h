// The instance allocator: answers one request with one result.
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

// The result for one instance of several: its place, or the answer that says why there is none.
struct MultiAllocationItem {
  std::variant<Placement, AllocationAnswer> outcome;
};

// The answer to a request for several new instances.
struct MultiAllocationResult {
  bool lost_allocations = false;           // true if places were judged by lost allocations
  std::vector<MultiAllocationItem> items;  // in the order of the request
  // Set if the request fails as a whole. This happens to a request that names no group with the first instance that has
  // no place, and to a request that names a group which cannot be used at all. It is the answer for the instance that
  // follows those in `items`.
  std::optional<AllocationAnswer> failure;
};

// The answer to a request for a secondary for an instance that has none.
struct SecondaryResult {
  bool has_secondary = false;  // true if the instance already has a secondary; then nothing was tried
  Allocation allocation;
};

// The reason why a relocation request is invalid: it asks for a number of nodes other than one, the instance is not
// mirrored, or the nodes to leave are not the expected ones.
enum class RelocationProblem : std::uint8_t { NodeCount, NotMirrored, NotOnTheseNodes };

// The answer to a request for another secondary node (or primary node, for externally mirrored disks).
struct RelocationResult {
  std::variant<NodeIndex, EvacuationFailure, RelocationProblem> outcome;  // the new node, or why there is none
  NodeIndex expected;  // with NotOnTheseNodes: the node that the request must name; none if the secondary is missing
};

using AllocatorResult = std::variant<AllocationAnswer, MultiAllocationResult, SecondaryResult, RelocationResult,
                                     std::vector<InstanceOutcome>>;

// The state of the cluster while a request is processed.
struct AllocatorState {
  const Cluster& cluster() const { return trial.cluster(); }

  Trial trial;
  // The nodes that count. Allocations with exclusive storage and in a named group reduce them to the nodes of that
  // group.
  std::vector<NodeIndex> nodes;
  // The instances in the order in which they are shown: a single new instance is put first, several new ones are put
  // last.
  std::vector<InstanceIndex> instances;
};

// True if the allocation judges nodes by lost allocations (lost_allocations.h): all nodes of the groups in question
// have exclusive storage.
bool uses_lost_allocations(const Cluster& cluster, const AllocatorRequest& request);

// Answers the request and applies the result to the state. A request that fails leaves the state as it is. After the
// allocation of a single new instance, its nodes name it by no index, which node tables show as -1, so the state must
// not be asked about again; carry_out() (allocation.h) makes one that can be. Throws InputError if the cluster cannot
// be judged, for example because of a drbd instance without a secondary.
AllocatorResult answer_request(AllocatorState& state, const AllocatorRequest& request, const AllocationRules& rules);

}  // namespace htools
