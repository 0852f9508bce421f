#include "repair/repair_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "base/numbers.h"
#include "base/strings.h"

namespace htools {
namespace {

constexpr std::string_view kPending = "pending:";
constexpr std::string_view kResult = "result:";

template <class Enum, std::size_t N>
std::optional<Enum> find_name(const std::array<std::string_view, N>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

std::optional<std::int64_t> read_int(std::string_view text) {
  const auto prefix = read_int_prefix(text);
  return prefix && prefix->rest.empty() ? prefix->value : std::nullopt;
}

// Reads the numbers of jobs, joined by "+". Returns nothing if one of them is not a number >= 0.
std::optional<std::vector<std::int64_t>> read_jobs(std::string_view text) {
  std::vector<std::int64_t> jobs;
  for (const std::string& piece : split(text, '+')) {
    const auto job = read_int(piece);
    if (!job || *job < 0) return std::nullopt;
    jobs.push_back(*job);
  }
  return jobs;
}

std::string write_jobs(const std::vector<std::int64_t>& jobs) { return fmt::format("{}", fmt::join(jobs, "+")); }

// Reads the fields TYPE:ID:TIME:JOBS or, if there is a result, TYPE:ID:TIME:RESULT:JOBS.
std::optional<RepairRecord> read_fields(const std::vector<std::string>& fields, bool has_result) {
  if (fields.size() != (has_result ? 5 : 4)) return std::nullopt;
  const auto type = find_repair_type(fields[0]);
  const auto time = read_int(fields[2]);
  const auto jobs = read_jobs(fields.back());
  const auto result = has_result ? find_name<RepairResult>(kRepairResultNames, fields[3]) : std::nullopt;
  if (!type || !time || !jobs || result.has_value() != has_result) return std::nullopt;
  return RepairRecord{*type, fields[1], *time, *jobs, result};
}

}  // namespace

std::optional<RepairType> find_repair_type(std::string_view name) {
  return find_name<RepairType>(kRepairTypeNames, name);
}

std::optional<RepairRecord> read_repair_record(std::string_view tag) {
  if (!tag.starts_with(kRepairTagPrefix)) return std::nullopt;
  tag.remove_prefix(kRepairTagPrefix.size());
  const bool has_result = tag.starts_with(kResult);
  if (!has_result && !tag.starts_with(kPending)) return std::nullopt;
  tag.remove_prefix(has_result ? kResult.size() : kPending.size());
  return read_fields(split(tag, ':'), has_result);
}

std::string write_repair_record(const RepairRecord& record) {
  const std::string_view type = kRepairTypeNames[static_cast<std::size_t>(record.type)];
  const std::string begin =
      fmt::format("{}{}{}:{}:{}:", kRepairTagPrefix, record.result ? kResult : kPending, type, record.id, record.time);
  if (!record.result) return begin + write_jobs(record.jobs);
  return fmt::format("{}{}:{}", begin, kRepairResultNames[static_cast<std::size_t>(*record.result)],
                     write_jobs(record.jobs));
}

}  // namespace htools
