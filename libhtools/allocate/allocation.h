// Where a new instance can be placed among the nodes of one group, and which place is best.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "cluster/cluster.h"
#include "rules/fail_mode.h"
#include "rules/move.h"
#include "rules/refusal.h"
#include "trial/trial.h"

namespace htools {

// Which places are allowed.
struct AllocationRules {
  bool force = false;                                  // the soft checks of the primary node are left out
  bool capacity_checks = true;                         // every node must be vacatable afterwards (capacity_check.h)
  std::optional<std::set<std::string>> allowed_nodes;  // full names of the only candidates; absent: all
  bool explain = false;                                // list the refusals, too
};

// What a placement on exclusive storage costs (see lost_allocations.h); compared from left to right, lower is better.
struct LostAllocations {
  std::vector<std::int64_t> lost;   // by interval of the policy: how many instances fewer fit
  std::int64_t remaining_disk = 0;  // MiB left on the nodes taken
  auto operator<=>(const LostAllocations&) const = default;
};

using AllocationScore = std::variant<double, LostAllocations>;  // the cluster's score, or on exclusive storage the loss

// A place, and what it is worth.
struct AllocationChoice {
  Placement placement;
  AllocationScore score;
};

// What came of trying all candidates. A candidate that only the capacity check refuses counts as FailMode::N1 if it was
// better than the chosen one, and else, untested, as a success.
struct Allocation {
  FailCounts failures;
  std::int64_t successes = 0;
  std::optional<AllocationChoice> choice;
  // If asked for. Of pairs: the refused primaries, the secondaries that refuse all primaries but some that they reserve
  // memory for already, these in particular, and per primary the first pair that the capacity check refuses.
  std::vector<Refusal> refusals = {};
};

// Why there is nothing to try in a group.
enum class GroupProblem : std::uint8_t { NoOnlineNodes, NotEnoughOnlineNodes, UnsupportedNodeCount, NotConnected };

// What became of looking for a place in a group.
struct GroupTrial {
  GroupIndex group;
  std::variant<Allocation, GroupProblem> outcome;

  const AllocationChoice* choice() const {
    const Allocation* allocation = std::get_if<Allocation>(&outcome);
    return allocation != nullptr && allocation->choice ? &*allocation->choice : nullptr;
  }
};

// The answer to an allocation in the named group or in any.
struct AllocationAnswer {
  bool group_known = true;              // false: the name does not stand for exactly one group
  bool any_group = false;               // no group was named
  std::vector<GroupIndex> unconnected;  // left out because they lack a network, in index order; any group only
  std::vector<GroupTrial> trials;       // in index order
  std::optional<std::size_t> selected;  // of the trials

  const AllocationChoice* choice() const { return selected ? trials[*selected].choice() : nullptr; }
};

// Who is to be placed.
struct Arrival {
  Instance instance;    // without nodes
  InstanceIndex index;  // its own, or that behind the last one of the cluster for a new one
};

// Tries every node of `candidates`, or every pair of a primary of `primaries` and another secondary of `secondaries`
// (all ascending), on `nodes` as if they were the whole cluster. A single node is judged by the full score, a pair by
// updating that of the present state, first by the primary; equal scores: the last candidate, the last primary. The
// trial is left as it is. Throws InputError when the capacity check cannot be made.
Allocation try_nodes(Trial& trial, const std::vector<NodeIndex>& nodes, const std::vector<NodeIndex>& candidates,
                     const Arrival& arrival, const AllocationRules& rules);
Allocation try_pairs(Trial& trial, const std::vector<NodeIndex>& nodes, const std::vector<NodeIndex>& primaries,
                     const std::vector<NodeIndex>& secondaries, const Arrival& arrival, const AllocationRules& rules);

// The instance on these nodes, with the location score that they give it.
Instance placed(const Cluster& cluster, const Instance& instance, const Placement& place);

// Enters the placed instance in the cluster and, by this index, in the books of its nodes.
void carry_out(Trial& trial, const Arrival& arrival, const Placement& place, InstanceIndex index_on_nodes);

}  // namespace htools
