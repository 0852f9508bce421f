// Restores instances whose data is gone: gives them new disks on nodes that can take them, which a backup is to fill.
#pragma once

#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "htools/balance.h"
#include "htools/refusal.h"
#include "plan/proposal.h"
#include "trial/trial.h"

namespace htools {

// An instance that finds no place.
struct Unrestored {
  InstanceIndex instance;
  std::optional<Refusal> nearest = {};  // the refusal that lacks least
};

// What came of restoring. The steps have no move that leads from one placement to the other (see
// PlannedStep::new_disks); their scores are those of the node group after each of them.
struct Restoring {
  std::vector<BalanceStep> steps;
  std::vector<Unrestored> left;
};

// Places each instance of the groups whose data is on nodes that are down alone, the largest memory first, where the
// allocator puts a new instance of its size in its node group: if possible, such that every node can still be emptied
// afterwards. The places are taken on the trial.
Restoring restore_lost(Trial& trial, const std::vector<GroupIndex>& groups);

// Lets instances be restored where the steps, which begin at `start`, bring them in the end, and drops these steps,
// because they would copy what a backup is to fill. An instance is if the nodes take it there, and all other steps are
// still allowed. Changes `start` and all scores accordingly. The state `before` is that before anything is restored.
void restore_at_ends(const Cluster& before, Cluster& start, std::vector<BalanceStep>& restored,
                     std::vector<BalanceStep>& steps, bool force);

// Places instances as a plan does that gives them new disks, if their data is still lost and the nodes take them, and
// takes these placements out of the list. The others stay in it.
std::vector<BalanceStep> restore_as_planned(Trial& trial, std::vector<ResolvedPlacement>& placements);

}  // namespace htools
