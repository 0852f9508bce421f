#include "plan/schedule.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>

#include "cluster/bookkeeping.h"
#include "plan/paths.h"
#include "rules/move_application.h"
#include "trial/trial.h"

namespace htools {
namespace {

constexpr auto kNoStep = static_cast<std::size_t>(-1);

// A step with all that its schedule depends on.
struct Job {
  std::vector<NodeIndex> arrives;  // nodes that must have room for it
  std::vector<NodeIndex> leaves;   // nodes on which it makes room
  std::vector<Transfer> transfers;
  std::size_t previous = kNoStep;  // the step of the same instance before it
  double seconds = 0.0;            // alone
};

void add_unique(std::vector<NodeIndex>& nodes, NodeIndex node) {
  if (!node.is_none() && std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
}

Job job_of(const Cluster& cluster, const BalanceStep& step, const CopyRules& rules) {
  Job job;
  job.transfers = transfers_of(cluster, step);
  job.seconds = seconds_of(cluster, job.transfers, rules);
  if (step.before.primary != step.after.primary) {
    add_unique(job.arrives, step.after.primary);
    add_unique(job.leaves, step.before.primary);
  }
  if (step.before.secondary != step.after.secondary) {
    add_unique(job.arrives, step.after.secondary);
    add_unique(job.leaves, step.before.secondary);
  }
  if (step.move.kind == MoveKind::ReplacePrimary) {  // the secondary runs the instance meanwhile
    add_unique(job.arrives, step.before.secondary);
    add_unique(job.leaves, step.before.secondary);
  }
  return job;
}

// The jobs of a plan, and in which order they can be made.
class Jobs {
 public:
  Jobs(const Cluster& cluster, std::span<const BalanceStep> steps, const CopyRules& rules)
      : leaving_(cluster.nodes.size()) {
    std::map<InstanceIndex, std::size_t> last;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      Job job = job_of(cluster, steps[s], rules);
      const auto [previous, is_first] = last.try_emplace(steps[s].instance, s);
      if (!is_first) job.previous = std::exchange(previous->second, s);
      for (const NodeIndex n : job.leaves) leaving_[n.position()].push_back(s);
      jobs_.push_back(std::move(job));
    }
  }

  const std::vector<Job>& all() const { return jobs_; }
  // True if all that the job waits for is done. `done` is by position.
  bool is_ready(std::size_t s, const std::vector<bool>& done) const {
    const Job& job = jobs_[s];
    if (job.previous != kNoStep && !done[job.previous]) return false;
    return std::all_of(job.arrives.begin(), job.arrives.end(), [&](NodeIndex n) {
      const std::vector<std::size_t>& leaving = leaving_[n.position()];
      return std::all_of(leaving.begin(), std::lower_bound(leaving.begin(), leaving.end(), s),
                         [&](std::size_t earlier) { return done[earlier]; });
    });
  }
  // Returns the steps of the instance whose steps take longest together.
  std::vector<std::size_t> longest_chain() const {
    std::vector<double> until(jobs_.size());  // by position: seconds until the end of the step
    std::size_t last = kNoStep;
    for (std::size_t s = 0; s < jobs_.size(); ++s) {
      const std::size_t previous = jobs_[s].previous;
      until[s] = jobs_[s].seconds + (previous == kNoStep ? 0.0 : until[previous]);
      if (last == kNoStep || until[s] > until[last]) last = s;
    }
    std::vector<std::size_t> chain;
    for (; last != kNoStep; last = jobs_[last].previous) chain.insert(chain.begin(), last);
    return chain;
  }

 private:
  std::vector<Job> jobs_;
  std::vector<std::vector<std::size_t>> leaving_;  // by node: the jobs that make room there
};

// The copies of disks of a wave under construction.
class WaveCopies {
 public:
  WaveCopies(std::size_t nodes, const CopyRules& rules) : rules_(rules), copies_(nodes, 0) {}

  // Returns the nodes from or to which the job copies disks.
  static std::vector<NodeIndex> copying_nodes(const Job& job) {
    std::vector<NodeIndex> nodes;
    for (const Transfer& t : job.transfers) {
      if (!t.is_disk) continue;
      add_unique(nodes, t.from);
      add_unique(nodes, t.to);
    }
    return nodes;
  }

  // True if there is room for the copies of the job.
  bool has_room(const Job& job) const {
    if (!copies_disks(job)) return true;
    if (rules_.parallel_copies && total_ >= *rules_.parallel_copies) return false;
    const std::vector<NodeIndex> nodes = copying_nodes(job);
    return std::all_of(nodes.begin(), nodes.end(),
                       [&](NodeIndex n) { return copies_[n.position()] < rules_.copies_per_node; });
  }
  void add(const Job& job) {
    for (const NodeIndex n : copying_nodes(job)) ++copies_[n.position()];
    total_ += copies_disks(job) ? 1 : 0;
  }
  // Returns how long the job takes beside the others; the copies of a node share what it copies in a second.
  double seconds(const Cluster& cluster, const Job& job) const {
    const auto shares = [&](NodeIndex n) { return copies_[n.position()] > 1; };
    if (std::none_of(job.transfers.begin(), job.transfers.end(),
                     [&](const Transfer& t) { return t.is_disk && (shares(t.from) || shares(t.to)); }))
      return job.seconds;
    double seconds = 0.0;
    for (const Transfer& t : job.transfers) {
      const auto share = [&](NodeIndex n) {
        const auto copies = t.is_disk ? std::max<std::int64_t>(1, copies_[n.position()]) : 1;
        return bandwidth_of(cluster.node(n), rules_) / static_cast<double>(copies);
      };
      seconds += static_cast<double>(t.mib) / std::min(share(t.from), share(t.to));
    }
    return seconds;
  }

 private:
  static bool copies_disks(const Job& job) {
    return std::any_of(job.transfers.begin(), job.transfers.end(), [](const Transfer& t) { return t.is_disk; });
  }
  const CopyRules& rules_;
  std::vector<std::int64_t> copies_;  // by node
  std::int64_t total_ = 0;            // jobs that copy disks
};

// The state of the cluster while waves are made. While a wave runs, its instances are where they were, and hold room
// where they will be.
class HeldState {
 public:
  HeldState(const Cluster& start, std::span<const BalanceStep> steps, bool force)
      : trial_(start), steps_(steps), force_(force), done_(steps.size(), false), waits_for_(steps.size()) {
    for (const BalanceStep& step : steps) touched_.push_back(touched_nodes(step));
    trial_.begin();
  }

  // Adds a step to the wave, unless a rule refuses it beside the others, or it has to wait.
  bool add(std::size_t s) {
    const auto is_open = [&](std::size_t other) { return !done_[other]; };
    if (std::any_of(waits_for_[s].begin(), waits_for_[s].end(), is_open) || !has_nodes_free(s) ||
        !is_allowed(steps_[s]))
      return false;
    hold(steps_[s]);
    if (hinders_others(s)) {
      release(steps_[s]);
      return false;
    }
    wave_.push_back(s);
    return true;
  }
  // Ends the wave: all its steps are made. If the other steps could not be made after it in the order of the plan, the
  // wave is dropped instead, the steps that hinder another one will wait for it, and the result is false.
  bool end_wave() {
    trial_.undo();
    const bool ends = !keep_out_refused() && !let_wait_for(first_refused_after_wave());
    if (ends) {
      for (const std::size_t s : wave_) make(s);
    }
    wave_.clear();
    trial_.begin();
    return ends;
  }

 private:
  bool is_allowed(const BalanceStep& step) const { return htools::is_allowed(trial_.cluster(), step, force_); }
  // True if the step shares no online node with others of its wave, because the order would matter: a stopped instance
  // takes less as primary than what its secondary reserves.
  bool is_alone(std::size_t s) const { return !trial_.cluster().instance(steps_[s].instance).facts->uses_memory(); }
  bool has_nodes_free(std::size_t s) const {
    return std::none_of(wave_.begin(), wave_.end(), [&](std::size_t other) {
      return (is_alone(s) || is_alone(other)) && touch_each_other(s, other);
    });
  }
  // True if the steps have an online node in common.
  bool touch_each_other(std::size_t s, std::size_t other) const {
    const std::vector<NodeIndex>&nodes = touched_[s], &others = touched_[other];
    return std::any_of(nodes.begin(), nodes.end(), [&](NodeIndex n) {
      return !trial_.cluster().node(n).offline && std::find(others.begin(), others.end(), n) != others.end();
    });
  }
  // Takes the room that the step needs where the instance will be.
  void hold(const BalanceStep& step) {
    const Instance& instance = trial_.cluster().instance(step.instance);
    const NodeIndex host = step.move.kind == MoveKind::ReplacePrimary ? step.before.secondary : step.after.primary;
    if (!step.before.secondary.is_none() && host == step.before.secondary) {
      Node& node = trial_.change(host);
      remove_secondary(node, step.instance, instance, step.before.primary);
      add_primary(node, step.instance, instance);
    }
    for (const NodeIndex n : nodes_of(step.after)) {
      if (n == step.before.primary || n == step.before.secondary) continue;
      Node& node = trial_.change(n);
      if (n == step.after.primary) {
        add_primary(node, step.instance, instance);
      } else {
        add_secondary(node, step.instance, instance, step.after.primary);
      }
    }
  }
  // Gives back what hold() has taken.
  void release(const BalanceStep& step) {
    const Instance& instance = trial_.cluster().instance(step.instance);
    for (const NodeIndex n : nodes_of(step.after)) {
      if (n == step.before.primary || n == step.before.secondary) continue;
      Node& node = trial_.change(n);
      if (n == step.after.primary) {
        remove_primary(node, step.instance, instance);
      } else {
        remove_secondary(node, step.instance, instance, step.after.primary);
      }
    }
    const NodeIndex host = step.move.kind == MoveKind::ReplacePrimary ? step.before.secondary : step.after.primary;
    if (!step.before.secondary.is_none() && host == step.before.secondary) {
      Node& node = trial_.change(host);
      remove_primary(node, step.instance, instance);
      add_secondary(node, step.instance, instance, step.before.primary);
    }
  }
  // True if some other step of the wave would be refused after this one, which holds its room already.
  bool hinders_others(std::size_t s) {
    return std::any_of(wave_.begin(), wave_.end(), [&](std::size_t other) {
      if (!touch_each_other(s, other)) return false;
      release(steps_[other]);
      const bool hinders = !is_allowed(steps_[other]);
      hold(steps_[other]);
      return hinders;
    });
  }
  void make(std::size_t s) {
    trial_.apply(steps_[s].instance, steps_[s].move);
    done_[s] = true;
  }
  // Makes the wave in its order and backwards. The first step that is refused will wait for the others. Returns false
  // if none is refused. (Some rules do not see the room that others hold: what is unknown, or left over from before.)
  bool keep_out_refused() {
    for (const bool backwards : {false, true}) {
      const Attempt attempt(trial_);
      std::vector<std::size_t> order = wave_;
      if (backwards) std::reverse(order.begin(), order.end());
      for (const std::size_t s : order) {
        if (is_allowed(steps_[s])) {
          trial_.apply(steps_[s].instance, steps_[s].move);
          continue;
        }
        for (const std::size_t other : wave_) {
          if (other != s) waits_for_[s].push_back(other);
        }
        return true;
      }
    }
    return false;
  }
  // Returns the first step that is refused if the wave is made, and then the others in the order of the plan.
  std::optional<std::size_t> first_refused_after_wave() {
    const Attempt attempt(trial_);
    std::vector<bool> made = done_;
    const auto try_step = [&](std::size_t s) {
      trial_.apply(steps_[s].instance, steps_[s].move);
      made[s] = true;
    };
    for (const std::size_t s : wave_) try_step(s);
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      if (made[s]) continue;
      if (!is_allowed(steps_[s])) return s;
      try_step(s);
    }
    return std::nullopt;
  }
  // Lets the later steps of the wave that have a node in common with the refused one wait for it; if there are none,
  // all later ones. Returns false if there are none at all.
  bool let_wait_for(std::optional<std::size_t> refused_step) {
    if (!refused_step) return false;
    const std::size_t refused = *refused_step;
    for (const bool all : {false, true}) {
      bool any = false;
      for (const std::size_t s : wave_) {
        if (s < refused || !(all || touch_each_other(s, refused))) continue;
        waits_for_[s].push_back(refused);
        any = true;
      }
      if (any) return true;
    }
    return false;
  }

  Trial trial_;
  std::span<const BalanceStep> steps_;
  bool force_;
  std::vector<std::vector<NodeIndex>> touched_;      // by position: the nodes of the step
  std::vector<bool> done_;                           // by position
  std::vector<std::vector<std::size_t>> waits_for_;  // by position: steps that must be made in an earlier wave
  std::vector<std::size_t> wave_;
};

// The orders in which steps are put into a wave.
enum class Preference : std::uint8_t { Longest, BusiestNode };
constexpr std::array kPreferences{Preference::Longest, Preference::BusiestNode};

// Returns the seconds of copies that each node is left with, by position.
std::vector<double> copying_left(const Cluster& cluster, const std::vector<Job>& jobs, const std::vector<bool>& done,
                                 const CopyRules& rules) {
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
                                                     const std::vector<Job>& jobs, const CopyRules& rules,
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
double least_seconds_of_waves(std::size_t nodes, const std::vector<Job>& jobs, const CopyRules& rules) {
  std::vector<std::vector<double>> copying(nodes);
  for (const Job& job : jobs) {
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
std::vector<ScheduledWave> one_by_one(const std::vector<Job>& jobs) {
  std::vector<ScheduledWave> waves;
  for (std::size_t s = 0; s < jobs.size(); ++s) waves.push_back({{s}, jobs[s].seconds});
  return waves;
}

}  // namespace

Schedule schedule_steps(const Cluster& cluster, std::span<const BalanceStep> steps, const MoveRules& moves,
                        const CopyRules& rules) {
  const Jobs plan(cluster, steps, rules);
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
  consider_all(rules);
  if (rules.copies_per_node > 1) {  // copies that share a node are slower: a wave waits for them
    CopyRules fewer = rules;
    fewer.copies_per_node = 1;
    consider_all(fewer);
  }
  if (schedule.waves.empty() && !steps.empty()) {
    for (const Preference preference : kPreferences) {
      consider(make_waves(
          preference, cluster, plan.all(), rules,
          [&](std::size_t s, const std::vector<bool>& done) { return plan.is_ready(s, done); }, [] { return true; }));
    }
  }
  if (schedule.waves.empty()) consider(one_by_one(plan.all()));
  schedule.longest_chain = plan.longest_chain();
  for (const std::size_t s : schedule.longest_chain) schedule.lower_bound += plan.all()[s].seconds;
  const std::vector<double> left = copying_left(cluster, plan.all(), std::vector<bool>(steps.size(), false), rules);
  for (const double seconds : left) schedule.lower_bound = std::max(schedule.lower_bound, seconds);
  schedule.lower_bound =
      std::max(schedule.lower_bound, least_seconds_of_waves(cluster.nodes.size(), plan.all(), rules));
  if (rules.parallel_copies) {
    double together = 0.0;
    for (const Job& job : plan.all()) {
      for (const Transfer& t : job.transfers) {
        if (t.is_disk) together += seconds_of(cluster, {t}, rules);
      }
    }
    schedule.lower_bound = std::max(schedule.lower_bound, together / static_cast<double>(*rules.parallel_copies));
  }
  return schedule;
}

}  // namespace htools
