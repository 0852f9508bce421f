// Provides a literal version of the allocator's answers to whole requests, and of the state of the cluster that they
// leave.
#pragma once

#include <string>
#include <vector>

#include "allocate/allocator.h"
#include "tests/support/literal_evacuation.h"

namespace htools::testing {

// ---- Results in words

std::string text(const MultiAllocationResult& result);
std::string text(const SecondaryResult& result);
std::string text(const RelocationResult& result);

// ---------------------------------------------------------------------------------------------------------------------
namespace literal {

// The state of the cluster while a request is processed, as in AllocatorState.
struct State {
  Cluster cluster;
  Nodes nodes;                           // the nodes that count
  std::vector<InstanceIndex> instances;  // in the order in which they are shown
};

AllocationAnswer attempt(const State& state, const AllocationRequest& request, const AllocationRules& rules,
                         Judge judge);

std::string answer(State& state, const AllocationRequest& request, AllocationRules rules);

std::string answer(State& state, const MultiAllocationRequest& request, const AllocationRules& rules);

std::string answer(State& state, const SecondaryRequest& request, const AllocationRules& rules);

std::string answer(State& state, const RelocationRequest& request, const AllocationRules& rules);

std::string answer(State& state, const EvacuationRequest& request, const AllocationRules& rules);
std::string answer(State& state, const GroupChangeRequest& request, const AllocationRules& rules);

}  // namespace literal
}  // namespace htools::testing
