#include "survival/certain_fit.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>

namespace htools {

namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max() / 4;

// True if the item may go to the target, whatever their amounts are.
bool may_go(const FitItem& item, const FitTarget& target) {
  return item.allowed[target.free.counts_spindles] && (!item.migrates || target.reachable);
}

// Returns the smallest number of items, none of them larger than `largest`, that must be on the target before `item`
// does not fit any more; 0 if it does not fit anyway.
std::int64_t items_to_block(const FitItem& item, const FitItem& largest, const FitTarget& target) {
  if (!may_go(item, target)) return 0;
  // Returns how often `taken` must be taken from `room` until no more than `short_of` is left.
  const auto steps = [](std::int64_t room, std::int64_t short_of, std::int64_t taken) {
    if (room <= short_of) return std::int64_t{0};
    return taken <= 0 ? kUnlimited : (room - short_of + taken - 1) / taken;
  };
  std::int64_t count = steps(target.free.memory, item.demand.memory, largest.demand.memory);
  if (item.demand.local_storage) {
    count = std::min(count, steps(target.free.disk, item.demand.disk, largest.demand.disk));
    if (target.free.counts_spindles) {
      const bool known = item.demand.spindles && largest.demand.spindles;
      count =
          known ? std::min(count, steps(target.free.spindles, *item.demand.spindles - 1, *largest.demand.spindles)) : 0;
    }
  }
  return count;
}

// Returns an upper bound of the number of items, none of them smaller than `smallest`, that fit on the target together.
std::int64_t most_fitting(const FitItem& smallest, const FitTarget& target) {
  const auto fitting = [](std::int64_t room, std::int64_t size) {
    if (room < 1) return std::int64_t{0};
    return size <= 0 ? kUnlimited : (room - 1) / size;
  };
  const std::int64_t by_memory = fitting(target.free.memory, smallest.demand.memory);
  return smallest.demand.local_storage ? std::min(by_memory, fitting(target.free.disk, smallest.demand.disk))
                                       : by_memory;
}

// True if the sum of `count(target)` over the targets reaches `enough` even without the `spare_targets` largest terms.
// Terms must not be negative.
template <class Count>
bool reaches(const std::vector<FitTarget>& targets, std::int64_t enough, Count count, std::size_t spare_targets = 0) {
  std::int64_t sum = 0;
  // The largest terms so far, in a heap with the smallest one first.
  std::vector<std::int64_t> spared(spare_targets, 0);
  for (const FitTarget& target : targets) {
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

// The items that have chosen a target already: how many they are, and how much they take, each and together.
struct Predecessors {
  std::int64_t count = 0;
  FitItem largest;  // with the largest amount of any item in each resource; spindles are empty if one is unknown
  std::int64_t memory = 0;  // MiB; sum of the items

  void add(const FitItem& item) {
    ++count;
    largest.demand.memory = std::max(largest.demand.memory, item.demand.memory);
    largest.demand.disk = std::max(largest.demand.disk, item.demand.disk);
    std::optional<std::int64_t>& spindles = largest.demand.spindles;
    spindles =
        spindles && item.demand.spindles ? std::optional(std::max(*spindles, *item.demand.spindles)) : std::nullopt;
    memory = std::min(kUnlimited, memory + std::max<std::int64_t>(0, item.demand.memory));
  }
};

// True if the item fits on some target wherever its predecessors went: there are too few of them to block all targets,
// or (if only memory counts) they take too little memory.
bool certainly_fits(const FitItem& item, const Predecessors& before, const std::vector<FitTarget>& targets,
                    std::size_t spare_targets) {
  const auto count = [&](const FitTarget& t) { return items_to_block(item, before.largest, t); };
  if (reaches(targets, before.count + 1, count, spare_targets)) return true;
  const auto memory = [&](const FitTarget& t) {
    return may_go(item, t) ? std::clamp<std::int64_t>(t.free.memory - item.demand.memory, 0, kUnlimited) : 0;
  };
  return !item.demand.local_storage && reaches(targets, before.memory + 1, memory, spare_targets);
}

}  // namespace

bool all_certainly_fit(const std::vector<FitItem>& items, const std::vector<FitTarget>& targets,
                       std::size_t spare_targets) {
  Predecessors before;
  for (std::size_t i = 0; i < items.size(); ++i) {
    // Of equal items, only the last one needs a check, because it has the most predecessors.
    const bool last_of_equals = i + 1 == items.size() || items[i] != items[i + 1];
    if (last_of_equals && !certainly_fits(items[i], before, targets, spare_targets)) return false;
    before.add(items[i]);
  }
  return true;
}

bool some_certainly_do_not_fit(std::vector<FitItem> items, const std::vector<FitTarget>& targets) {
  const bool negative_sizes = std::any_of(items.begin(), items.end(), [](const FitItem& item) {
    return item.demand.memory < 0 || item.demand.disk < 0 || item.demand.spindles.value_or(0) < 0;
  });
  if (negative_sizes) return false;  // such items free capacity, so the sums below prove nothing
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0 && items[i] == items[i - 1]) continue;
    // Not 0 if the item fits on the target.
    const auto fits = [&](const FitTarget& t) { return items_to_block(items[i], items[i], t); };
    if (!reaches(targets, 1, fits)) return true;
  }
  // Looks at the n items with the most memory, for each n. Some of them certainly do not fit if the targets cannot even
  // take n items with the smallest amounts among them, or if the items need more memory than there is on all targets
  // that can take at least one of them.
  std::stable_sort(items.begin(), items.end(),
                   [](const FitItem& a, const FitItem& b) { return a.demand.memory > b.demand.memory; });
  FitItem smallest;
  smallest.demand.memory = smallest.demand.disk = kUnlimited;
  smallest.demand.local_storage = true;
  std::int64_t count = 0, memory = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    smallest.demand.memory = std::min(smallest.demand.memory, items[i].demand.memory);
    smallest.demand.disk = std::min(smallest.demand.disk, items[i].demand.disk);
    smallest.demand.local_storage &= items[i].demand.local_storage;
    ++count;
    memory = std::min(kUnlimited, memory + items[i].demand.memory);
    if (i + 1 < items.size() && items[i] == items[i + 1]) continue;
    if (!reaches(targets, count, [&](const FitTarget& t) { return most_fitting(smallest, t); })) return true;
    const auto usable = [&](const FitTarget& t) {
      return t.free.memory > smallest.demand.memory ? t.free.memory - 1 : 0;
    };
    if (!reaches(targets, memory, usable)) return true;
  }
  return false;
}

}  // namespace htools
