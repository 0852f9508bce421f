// The content of documents of the kind htools.capacity/1: how many more instances fit on a cluster.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "grow/growth.h"
#include "grow/inflate.h"
#include "htools/capacity.h"
#include "placement/refusal_counts.h"

namespace htools {

// One phase of a simulation: the size that it begins with, and its result.
struct CapacityPhase {
  SimulatedSize size;
  PhaseResult result;
  // The failures of the result by rule, without those of N+1; none if they are not known.
  std::optional<std::vector<RuleRefusals>> refusals = {};
};

// A simulation of both phases.
struct SimulatedCapacity {
  SimulatedKind kind;
  CapacityTotals initial;
  CapacityPhase tiered;
  CapacityPhase standard;
};

// What was asked about growth, and the answer: one of the last two.
struct GrowthContent {
  std::string_view question;  // one of kGrowthQuestionNames, or "max-inflate"
  std::optional<GrowthAnswers> answers = {};
  std::optional<std::vector<Inflation>> inflation = {};  // by group, and the last one in all
};

// The content: one of these.
struct CapacityContent {
  std::optional<SimulatedCapacity> simulated = {};
  std::optional<GrowthContent> growth = {};
};

}  // namespace htools
