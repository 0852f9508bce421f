#include "protocols/job_replies.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "htools/errors.h"

namespace htools::job_replies_test {

namespace {

std::string reply(const std::string& result) { return R"({"success":true,"result":)" + result + "}"; }

std::string submission_error(const std::string& result, std::size_t count) {
  try {
    read_submitted_jobs(reply(result), count);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("numbers of submitted jobs") {
  CHECK(read_submitted_jobs(reply(R"([[true,12],[true,"13"]])"), 2) == std::vector<JobId>{12, 13});
  CHECK(read_submitted_jobs(reply("[]"), 0).empty());
  CHECK(job_list({12, 13}) == "12,13");
  CHECK(job_list({}).empty());
}

TEST_CASE("refused jobs") {
  CHECK(submission_error(R"([[false,"full"],[false,"x"]])", 2) == R"(Unhandled exception: LuxiError "full")");
  CHECK(submission_error(R"([[true,1],[false,"full"],[true,3]])", 3) ==
        R"(Unhandled exception: LuxiError "full"; but these jobs were accepted: 1,3)");
  CHECK(submission_error("[[true,1]]", 2) == R"(Unhandled exception: LuxiError "The reply is about 1 jobs, not 2")");
  CHECK(submission_error("[[true,-1]]", 1) == R"(Unhandled exception: LuxiError "Invalid value for job ID ' -1'")");
  CHECK(submission_error("[[1,1]]", 1) ==
        R"(Unhandled exception: LuxiError "Unknown result from the master daemon: [1, 1]")");
}

TEST_CASE("statuses of jobs") {
  const auto statuses = read_job_statuses(reply(R"([["running"],["success"],["error"],["canceling"]])"), 4);
  CHECK(statuses ==
        std::vector<JobStatus>{JobStatus::Running, JobStatus::Success, JobStatus::Error, JobStatus::Canceling});
  CHECK(shown_name(statuses[2]) == "JOB_STATUS_ERROR");
  CHECK_THROWS_AS(read_job_statuses(reply(R"([["ended"]])"), 1), InputError);
  CHECK_THROWS_AS(read_job_statuses(reply("[null]"), 1), InputError);
}

TEST_CASE("jobs that have ended") {
  for (const auto status : {JobStatus::Queued, JobStatus::Waiting, JobStatus::Canceling, JobStatus::Running}) {
    CHECK_FALSE(has_ended(status));
  }
  for (const auto status : {JobStatus::Canceled, JobStatus::Success, JobStatus::Error}) CHECK(has_ended(status));
}

}  // namespace htools::job_replies_test
