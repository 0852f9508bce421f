#include "plan/schedule.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "plan/held_state.h"
#include "plan/paths.h"
#include "plan/scheduled_jobs.h"
#include "trial/trial.h"

namespace htools {
namespace {

// The orders in which steps are put into a wave.
enum class Preference : std::uint8_t { Longest, BusiestNode };
constexpr std::array kPreferences{Preference::Longest, Preference::BusiestNode};

// Returns the seconds of copies that each node is left with, by position.
std::vector<double> copying_left(const Cluster& cluster, const std::vector<ScheduledJob>& jobs,
                                 const std::vector<bool>& done, const CopyRules& rules) {
  std::vector<double> left(cluster.nodes.size(), 0.0);
  for (std::size_t s = 0; s < jobs.size(); ++s) {
    if (done[s]) continue;
    for (const Transfer& t : jobs[s].transfers) {
      if (!t.is_disk) continue;
      for (const NodeIndex n : {t.from, t.to}) {
        left[n.position()] += static_cast<double>(t.mib) / bandwidth_of(cluster.node(n), rules);
      }
    }
  }
  return left;
}

// Makes waves of the jobs. `admits(position)` decides about each job that is put into the present wave, and
// `end_wave()` ends it. Returns nothing if jobs are left that are never admitted.
template <class Admits, class EndWave>
std::optional<std::vector<ScheduledWave>> make_waves(Preference preference, const Cluster& cluster,
                                                     const std::vector<ScheduledJob>& jobs, const CopyRules& rules,
                                                     Admits admits, EndWave end_wave) {
  std::vector<ScheduledWave> waves;
  std::vector<bool> done(jobs.size(), false);
  std::vector<std::size_t> open(jobs.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  std::stable_sort(open.begin(), open.end(),
                   [&](std::size_t a, std::size_t b) { return jobs[a].seconds > jobs[b].seconds; });
  std::vector<double> urgency(jobs.size());
  while (!open.empty()) {
    std::vector<std::size_t> order = open;
    if (preference == Preference::BusiestNode) {
      const std::vector<double> left = copying_left(cluster, jobs, done, rules);
      for (const std::size_t s : open) {
        urgency[s] = 0.0;
        for (const Transfer& t : jobs[s].transfers) {
          if (t.is_disk) urgency[s] = std::max({urgency[s], left[t.from.position()], left[t.to.position()]});
        }
      }
      std::stable_sort(order.begin() + 1, order.end(),
                       [&](std::size_t a, std::size_t b) { return urgency[a] > urgency[b]; });
    }
    ScheduledWave wave;
    WaveCopies copies(cluster.nodes.size(), rules);
    double longest = 0.0;  // the first job decides how long the wave takes; longer ones wait
    for (const std::size_t s : order) {
      if (!wave.steps.empty() && jobs[s].seconds > longest) continue;
      if (!copies.has_room(jobs[s]) || !admits(s, done)) continue;
      copies.add(jobs[s]);
      if (wave.steps.empty()) longest = jobs[s].seconds;
      wave.steps.push_back(s);
    }
    if (wave.steps.empty()) return std::nullopt;
    if (!end_wave()) continue;
    std::sort(wave.steps.begin(), wave.steps.end());
    for (const std::size_t s : wave.steps) {
      done[s] = true;
      wave.seconds = std::max(wave.seconds, copies.seconds(cluster, jobs[s]));
    }
    std::erase_if(open, [&](std::size_t s) { return done[s]; });
    waves.push_back(std::move(wave));
  }
  return waves;
}

// Returns a bound of the seconds that waves take, whatever is in them: of the copies of a node, sorted from the
// longest, each wave has as many as the rules allow, so that the k-th longest wave is as long as the longest that is
// left then.
double least_seconds_of_waves(std::size_t nodes, const std::vector<ScheduledJob>& jobs, const CopyRules& rules) {
  std::vector<std::vector<double>> copying(nodes);
  for (const ScheduledJob& job : jobs) {
    for (const NodeIndex n : WaveCopies::copying_nodes(job)) copying[n.position()].push_back(job.seconds);
  }
  std::vector<double> longest;  // by wave, from the longest one
  for (std::vector<double>& seconds : copying) {
    std::sort(seconds.begin(), seconds.end(), std::greater<>());
    const auto step = static_cast<std::size_t>(rules.copies_per_node);
    for (std::size_t wave = 0; wave * step < seconds.size(); ++wave) {
      if (wave == longest.size()) longest.push_back(0.0);
      longest[wave] = std::max(longest[wave], seconds[wave * step]);
    }
  }
  return std::accumulate(longest.begin(), longest.end(), 0.0);
}

double seconds_of(const std::vector<ScheduledWave>& waves) {
  return std::accumulate(waves.begin(), waves.end(), 0.0,
                         [](double sum, const ScheduledWave& wave) { return sum + wave.seconds; });
}

// True if all steps are allowed when those of each wave are made in the order of the plan, and when they are made
// backwards.
bool can_be_made(const Cluster& start, std::span<const BalanceStep> steps, const std::vector<ScheduledWave>& waves,
                 const MoveRules& moves) {
  for (const bool backwards : {false, true}) {
    Trial trial(start);
    for (const ScheduledWave& wave : waves) {
      std::vector<std::size_t> order = wave.steps;
      if (backwards) std::reverse(order.begin(), order.end());
      for (const std::size_t s : order) {
        if (!is_allowed(trial.cluster(), steps[s], moves.force)) return false;
        trial.apply(steps[s].instance, steps[s].move);
      }
    }
  }
  return true;
}

// Returns a wave for each job.
std::vector<ScheduledWave> one_by_one(const std::vector<ScheduledJob>& jobs) {
  std::vector<ScheduledWave> waves;
  for (std::size_t s = 0; s < jobs.size(); ++s) waves.push_back({{s}, jobs[s].seconds});
  return waves;
}

}  // namespace

Schedule schedule_steps(const Cluster& cluster, std::span<const BalanceStep> steps, const MoveRules& moves,
                        const CopyRules& rules) {
  const ScheduledJobs plan(cluster, steps, rules);
  Schedule schedule;
  schedule.seconds = std::numeric_limits<double>::infinity();
  const auto consider = [&](std::optional<std::vector<ScheduledWave>> waves) {
    if (!waves || !(seconds_of(*waves) < schedule.seconds) || !can_be_made(cluster, steps, *waves, moves)) return;
    schedule.seconds = seconds_of(*waves);
    schedule.waves = std::move(*waves);
  };
  const auto consider_all = [&](const CopyRules& copying) {
    for (const Preference preference : kPreferences) {
      HeldState state(cluster, steps, moves.force);
      consider(make_waves(
          preference, cluster, plan.all(), copying, [&](std::size_t s, const auto&) { return state.add(s); },
          [&] { return state.end_wave(); }));
    }
  };
  if (!rules.one_by_one) consider_all(rules);
  if (!rules.one_by_one && rules.copies_per_node > 1) {  // copies that share a node are slower: a wave waits for them
    CopyRules fewer = rules;
    fewer.copies_per_node = 1;
    consider_all(fewer);
  }
  if (!rules.one_by_one && schedule.waves.empty() && !steps.empty()) {
    for (const Preference preference : kPreferences) {
      consider(make_waves(
          preference, cluster, plan.all(), rules,
          [&](std::size_t s, const std::vector<bool>& done) { return plan.is_ready(s, done); }, [] { return true; }));
    }
  }
  consider(one_by_one(plan.all()));
  schedule.longest_chain = plan.longest_chain();
  if (rules.one_by_one) schedule.lower_bound = schedule.seconds;
  for (const std::size_t s : schedule.longest_chain) schedule.lower_bound += plan.all()[s].seconds;
  const std::vector<double> left = copying_left(cluster, plan.all(), std::vector<bool>(steps.size(), false), rules);
  for (const double seconds : left) schedule.lower_bound = std::max(schedule.lower_bound, seconds);
  schedule.lower_bound =
      std::max(schedule.lower_bound, least_seconds_of_waves(cluster.nodes.size(), plan.all(), rules));
  if (rules.parallel_copies) {
    double together = 0.0;
    for (const ScheduledJob& job : plan.all()) {
      for (const Transfer& t : job.transfers) {
        if (t.is_disk) together += seconds_of(cluster, {t}, rules);
      }
    }
    schedule.lower_bound = std::max(schedule.lower_bound, together / static_cast<double>(*rules.parallel_copies));
  }
  return schedule;
}

}  // namespace htools
