#include "survival/certain_fit.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

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

bool same_capacity(const FitTarget& a, const FitTarget& b) {
  return a.free.memory == b.free.memory && a.free.disk == b.free.disk && a.free.spindles == b.free.spindles &&
         a.free.counts_spindles == b.free.counts_spindles && a.reachable == b.reachable;
}

// True if the sum of `count(target)` over the targets with more than `memory` MiB free reaches `enough` even without
// the `spare_targets` largest terms. Terms must not be negative. Neighbours with equal capacities share a term, because
// terms have divisions: a simulation of plain instances on 400 equal nodes takes 0.91 of the time.
template <class Count>
bool reaches(const FitTargets& targets, std::int64_t memory, std::int64_t enough, Count count,
             std::size_t spare_targets = 0) {
  std::int64_t sum = 0;
  // The largest terms so far, in a heap with the smallest one first.
  std::vector<std::int64_t> spared(spare_targets, 0);
  const FitTarget* counted = nullptr;
  std::int64_t counted_term = 0;
  for (const FitTarget& target : targets.by_memory) {
    if (target.free.memory <= memory) break;
    if (target.node == targets.vacated) continue;
    if (!counted || !same_capacity(*counted, target)) {
      counted_term = count(target);
      counted = &target;
    }
    std::int64_t term = counted_term;
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

// Returns a multiple of an amount that is not negative, at most kUnlimited.
std::int64_t limited_multiple(std::int64_t amount, std::int64_t count) {
  return count > 0 && amount > kUnlimited / count ? kUnlimited : amount * count;
}

// The items that have chosen a target already: how many they are, and how much they take, each and together.
struct Predecessors {
  std::int64_t count = 0;
  FitItem largest;  // with the largest amount of any item in each resource; spindles are empty if one is unknown
  std::int64_t memory = 0;  // MiB; sum of the items

  void add(const FitItem& item, std::int64_t times) {
    if (times == 0) return;
    count += times;
    largest.demand.memory = std::max(largest.demand.memory, item.demand.memory);
    largest.demand.disk = std::max(largest.demand.disk, item.demand.disk);
    std::optional<std::int64_t>& spindles = largest.demand.spindles;
    spindles =
        spindles && item.demand.spindles ? std::optional(std::max(*spindles, *item.demand.spindles)) : std::nullopt;
    memory = std::min(kUnlimited, memory + limited_multiple(std::max<std::int64_t>(0, item.demand.memory), times));
  }
};

// True if the item fits on more targets than it has predecessors, which block at most one each. Looks at memory only;
// false if anything else matters.
bool fits_on_more_targets(const FitItem& item, const Predecessors& before, const FitTargets& targets,
                          std::size_t spare_targets) {
  if (item.demand.local_storage || !item.allowed[0] || !item.allowed[1]) return false;
  if (item.migrates && !targets.all_reachable) return false;
  const std::size_t others = static_cast<std::size_t>(before.count) + spare_targets + 1;  // and the vacated node
  return others < targets.by_memory.size() && targets.by_memory[others].free.memory > item.demand.memory;
}

// True if the item fits on some target wherever its predecessors went: there are too few of them to block all targets,
// or (if only memory counts) they take too little memory.
bool certainly_fits(const FitItem& item, const Predecessors& before, const FitTargets& targets,
                    std::size_t spare_targets) {
  if (fits_on_more_targets(item, before, targets, spare_targets)) return true;
  const std::int64_t need = item.demand.memory;
  const auto memory = [&](const FitTarget& t) {
    return may_go(item, t) ? std::clamp<std::int64_t>(t.free.memory - need, 0, kUnlimited) : 0;
  };
  if (!item.demand.local_storage && reaches(targets, need, before.memory + 1, memory, spare_targets)) return true;
  const auto count = [&](const FitTarget& t) { return items_to_block(item, before.largest, t); };
  return reaches(targets, need, before.count + 1, count, spare_targets);
}

// Calls `check(item, predecessors)` for each run, until it returns false. Of equal items, only the last one needs a
// check, because it has the most predecessors. Returns whether all checks have returned true.
template <class Check>
bool check_runs(std::span<const FitRun> items, Check check) {
  Predecessors before;
  return std::all_of(items.begin(), items.end(), [&](const FitRun& run) {
    before.add(run.item, run.count - 1);
    const bool passes = check(run.item, before);
    before.add(run.item, 1);
    return passes;
  });
}

}  // namespace

bool all_certainly_fit(std::span<const FitRun> items, const FitTargets& targets, std::size_t spare_targets) {
  return check_runs(items, [&](const FitItem& item, const Predecessors& before) {
    return certainly_fits(item, before, targets, spare_targets);
  });
}

std::optional<std::int64_t> spare_memory(std::span<const FitRun> items, const FitTargets& targets) {
  std::int64_t least = kUnlimited;
  const bool fit = check_runs(items, [&](const FitItem& item, const Predecessors& before) {
    if (certainly_fits(item, before, targets, 1)) return true;
    // A target with no more free memory than the item needs is of no use for it.
    least = std::min(least, item.demand.memory);
    return certainly_fits(item, before, targets, 0);
  });
  return fit ? std::optional(least) : std::nullopt;
}

bool some_certainly_do_not_fit(std::span<const FitRun> items, const FitTargets& targets) {
  const bool negative_sizes = std::any_of(items.begin(), items.end(), [](const FitRun& run) {
    return run.item.demand.memory < 0 || run.item.demand.disk < 0 || run.item.demand.spindles.value_or(0) < 0;
  });
  if (negative_sizes) return false;  // such items free capacity, so the sums below prove nothing
  for (const FitRun& run : items) {
    // Not 0 if the item fits on the target.
    const auto fits = [&](const FitTarget& t) { return items_to_block(run.item, run.item, t); };
    if (!reaches(targets, run.item.demand.memory, 1, fits)) return true;
  }
  // Looks at the n items with the most memory, for some n. Some of them certainly do not fit if the targets cannot even
  // take n items with the smallest amounts among them, or if the items need more memory than there is on all targets
  // that can take at least one of them.
  std::vector<FitRun> sorted(items.begin(), items.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const FitRun& a, const FitRun& b) { return a.item.demand.memory > b.item.demand.memory; });
  FitItem smallest;
  smallest.demand.memory = smallest.demand.disk = kUnlimited;
  smallest.demand.local_storage = true;
  std::int64_t count = 0, memory = 0;
  for (const FitRun& run : sorted) {
    smallest.demand.memory = std::min(smallest.demand.memory, run.item.demand.memory);
    smallest.demand.disk = std::min(smallest.demand.disk, run.item.demand.disk);
    smallest.demand.local_storage &= run.item.demand.local_storage;
    count += run.count;
    memory = std::min(kUnlimited, memory + limited_multiple(run.item.demand.memory, run.count));
    if (!reaches(targets, 0, count, [&](const FitTarget& t) { return most_fitting(smallest, t); })) return true;
    const auto usable = [](const FitTarget& t) { return t.free.memory - 1; };
    if (!reaches(targets, smallest.demand.memory, memory, usable)) return true;
  }
  return false;
}

}  // namespace htools
