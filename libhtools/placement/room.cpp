#include "placement/room.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace htools {

namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max() / 4;

bool may_go(const RoomItem& item, const RoomTarget& target) {
  return item.allowed[target.exclusive] && (!item.migrates || target.reachable);
}

// How many items of at most the sizes of `largest` it takes until `item` does not fit on the target any more.
std::int64_t items_to_block(const RoomItem& item, const RoomItem& largest, const RoomTarget& target) {
  if (!may_go(item, target)) return 0;
  // `taken` each time from `room`, until no more than `short_of` is left
  const auto steps = [](std::int64_t room, std::int64_t short_of, std::int64_t taken) {
    if (room <= short_of) return std::int64_t{0};
    return taken <= 0 ? kUnlimited : (room - short_of + taken - 1) / taken;
  };
  std::int64_t count = steps(target.memory, item.memory, largest.memory);
  if (item.local) {
    count = std::min(count, steps(target.disk, item.disk, largest.disk));
    if (target.exclusive) {
      count = largest.known_spindles ? std::min(count, steps(target.spindles, item.spindles - 1, largest.spindles)) : 0;
    }
  }
  return count;
}

// How many items that are at least as large as `smallest` fit on the target at the most.
std::int64_t most_fitting(const RoomItem& smallest, const RoomTarget& target) {
  const auto fitting = [](std::int64_t room, std::int64_t size) {
    if (room < 1) return std::int64_t{0};
    return size <= 0 ? kUnlimited : (room - 1) / size;
  };
  const std::int64_t by_memory = fitting(target.memory, smallest.memory);
  return smallest.local ? std::min(by_memory, fitting(target.disk, smallest.disk)) : by_memory;
}

// Sum over the targets, as far as it matters whether it reaches `enough`.
template <class Count>
bool reaches(const std::vector<RoomTarget>& targets, std::size_t enough, Count count) {
  std::int64_t sum = 0;
  for (const RoomTarget& target : targets) {
    sum = std::min(kUnlimited, sum + count(target));
    if (sum >= static_cast<std::int64_t>(enough)) return true;
  }
  return false;
}

RoomItem largest_of(const std::vector<RoomItem>& items) {
  RoomItem largest;
  largest.known_spindles = true;
  for (const RoomItem& item : items) {
    largest.memory = std::max(largest.memory, item.memory);
    largest.disk = std::max(largest.disk, item.disk);
    largest.spindles = std::max(largest.spindles, item.spindles);
    largest.known_spindles &= item.known_spindles;
  }
  return largest;
}

}  // namespace

RoomItem room_item(const Instance& instance) {
  const auto spindles = instance.total_spindles();
  const bool local = instance.uses_local_storage();
  return {.memory = instance.used_memory(),
          .disk = local ? instance.disk : 0,
          .spindles = spindles.value_or(0),
          .local = local,
          .known_spindles = spindles.has_value()};
}

RoomTarget room_target(const Node& node) {
  return {.memory = node.unallocated_memory(),
          .disk = node.books.real.free_disk,
          .spindles = node.books.real.free_spindles,
          .exclusive = node.exclusive_storage};
}

// Whatever targets the earlier items chose, there is one left for each.
bool all_certainly_fit(const std::vector<RoomItem>& items, const std::vector<RoomTarget>& targets) {
  const RoomItem largest = largest_of(items);
  for (std::size_t i = 0; i < items.size(); ++i) {
    // Of equal items the last one has the hardest task.
    if (i + 1 < items.size() && items[i] == items[i + 1]) continue;
    const auto to_block = [&](const RoomTarget& t) { return items_to_block(items[i], largest, t); };
    if (!reaches(targets, i + 1, to_block)) return false;
  }
  return true;
}

// However the targets are chosen, some item finds none.
bool some_certainly_do_not_fit(std::vector<RoomItem> items, const std::vector<RoomTarget>& targets) {
  const bool negative_sizes = std::any_of(items.begin(), items.end(), [](const RoomItem& item) {
    return item.memory < 0 || item.disk < 0 || item.spindles < 0;
  });
  if (negative_sizes) return false;  // these make room, and the amounts say nothing
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0 && items[i] == items[i - 1]) continue;
    const auto fits = [&](const RoomTarget& t) { return items_to_block(items[i], items[i], t); };
    if (!reaches(targets, 1, fits)) return true;
  }
  // The n largest ones are all at least as large as the n-th, in memory; a common disk size may limit them, too.
  std::stable_sort(items.begin(), items.end(),
                   [](const RoomItem& a, const RoomItem& b) { return a.memory > b.memory; });
  RoomItem smallest{.memory = kUnlimited, .disk = kUnlimited, .local = true};
  for (std::size_t i = 0; i < items.size(); ++i) {
    smallest.memory = std::min(smallest.memory, items[i].memory);
    smallest.disk = std::min(smallest.disk, items[i].disk);
    smallest.local &= items[i].local;
    if (i + 1 < items.size() && items[i] == items[i + 1]) continue;
    if (!reaches(targets, i + 1, [&](const RoomTarget& t) { return most_fitting(smallest, t); })) return true;
  }
  return false;
}

}  // namespace htools
