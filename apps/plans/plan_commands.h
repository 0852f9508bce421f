// Prints the commands that carry out a plan.
#pragma once

#include <string>
#include <vector>

#include "apps/options/groups.h"
#include "document/plan_content.h"
#include "jobs/commands.h"
#include "plan/plan.h"

namespace htools {

// Lists the commands of the plan on standard output, or writes them to the script that the options name. `sets` are the
// steps of its waves. `remarks` are sentences that become comments before the commands. Throws InputError, FileError
// and OutputError.
void print_plan_commands(const OutputOptions& options, const Cluster& cluster, const Plan& plan, JobSets sets,
                         const std::vector<std::string>& remarks);

// Returns the commands of the plan, for its document. Throws InputError.
std::vector<CommandsOfStep> commands_of_steps(const OutputOptions& options, const Cluster& cluster, const Plan& plan);

}  // namespace htools
