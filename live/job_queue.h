// Ganeti's job queue.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "json/json_writer.h"
#include "live/luxi_client.h"
#include "protocols/job_replies.h"

namespace htools {

// Submits jobs, each an array of opcodes (jobs/opcodes.h), which Ganeti may carry out at the same time. Throws
// ConnectionError, and InputError if a job is refused: "Job submission error: ...".
std::vector<JobId> submit_jobs(LuxiClient& daemon, const std::vector<JsonText>& jobs);

// Throws ConnectionError, and InputError: "Checking job status: ...".
std::vector<JobStatus> ask_for_statuses(LuxiClient& daemon, const std::vector<JobId>& jobs);

// Asks again and again, at growing intervals for which `pause` waits, until all jobs have ended. Throws as above.
using Pause = std::function<void(std::chrono::milliseconds)>;
std::vector<JobStatus> wait_for_jobs(LuxiClient& daemon, const std::vector<JobId>& jobs, const Pause& pause);

}  // namespace htools
