// What Ganeti's job queue answers (live/job_queue.h asks).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace htools {

using JobId = std::int64_t;  // never negative

enum class JobStatus : std::uint8_t { Queued, Waiting, Canceling, Running, Canceled, Success, Error };

// "JOB_STATUS_ERROR"
std::string_view shown_name(JobStatus status);

// Nothing will change any more.
constexpr bool has_ended(JobStatus status) { return status >= JobStatus::Canceled; }

// "1,2"
std::string job_list(const std::vector<JobId>& jobs);

// `reply` is a message as it came (protocols/luxi_reply.h) to the submission, or to the question for the status, of
// `count` jobs. Throws InputError: "Unhandled exception: LuxiError \"...\"" and what LuxiReply throws. If Ganeti
// refuses one of the jobs, the error tells which ones it has accepted.
std::vector<JobId> read_submitted_jobs(std::string reply, std::size_t count);
std::vector<JobStatus> read_job_statuses(std::string reply, std::size_t count);

}  // namespace htools
