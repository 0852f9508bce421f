// Reads and writes the tags that automatic repairs leave on instances: records of repairs that are under way or have
// ended.
//
//   ganeti:watcher:autorepair:pending:TYPE:ID:TIME:JOBS
//   ganeti:watcher:autorepair:result:TYPE:ID:TIME:RESULT:JOBS
//
// The tags of one repair share its ID. TIME is in seconds since 1970. JOBS are the numbers of Ganeti's jobs, joined by
// "+"; there may be none. A tag of any other form is not a record.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace htools {

// The types of repairs by how much they do to an instance, the mildest first. No repair is of type Migrate, but a
// policy may name it as the limit.
enum class RepairType : std::uint8_t { FixStorage, Migrate, Failover, Reinstall };
inline constexpr std::array<std::string_view, 4> kRepairTypeNames{"fix-storage", "migrate", "failover", "reinstall"};
// Returns the type of that name, or nothing.
std::optional<RepairType> find_repair_type(std::string_view name);

// The results of repairs. If a repair has tags with several results, read_repair_state() takes the last one in this
// order for the worst.
enum class RepairResult : std::uint8_t { NotPermitted, Success, Failure };
inline constexpr std::array<std::string_view, 3> kRepairResultNames{"enoperm", "success", "failure"};

// The beginning of all tags about automatic repairs.
inline constexpr std::string_view kRepairTagPrefix = "ganeti:watcher:autorepair:";

// The content of the tag of a repair.
struct RepairRecord {
  RepairType type = RepairType::FixStorage;
  std::string id;
  std::int64_t time = 0;  // seconds since 1970
  std::vector<std::int64_t> jobs;
  std::optional<RepairResult> result;  // none while the repair is pending
};

// Returns the record that the tag contains, or nothing.
std::optional<RepairRecord> read_repair_record(std::string_view tag);
// Returns the record as a tag.
std::string write_repair_record(const RepairRecord& record);

}  // namespace htools
