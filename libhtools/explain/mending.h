// Looks for the fewest moves that cure what is wrong with a node group: everything that diagnose() finds and moves can
// cure, and nothing else.
#pragma once

#include <cstddef>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "explain/finding.h"
#include "htools/balance.h"
#include "trial/trial.h"

namespace htools {

// True if a problem of this kind is a wish that is missed: a rule that only should be kept, a desired or a shared
// location.
bool is_wish(FindingKind kind);

// What is to be cured, and by which moves.
struct MendingOptions {
  BalanceOptions balance = {};  // the moves that may be made; what the user limits of them
  bool capacity_checks = true;  // also nodes that cannot be emptied
  bool must_only = false;       // leave out wishes: rules that only should be kept, desired and shared locations
};

// The moves that were found.
struct Mending {
  std::vector<BalanceStep> steps = {};
  std::vector<Finding> left = {};  // what stays of problems that moves may cure, with the reason
  std::size_t least_moves = 0;     // no moves that cure the same problems are fewer
};

// Finds the moves and makes them on the trial. Every state between two of them obeys the rules. A problem is cured as
// far as it can be; for that, no worse problem comes up, and what should be kept is broken only if that is worth it.
Mending mend(Trial& trial, GroupIndex group, const GroupMembers& members, const MendingOptions& options);

}  // namespace htools
