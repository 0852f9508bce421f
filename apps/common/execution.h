// Carries out a solution through Ganeti's job queue.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "apps/options/groups.h"
#include "apps/options/tool.h"
#include "document/job_fields.h"
#include "jobs/planned_jobs.h"

namespace htools {

// Submits the sets in their order, and prints the numbers of their jobs. Each set must have ended successfully before
// the next one is submitted. Adds the jobs that have ended to `ended_jobs`. After SIGINT, the current set is the last
// one, and the remaining sets are listed. SIGTERM ends the program at once; jobs that were submitted continue.
// `comment` says in the jobs what they are for. `before_set`, if given, is called with the position of each set before
// it is submitted; what it throws ends the execution.
//
// Throws InputError ("hbal: Not all jobs completed successfully: ...") if a job fails, FileError if the daemon cannot
// be reached, and OutputError.
void execute(const SourceOptions& source, const JobOptions& options, const Tool& tool, std::string_view comment,
             const std::vector<PlannedJobs>& sets, std::vector<SubmittedJob>& ended_jobs,
             const std::function<void(std::size_t set)>& before_set = {});

}  // namespace htools
