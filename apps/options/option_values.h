// Parses the values of options. All functions throw InputError with the text for the user.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "apps/options/groups.h"
#include "apps/options/hgrow_options.h"
#include "apps/options/himport_options.h"
#include "apps/options/hplan_options.h"
#include "apps/options/hsweep_options.h"
#include "htools/policy.h"

namespace htools {

// Parses "yes" or "no". No value means yes.
bool parse_yes_no(std::optional<std::string_view> value);

// Parses "always", "auto" or "never". No value means always.
ColourChoice parse_colour_choice(std::optional<std::string_view> value);

// Parses "groups" or "nodes". No value means groups.
MetricsLevel parse_metrics_level(std::optional<std::string_view> value);

// Parses "DISK,MEMORY,CPUS[,SPINDLES]": two sizes (base/size_units.h) and integers; the default is one spindle. `kind`
// is the word for the spec in messages ("standard", "tiered").
InstanceSpec parse_spec(std::string_view value, std::string_view kind);

// Parses a ratio of virtual to physical cpus. Refuses zero and negative numbers.
double parse_cpu_ratio(std::string_view value);
double parse_import_ratio(std::string_view value);  // of --cpu-ratio

// Returns the text, which must be UTF-8 because it becomes part of jobs.
std::string parse_reason(std::string_view value);

// Parses "low", "normal" or "high".
JobPriority parse_priority(std::string_view value);

// Parses a number of seconds, which must be finite.
double parse_job_delay(std::string_view value);

// Parses a score, which may be infinite. `what` names it in messages.
double parse_score(std::string_view value, std::string_view what);
// Returns a number of at least 0.
// Returns whether rules that only should be kept are left out: of --repair=must, and not without a value.
bool parse_repair(std::optional<std::string_view> value);
double parse_worth(std::string_view value);

// Parse a size (base/size_units.h) that is at least 0, or above 0, in MiB. `what` names it in messages.
std::int64_t parse_amount(std::string_view value, std::string_view what);
std::int64_t parse_positive_amount(std::string_view value, std::string_view what);

// Parses a rate (base/size_units.h) that is at least 1, in MiB per second.
double parse_copy_rate(std::string_view value);

// Parses an integer that is at least 1. `what` names it in messages.
std::int64_t parse_count(std::string_view value, std::string_view what);

// Parses the name of a release of Ganeti whose rules differ from others: "3.0" or "3.1".
GanetiRelease parse_release(std::string_view value);

// Parses a list of at least one name.
std::vector<std::string> parse_node_list(std::string_view value);

// Parses a number of nodes that is at least 1, or "max", which is kAsManyAsPossible.
std::int64_t parse_node_count(std::string_view value);

// Parse lists of resources with per cents, or with points: "memory:80,cpus:100". Return shares.
decltype(Wishes::at_most) parse_at_most(std::string_view value);
decltype(Wishes::spread) parse_spread(std::string_view value);
decltype(Wishes::at_most) parse_if_above(std::string_view value);
decltype(Wishes::spread) parse_if_apart(std::string_view value);

// Parses a list of components of the score with factors that are at least 0: "free_mem_cv:2,vcpu_ratio_cv:0".
decltype(Wishes::factors) parse_factors(std::string_view value);

// Parses a duration with a unit: "90s", "45m", "2h", "3d". Returns seconds.
double parse_duration(std::string_view value);

// Parses a percentage from 0 to `most`: "20%" or "20". `what` names it in messages.
double parse_percent(std::string_view value, std::string_view what, double most);

// Parses "PERCENT[,MONTHS]".
MonthlyGrowth parse_monthly_growth(std::string_view value);

// Parses a list of resources: "memory,cpus".
std::vector<InflatedResource> parse_inflated_resources(std::string_view value);

// Parses "DISK,MEMORY,CPUS" of a node to buy. All must be above 0.
InstanceSpec parse_node_size(std::string_view value);

// Parses a number of random runs.
std::int64_t parse_runs(std::string_view value);
// Parses "I/N": the I-th of N parts.
Shard parse_shard(std::string_view value);

// Parses the effort of a search.
std::int64_t parse_effort(std::string_view value);

// Parses the name of a platform whose commands are written.
CommandPlatform parse_command_platform(std::string_view value);

// Parses "keep" or "drop". Returns true for keep.
bool parse_keep_or_drop(std::string_view value);

// Parses an integer that is at least 0.
std::int64_t parse_spindle_use(std::string_view value);

}  // namespace htools
