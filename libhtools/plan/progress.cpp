#include "plan/progress.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

#include "plan/paths.h"

namespace htools {
namespace {

// Where a placement begins and ends, as far as the proposal says that.
struct Stretch {
  std::optional<Placement> begin, end;
};

// Returns the stretches of one instance. Where the proposal does not say where a placement begins, that is where the
// one before it ends.
std::vector<Stretch> stretches_of(const Cluster& cluster, const std::vector<ResolvedPlacement>& placements,
                                  const std::vector<std::size_t>& positions) {
  std::vector<Stretch> stretches;
  std::optional<Placement> at;
  for (const std::size_t position : positions) {
    const ResolvedPlacement& p = placements[position];
    if (!p.from.empty()) at = placement_on(p.from);
    Stretch& stretch = stretches.emplace_back(Stretch{at, std::nullopt});
    const bool is_complete = p.to.size() == 2 || !cluster.instance(p.instance).facts->has_secondary();
    if (is_complete) {
      stretch.end = placement_on(p.to);
    } else if (at) {
      stretch.end = wanted_after(*at, p);
    }
    at = stretch.end;
  }
  return stretches;
}

bool is_between(const Placement& place, const Stretch& stretch) {
  if (!stretch.begin || !stretch.end) return false;
  const std::vector<Placement> between = placements_between(*stretch.begin, *stretch.end);
  return std::ranges::find(between, place) != between.end();
}

// Returns the numbers of placements that may be done, the likeliest first if nothing is known of other instances; none
// if the instance is where the proposal has never put it.
std::vector<std::size_t> possible_counts(const Cluster& cluster, const std::vector<ResolvedPlacement>& placements,
                                         const std::vector<std::size_t>& positions) {
  const Placement now = placement_of(cluster.instance(placements[positions.front()].instance));
  const std::vector<Stretch> stretches = stretches_of(cluster, placements, positions);
  std::vector<std::size_t> counts;
  const auto add = [&](std::size_t count) {
    if (std::ranges::find(counts, count) == counts.end()) counts.push_back(count);
  };
  if (stretches.front().begin == now) add(0);
  for (std::size_t done = positions.size(); done > 0; --done) {
    if (wanted_after(now, placements[positions[done - 1]]) == now) add(done);
  }
  for (std::size_t done = positions.size(); done-- > 0;) {
    if (is_between(now, stretches[done])) add(done);
  }
  if (!stretches.front().begin && wanted_after(now, placements[positions.front()]) != now) add(0);
  return counts;
}

// Counts, by position, the placements that are certainly done, and those that are certainly not.
class CertainCounts {
 public:
  explicit CertainCounts(std::size_t size) : done_(size), open_(size) {}
  void add(const std::vector<std::size_t>& positions, std::size_t done) {
    for (std::size_t i = 0; i < positions.size(); ++i) ++(i < done ? done_ : open_)[positions[i]];
  }
  // To be called when all is added, before contradictions().
  void sum_up() {
    for (std::size_t i = 1; i < done_.size(); ++i) {
      done_[i] += done_[i - 1];
      open_[i] += open_[i - 1];
    }
  }
  // Returns how many other placements contradict that so many of these are done: those before them that are not done,
  // and those after the next one that are.
  std::size_t contradictions(const std::vector<std::size_t>& positions, std::size_t done) const {
    std::size_t count = done > 0 ? open_[positions[done - 1]] : 0;
    if (done < positions.size()) count += done_.back() - done_[positions[done]];
    return count;
  }

 private:
  std::vector<std::size_t> done_, open_;
};

}  // namespace

std::vector<InstanceProgress> progress_of(const Cluster& cluster, const std::vector<ResolvedPlacement>& placements) {
  std::vector<InstanceProgress> all;
  std::unordered_map<std::size_t, std::size_t> place_in_all;  // by the position of the instance
  for (std::size_t p = 0; p < placements.size(); ++p) {
    const auto [known, is_new] = place_in_all.try_emplace(placements[p].instance.position(), all.size());
    if (is_new) all.emplace_back();
    all[known->second].placements.push_back(p);
  }
  CertainCounts certain(placements.size());
  std::vector<std::vector<std::size_t>> counts;
  for (InstanceProgress& progress : all) {
    counts.push_back(possible_counts(cluster, placements, progress.placements));
    progress.is_expected = !counts.back().empty();
    if (progress.is_expected) progress.done = counts.back().front();
    if (counts.back().size() == 1) certain.add(progress.placements, progress.done);
  }
  certain.sum_up();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (counts[i].size() < 2) continue;
    all[i].done = *std::ranges::min_element(
        counts[i], {}, [&](std::size_t done) { return certain.contradictions(all[i].placements, done); });
  }
  return all;
}

RestOfProposal rest_of(const Cluster& cluster, const std::vector<ResolvedPlacement>& placements) {
  RestOfProposal rest;
  for (const InstanceProgress& progress : progress_of(cluster, placements)) {
    const std::size_t left = progress.placements.size() - progress.done;
    const InstanceIndex instance = placements[progress.placements.front()].instance;
    rest.done += progress.done;
    (progress.is_expected ? rest.right : rest.stale) += left;
    if (!progress.is_expected) {
      rest.strays.push_back(instance);
      continue;
    }
    const Placement now = placement_of(cluster.instance(instance));
    Placement end = now;
    for (std::size_t i = progress.done; i < progress.placements.size(); ++i) {
      end = wanted_after(end, placements[progress.placements[i]]);
    }
    if (end != now) rest.wanted.push_back({instance, end});
  }
  return rest;
}

}  // namespace htools
