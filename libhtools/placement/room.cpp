#include "placement/room.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>

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
      const bool known = item.known_spindles && largest.known_spindles;
      count = known ? std::min(count, steps(target.spindles, item.spindles - 1, largest.spindles)) : 0;
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

// Whether the sum over the targets reaches `enough`, also without the `spare_targets` largest terms.
template <class Count>
bool reaches(const std::vector<RoomTarget>& targets, std::int64_t enough, Count count, std::size_t spare_targets = 0) {
  std::int64_t sum = 0;
  std::vector<std::int64_t> spared(spare_targets, 0);  // a heap, smallest first
  for (const RoomTarget& target : targets) {
    std::int64_t term = count(target);
    if (!spared.empty() && term > spared.front()) {
      std::pop_heap(spared.begin(), spared.end(), std::greater<>());
      std::swap(term, spared.back());
      std::push_heap(spared.begin(), spared.end(), std::greater<>());
    }
    sum = std::min(kUnlimited, sum + term);
    if (sum >= enough) return true;
  }
  return false;
}

// What a sequence of items takes at the most: each of them, and all together.
struct Predecessors {
  std::int64_t count = 0;
  RoomItem largest{.known_spindles = true};
  std::int64_t memory = 0;

  void add(const RoomItem& item) {
    ++count;
    largest.memory = std::max(largest.memory, item.memory);
    largest.disk = std::max(largest.disk, item.disk);
    largest.spindles = std::max(largest.spindles, item.spindles);
    largest.known_spindles &= item.known_spindles;
    memory = std::min(kUnlimited, memory + std::max<std::int64_t>(0, item.memory));
  }
};

// Wherever the predecessors went, they cannot have blocked all targets for the item: there are too few of them, or they
// take too little memory.
bool certainly_fits(const RoomItem& item, const Predecessors& before, const std::vector<RoomTarget>& targets,
                    std::size_t spare_targets) {
  const auto count = [&](const RoomTarget& t) { return items_to_block(item, before.largest, t); };
  if (reaches(targets, before.count + 1, count, spare_targets)) return true;
  const auto memory = [&](const RoomTarget& t) {
    return may_go(item, t) ? std::clamp<std::int64_t>(t.memory - item.memory, 0, kUnlimited) : 0;
  };
  return !item.local && reaches(targets, before.memory + 1, memory, spare_targets);
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

bool all_certainly_fit(const std::vector<RoomItem>& items, const std::vector<RoomTarget>& targets,
                       std::size_t spare_targets) {
  Predecessors before;
  for (std::size_t i = 0; i < items.size(); ++i) {
    // Of equal items the last one has the hardest task.
    const bool last_of_equals = i + 1 == items.size() || items[i] != items[i + 1];
    if (last_of_equals && !certainly_fits(items[i], before, targets, spare_targets)) return false;
    before.add(items[i]);
  }
  return true;
}

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
  // The n largest ones are all at least as large as the n-th: too many of them, or too much memory together for the
  // targets that can take any of them. A common disk size may limit them, too.
  std::stable_sort(items.begin(), items.end(),
                   [](const RoomItem& a, const RoomItem& b) { return a.memory > b.memory; });
  RoomItem smallest{.memory = kUnlimited, .disk = kUnlimited, .local = true};
  std::int64_t count = 0, memory = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    smallest.memory = std::min(smallest.memory, items[i].memory);
    smallest.disk = std::min(smallest.disk, items[i].disk);
    smallest.local &= items[i].local;
    ++count;
    memory = std::min(kUnlimited, memory + items[i].memory);
    if (i + 1 < items.size() && items[i] == items[i + 1]) continue;
    if (!reaches(targets, count, [&](const RoomTarget& t) { return most_fitting(smallest, t); })) return true;
    const auto usable = [&](const RoomTarget& t) { return t.memory > smallest.memory ? t.memory - 1 : 0; };
    if (!reaches(targets, memory, usable)) return true;
  }
  return false;
}

}  // namespace htools
