// Carrying out a solution by Ganeti's job queue.
#pragma once

#include <string_view>
#include <vector>

#include "apps/common/options.h"
#include "jobs/planned_jobs.h"

namespace htools {

// Submits the sets in their order; each must have ended well before the next one. Their jobs' numbers are printed.
// After SIGINT the set that is being carried out is the last one: the rest is listed. SIGTERM ends the program at once;
// what was submitted goes on. `comment` is what the jobs are for.
//
// Throws InputError ("hbal: Not all jobs completed successfully: ...") and FileError if the daemon cannot be asked.
void execute(const SourceOptions& source, const JobOptions& options, const Tool& tool, std::string_view comment,
             const std::vector<PlannedJobs>& sets);

}  // namespace htools
