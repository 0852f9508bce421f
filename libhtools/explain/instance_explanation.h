// Explains why an instance is where it is: where it may go, what each place would gain and cost, and what forbids the
// others.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "explain/refusal_groups.h"
#include "htools/balance.h"
#include "plan/plan.h"
#include "plan/proposal.h"

namespace htools {

// The reason why an instance may not move at all.
enum class Immovable : std::uint8_t {
  OnlyCopy,         // its disk template keeps the only copy of its data on its node
  DiskTemplate,     // its disk template is not moved by balancing
  NotSelected,      // by the options
  NotAutoBalanced,  // by its own setting
  NoSecondary,      // its disk template needs a secondary, which it has not
  SplitGroups       // its two nodes are in different node groups
};
inline constexpr std::array<std::string_view, 6> kImmovableNames{"only-copy",         "disk-template", "not-selected",
                                                                 "not-auto-balanced", "no-secondary",  "split-groups"};

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
