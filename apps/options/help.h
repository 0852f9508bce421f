// Makes the output of the options that every tool has: help, version and completion.
#pragma once

#include <string>
#include <string_view>

#include "apps/options/tool.h"

namespace htools {

// Returns the version, for example "1.2.3".
std::string_view version_number();

// Returns, for example, "(htools) version 1.2.3".
std::string version_name();

// Returns the help text: the usage line, the summary, and the options by topic.
std::string help_text(const Tool& tool, const OptionList& options);

// Returns a line "  -t FILE, --text-data=FILE  description" for each option, aligned and wrapped at 80 columns.
std::string option_lines(const OptionList& options);

// Returns two lines: the compiler and the operating system.
std::string build_text();

// Returns three lines: the tool with its version, and build_text().
std::string version_text(const Tool& tool);

// Returns a line "-t,--text-data file" for each option. If the tool takes other words, a last line describes them.
std::string completion_text(const Tool& tool, const OptionList& options);

}  // namespace htools
