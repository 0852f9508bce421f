// Finds where a new instance can be placed among the nodes of one group, and which place is best.
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

// The rules that say which places are allowed.
struct AllocationRules {
  bool force = false;           // leaves out the soft checks of the primary node
  bool capacity_checks = true;  // requires that every node can be vacated afterwards (capacity_check.h)
  // The full names of the only candidates; absent: all nodes are candidates.
  std::optional<std::set<std::string>> allowed_nodes;
  bool explain = false;  // lists the refusals, too
};

// The cost of a placement with exclusive storage (see lost_allocations.h). Costs are compared from left to right; lower
// is better.
struct LostAllocations {
  std::vector<std::int64_t> lost;   // by min-max interval of the policy: how many fewer instances fit afterwards
  std::int64_t remaining_disk = 0;  // MiB left on the chosen nodes
  auto operator<=>(const LostAllocations&) const = default;
};

using AllocationScore = std::variant<double, LostAllocations>;  // the cluster score, or the loss with exclusive storage

// A possible place and its score.
struct AllocationChoice {
  Placement placement;
  AllocationScore score;
};

// The result of trying all candidates. A candidate that only the capacity check refuses counts as FailMode::N1 if its
// score is better than that of the chosen one; otherwise it is not checked and counts as a success.
struct Allocation {
  FailCounts failures;
  std::int64_t successes = 0;
  std::optional<AllocationChoice> choice;
  // The reasons of refusals, if the rules ask for them. For pairs these are: the refused primaries; the secondaries
  // that refuse every primary, except perhaps primaries for which they already reserve memory; the pairs refused
  // because of such a reservation; and, per primary, the first pair that the capacity check refuses.
  std::vector<Refusal> refusals = {};
};

// The reason why there is no candidate in a group.
enum class GroupProblem : std::uint8_t { NoOnlineNodes, NotEnoughOnlineNodes, UnsupportedNodeCount, NotConnected };

// The result of looking for a place in one group.
struct GroupTrial {
  GroupIndex group;
  std::variant<Allocation, GroupProblem> outcome;

  const AllocationChoice* choice() const {
    const Allocation* allocation = std::get_if<Allocation>(&outcome);
    return allocation != nullptr && allocation->choice ? &*allocation->choice : nullptr;
  }
};

// The answer to an allocation request, in the named group or in any group.
struct AllocationAnswer {
  bool group_known = true;              // false if the name does not identify exactly one group
  bool any_group = false;               // true if the request names no group
  std::vector<GroupIndex> unconnected;  // left out because they lack a network, in index order; only if any_group
  std::vector<GroupTrial> trials;       // one per group that was tried, in index order
  std::optional<std::size_t> selected;  // the position of the chosen group in `trials`

  const AllocationChoice* choice() const { return selected ? trials[*selected].choice() : nullptr; }
};

// An instance that is to be placed.
struct Arrival {
  Instance instance;    // the instance, without nodes
  InstanceIndex index;  // its index; for a new instance, the number of instances in the cluster
};

// try_nodes() tries every node of `candidates`; try_pairs() tries every pair of a primary from `primaries` and a
// different secondary from `secondaries`. All lists are ascending. Both judge the result as if `nodes` were the whole
// cluster. A single node is scored by a full evaluation. A pair is scored by updating the statistics of the present
// state, for the primary first; rounding makes the order matter. Among equal scores, the last candidate wins; for
// pairs, the last primary and its last secondary. Both leave the trial as it is. They throw InputError if the capacity
// check cannot be made.
Allocation try_nodes(Trial& trial, const std::vector<NodeIndex>& nodes, const std::vector<NodeIndex>& candidates,
                     const Arrival& arrival, const AllocationRules& rules);
Allocation try_pairs(Trial& trial, const std::vector<NodeIndex>& nodes, const std::vector<NodeIndex>& primaries,
                     const std::vector<NodeIndex>& secondaries, const Arrival& arrival, const AllocationRules& rules);

// Returns the instance placed on these nodes, with the location score that they give it.
Instance placed(const Cluster& cluster, const Instance& instance, const Placement& place);

// Places the instance: enters it in the cluster's list and, as `index_on_nodes`, in the books of its nodes.
void carry_out(Trial& trial, const Arrival& arrival, const Placement& place, InstanceIndex index_on_nodes);

}  // namespace htools
