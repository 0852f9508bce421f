// The steps of a plan as jobs to schedule: where they need and make room, what they copy, and how long that takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cluster/cluster.h"
#include "htools/balance.h"
#include "plan/copying.h"

namespace htools {

// A step with all that its schedule depends on.
struct ScheduledJob {
  static constexpr auto kNoStep = static_cast<std::size_t>(-1);

  std::vector<NodeIndex> arrives;  // nodes that must have room for it
  std::vector<NodeIndex> leaves;   // nodes on which it makes room
  std::vector<Transfer> transfers;
  std::size_t previous = kNoStep;  // the step of the same instance before it
  double seconds = 0.0;            // alone
};

// The jobs of a plan, and in which order they can be made.
class ScheduledJobs {
 public:
  ScheduledJobs(const Cluster& cluster, std::span<const BalanceStep> steps, const CopyRules& rules);

  const std::vector<ScheduledJob>& all() const { return jobs_; }
  // True if all that the job waits for is done. `done` is by position.
  bool is_ready(std::size_t s, const std::vector<bool>& done) const;
  // Returns the steps of the instance whose steps take longest together.
  std::vector<std::size_t> longest_chain() const;

 private:
  std::vector<ScheduledJob> jobs_;
  std::vector<std::vector<std::size_t>> leaving_;  // by node: the jobs that make room there
};

// The copies of disks of a wave under construction. `rules` must outlive it.
class WaveCopies {
 public:
  WaveCopies(std::size_t nodes, const CopyRules& rules) : rules_(rules), copies_(nodes, 0) {}

  // Returns the nodes from or to which the job copies disks.
  static std::vector<NodeIndex> copying_nodes(const ScheduledJob& job);

  // True if there is room for the copies of the job.
  bool has_room(const ScheduledJob& job) const;
  void add(const ScheduledJob& job);
  // Returns how long the job takes beside the others; the copies of a node share what it copies in a second.
  double seconds(const Cluster& cluster, const ScheduledJob& job) const;

 private:
  const CopyRules& rules_;
  std::vector<std::int64_t> copies_;  // by node
  std::int64_t total_ = 0;            // jobs that copy disks
};

}  // namespace htools
