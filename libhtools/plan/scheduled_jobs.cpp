#include "plan/scheduled_jobs.h"

#include <algorithm>
#include <map>
#include <utility>

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

bool copies_disks(const ScheduledJob& job) {
  return std::any_of(job.transfers.begin(), job.transfers.end(), [](const Transfer& t) { return t.is_disk; });
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

std::vector<NodeIndex> WaveCopies::copying_nodes(const ScheduledJob& job) {
  std::vector<NodeIndex> nodes;
  for (const Transfer& t : job.transfers) {
    if (!t.is_disk) continue;
    add_unique(nodes, t.from);
    add_unique(nodes, t.to);
  }
  return nodes;
}

bool WaveCopies::has_room(const ScheduledJob& job) const {
  if (!copies_disks(job)) return true;
  if (rules_.parallel_copies && total_ >= *rules_.parallel_copies) return false;
  const std::vector<NodeIndex> nodes = copying_nodes(job);
  return std::all_of(nodes.begin(), nodes.end(),
                     [&](NodeIndex n) { return copies_[n.position()] < rules_.copies_per_node; });
}

void WaveCopies::add(const ScheduledJob& job) {
  for (const NodeIndex n : copying_nodes(job)) ++copies_[n.position()];
  total_ += copies_disks(job) ? 1 : 0;
}

double WaveCopies::seconds(const Cluster& cluster, const ScheduledJob& job) const {
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

}  // namespace htools
