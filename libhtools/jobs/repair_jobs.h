// The jobs that repair instances, and those that write down on an instance what became of it.
#pragma once

#include <string>
#include <vector>

#include "cluster/instance.h"
#include "jobs/opcodes.h"
#include "repair/repair_need.h"

namespace htools {

// `delay`: seconds that the job waits first, if more than 0; finite. Nodes are left to Ganeti's allocator hail.
Job repair_job(const Instance& instance, RepairMethod method, double delay);

Job add_tags_job(const Instance& instance, const std::vector<std::string>& tags);
Job remove_tags_job(const Instance& instance, const std::vector<std::string>& tags);

// As a job that is not submitted is shown: an array of opcodes with nothing but what is their own.
JsonText plain_job_text(const Job& job);

}  // namespace htools
