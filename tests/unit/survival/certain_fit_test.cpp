#include "survival/certain_fit.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/scale.h"

namespace htools::certain_fit_test {

namespace {

using htools::FitItem;
using htools::FitRun;
using htools::FitTarget;
using htools::FitTargets;
using htools::FreeCapacity;
using htools::NodeIndex;
using htools::testing::Random;
using htools::testing::scaled;
using htools::testing::scaled_tally;

// What can happen when items choose one after the other.
struct Endings {
  bool all_fit = false, some_do_not = false;
};

bool takes(const FitTarget& target, const FitItem& item) {
  FreeCapacity after = target.free;
  after.add_primary(item.demand);
  return item.allowed[target.free.counts_spindles] && (!item.migrates || target.reachable) &&
         after.enough_for_primary(item.demand);
}

// Tries all choices of the items from `first` on.
void try_all(const std::vector<FitItem>& items, std::size_t first, std::vector<FitTarget>& targets, NodeIndex vacated,
             Endings& endings) {
  if (first == items.size()) {
    endings.all_fit = true;
    return;
  }
  bool fits = false;
  for (FitTarget& target : targets) {
    if (target.node == vacated || !takes(target, items[first])) continue;
    fits = true;
    const FreeCapacity before = target.free;
    target.free.add_primary(items[first].demand);
    try_all(items, first + 1, targets, vacated, endings);
    target.free = before;
  }
  endings.some_do_not |= !fits;
}

Endings endings(const std::vector<FitRun>& runs, std::vector<FitTarget> targets, NodeIndex vacated) {
  std::vector<FitItem> items;
  for (const FitRun& run : runs) items.insert(items.end(), static_cast<std::size_t>(run.count), run.item);
  Endings endings;
  try_all(items, 0, targets, vacated, endings);
  return endings;
}

FitItem random_item(Random& random, bool shared) {
  FitItem item;
  item.demand.memory = random.chance(3) ? -random.between(1, 10) : random.between(0, 40);
  item.migrates = shared || random.chance(30);
  if (item.migrates) return item;
  item.demand.local_storage = true;
  item.demand.disk = random.between(0, 40);
  if (random.chance(80)) item.demand.spindles = random.between(0, 3);
  for (bool& allowed : item.allowed) allowed = random.chance(85);
  return item;
}

}  // namespace

TEST_CASE("amounts decide about items only if all choices end alike") {
  Random random(83);
  int fit = 0, stuck = 0, spared = 0;
  for (int round = 0; round < scaled(20000); ++round) {
    CAPTURE(round);
    const bool shared = random.chance(60), tagged = random.chance(20), exclusive = random.chance(20);
    std::vector<FitTarget> targets;
    const std::size_t nodes = 2 + random.index(4);
    for (std::size_t n = 0; n < nodes; ++n) {
      FitTarget target{NodeIndex(n), {}};
      target.free.memory = random.between(-5, 70);
      target.free.disk = random.between(-5, 90);
      target.free.spindles = random.between(0, 5);
      target.free.counts_spindles = exclusive;
      target.reachable = !tagged || random.chance(70);
      targets.push_back(target);
    }
    std::stable_sort(targets.begin(), targets.end(),
                     [](const FitTarget& a, const FitTarget& b) { return a.free.memory > b.free.memory; });
    std::vector<FitRun> runs;
    for (std::int64_t left = random.between(1, 5); left > 0;) {
      runs.push_back({random_item(random, shared), random.between(1, left)});
      left -= runs.back().count;
    }
    const NodeIndex vacated = random.chance(50) ? NodeIndex(0) : NodeIndex::none();
    const FitTargets given{targets, vacated, !tagged};
    const Endings found = endings(runs, targets, vacated);

    if (all_certainly_fit(runs, given)) {
      ++fit;
      REQUIRE_FALSE(found.some_do_not);
    }
    if (some_certainly_do_not_fit(runs, given)) {
      ++stuck;
      REQUIRE_FALSE(found.all_fit);
    }
    const auto spare = spare_memory(runs, given);
    REQUIRE(spare.has_value() == all_certainly_fit(runs, given));
    for (std::size_t t = 0; spare && t < targets.size(); ++t) {
      if (targets[t].free.memory > *spare) continue;
      ++spared;
      std::vector<FitTarget> less = targets;
      less[t].free.memory -= random.chance(50) ? 1000 : random.between(0, 30);
      less[t].free.disk -= random.between(0, 30);
      less[t].free.spindles -= random.between(0, 5);
      REQUIRE_FALSE(endings(runs, less, vacated).some_do_not);
    }
  }
  CHECK(fit > scaled_tally(2000));
  CHECK(stuck > scaled_tally(2000));
  CHECK(spared > scaled_tally(2000));
}

TEST_CASE("items that no target takes certainly do not fit, whether or not their spindles are known") {
  FitTarget target{NodeIndex(0), {}};
  target.free.memory = 100;
  const std::vector targets{target};
  FitItem item;
  item.demand.memory = 100;
  CHECK(some_certainly_do_not_fit(std::vector{FitRun{item}}, {targets}));
  item.demand.spindles = 0;
  CHECK(some_certainly_do_not_fit(std::vector{FitRun{item}}, {targets}));
  item.demand.memory = 99;
  CHECK_FALSE(some_certainly_do_not_fit(std::vector{FitRun{item}}, {targets}));
  CHECK(all_certainly_fit(std::vector{FitRun{item}}, {targets}));
  CHECK_FALSE(all_certainly_fit(std::vector{FitRun{item}}, {targets}, 1));
}

TEST_CASE("targets with the same amounts differ if only one of them counts spindles") {
  FitTarget exclusive{NodeIndex(0), {}}, ordinary{NodeIndex(1), {}};
  exclusive.free.memory = ordinary.free.memory = 100;
  exclusive.free.disk = ordinary.free.disk = 100;
  exclusive.free.counts_spindles = true;
  FitItem item;
  item.demand.memory = item.demand.disk = 10;
  item.demand.spindles = 1;
  item.demand.local_storage = true;
  CHECK_FALSE(all_certainly_fit(std::vector{FitRun{item}}, {std::vector{exclusive}}));
  CHECK(all_certainly_fit(std::vector{FitRun{item}}, {std::vector{exclusive, ordinary}}));
}

TEST_CASE("items that share disks certainly do not fit if there are more of them than disks") {
  FitItem item;
  item.demand.memory = 1;
  item.demand.disk = 10;
  item.demand.local_storage = true;
  std::vector<FitTarget> targets(2);
  for (std::size_t n = 0; n < targets.size(); ++n) {
    targets[n].node = NodeIndex(n);
    targets[n].free.memory = 100;
    targets[n].free.disk = 15;
  }
  CHECK_FALSE(some_certainly_do_not_fit(std::vector{FitRun{item, 2}}, {targets}));
  CHECK(some_certainly_do_not_fit(std::vector{FitRun{item, 3}}, {targets}));
}

}  // namespace htools::certain_fit_test
