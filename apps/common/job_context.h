// Sets the properties that all opcodes of a tool's jobs share.
#pragma once

#include <string_view>

#include "apps/options/groups.h"
#include "apps/options/tool.h"
#include "jobs/opcodes.h"

namespace htools {

// Returns the priority, comment, reason and time for opcodes. `comment` says what the jobs are for. The reason is that
// of the options, or else the tool's own. The time is the current time: call this once if all jobs of a run must share
// it.
OpcodeContext job_context(const JobOptions& options, const Tool& tool, std::string_view comment);

}  // namespace htools
