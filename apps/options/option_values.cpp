#include "apps/options/option_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "base/size_units.h"
#include "base/strings.h"
#include "base/suggestions.h"
#include "htools/errors.h"

namespace htools {
namespace {

std::int64_t parse_spec_size(std::string_view text, std::string_view kind, std::string_view what) {
  try {
    return parse_size(text);
  } catch (const InputError& error) {
    throw error.annotated(fmt::format("{} specs {}: ", kind, what));
  }
}

// Returns the position of `value` in the choices; nothing if it is not one of them.
std::optional<std::size_t> find_choice(std::string_view value, std::span<const std::string_view> choices) {
  const auto found = std::find(choices.begin(), choices.end(), value);
  if (found == choices.end()) return std::nullopt;
  return static_cast<std::size_t>(found - choices.begin());
}

// Parses a list of "NAME:NUMBER". Calls set(position, number) with the position of each name among `names`.
template <class Set>
void parse_named_numbers(std::string_view value, std::string_view option, std::string_view example,
                         std::span<const std::string_view> names, const Set& set) {
  for (const std::string& part : split(value, ',')) {
    const std::size_t colon = part.find(':');
    const std::string name = part.substr(0, colon);
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
      throw InputError(ErrorCode::Usage, fmt::format("Unknown name '{}' in the value of --{}", name, option), {},
                       did_you_mean(name, names).empty()
                           ? fmt::format("Known are {}.", join({names.begin(), names.end()}, ", "))
                           : did_you_mean(name, names));
    }
    const std::string number = colon == std::string::npos ? std::string() : part.substr(colon + 1);
    double amount = -1.0;
    try {
      amount = parse_double(number, option);
    } catch (const InputError&) {
      amount = -1.0;
    }
    constexpr double kMost = 1e9;
    if (!(amount >= 0.0 && amount <= kMost)) {
      throw InputError(
          ErrorCode::Usage,
          fmt::format("Invalid number '{}' for {} in the value of --{} (expected a number from 0 to {:.0f})", number,
                      name, option, kMost),
          {}, fmt::format("Write --{}={}.", option, example));
    }
    set(static_cast<std::size_t>(found - names.begin()), amount);
  }
  if (value.empty())
    throw InputError(ErrorCode::Usage, fmt::format("The value of --{} is empty", option), {},
                     fmt::format("Write --{}={}.", option, example));
}

// Parses a size in MiB, or what else `parse` reads, that is at least `least`. `what` names it in messages, and
// `expected` says what is expected.
template <class Number>
Number parse_size_from(Number least, std::string_view value, std::string_view what, std::string_view expected,
                       Number (*parse)(std::string_view)) {
  try {
    const Number size = parse(value);
    if (size >= least) return size;
  } catch (const InputError& error) {
    throw error.annotated(fmt::format("{}: ", what));
  }
  throw InputError(ErrorCode::Usage, fmt::format("Invalid value of the {} (expected {})", what, expected));
}

std::array<std::optional<double>, kResourceCount> parse_shares(std::string_view value, std::string_view option,
                                                               std::string_view example) {
  std::array<std::optional<double>, kResourceCount> shares{};
  parse_named_numbers(value, option, example, kResourceNames,
                      [&](std::size_t resource, double per_cent) { shares[resource] = per_cent / 100.0; });
  return shares;
}

}  // namespace

bool parse_yes_no(std::optional<std::string_view> value) {
  constexpr std::array<std::string_view, 2> kChoices{"yes", "no"};
  if (!value) return true;
  const auto choice = find_choice(*value, kChoices);
  if (!choice) {
    throw InputError(ErrorCode::Usage, fmt::format("Invalid choice '{}', pass one of 'yes' or 'no'", *value), {},
                     did_you_mean(*value, kChoices));
  }
  return *choice == 0;
}

ColourChoice parse_colour_choice(std::optional<std::string_view> value) {
  constexpr std::array<std::string_view, 3> kChoices{"always", "auto", "never"};
  if (!value) return ColourChoice::Always;
  const auto choice = find_choice(*value, kChoices);
  if (!choice) {
    throw InputError(ErrorCode::Usage,
                     fmt::format("Invalid choice '{}', pass one of 'always', 'auto' or 'never'", *value), {},
                     did_you_mean(*value, kChoices));
  }
  return static_cast<ColourChoice>(*choice);
}

MetricsLevel parse_metrics_level(std::optional<std::string_view> value) {
  constexpr std::array<std::string_view, 2> kLevels{"groups", "nodes"};
  if (!value) return MetricsLevel::Groups;
  const auto level = find_choice(*value, kLevels);
  if (!level) {
    throw InputError(ErrorCode::Usage, fmt::format("Invalid choice '{}', pass one of 'groups' or 'nodes'", *value), {},
                     did_you_mean(*value, kLevels));
  }
  return static_cast<MetricsLevel>(*level);
}

InstanceSpec parse_spec(std::string_view value, std::string_view kind) {
  const std::vector<std::string> pieces = split(value, ',');
  if (pieces.size() < 3 || pieces.size() > 4) {
    throw InputError(ErrorCode::Usage,
                     fmt::format("Invalid {} specification: '{}', expected disk,ram,cpu", kind, value));
  }
  InstanceSpec spec;
  spec.disk_size = parse_spec_size(pieces[0], kind, "disk");
  spec.memory = parse_spec_size(pieces[1], kind, "memory");
  spec.vcpus = parse_int(pieces[2], fmt::format("{} specs cpus", kind));
  spec.spindle_use = pieces.size() == 4 ? parse_int(pieces[3], fmt::format("{} specs spindles", kind)) : 1;
  return spec;
}

double parse_cpu_ratio(std::string_view value) {
  const double ratio = parse_double(value, "parsing max-cpu");
  if (ratio <= 0) throw InputError(ErrorCode::Usage, "Invalid value of the max-cpu ratio, expected >0");
  return ratio;
}

double parse_import_ratio(std::string_view value) {
  const double ratio = parse_double(value, "cpu-ratio");
  if (ratio > 0) return ratio;
  throw InputError(ErrorCode::Usage,
                   fmt::format("Invalid value of --cpu-ratio: '{}' (expected a number above 0)", value));
}

std::string parse_reason(std::string_view value) {
  if (!is_utf8(value))
    throw InputError(ErrorCode::Usage, fmt::format("Invalid reason {}, expected UTF-8", quote(value)));
  return std::string(value);
}

JobPriority parse_priority(std::string_view value) {
  constexpr std::array<std::string_view, 3> kNames{"low", "normal", "high"};
  const auto priority = find_choice(value, kNames);
  if (!priority)
    throw InputError(ErrorCode::Usage, fmt::format("Unknown priority '{}'", value), {}, did_you_mean(value, kNames));
  return static_cast<JobPriority>(*priority);
}

double parse_job_delay(std::string_view value) {
  const double delay = parse_double(value, "job delay");
  if (delay > std::numeric_limits<double>::max())
    throw InputError(ErrorCode::Usage, fmt::format("Invalid job delay '{}', expected a finite number", value));
  return delay;
}

double parse_score(std::string_view value, std::string_view what) {
  const double score = parse_double(value, std::string(what));
  if (!std::isnan(score)) return score;
  throw InputError(ErrorCode::Usage, fmt::format("Invalid value of the {} (expected a number)", what));
}

bool parse_repair(std::optional<std::string_view> value) {
  if (value && *value != "must") {
    throw InputError(
        ErrorCode::InvalidValue, fmt::format("'{}' is no kind of repair", *value), {},
        "--repair mends all that is wrong, and --repair=must leaves rules alone that only should be kept.");
  }
  return value.has_value();
}

double parse_worth(std::string_view value) {
  const double worth = parse_double(value, "worth");
  if (worth >= 0.0 && worth <= std::numeric_limits<double>::max()) return worth;
  throw InputError(ErrorCode::Usage, fmt::format("Invalid worth '{}', expected a number of at least 0", value));
}

std::int64_t parse_amount(std::string_view value, std::string_view what) {
  return parse_size_from<std::int64_t>(0, value, what, "a size of at least 0", parse_size);
}

std::int64_t parse_positive_amount(std::string_view value, std::string_view what) {
  return parse_size_from<std::int64_t>(1, value, what, "at least 1 MiB", parse_size);
}

double parse_copy_rate(std::string_view value) {
  return parse_size_from<double>(1, value, "copy rate", "at least 1 MiB", parse_rate);
}

std::int64_t parse_count(std::string_view value, std::string_view what) {
  const std::int64_t count = parse_int(value, std::string(what));
  if (count >= 1) return count;
  throw InputError(ErrorCode::Usage, fmt::format("Invalid value of the {} (expected at least 1)", what));
}

std::vector<std::string> parse_node_list(std::string_view value) {
  std::vector<std::string> names = split(value, ',');
  if (!names.empty() && std::ranges::none_of(names, &std::string::empty)) return names;
  throw InputError(ErrorCode::Usage, fmt::format("Invalid list of nodes '{}' (expected NODE,...)", value));
}

std::int64_t parse_node_count(std::string_view value) {
  return value == "max" ? kAsManyAsPossible : parse_count(value, "number of nodes");
}

decltype(Wishes::at_most) parse_at_most(std::string_view value) {
  return parse_shares(value, "at-most", "memory:80,cpus:100");
}

decltype(Wishes::spread) parse_spread(std::string_view value) { return parse_shares(value, "spread", "memory:10"); }

decltype(Wishes::at_most) parse_if_above(std::string_view value) {
  return parse_shares(value, "if-above", "memory:80");
}

decltype(Wishes::spread) parse_if_apart(std::string_view value) { return parse_shares(value, "if-apart", "memory:25"); }

decltype(Wishes::factors) parse_factors(std::string_view value) {
  std::array<std::string_view, kComponentCount> names{};
  std::ranges::transform(kComponents, names.begin(), &ComponentFacts::name);
  decltype(Wishes::factors) factors = Wishes().factors;
  parse_named_numbers(value, "weigh", "free_mem_cv:2", names,
                      [&](std::size_t component, double factor) { factors[component] = factor; });
  return factors;
}

double parse_duration(std::string_view value) {
  constexpr std::array<std::pair<char, double>, 4> kUnits{{{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}}};
  for (const auto& [unit, seconds] : kUnits) {
    if (!value.ends_with(unit)) continue;
    try {
      const double count = parse_double(value.substr(0, value.size() - 1), "duration");
      if (count >= 0 && count * seconds < std::numeric_limits<double>::max()) return count * seconds;
    } catch (const InputError&) {  // the error below says what was expected
    }
  }
  throw InputError(ErrorCode::Usage,
                   fmt::format("Invalid duration '{}' (expected a number and a unit: 90s, 45m, 2h or 3d)", value));
}

double parse_percent(std::string_view value, std::string_view what, double most) {
  const std::string_view number = value.ends_with('%') ? value.substr(0, value.size() - 1) : value;
  const double percent = parse_double(number, what);
  if (percent >= 0 && percent <= most) return percent;
  throw InputError(ErrorCode::Usage, fmt::format("Invalid value of the {}: '{}' (expected a percentage from 0 to {})",
                                                 what, value, most));
}

MonthlyGrowth parse_monthly_growth(std::string_view value) {
  const std::vector<std::string> pieces = split(value, ',');
  if (pieces.empty() || pieces.size() > 2) {
    throw InputError(ErrorCode::Usage,
                     fmt::format("Invalid growth per month: '{}' (expected PERCENT or PERCENT,MONTHS)", value));
  }
  MonthlyGrowth growth{parse_percent(pieces[0], "growth per month", kMostGrowthPercent), {}};
  if (pieces.size() == 1) return growth;
  growth.months = parse_count(pieces[1], "number of months");
  if (*growth.months <= kMostMonths) return growth;
  throw InputError(ErrorCode::Usage,
                   fmt::format("Invalid number of months: {} (expected at most {})", *growth.months, kMostMonths));
}

std::vector<InflatedResource> parse_inflated_resources(std::string_view value) {
  std::vector<InflatedResource> resources;
  for (const std::string& word : split(value, ',')) {
    const auto at = std::find(kInflatedResourceNames.begin(), kInflatedResourceNames.end(), word);
    if (at == kInflatedResourceNames.end()) {
      throw InputError(ErrorCode::Usage,
                       fmt::format("Unknown resource to inflate: '{}' (expected memory, disk or cpus)", word));
    }
    const auto resource = static_cast<InflatedResource>(at - kInflatedResourceNames.begin());
    if (std::find(resources.begin(), resources.end(), resource) != resources.end()) {
      throw InputError(ErrorCode::Usage, fmt::format("'{}' is named twice", word));
    }
    resources.push_back(resource);
  }
  if (resources.empty()) throw InputError(ErrorCode::Usage, "No resource to inflate (expected memory, disk or cpus)");
  return resources;
}

InstanceSpec parse_node_size(std::string_view value) {
  const InstanceSpec spec = parse_spec(value, "node");
  // Larger amounts could not be added up.
  constexpr std::int64_t kMost = std::int64_t{1} << 50;
  for (const std::int64_t amount : {spec.disk_size, spec.memory, spec.vcpus, spec.spindle_use}) {
    if (amount < 1 || amount > kMost) {
      throw InputError(ErrorCode::Usage,
                       fmt::format("Invalid node size: '{}' (expected DISK,MEMORY,CPUS, all of them above 0)", value));
    }
  }
  return spec;
}

std::int64_t parse_runs(std::string_view value) {
  const std::int64_t runs = parse_count(value, "number of runs");
  if (runs <= kMostRuns) return runs;
  throw InputError(ErrorCode::Usage, fmt::format("Invalid number of runs: {} (expected at most {})", runs, kMostRuns));
}

std::int64_t parse_effort(std::string_view value) {
  const std::int64_t effort = parse_int(value, "effort");
  if (effort >= 0 && effort <= 9) return effort;
  throw InputError(ErrorCode::Usage, "Invalid value of the effort (expected 0 to 9)");
}

CommandPlatform parse_command_platform(std::string_view value) {
  const auto choice = find_choice(value, kCommandPlatformNames);
  if (choice) return static_cast<CommandPlatform>(*choice);
  throw InputError(ErrorCode::Usage,
                   fmt::format("Invalid platform '{}', expected ganeti, proxmox, openstack, libvirt or ansible", value),
                   {}, did_you_mean(value, kCommandPlatformNames));
}

GanetiRelease parse_release(std::string_view value) {
  if (const auto choice = find_choice(value, kGanetiReleases)) return static_cast<GanetiRelease>(*choice);
  throw InputError(ErrorCode::Usage, fmt::format("Invalid release '{}', expected 3.0 or 3.1", value));
}

bool parse_keep_or_drop(std::string_view value) {
  if (value == "keep" || value == "drop") return value == "keep";
  throw InputError(ErrorCode::Usage, fmt::format("Invalid choice '{}', expected keep or drop", value));
}

std::int64_t parse_spindle_use(std::string_view value) {
  const std::int64_t spindles = parse_int(value, "parsing spindle-use");
  if (spindles < 0) throw InputError(ErrorCode::Usage, "Invalid value of the spindle-use (expected >= 0)");
  return spindles;
}

Shard parse_shard(std::string_view value) {
  constexpr std::int64_t kMostShards = 1'000'000;
  const std::size_t slash = value.find('/');
  if (slash != std::string_view::npos) {
    const Shard shard{parse_int(value.substr(0, slash), "shard"), parse_int(value.substr(slash + 1), "shards")};
    if (shard.number >= 1 && shard.number <= shard.count && shard.count <= kMostShards) return shard;
  }
  throw InputError(ErrorCode::InvalidValue,
                   fmt::format("Invalid shard '{}' (expected I/N, with I from 1 to N)", value));
}

}  // namespace htools
