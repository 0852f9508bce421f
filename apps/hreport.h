// The reporter hreport: a page to look at and to hand on.
#pragma once

#include "apps/options/command_line.h"
#include "apps/options/hreport_options.h"

namespace htools {

// Runs the tool and returns its exit status. Throws InputError, FileError and OutputError.
int hreport_main(const CommandLine<HreportOptions>& command_line);

}  // namespace htools
