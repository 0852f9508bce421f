// The steps of a plan as jobs to schedule: where they need and make room, what they copy, and how long that takes.
#pragma once

#include <array>
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

// The transfers of a wave under construction. All arguments must outlive it.
class WaveTransfers {
 public:
  WaveTransfers(const Cluster& cluster, const CopyRules& rules);

  // Returns the nodes from or to which the job copies disks, or migrates.
  static std::vector<NodeIndex> nodes_of(const ScheduledJob& job, bool of_disks);

  // True if there is room for the transfers of the job.
  bool has_room(const ScheduledJob& job) const;
  void add(const ScheduledJob& job);
  // Returns how long all jobs together take.
  double seconds() const;

 private:
  // Jobs that copy disks, or that migrate.
  struct Counts {
    std::vector<std::int64_t> by_node;
    std::int64_t total = 0;
  };

  const Cluster& cluster_;
  const CopyRules& rules_;
  std::array<Counts, kTransferCaps.size()> counts_;
  std::vector<std::vector<Transfer>> chains_;  // by job
  std::vector<double> alone_;                  // by job: the seconds that it takes if nothing else is copied
};

}  // namespace htools
