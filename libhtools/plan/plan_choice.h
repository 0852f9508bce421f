// The choice between several plans, as it is offered and as documents keep it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace htools {

// A plan to choose, in a table of several.
struct PlanChoiceRow {
  std::size_t choice = 0;  // counted from 1
  double score = 0.0;      // afterwards; of several groups, the sum
  PlanTotals totals;
  bool is_knee = false;             // it gains most for its moves, or for what it copies
  std::optional<bool> is_met = {};  // if there are limits on what nodes use: true if all nodes are within them
};

// Plans to choose from, and which of them was chosen.
struct PlanChoices {
  std::vector<PlanChoiceRow> plans;
  std::optional<std::size_t> chosen;     // its number
  std::vector<std::string> groups = {};  // names of the node groups whose scores are added up
};

}  // namespace htools
