// Finds a place for a new instance, or says for each node why it is refused.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "htools/cluster.h"
#include "htools/disk_template.h"
#include "htools/moves.h"
#include "htools/refusal.h"

namespace htools {

// An instance that does not exist yet. It has one disk, unless its template is diskless.
struct NewInstance {
  std::string name;
  DiskTemplate disk_template = DiskTemplate::Drbd;
  std::int64_t memory_mib = 0;
  std::int64_t disk_mib = 0;
  std::int64_t vcpus = 1;
  std::optional<std::int64_t> spindles;  // of the disk; needed with exclusive storage
  std::vector<std::string> tags;
};

// The places that are allowed.
struct AllocationOptions {
  std::optional<GroupIndex> group;  // only this group; absent: the best of all groups
  bool force = false;               // leaves out the soft checks of the primary node (see MoveRules)
  bool capacity_checks = true;      // requires that every node can still be emptied afterwards
};

// The cost of a placement with exclusive storage. Costs are compared from left to right; lower
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

// Finds the best place, as `hail` does: the one with the lowest score of the cluster. The answer contains the refusals
// of all other nodes or pairs of nodes. Throws InputError if the cluster cannot be judged, for example because a drbd
// instance has no secondary.
AllocationAnswer find_place(const Cluster& cluster, const NewInstance& instance, const AllocationOptions& options = {});

// Returns the cluster with the instance on these nodes, which is not checked.
std::shared_ptr<const Cluster> with_instance(const Cluster& cluster, const NewInstance& instance,
                                             const Placement& place);

// Returns the answer in sentences: the place and its score, or the number of refusals by reason; then one line for each
// refusal.
std::string to_text(const Cluster& cluster, const NewInstance& instance, const AllocationAnswer& answer);

}  // namespace htools
