// What the opcodes of a tool's jobs have in common.
#pragma once

#include <string_view>

#include "apps/common/options.h"
#include "jobs/opcodes.h"

namespace htools {

// `comment`: what the jobs are for. The reason is the user's or the tool's, the time is now, that of the beginning if
// it serves all jobs of a run.
OpcodeContext job_context(const JobOptions& options, const Tool& tool, std::string_view comment);

}  // namespace htools
