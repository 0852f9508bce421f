// Submits jobs to Ganeti's job queue, and waits for them.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "json/json_writer.h"
#include "live/luxi_client.h"
#include "protocols/job_replies.h"

namespace htools {

// Submits jobs, each of which is an array of opcodes (jobs/opcodes.h). Ganeti may run them at the same time. Throws
// ConnectionError, and InputError if a job is refused: "Job submission error: ...".
std::vector<JobId> submit_jobs(LuxiClient& daemon, const std::vector<JsonText>& jobs);

// Returns the statuses of the jobs, in their order. Throws ConnectionError, and InputError: "Checking job status: ...".
std::vector<JobStatus> ask_for_statuses(LuxiClient& daemon, const std::vector<JobId>& jobs);

// Waits until all jobs have ended, and returns their statuses. Asks for the statuses at growing intervals, for which
// `pause` waits. Throws the same errors as ask_for_statuses().
using Pause = std::function<void(std::chrono::milliseconds)>;
std::vector<JobStatus> wait_for_jobs(LuxiClient& daemon, const std::vector<JobId>& jobs, const Pause& pause);

}  // namespace htools
