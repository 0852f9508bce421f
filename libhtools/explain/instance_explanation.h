// Explains why an instance is where it is: where it may go, what each place would gain and cost, and what forbids the
// others.
#pragma once

#include <optional>
#include <vector>

#include "balance/immovable.h"
#include "cluster/cluster.h"
#include "explain/refusal_groups.h"
#include "htools/balance.h"
#include "plan/plan.h"
#include "plan/proposal.h"

namespace htools {

// An allowed move.
struct PossibleMove {
  BalanceStep step;  // with the score of the group after it
  MoveCost cost;
};

// The moves that one rule forbids.
struct ForbiddenMoves {
  RefusalGroup reason;
  std::vector<Move> moves;  // in the order of the refusals
};

// All that is known about the place of an instance.
struct InstanceExplanation {
  InstanceIndex instance;
  GroupIndex group;
  Placement now;
  double score = 0.0;  // of the group
  std::optional<Immovable> immovable = {};
  std::vector<PossibleMove> allowed = {};  // the lowest score first
  std::vector<ForbiddenMoves> forbidden = {};
};
InstanceExplanation explain_instance(const Cluster& cluster, InstanceIndex instance, const MoveRules& rules);

// The answer to the question whether an instance may have certain nodes.
struct MoveExplanation {
  JudgedPlacement judged;
  std::vector<PlannedStep> steps;  // none if it is refused, or there already
  BeforeAndAfter<double> score;    // of the group
};
MoveExplanation explain_move(const Cluster& cluster, const ResolvedPlacement& wanted, const MoveRules& rules);

}  // namespace htools
