#include "grow/runs.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "base/mixing.h"
#include "base/threads.h"
#include "search/draws.h"

namespace htools {

namespace {

// Returns the amount times the factor, rounded; an amount above 0 stays above 0.
std::int64_t scaled_amount(std::int64_t amount, double factor) {
  if (amount <= 0) return amount;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::llround(static_cast<double>(amount) * factor)));
}

// Draws sizes: memory, disk and vcpus of a size have a factor each.
std::vector<WorkloadSize> drawn_sizes(const std::vector<WorkloadSize>& sizes, double spread, Draws& draws) {
  constexpr std::size_t kSteps = 1000001;  // a factor is one of so many
  const auto factor = [&] {
    return 1.0 + spread * (2.0 * static_cast<double>(draws.below(kSteps)) / static_cast<double>(kSteps - 1) - 1.0);
  };
  std::vector<WorkloadSize> drawn = sizes;
  for (WorkloadSize& size : drawn) {
    InstanceFacts& f = size.instance.facts.edit();
    f.memory = scaled_amount(f.memory, factor());
    const double of_disk = factor();
    f.disk = scaled_amount(f.disk, of_disk);
    for (Disk& disk : f.disks) disk.size = scaled_amount(disk.size, of_disk);
    f.vcpus = scaled_amount(f.vcpus, factor());
  }
  return drawn;
}

std::int64_t fitting_in_one_run(const Cluster& part, const Workload& workload, const PlacingRules& rules, double spread,
                                std::uint64_t seed) {
  Draws draws(seed);
  std::vector<std::uint32_t> order = workload.order;
  for (std::size_t left = order.size(); left > 1; --left) std::swap(order[left - 1], order[draws.below(left)]);
  if (spread == 0.0) return place_workload(part, workload.sizes, order, rules).total;
  return place_workload(part, drawn_sizes(workload.sizes, spread, draws), order, rules).total;
}

std::uint64_t seed_of_run(std::uint64_t seed, std::size_t run) {
  return mixed(seed + kMixingStep * (static_cast<std::uint64_t>(run) + 1));
}

}  // namespace

Distribution run_randomly(const Cluster& part, const Workload& workload, const PlacingRules& rules,
                          const RandomRuns& runs, std::uint64_t seed, std::size_t threads) {
  const auto count = static_cast<std::size_t>(runs.count);
  std::vector<std::int64_t> fits(count);
  std::atomic<std::size_t> next = 0;
  run_in_threads(std::min(threads, count), [&] {
    for (std::size_t run = next++; run < count; run = next++) {
      fits[run] = fitting_in_one_run(part, workload, rules, runs.size_spread, seed_of_run(seed, run));
    }
  });

  std::sort(fits.begin(), fits.end());
  Distribution distribution;
  distribution.runs = runs.count;
  distribution.all_fit = std::count(fits.begin(), fits.end(), static_cast<std::int64_t>(workload.order.size()));
  for (std::size_t p = 0; p < kPercentiles.size(); ++p) {
    const std::size_t rank = (static_cast<std::size_t>(kPercentiles[p]) * (count - 1) + 50) / 100;
    distribution.fits[p] = fits[rank];
  }
  return distribution;
}

}  // namespace htools
