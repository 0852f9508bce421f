// Looks for what would cure problems: moves, settings, or nothing within the rules.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "cluster/tag_set.h"
#include "explain/diagnosis.h"
#include "trial/trial.h"

namespace htools {

// Returns the memory that a failover to the node finds, in MiB: what is free as reported, or what is unallocated if
// that is less.
std::int64_t memory_for_failovers(const Node& node);

// True if the tag is one of the set.
bool has_tag(const TagSet& tags, const std::string& tag);

// Returns how far the problem is from being cured in this state, in a measure of its kind: 0 if it is cured.
double distance_to_cure(Trial& trial, const GroupMembers& members, const Finding& finding);

// Sets the cures of the problems, which are those of one group. Each cure is tried on the trial, which stays as it is.
void find_cures(Trial& trial, const GroupMembers& members, const DiagnosisOptions& options,
                std::vector<Finding>& findings);

}  // namespace htools
