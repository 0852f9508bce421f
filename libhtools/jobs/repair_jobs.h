// Builds the jobs that repair instances, and the jobs that record the state of a repair in the tags of an instance.
#pragma once

#include <string>
#include <vector>

#include "cluster/instance.h"
#include "jobs/opcodes.h"
#include "repair/repair_need.h"

namespace htools {

// Returns the job that repairs the instance. If `delay` (seconds, finite) is positive, the job waits that long first.
// Ganeti's allocator hail chooses the new nodes.
Job repair_job(const Instance& instance, RepairMethod method, double delay);

Job add_tags_job(const Instance& instance, const std::vector<std::string>& tags);
Job remove_tags_job(const Instance& instance, const std::vector<std::string>& tags);

// Returns the text that shows a job that is not submitted: a JSON array of the opcodes with only their specific
// parameters.
JsonText plain_job_text(const Job& job);

}  // namespace htools
