#include "apps/common/job_context.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "apps/options/help.h"

namespace htools {
namespace {

// The priorities for Ganeti, in the order of JobPriority. Lower numbers are more urgent.
constexpr std::array<std::int64_t, 3> kPriorities{10, 0, -10};

std::int64_t microseconds_since_1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

}  // namespace

OpcodeContext job_context(const JobOptions& options, const Tool& tool, std::string_view comment) {
  return {kPriorities[static_cast<std::size_t>(options.priority)], fmt::format("{} {}", comment, version_name()),
          std::string(tool.name), options.reason.value_or(fmt::format("{} {} called", tool.name, version_name())),
          microseconds_since_1970() * 1000};
}

}  // namespace htools
