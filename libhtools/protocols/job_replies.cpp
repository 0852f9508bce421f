#include "protocols/job_replies.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "base/numbers.h"
#include "base/strings.h"
#include "cluster/names.h"
#include "htools/errors.h"
#include "json/json.h"
#include "protocols/luxi_reply.h"

namespace htools {
namespace {

// The names of the statuses in replies and for people, both in the order of JobStatus.
constexpr std::array<std::string_view, 7> kStatusNames{"queued",   "waiting", "canceling", "running",
                                                       "canceled", "success", "error"};
constexpr std::array<std::string_view, kStatusNames.size()> kShownStatusNames{
    "JOB_STATUS_QUEUED",   "JOB_STATUS_WAITING", "JOB_STATUS_CANCELING", "JOB_STATUS_RUNNING",
    "JOB_STATUS_CANCELED", "JOB_STATUS_SUCCESS", "JOB_STATUS_ERROR"};

// Returns an error in a result in the form of an exception of the protocol.
std::string as_exception(const InputError& error) {
  return fmt::format("Unhandled exception: LuxiError {}", quote(error.message()));
}

// Returns the result of `read` for each element of the reply's result, which must have `count` elements.
template <class Read>
auto read_elements(std::string reply, std::size_t count, Read read) {
  const LuxiReply answer(std::move(reply));
  try {
    const JsonArray elements = json_array(answer.result());
    if (elements.size() != count) {
      throw InputError(ErrorCode::Unreachable,
                       fmt::format("The reply is about {} jobs, not {}", elements.size(), count));
    }
    return json_list(answer.result(), read);
  } catch (const InputError& error) {
    throw InputError(ErrorCode::Unreachable, as_exception(error));
  }
}

// Reads the number of a job, which may be written as a text.
JobId read_job_id(JsonValue value) {
  const JobId id = value.kind() == JsonKind::String ? parse_int(json_text(value), "parsing job id") : json_int(value);
  if (id < 0) throw InputError(ErrorCode::Unreachable, fmt::format("Invalid value for job ID ' {}'", id));
  return id;
}

// Reads the answer about one job: [true, ID], or [false, REASON], which is thrown.
JobId read_submission(JsonValue value) {
  const auto parts = value.kind() == JsonKind::Array ? json_list(value, as_it_is) : std::vector<JsonValue>();
  const bool is_answer = parts.size() == 2 && (parts[0].kind() == JsonKind::True || parts[0].kind() == JsonKind::False);
  if (!is_answer)
    throw InputError(ErrorCode::Unreachable, "Unknown result from the master daemon: " + show_json(value));
  if (json_bool(parts[0])) return read_job_id(parts[1]);
  throw InputError(ErrorCode::Unreachable, json_text(parts[1]));
}

// The answer about one submitted job: its number, or the reason why it was refused.
struct Submission {
  std::optional<JobId> job;
  std::string refusal;  // the reason if there is no job
};

Submission try_submission(JsonValue value) {
  try {
    return {read_submission(value), {}};
  } catch (const InputError& error) {
    return {std::nullopt, as_exception(error)};
  }
}

// Reads the requested fields of a job, of which there is one: the status.
JobStatus read_status(JsonValue value) {
  const JsonArray fields = json_array(value);
  if (fields.empty()) throw InputError(ErrorCode::Unreachable, "Missing job status field");
  return parse_name<JobStatus>(json_name(*fields.begin(), "JobStatus"), kStatusNames, "JobStatus");
}

}  // namespace

std::string_view shown_name(JobStatus status) { return kShownStatusNames[static_cast<std::size_t>(status)]; }

std::string job_list(const std::vector<JobId>& jobs) { return fmt::format("{}", fmt::join(jobs, ",")); }

std::vector<JobId> read_submitted_jobs(std::string reply, std::size_t count) {
  std::vector<JobId> jobs;
  std::string refusal;
  for (const Submission& submission : read_elements(std::move(reply), count, try_submission)) {
    if (submission.job) jobs.push_back(*submission.job);
    if (!submission.job && refusal.empty()) refusal = submission.refusal;
  }
  if (refusal.empty()) return jobs;
  throw InputError(
      ErrorCode::Unreachable,
      jobs.empty() ? refusal : fmt::format("{}; but these jobs were accepted: {}", refusal, job_list(jobs)));
}

std::vector<JobStatus> read_job_statuses(std::string reply, std::size_t count) {
  return read_elements(std::move(reply), count, read_status);
}

}  // namespace htools
