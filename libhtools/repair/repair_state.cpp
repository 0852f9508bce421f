#include "repair/repair_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "htools/errors.h"

namespace htools {
namespace {

// A record and the tag that it was read from.
struct TaggedRecord {
  RepairRecord record;
  std::string_view tag;
};

// A repair: the time when it began, and the tag that counts.
struct Repair {
  std::int64_t begin;  // the oldest time of its tags
  TaggedRecord last;
};

std::vector<TaggedRecord> read_records(const TagList& tags) {
  std::vector<TaggedRecord> records;
  for (const TagView tag : tags) {
    if (auto record = read_repair_record(tag)) records.push_back({std::move(*record), tag});
  }
  return records;
}

// True if `b`, which is later in the list, counts instead of `a`: it has a worse result or, with the same result, is
// not older.
bool is_not_after(const TaggedRecord& a, const TaggedRecord& b) {
  return std::pair(a.record.result, a.record.time) <= std::pair(b.record.result, b.record.time);
}

// Returns the repairs in the order of their beginnings.
std::vector<Repair> repairs_of(std::vector<TaggedRecord> records) {
  std::stable_sort(records.begin(), records.end(),
                   [](const TaggedRecord& a, const TaggedRecord& b) { return a.record.id < b.record.id; });
  std::vector<Repair> repairs;
  for (TaggedRecord& next : records) {
    if (repairs.empty() || repairs.back().last.record.id != next.record.id) {
      repairs.push_back({next.record.time, std::move(next)});
      continue;
    }
    Repair& repair = repairs.back();
    repair.begin = std::min(repair.begin, next.record.time);
    if (is_not_after(repair.last, next)) repair.last = std::move(next);
  }
  std::stable_sort(repairs.begin(), repairs.end(), [](const Repair& a, const Repair& b) { return a.begin < b.begin; });
  return repairs;
}

}  // namespace

RepairStage stage_of(const RepairRecord& record) {
  if (!record.result) return RepairStage::Pending;
  return *record.result == RepairResult::Failure ? RepairStage::Failed : RepairStage::Healthy;
}

RepairState read_repair_state(const Instance& instance) {
  RepairState state;
  for (Repair& repair : repairs_of(read_records(instance.facts->tags))) {
    if (state.stage == RepairStage::Failed) break;
    if (state.stage == RepairStage::Pending) {
      throw InputError(
          fmt::format("when parsing auto-repair tags: An unfinished repair was found in instance {}: found tag {}, but "
                      "older pending tag {} exists.",
                      instance.facts->name, quote(repair.last.tag), quote(state.tags.back())));
    }
    state.stage = stage_of(repair.last.record);
    state.tags.emplace_back(repair.last.tag);
    if (state.stage == RepairStage::Pending) state.pending = std::move(repair.last.record);
  }
  std::reverse(state.tags.begin(), state.tags.end());
  return state;
}

}  // namespace htools
