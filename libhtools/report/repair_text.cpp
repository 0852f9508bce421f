#include "report/repair_text.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <ctime>

namespace htools {
namespace {

// The names of the stages, in the order of RepairStage.
constexpr std::array<std::string_view, 4> kStageNames{"Failure", "Healthy", "Needs repair", "Pending repair"};

// The names of the types, in the order of RepairType.
constexpr std::array<std::string_view, 4> kTypeNames{"ArFixStorage", "ArMigrate", "ArFailover", "ArReinstall"};

std::string local_time(std::time_t time) {
  std::tm parts{};
  std::array<char, 100> text{};
  const bool written = localtime_r(&time, &parts) != nullptr &&
                       std::strftime(text.data(), text.size(), "%a %b %e %H:%M:%S %Z %Y", &parts) != 0;
  return written ? text.data() : fmt::format("@{}", time);
}

}  // namespace

std::string_view shown_name(RepairStage stage) { return kStageNames[static_cast<std::size_t>(stage)]; }

std::string_view shown_name(RepairType type) { return kTypeNames[static_cast<std::size_t>(type)]; }

std::string format_disabled(const RepairPolicy& policy) {
  switch (policy.kind) {
    case RepairPolicy::Kind::SuspendedForever:
      return "ArSuspended Forever";
    case RepairPolicy::Kind::Suspended:
      return fmt::format("ArSuspended (Until {})", local_time(policy.until));
    default:
      return "ArNotEnabled";
  }
}

std::string format_stage_counts(const std::vector<RepairState>& states) {
  std::array<std::size_t, kStageNames.size()> counts{};
  for (const RepairState& state : states) ++counts[static_cast<std::size_t>(state.stage)];
  const std::string line(21, '-');
  std::string text = fmt::format("{}\nInstance status count\n{}\n", line, line);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) text += fmt::format("{}: {}\n", kStageNames[i], counts[i]);
  }
  return text;
}

}  // namespace htools
