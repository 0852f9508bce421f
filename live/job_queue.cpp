#include "live/job_queue.h"

#include <algorithm>
#include <string>
#include <utility>

namespace htools {
namespace {

constexpr std::chrono::milliseconds kFirstInterval{500};
constexpr std::chrono::milliseconds kLongestInterval{15'000};

// Calls the method and returns the result of `read` for the reply. Errors of `read` begin with `words`.
template <class Read>
auto ask(LuxiClient& daemon, std::string_view method, const JsonText& arguments, const std::string& words, Read read) {
  std::string reply = daemon.call(method, arguments);
  try {
    return read(std::move(reply));
  } catch (const InputError& error) {
    throw error.annotated(words);
  }
}

}  // namespace

std::vector<JobId> submit_jobs(LuxiClient& daemon, const std::vector<JsonText>& jobs) {
  return ask(daemon, "SubmitManyJobs", JsonText::array({JsonText::array(jobs)}), "Job submission error: ",
             [&](std::string reply) { return read_submitted_jobs(std::move(reply), jobs.size()); });
}

std::vector<JobStatus> ask_for_statuses(LuxiClient& daemon, const std::vector<JobId>& jobs) {
  std::vector<JsonText> ids;
  ids.reserve(jobs.size());
  for (const JobId job : jobs) ids.push_back(JsonText::number(job));
  return ask(
      daemon, "QueryJobs", JsonText::array({JsonText::array(ids), JsonText::array({JsonText::string("status")})}),
      "Checking job status: ", [&](std::string reply) { return read_job_statuses(std::move(reply), jobs.size()); });
}

std::vector<JobStatus> wait_for_jobs(LuxiClient& daemon, const std::vector<JobId>& jobs, const Pause& pause) {
  for (std::chrono::milliseconds interval = kFirstInterval;; interval = std::min(2 * interval, kLongestInterval)) {
    pause(interval);
    std::vector<JobStatus> statuses = ask_for_statuses(daemon, jobs);
    if (std::all_of(statuses.begin(), statuses.end(), has_ended)) return statuses;
  }
}

}  // namespace htools
