// The choice between plans: few of them, none of which is beaten.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/options/hplan_options.h"
#include "apps/plans/made_plan.h"
#include "plan/plan_choice.h"

namespace htools {

// A plan to choose.
struct TradeoffPlan {
  PlanChoiceRow row;
  Made made;
};

// The plans to choose from.
struct Tradeoff {
  std::vector<TradeoffPlan> plans;
  std::optional<std::string> interruption;  // what is to be said if the search for them was interrupted
};

// Searches for plans none of which is beaten by another one in score, moves, copied disk and time at once. They are
// numbered from 1, the one with the fewest moves first. `make` makes the plan of the goal; all plans reach it as far as
// that one does.
Tradeoff tradeoff_plans(const Cluster& before, const HplanOptions& options, const std::vector<GroupIndex>& groups,
                        MakePlan make);

// Returns what a document says about the plans.
PlanChoices choices_of(const std::vector<TradeoffPlan>& plans);

// Makes the moves of the plan that the user has chosen (--choose). Throws InputError if there is none with that number.
Made chosen_plan(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups, MakePlan make);

// Returns the table of the plans, for people; with a chart of the scores if the lines may be wider than the table. A
// width of 0 is one in which nothing else fits.
std::string tradeoff_table(const std::vector<TradeoffPlan>& plans, double score_before, std::size_t width);

}  // namespace htools
