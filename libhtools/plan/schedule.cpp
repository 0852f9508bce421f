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
#include "plan/urgent_order.h"
#include "trial/trial.h"

namespace htools {
namespace {

// The orders in which steps are put into a wave.
enum class Preference : std::uint8_t { Longest, BusiestNode };
constexpr std::array kPreferences{Preference::Longest, Preference::BusiestNode};

// A schedule is shorter than another one if it takes less than this share of it; sums have rounding errors.
constexpr double kShorter = 1 - 1e-12;

// Returns the seconds of transfers that each node is left with, by position.
std::vector<double> seconds_left(const Cluster& cluster, const std::vector<ScheduledJob>& jobs,
                                 const std::vector<bool>& done, const CopyRules& rules) {
  std::vector<double> left(cluster.nodes.size(), 0.0);
  for (std::size_t s = 0; s < jobs.size(); ++s) {
    if (done[s]) continue;
    for (const Transfer& t : jobs[s].transfers) {
      for (const NodeIndex n : {t.from, t.to}) {
        left[n.position()] += static_cast<double>(t.mib) / bandwidth_of(cluster.node(n), rules);
      }
    }
  }
  return left;
}

// Makes waves of the jobs, whose urgencies are by position, too. `admits(position)` decides about each job that is put
// into the present wave, and `end_wave()` ends it. Returns nothing if jobs are left that are never admitted.
template <class Admits, class EndWave>
std::optional<std::vector<ScheduledWave>> make_waves(Preference preference, const Cluster& cluster,
                                                     const std::vector<ScheduledJob>& jobs,
                                                     const std::vector<Urgency>& urgency, const CopyRules& rules,
                                                     Admits admits, EndWave end_wave) {
  std::vector<ScheduledWave> waves;
  std::vector<bool> done(jobs.size(), false);
  std::vector<std::size_t> open(jobs.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  std::stable_sort(open.begin(), open.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(urgency[a], -jobs[a].seconds) < std::pair(urgency[b], -jobs[b].seconds);
  });
  std::vector<double> busiest(jobs.size());
  while (!open.empty()) {
    std::vector<std::size_t> order = open;
    if (preference == Preference::BusiestNode) {
      const std::vector<double> left = seconds_left(cluster, jobs, done, rules);
      for (const std::size_t s : open) {
        busiest[s] = 0.0;
        for (const Transfer& t : jobs[s].transfers) {
          busiest[s] = std::max({busiest[s], left[t.from.position()], left[t.to.position()]});
        }
      }
      std::stable_sort(order.begin() + 1, order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(urgency[a], -busiest[a]) < std::pair(urgency[b], -busiest[b]);
      });
    }
    ScheduledWave wave;
    WaveTransfers transfers(cluster, rules);
    double longest = 0.0;  // the first job decides how long the wave takes
    Urgency last = Urgency::Balance;
    for (const std::size_t s : order) {
      if (urgency[s] > last) break;
      if (!wave.steps.empty() && jobs[s].seconds > longest) {  // waits, and less urgent ones with it
        last = urgency[s];
        continue;
      }
      if (!transfers.has_room(jobs[s]) || !admits(s, done)) continue;
      transfers.add(jobs[s]);
      if (wave.steps.empty()) longest = jobs[s].seconds;
      wave.steps.push_back(s);
    }
    if (wave.steps.empty()) return std::nullopt;
    if (!end_wave()) continue;
    std::sort(wave.steps.begin(), wave.steps.end());
    for (const std::size_t s : wave.steps) done[s] = true;
    wave.seconds = transfers.seconds();
    std::erase_if(open, [&](std::size_t s) { return done[s]; });
    waves.push_back(std::move(wave));
  }
  return waves;
}

// Returns a bound of the seconds that waves take, whatever is in them. Where a wave can have no more than n of certain
// jobs, of a node or of all, which are sorted from the longest, the k-th longest wave is as long as the longest job
// that is left after k - 1 waves with n jobs each.
double least_seconds_of_waves(std::size_t nodes, const std::vector<ScheduledJob>& jobs, const CopyRules& rules) {
  std::vector<double> longest;  // by wave, from the longest one
  const auto divide = [&](std::vector<double>& seconds, std::int64_t most) {
    std::ranges::sort(seconds, std::greater<>());
    const auto step = static_cast<std::size_t>(most);
    for (std::size_t wave = 0; wave * step < seconds.size(); ++wave) {
      if (wave == longest.size()) longest.push_back(0.0);
      longest[wave] = std::max(longest[wave], seconds[wave * step]);
    }
  };
  for (const TransferCap& cap : kTransferCaps) {
    std::vector<std::vector<double>> of_node(nodes);
    std::vector<double> all;
    for (const ScheduledJob& job : jobs) {
      const std::vector<NodeIndex> job_nodes = WaveTransfers::nodes_of(job, cap.of_disks);
      for (const NodeIndex n : job_nodes) of_node[n.position()].push_back(job.seconds);
      if (!job_nodes.empty()) all.push_back(job.seconds);
    }
    for (std::vector<double>& seconds : of_node) divide(seconds, rules.*cap.per_node);
    if (rules.*cap.parallel) divide(all, *(rules.*cap.parallel));
  }
  return std::accumulate(longest.begin(), longest.end(), 0.0);
}

// Returns a bound of the seconds that the transfers take of which all nodes together have a limited number at a time.
double least_seconds_together(const Cluster& cluster, const std::vector<ScheduledJob>& jobs, const CopyRules& rules) {
  double least = 0.0;
  for (const TransferCap& cap : kTransferCaps) {
    if (!(rules.*cap.parallel)) continue;
    double together = 0.0;
    for (const ScheduledJob& job : jobs) {
      for (const Transfer& t : job.transfers) {
        if (t.is_disk == cap.of_disks) together += seconds_of(cluster, {t}, rules);
      }
    }
    least = std::max(least, together / static_cast<double>(*(rules.*cap.parallel)));
  }
  return least;
}

// Returns the rules, and those with limits of one transfer of a kind for each node, where they allow more of what the
// jobs have; none if each step is to be a wave of its own.
std::vector<CopyRules> tried_rules(const std::vector<ScheduledJob>& jobs, const CopyRules& rules) {
  if (rules.one_by_one) return {};
  std::vector<CopyRules> tried{rules};
  for (const TransferCap& cap : kTransferCaps) {
    const auto has_some = [&](const ScheduledJob& job) { return !WaveTransfers::nodes_of(job, cap.of_disks).empty(); };
    if (rules.*cap.per_node <= 1 || std::ranges::none_of(jobs, has_some)) continue;
    std::vector<CopyRules> fewer = tried;
    for (CopyRules& r : fewer) r.*cap.per_node = 1;
    tried.insert(tried.end(), fewer.begin(), fewer.end());
  }
  return tried;
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
  const std::vector<Urgency> urgency = urgent_order(cluster, steps, moves.force).urgency;
  const ScheduledJobs plan(cluster, steps, rules);
  Schedule schedule;
  schedule.seconds = std::numeric_limits<double>::infinity();
  const auto consider = [&](std::optional<std::vector<ScheduledWave>> waves) {
    if (!waves || !(seconds_of(*waves) < schedule.seconds * kShorter) || !can_be_made(cluster, steps, *waves, moves))
      return;
    schedule.seconds = seconds_of(*waves);
    schedule.waves = std::move(*waves);
  };
  for (const CopyRules& tried : tried_rules(plan.all(), rules)) {
    for (const Preference preference : kPreferences) {
      HeldState state(cluster, steps, urgency, moves.force);
      consider(make_waves(
          preference, cluster, plan.all(), urgency, tried, [&](std::size_t s, const auto&) { return state.add(s); },
          [&] { return state.end_wave(); }));
    }
  }
  if (!rules.one_by_one && schedule.waves.empty() && !steps.empty()) {
    for (const CopyRules& tried : tried_rules(plan.all(), rules)) {
      for (const Preference preference : kPreferences) {
        consider(make_waves(
            preference, cluster, plan.all(), urgency, tried,
            [&](std::size_t s, const std::vector<bool>& done) { return plan.is_ready(s, done); }, [] { return true; }));
      }
    }
  }
  consider(one_by_one(plan.all()));
  schedule.longest_chain = plan.longest_chain();
  for (const std::size_t s : schedule.longest_chain) schedule.lower_bound += plan.all()[s].seconds;
  const std::vector<double> left = seconds_left(cluster, plan.all(), std::vector<bool>(steps.size(), false), rules);
  for (const double seconds : left) schedule.lower_bound = std::max(schedule.lower_bound, seconds);
  schedule.lower_bound =
      std::max({schedule.lower_bound, least_seconds_of_waves(cluster.nodes.size(), plan.all(), rules),
                least_seconds_together(cluster, plan.all(), rules)});
  if (rules.one_by_one) schedule.lower_bound = schedule.seconds;
  return schedule;
}

}  // namespace htools
