// Formats plans as text for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "balance/immovable.h"
#include "cluster/cluster.h"
#include "cluster/members.h"
#include "plan/plan.h"
#include "plan/proposal.h"

namespace htools {

// Returns the lines of the steps of one group, in hbal's form, each followed by its wave and its reason. If one of them
// is wider than `columns`, the reasons stand below the steps, in lines that fit as far as words allow; 0 means any
// width.
std::string plan_step_lines(const Cluster& cluster, const GroupMembers& members, const Plan& plan, GroupIndex group,
                            std::size_t columns = 0);

// Returns what the plan costs and what it achieves, in aligned lines.
std::string plan_summary(const Cluster& cluster, const Plan& plan);

// Returns what so many moves in all would reach, and how to ask for them.
std::string beyond_line(std::size_t moves, double score);

// Returns over how many nodes a grade is, as the end of a line about it.
std::string graded_nodes_text(std::int64_t nodes);

// Returns a line for each wave, and the steps of the longest chain.
std::string wave_lines(const Cluster& cluster, const Plan& plan);

// Returns a line for each instance that does not reach its place, with the reason.
std::string unreached_lines(const Cluster& cluster, const std::vector<Unreached>& unreached);

// Returns why an instance does not reach its place, without a full stop.
std::string unreached_text(const Cluster& cluster, const Unreached& unreached);
// Returns why an instance may not move, as the end of a sentence about it; a general one if no cause is known.
std::string immovable_text(const Cluster& cluster, InstanceIndex instance, std::optional<Immovable> reason);

// Returns a line for each judged placement.
std::string judgement_lines(const Cluster& cluster, const Judgement& judgement);

}  // namespace htools
