// Parses the values of options. All functions throw InputError with the text for the user.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "apps/options/options.h"
#include "htools/policy.h"

namespace htools {

// Parses "yes" or "no". No value means yes.
bool parse_yes_no(std::optional<std::string_view> value);

// Parses "always", "auto" or "never". No value means always.
ColourChoice parse_colour_choice(std::optional<std::string_view> value);

// Parses "DISK,MEMORY,CPUS[,SPINDLES]": two sizes (base/size_units.h) and integers; the default is one spindle. `kind`
// is the word for the spec in messages ("standard", "tiered").
InstanceSpec parse_spec(std::string_view value, std::string_view kind);

// Parses a ratio of virtual to physical cpus. Refuses zero and negative numbers.
double parse_cpu_ratio(std::string_view value);

// Returns the text, which must be UTF-8 because it becomes part of jobs.
std::string parse_reason(std::string_view value);

// Parses "low", "normal" or "high".
JobPriority parse_priority(std::string_view value);

// Parses a number of seconds, which must be finite.
double parse_job_delay(std::string_view value);

// Parses an integer that is at least 0.
std::int64_t parse_spindle_use(std::string_view value);

}  // namespace htools
