// Reads the replies of Ganeti's job queue to the calls in live/job_queue.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace htools {

// The number of a job in Ganeti, which is never negative.
using JobId = std::int64_t;

// The states of a job. Those from Canceled on are final.
enum class JobStatus : std::uint8_t { Queued, Waiting, Canceling, Running, Canceled, Success, Error };

// Returns the name of the status for people, such as "JOB_STATUS_ERROR".
std::string_view shown_name(JobStatus status);

// True if the status is final.
constexpr bool has_ended(JobStatus status) { return status >= JobStatus::Canceled; }

// Returns the numbers of the jobs for people, such as "1,2".
std::string job_list(const std::vector<JobId>& jobs);

// Read the reply to the submission of `count` jobs, or to the query for their statuses. `reply` is the message as it
// arrived (protocols/luxi_reply.h). Throw InputError: "Unhandled exception: LuxiError \"...\"", and the errors of
// LuxiReply. If Ganeti refuses one of the jobs, the error lists those that it has accepted.
std::vector<JobId> read_submitted_jobs(std::string reply, std::size_t count);
std::vector<JobStatus> read_job_statuses(std::string reply, std::size_t count);

}  // namespace htools
