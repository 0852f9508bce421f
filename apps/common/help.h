// What the three options of every tool print.
#pragma once

#include <string>
#include <string_view>

#include "apps/common/options.h"

namespace htools {

// "1.2.3"
std::string_view version_number();

// "(htools) version 1.2.3"
std::string version_name();

// Usage line, summary, and the options by topic.
std::string help_text(const Tool& tool, const OptionList& options);

// Lines like "  -t FILE, --text-data=FILE  description", aligned, wrapped at 80 columns.
std::string option_lines(const OptionList& options);

// Two lines: the compiler, and the system.
std::string build_text();

// Three lines: the tool and its version, and the above.
std::string version_text(const Tool& tool);

// Lines like "-t,--text-data file", one per option; the last one tells what other words the tool takes, if any.
std::string completion_text(const Tool& tool, const OptionList& options);

}  // namespace htools
