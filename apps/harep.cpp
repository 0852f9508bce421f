#include "apps/harep.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "apps/common/data_source.h"
#include "apps/common/documents.h"
#include "apps/common/job_context.h"
#include "apps/output/messages.h"
#include "apps/output/output.h"
#include "base/held_signals.h"
#include "base/random_id.h"
#include "base/strings.h"
#include "document/repair_content.h"
#include "htools/errors.h"
#include "jobs/repair_jobs.h"
#include "live/job_queue.h"
#include "repair/repair_need.h"
#include "repair/repair_policy.h"
#include "repair/repair_state.h"
#include "report/repair_text.h"

namespace htools {
namespace {

// Returns the current time in seconds since 1970.
std::int64_t time_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Repairs instances by jobs, and records the state of each repair in the tags of the instance.
class Repairer {
 public:
  explicit Repairer(const HarepOptions& options) : options_(options), daemon_(*options.source.luxi) {}

  // Records the result of a pending repair if all of its jobs have ended; otherwise does nothing.
  void conclude(const Instance& instance, RepairState& state, RepairedInstance& repaired);

  void repair_if_allowed(const Instance& instance, RepairState& state, RepairedInstance& repaired,
                         const RepairPolicy& policy);

 private:
  std::vector<JobStatus> ask_about(const Instance& instance, const std::vector<JobId>& jobs);
  std::vector<JobId> submit(const Job& job);
  void carry_out(const Job& job);
  std::vector<JobId> start_repair(const Instance& instance, RepairMethod method);
  // Sets the state, and replaces the old tags of the instance by a tag that contains the record.
  void enter_stage(const Instance& instance, RepairState& state, RepairStage stage, const RepairRecord& record);

  const HarepOptions& options_;
  LuxiClient daemon_;
  // Holds back signals from the submission of a repair until that of its record, so that no repair lacks its record.
  std::optional<HeldSignals> held_;
};

std::vector<JobId> Repairer::submit(const Job& job) {
  const OpcodeContext context = job_context(options_.jobs, kHarepTool, "automated repairs by harep");
  return submit_jobs(daemon_, {job_text(job, context)});
}

// Submits a job that changes tags and waits for its end, because the next job may depend on it.
void Repairer::carry_out(const Job& job) {
  if (options_.repair.dry_run) return;
  const std::vector<JobId> ids = submit(job);
  held_.reset();
  flush_output();
  const std::vector<JobStatus> statuses =
      wait_for_jobs(daemon_, ids, [](auto interval) { std::this_thread::sleep_for(interval); });
  std::vector<std::string> failures;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (statuses[i] == JobStatus::Success) continue;
    failures.push_back(fmt::format("{}=>{}", ids[i], statuses[i] == JobStatus::Canceled ? "canceled" : "error"));
  }
  if (!failures.empty()) throw InputError("The following jobs failed: " + join(failures, ", "));
}

std::vector<JobId> Repairer::start_repair(const Instance& instance, RepairMethod method) {
  const Job job = repair_job(instance, method, options_.repair.job_delay);
  if (options_.repair.dry_run) {
    print(fmt::format("jobs: {}\n", JsonText::array({plain_job_text(job)}).text()));
    return {};
  }
  flush_output();  // nothing that can fail may come between the repair and its record
  held_.emplace();
  return submit(job);
}

void Repairer::enter_stage(const Instance& instance, RepairState& state, RepairStage stage,
                           const RepairRecord& record) {
  const std::string tag = write_repair_record(record);
  print(fmt::format(">>> Adding the following tag to {}:\n{}\n", instance.facts->name, quote(tag)));
  carry_out(add_tags_job(instance, {tag}));
  if (!state.tags.empty()) {
    print(fmt::format(">>> Removing the following tags from {}:\n", instance.facts->name));
    for (const std::string& old : state.tags) print(quote(old) + "\n");
    carry_out(remove_tags_job(instance, state.tags));
  }
  state = {stage, std::nullopt, {tag}};
}

// Returns the statuses of the jobs. Does not ask for an empty list, because Ganeti would answer with all of its jobs.
std::vector<JobStatus> Repairer::ask_about(const Instance& instance, const std::vector<JobId>& jobs) try {
  return jobs.empty() ? std::vector<JobStatus>() : ask_for_statuses(daemon_, jobs);
} catch (const ConnectionError&) {
  throw;
} catch (const InputError& error) {
  throw error.at(fmt::format("pending repair of instance {} by jobs {}", instance.facts->name, job_list(jobs)));
}

void Repairer::conclude(const Instance& instance, RepairState& state, RepairedInstance& repaired) {
  const std::vector<JobId>& jobs = state.pending->jobs;
  const std::vector<JobStatus> statuses = ask_about(instance, jobs);
  if (!std::all_of(statuses.begin(), statuses.end(), has_ended)) return;
  const bool success =
      std::all_of(statuses.begin(), statuses.end(), [](JobStatus s) { return s == JobStatus::Success; });
  RepairRecord ended = *state.pending;
  ended.time = time_now();
  ended.result = success ? RepairResult::Success : RepairResult::Failure;
  const RepairStage stage = stage_of(ended);
  print(fmt::format("Moving {} from \"{}\" to \"{}\"\n", instance.facts->name, shown_name(state.stage),
                    shown_name(stage)));
  repaired.actions.push_back(RepairAction::Concluded);
  enter_stage(instance, state, stage, ended);
}

void Repairer::repair_if_allowed(const Instance& instance, RepairState& state, RepairedInstance& repaired,
                                 const RepairPolicy& policy) {
  if (policy.kind != RepairPolicy::Kind::Enabled) {
    print(fmt::format("Not repairing {} because it's in state {}\n", instance.facts->name, format_disabled(policy)));
    repaired.actions.push_back(RepairAction::NotEnabled);
    return;
  }
  const RepairMethod method = *repaired.needed;
  const RepairType type = type_of(method);
  if (type > policy.limit) {
    print(fmt::format("Not performing a repair of type {} on {} because only repairs up to {} are allowed\n",
                      shown_name(type), instance.facts->name, shown_name(policy.limit)));
    repaired.actions.push_back(RepairAction::NotPermitted);
    enter_stage(instance, state, RepairStage::NeedsRepair,
                {type, random_id(), time_now(), {}, RepairResult::NotPermitted});
    return;
  }
  print(fmt::format("Executing {} repair on {}\n", shown_name(type), instance.facts->name));
  const std::string id = random_id();
  const std::vector<JobId> jobs = start_repair(instance, method);
  repaired.actions.push_back(RepairAction::Started);
  repaired.jobs = jobs;
  enter_stage(instance, state, RepairStage::Pending, {type, id, time_now(), jobs, std::nullopt});
}

// Repairs the instances one after the other. Keeps their states, and what it does, also if it fails.
void repair_cluster(const HarepOptions& options, const Cluster& cluster, std::vector<RepairState>& states,
                    std::vector<RepairedInstance>& repaired) {
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    states.push_back(read_repair_state(cluster.instances[i]));
    repaired.push_back({.instance = InstanceIndex(i), .before = states.back().stage});
  }
  Repairer repairer(options);
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i].pending) repairer.conclude(cluster.instances[i], states[i], repaired[i]);
  }
  const std::int64_t now = time_now();
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Instance& instance = cluster.instances[i];
    repaired[i].needed = needed_repair(cluster, instance);
    if (!repaired[i].needed || states[i].stage != RepairStage::Healthy) continue;
    repairer.repair_if_allowed(instance, states[i], repaired[i], repair_policy(cluster, instance, now));
  }
  print(format_stage_counts(states));
}

// Repairs the instances, and prints the document if one is wanted. If repairs have begun and fail, the document says
// so.
void repair_and_report(const HarepOptions& options, const LoadedCluster& loaded) {
  std::vector<RepairState> states;
  std::vector<RepairedInstance> repaired;
  const auto print_content = [&](const std::optional<InputError>& error) {
    if (!prints_document()) return;
    RepairContent content{.dry_run = options.repair.dry_run};
    for (std::size_t i = 0; i < states.size(); ++i) {
      content.stages.push_back(states[i].stage);
      repaired[i].after = states[i].stage;
      const bool is_healthy = !repaired[i].needed && states[i].tags.empty() && repaired[i].actions.empty();
      if (!is_healthy) content.instances.push_back(repaired[i]);
    }
    if (error) content.error = document_error(*error);
    print_document(document_head(kHarepTool, loaded), content);
  };
  try {
    repair_cluster(options, loaded.cluster, states, repaired);
  } catch (const InputError& error) {
    if (states.size() == loaded.cluster.instances.size()) print_content(error);
    throw;
  }
  print_content(std::nullopt);
}

}  // namespace

int harep_main(const CommandLine<HarepOptions>& command_line) {
  // The wording is that of Ganeti's harep.
  reject_words(command_line.words);
  HarepOptions options = command_line.options;
  if (!options.source.luxi) options.source.luxi = default_luxi_socket();
  const LoadedCluster loaded = load_cluster(options.general, options.source);
  try {
    repair_and_report(options, loaded);
  } catch (const ConnectionError& error) {
    throw FileError(error_sentence(error));
  }
  return kExitSuccess;
}

}  // namespace htools
