#include "plan/scheduled_jobs.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "plan/shared_rates.h"

namespace htools {
namespace {

void add_unique(std::vector<NodeIndex>& nodes, NodeIndex node) {
  if (!node.is_none() && std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
}

ScheduledJob job_of(const Cluster& cluster, const BalanceStep& step, const CopyRules& rules) {
  ScheduledJob job;
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

}  // namespace

ScheduledJobs::ScheduledJobs(const Cluster& cluster, std::span<const BalanceStep> steps, const CopyRules& rules)
    : leaving_(cluster.nodes.size()) {
  std::map<InstanceIndex, std::size_t> last;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    ScheduledJob job = job_of(cluster, steps[s], rules);
    const auto [previous, is_first] = last.try_emplace(steps[s].instance, s);
    if (!is_first) job.previous = std::exchange(previous->second, s);
    for (const NodeIndex n : job.leaves) leaving_[n.position()].push_back(s);
    jobs_.push_back(std::move(job));
  }
}

bool ScheduledJobs::is_ready(std::size_t s, const std::vector<bool>& done) const {
  const ScheduledJob& job = jobs_[s];
  if (job.previous != ScheduledJob::kNoStep && !done[job.previous]) return false;
  return std::all_of(job.arrives.begin(), job.arrives.end(), [&](NodeIndex n) {
    const std::vector<std::size_t>& leaving = leaving_[n.position()];
    return std::all_of(leaving.begin(), std::lower_bound(leaving.begin(), leaving.end(), s),
                       [&](std::size_t earlier) { return done[earlier]; });
  });
}

std::vector<std::size_t> ScheduledJobs::longest_chain() const {
  std::vector<double> until(jobs_.size());  // by position: seconds until the end of the step
  std::size_t last = ScheduledJob::kNoStep;
  for (std::size_t s = 0; s < jobs_.size(); ++s) {
    const std::size_t previous = jobs_[s].previous;
    until[s] = jobs_[s].seconds + (previous == ScheduledJob::kNoStep ? 0.0 : until[previous]);
    if (last == ScheduledJob::kNoStep || until[s] > until[last]) last = s;
  }
  std::vector<std::size_t> chain;
  for (; last != ScheduledJob::kNoStep; last = jobs_[last].previous) chain.insert(chain.begin(), last);
  return chain;
}

WaveTransfers::WaveTransfers(const Cluster& cluster, const CopyRules& rules) : cluster_(cluster), rules_(rules) {
  for (Counts& counts : counts_) counts.by_node.resize(cluster.nodes.size(), 0);
}

std::vector<NodeIndex> WaveTransfers::nodes_of(const ScheduledJob& job, bool of_disks) {
  std::vector<NodeIndex> nodes;
  for (const Transfer& t : job.transfers) {
    if (t.is_disk != of_disks) continue;
    add_unique(nodes, t.from);
    add_unique(nodes, t.to);
  }
  return nodes;
}

bool WaveTransfers::has_room(const ScheduledJob& job) const {
  for (std::size_t i = 0; i < kTransferCaps.size(); ++i) {
    const TransferCap& cap = kTransferCaps[i];
    const std::vector<NodeIndex> nodes = nodes_of(job, cap.of_disks);
    const std::optional<std::int64_t>& parallel = rules_.*cap.parallel;
    if (!nodes.empty() && parallel && counts_[i].total >= *parallel) return false;
    const auto is_busy = [&](NodeIndex n) { return counts_[i].by_node[n.position()] >= rules_.*cap.per_node; };
    if (std::ranges::any_of(nodes, is_busy)) return false;
  }
  return true;
}

void WaveTransfers::add(const ScheduledJob& job) {
  for (std::size_t i = 0; i < kTransferCaps.size(); ++i) {
    const std::vector<NodeIndex> nodes = nodes_of(job, kTransferCaps[i].of_disks);
    for (const NodeIndex n : nodes) ++counts_[i].by_node[n.position()];
    counts_[i].total += nodes.empty() ? 0 : 1;
  }
  chains_.push_back(job.transfers);
  alone_.push_back(job.seconds);
}

double WaveTransfers::seconds() const {
  const std::vector<ChainTimes> times = shared_times(cluster_, chains_, rules_);
  double seconds = 0.0;
  for (std::size_t job = 0; job < times.size(); ++job) {
    seconds = std::max(seconds, times[job].shares ? times[job].transfers.back().to : alone_[job]);
  }
  return seconds;
}

}  // namespace htools
