// A literal version of the allocator's answers to whole requests, and what these leave of the cluster.
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

struct State {
  Cluster cluster;
  Nodes nodes;                           // in play
  std::vector<InstanceIndex> instances;  // in their order
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
