#include "apps/common/execution.h"

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "apps/common/job_context.h"
#include "apps/output/interruption.h"
#include "apps/output/messages.h"
#include "apps/output/output.h"
#include "base/strings.h"
#include "htools/errors.h"
#include "live/job_queue.h"

namespace htools {
namespace {

struct EndedJob {
  JobId id;
  JobStatus status;
};

struct EndedSet {
  std::string_view description;
  std::vector<EndedJob> jobs;
};

template <class Element, class Show>
std::string shown_list(const std::vector<Element>& elements, Show show) {
  std::vector<std::string> texts;
  for (const Element& element : elements) texts.push_back(show(element));
  return fmt::format("[{}]", join(texts, ","));
}

std::string shown(const EndedSet& set) {
  return fmt::format("({},{})", quote(set.description), shown_list(set.jobs, [](const EndedJob& job) {
                       return fmt::format("({},{})", job.id, shown_name(job.status));
                     }));
}

std::string shown(const PlannedJobs& set) {
  return fmt::format("({},{})", quote(set.description), shown_list(set.jobs, [](const Job& job) {
                       return shown_list(job, [](const Opcode& opcode) { return opcode.record; });
                     }));
}

void check_success(const std::vector<EndedJob>& jobs) {
  std::vector<EndedJob> failed = jobs;
  std::erase_if(failed, [](const EndedJob& job) { return job.status == JobStatus::Success; });
  if (failed.empty()) return;
  throw InputError(
      fmt::format("Not all jobs completed successfully: {}\nAborting.\n", shown_list(failed, [](const EndedJob& job) {
                    return fmt::format("(JobId {{fromJobId = {}}},{})", job.id, shown_name(job.status));
                  })));
}

// A pause between queries of the daemon. It confirms each request to end as soon as it arrives.
class AttentivePause {
 public:
  explicit AttentivePause(const Interruption& interruption) : interruption_(interruption) {}

  void operator()(std::chrono::nanoseconds time) {
    do {
      time = wait_for_signal(time);
      tell_requests();
    } while (time.count() > 0);
  }

  void tell_requests() {
    for (; told_ < interruption_.requests(); ++told_) {
      print_progress("Cancel request registered, will exit at the end of the current job set...\n");
    }
  }

 private:
  const Interruption& interruption_;
  int told_ = 0;
};

// Prints the numbers of the submitted jobs. If that fails, throws FileError with the numbers, so that they are not
// lost.
void tell_jobs(const std::vector<JobId>& ids) try {
  print_progress(fmt::format("Got job IDs {}\n", job_list(ids)));
} catch (const OutputError& error) {
  throw FileError(fmt::format("{}; these jobs were submitted and go on: {}", error.what(), job_list(ids)));
}

EndedSet carry_out(LuxiClient& daemon, const OpcodeContext& context, const PlannedJobs& set, const Pause& pause) {
  std::vector<JsonText> texts;
  for (const Job& job : set.jobs) texts.push_back(job_text(job, context));
  const std::vector<JobId> ids = submit_jobs(daemon, texts);
  tell_jobs(ids);
  const std::vector<JobStatus> statuses = wait_for_jobs(daemon, ids, pause);
  EndedSet ended{set.description, {}};
  for (std::size_t i = 0; i < ids.size(); ++i) ended.jobs.push_back({ids[i], statuses[i]});
  return ended;
}

}  // namespace

void execute(const SourceOptions& source, const JobOptions& options, const Tool& tool, std::string_view comment,
             const std::vector<PlannedJobs>& sets, std::vector<SubmittedJob>& ended_jobs,
             const std::function<void(std::size_t set)>& before_set) try {
  if (!source.luxi) throw InputError("Execution of commands possible only on LUXI");
  const OpcodeContext context = job_context(options, tool, comment);
  flush_output();  // a signal may end the program from here on
  const Interruption interruption;
  AttentivePause pause(interruption);
  const auto is_to_end = [&] {
    pause.tell_requests();
    return interruption.requests() > 0;
  };
  std::vector<EndedSet> ended;
  for (const PlannedJobs& set : sets) {
    if (is_to_end()) break;
    if (before_set) before_set(ended.size());
    LuxiClient daemon(*source.luxi);
    if (is_to_end()) break;  // a signal may have arrived during the connection
    const std::vector<EndedJob>& jobs = ended.emplace_back(carry_out(daemon, context, set, std::ref(pause))).jobs;
    for (const EndedJob& job : jobs) {
      ended_jobs.push_back({ended.size(), job.id, job.status == JobStatus::Success});
    }
    check_success(jobs);
  }
  if (ended.size() == sets.size()) return;
  const std::vector<PlannedJobs> left(sets.begin() + static_cast<std::ptrdiff_t>(ended.size()), sets.end());
  print_progress(
      fmt::format("Exiting early due to user request, \n{}jobset(s) submitted: \n{}\n{} jobset(s) not submitted:\n{}\n",
                  ended.size(), shown_list(ended, [](const EndedSet& set) { return shown(set); }), left.size(),
                  shown_list(left, [](const PlannedJobs& set) { return shown(set); })));
} catch (const ConnectionError& error) {
  throw FileError(error_sentence(error));
} catch (const InputError& error) {
  throw error.annotated(fmt::format("{}: ", tool.name));
}

}  // namespace htools
