// Reading the values of options. All throw InputError with the text for the user.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "apps/common/options.h"
#include "htools/policy.h"

namespace htools {

// "yes" or "no"; no value means yes.
bool parse_yes_no(std::optional<std::string_view> value);

// "always", "auto" or "never"; no value means always.
ColourChoice parse_colour_choice(std::optional<std::string_view> value);

// "DISK,MEMORY,CPUS[,SPINDLES]": two sizes (base/size_units.h) and integers; one spindle by default. `kind` is the word
// for the spec in messages ("standard", "tiered").
InstanceSpec parse_spec(std::string_view value, std::string_view kind);

// A ratio of virtual to physical cpus: not zero or less.
double parse_cpu_ratio(std::string_view value);

// UTF-8, as all that goes into jobs.
std::string parse_reason(std::string_view value);

// "low", "normal" or "high".
JobPriority parse_priority(std::string_view value);

// Seconds, not infinitely many.
double parse_job_delay(std::string_view value);

// An integer of at least 0.
std::int64_t parse_spindle_use(std::string_view value);

}  // namespace htools
