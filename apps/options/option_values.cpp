#include "apps/options/option_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
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

std::int64_t parse_spindle_use(std::string_view value) {
  const std::int64_t spindles = parse_int(value, "parsing spindle-use");
  if (spindles < 0) throw InputError(ErrorCode::Usage, "Invalid value of the spindle-use (expected >= 0)");
  return spindles;
}

}  // namespace htools
