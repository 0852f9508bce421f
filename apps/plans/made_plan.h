// What the goals of hplan have in common: a plan that has been made, with everything that is to be told about it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/options/hplan_options.h"
#include "cluster/cluster.h"
#include "document/plan_content.h"
#include "htools/balance.h"
#include "htools/moves.h"
#include "plan/ordering.h"
#include "plan/plan_choice.h"
#include "plan/proposal.h"
#include "trial/trial.h"

namespace htools {

// A plan that has been made, with everything that is to be told about it.
struct Made {
  std::vector<BalanceStep> steps;
  std::vector<std::pair<std::size_t, std::size_t>> enables;  // positions of detours, and of the steps that they enable
  std::vector<BalanceStep> restored = {};                    // instances that get new disks before the first step
  std::size_t restored_as_planned = 0;                       // so many of them are steps of the plan that was given
  std::vector<Unreached> unreached = {};
  std::optional<Judgement> judgement = {};
  std::vector<std::string> remarks = {};  // sentences that end the text
  bool is_no = false;                     // the answer is no, for another reason than those above
  bool is_interrupted = false;            // the user has ended the search
  // The state in which the first step is made, if it is not that of the source: some nodes count as offline.
  std::optional<Cluster> start = {};
  std::string purpose = {};  // the reason of steps that only balance, if the plan is for something else
  std::optional<BeforeAndAfter<std::int64_t>> fitting = {};  // further instances of the wanted size that fit
  std::vector<PlacedName> placed = {};                       // where new instances go
  std::vector<NodeIndex> retired = {};                       // the nodes that were chosen to be emptied
  std::vector<NodeIndex> emptied = {};                       // nodes that nothing is to stay on
  std::optional<PlanChoices> choices = {};                   // the plan was chosen from these
  std::vector<LeftProblem> left = {};                        // what a repair leaves
  std::optional<std::int64_t> least_moves = {};              // of a repair: no plan that mends the same has fewer
  std::optional<PlanBeyond> beyond = {};                     // what more moves would reach
};

// Makes the plan of a goal, and its moves on the trial.
using MakePlan = Made (*)(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups);

// Adds the steps of an ordering, and what it does not reach.
void add(Made& made, const Ordering& ordering);

// Orders the moves to the placement on the trial, group by group.
void order_groups(Trial& trial, const std::vector<GroupIndex>& groups, const std::vector<WantedPlacement>& wanted,
                  const MoveRules& rules, Made& made);

}  // namespace htools
