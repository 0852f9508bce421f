#include "apps/plans/live_plan.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <unordered_map>

#include "apps/common/data_source.h"
#include "apps/common/execution.h"
#include "apps/output/messages.h"
#include "apps/output/output.h"
#include "jobs/planned_jobs.h"
#include "plan/paths.h"
#include "trial/trial.h"

namespace htools {
namespace {

// The state that the cluster must have before each wave.
class Expectation {
 public:
  Expectation(const HplanOptions& options, const Cluster& start, JobSets waves)
      : options_(options), trial_(start), waves_(waves) {}

  // Looks at the cluster anew before a wave; also before the first one, because a search takes its time. Throws
  // InputError if an instance of the plan is not where the waves before have brought it.
  void check(std::size_t wave) {
    if (wave > 0) {
      for (const BalanceStep& step : waves_[wave - 1]) {
        Instance& instance = trial_.change(step.instance);
        instance.primary = step.after.primary;
        instance.secondary = step.after.secondary;
      }
    }
    GeneralOptions quiet = options_.general;
    quiet.verbosity = 0;
    const Cluster now = load_cluster(quiet, options_.source).cluster;
    std::unordered_map<std::string_view, const Instance*> instances;
    for (const Instance& instance : now.instances) instances.emplace(instance.facts->name, &instance);
    for (const auto& steps : waves_) {
      for (const BalanceStep& step : steps) check(wave, now, instances, step.instance);
    }
  }
  // True if a check has failed.
  bool has_failed() const { return has_failed_; }

 private:
  static std::string places(const Cluster& cluster, const Instance& instance) {
    std::string text;
    for (const NodeIndex n : nodes_of(placement_of(instance))) {
      text += (text.empty() ? "" : ":") + cluster.node(n).facts->name;
    }
    return text;
  }
  void check(std::size_t wave, const Cluster& now,
             const std::unordered_map<std::string_view, const Instance*>& instances, InstanceIndex index) {
    const Instance& expected = trial_.cluster().instance(index);
    const auto found = instances.find(expected.facts->name);
    const std::string wanted = places(trial_.cluster(), expected);
    const std::string there = found == instances.end() ? "gone" : "on " + places(now, *found->second);
    if (there == "on " + wanted) return;
    has_failed_ = true;
    throw InputError(
        ErrorCode::Unanswerable,
        fmt::format("the cluster is no longer as expected: {} is {}, not on {}; the plan ends before wave {}",
                    expected.facts->name, there, wanted, wave + 1),
        {}, "Use --resume with the saved plan to go on.");
  }

  const HplanOptions& options_;
  Trial trial_;
  JobSets waves_;
  bool has_failed_ = false;
};

}  // namespace

std::optional<DocumentError> carry_out(const HplanOptions& options, const Cluster& start, const Cluster& after,
                                       const WaveSteps& waves, std::vector<SubmittedJob>& jobs) {
  Expectation expectation(options, start, waves.sets());
  try {
    execute(options.source, options.jobs, kHplanTool, "plan of hplan",
            move_jobs(after, waves.sets(), "Executing wave for", LeavingOffline::FailsOver), jobs,
            [&](std::size_t wave) { expectation.check(wave); });
  } catch (const InputError& error) {
    if (!expectation.has_failed()) throw;
    print_error(fmt::format("{}\n{}\n", error.message(), error.hint()));
    return document_error(error);
  }
  return std::nullopt;
}

}  // namespace htools
