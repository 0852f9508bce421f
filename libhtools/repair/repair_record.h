// What automatic repairs leave on instances: tags that tell of repairs under way and of those that have ended.
//
//   ganeti:watcher:autorepair:pending:TYPE:ID:TIME:JOBS
//   ganeti:watcher:autorepair:result:TYPE:ID:TIME:RESULT:JOBS
//
// The tags of one repair share its ID. TIME is in seconds since 1970; JOBS are the numbers of Ganeti's jobs, joined by
// "+", maybe none. A tag of any other form tells nothing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace htools {

// How much a repair does to an instance, the mildest first. None is of type Migrate, which can be a limit.
enum class RepairType : std::uint8_t { FixStorage, Migrate, Failover, Reinstall };
inline constexpr std::array<std::string_view, 4> kRepairTypeNames{"fix-storage", "migrate", "failover", "reinstall"};
std::optional<RepairType> find_repair_type(std::string_view name);

enum class RepairResult : std::uint8_t { NotPermitted, Success, Failure };
inline constexpr std::array<std::string_view, 3> kRepairResultNames{"enoperm", "success", "failure"};

// All tags about automatic repairs begin with this.
inline constexpr std::string_view kRepairTagPrefix = "ganeti:watcher:autorepair:";

// What the tag of a repair says.
struct RepairRecord {
  RepairType type = RepairType::FixStorage;
  std::string id;
  std::int64_t time = 0;  // seconds since 1970
  std::vector<std::int64_t> jobs;
  std::optional<RepairResult> result;  // none while it is pending
};

std::optional<RepairRecord> read_repair_record(std::string_view tag);
std::string write_repair_record(const RepairRecord& record);

}  // namespace htools
