// Prints the commands that carry out a plan.
#pragma once

#include <string>
#include <vector>

#include "apps/options/groups.h"
#include "document/plan_content.h"
#include "jobs/commands.h"
#include "plan/plan.h"

namespace htools {

// Returns the options with the platform whose commands are wanted: if they name none, the one that the tags of the
// instances are of.
OutputOptions with_platform_of(const Cluster& cluster, const OutputOptions& options);

// Lists the commands of the plan on standard output, with how long they take one after the other, or writes them to the
// script that the options name. `sets` are the steps of its waves. `remarks` are sentences that become comments before
// the commands. Throws InputError, FileError and OutputError.
void print_plan_commands(const OutputOptions& options, const Cluster& cluster, const Plan& plan, JobSets sets,
                         const std::vector<std::string>& remarks);

// Returns the commands of the plan, for its document. Throws InputError.
std::vector<CommandsOfStep> commands_of_steps(const OutputOptions& options, const Cluster& cluster, const Plan& plan);

}  // namespace htools
