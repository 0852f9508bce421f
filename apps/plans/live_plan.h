// Carries out plans on live clusters.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "apps/options/hplan_options.h"
#include "document/error_content.h"
#include "document/job_fields.h"
#include "jobs/commands.h"
#include "plan/plan.h"

namespace htools {

// The steps of a plan, wave by wave.
class WaveSteps {
 public:
  explicit WaveSteps(const Plan& plan) {
    for (const Wave& wave : plan.waves) {
      auto& steps = waves_.emplace_back();
      for (const std::size_t number : wave.steps) steps.push_back(plan.steps[number - 1].step);
    }
    for (const auto& steps : waves_) sets_.emplace_back(steps);
  }
  JobSets sets() const { return sets_; }

 private:
  std::vector<std::vector<BalanceStep>> waves_;
  std::vector<std::span<const BalanceStep>> sets_;
};

// Carries out the plan, wave by wave, and looks at the cluster before each wave. If it is no longer as expected, the
// plan ends; returns what is to be said about that.
std::optional<DocumentError> carry_out(const HplanOptions& options, const Cluster& start, const Cluster& after,
                                       const WaveSteps& waves, std::vector<SubmittedJob>& jobs);

}  // namespace htools
