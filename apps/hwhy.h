// The explainer hwhy: what is wrong, why and why not, and what if nodes fail.
#pragma once

#include "apps/options/command_line.h"
#include "apps/options/hwhy_options.h"

namespace htools {

// Runs the tool and returns its exit status. Throws InputError, FileError and OutputError.
int hwhy_main(const CommandLine<HwhyOptions>& command_line);

// Throws InputError if the words are no question, or the item of a question about a place is none.
void check_hwhy(const CommandLine<HwhyOptions>& command_line);

}  // namespace htools
