// Provides literal versions of the allocator's rules for evacuations and changes of groups, which try one move after
// the other on copies of the cluster.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "allocate/evacuation.h"
#include "allocate/request.h"
#include "tests/support/literal_allocation.h"

namespace htools::testing {

// ---- Results in words

std::string text(const Evacuated& evacuated);

inline std::string text(const NotRelocatable&) { return "not relocatable"; }
inline std::string text(const NoSecondary&) { return "no secondary"; }
std::string text(const FailoverRefused& refused);
std::string text(const TargetsRefused& refused);
std::string text(const PairsRefused& refused);
std::string text(const NoTargetGroup& none);
inline std::string text(const GroupsRefused& refused) { return text(refused.answer); }
std::string text(const EvacuationFailure& failure);

std::string text(const std::vector<InstanceOutcome>& outcomes);

// ---------------------------------------------------------------------------------------------------------------------
namespace literal {

using EvacuationResult = std::variant<Evacuated, EvacuationFailure>;

std::vector<InstanceOutcome> evacuate(Cluster& cluster, const EvacuationRequest& request, bool force);

std::vector<InstanceOutcome> change_groups(Cluster& cluster, const GroupChangeRequest& request,
                                           const AllocationRules& rules);

}  // namespace literal
}  // namespace htools::testing
