// The shell functions that scripts of commands begin with.
#pragma once

#include <string>

#include "jobs/platform_commands.h"

namespace htools {

// Returns the functions that the commands of a platform call, for command_script().
std::string script_functions(CommandPlatform platform);

// Returns the functions that carry out a plan wave by wave (jobs/wave_script.h): those that ask the platform where its
// instances are, and those that give the lines of a plan their meaning. Scripts for Ganeti ask the user to do something
// only if they restore instances.
std::string wave_functions(CommandPlatform platform, bool has_steps_by_hand);

}  // namespace htools
