#include "plan/shared_rates.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace htools {
namespace {

// The transfer of a chain that runs now.
struct Running {
  std::size_t chain;
  double since = 0.0;  // the rate is what it is now since then
  double left = 0.0;   // MiB at that time
  double rate = 0.0;   // 0 before the first rate is known
  double end = 0.0;    // at that rate
};

class SharedTimes {
 public:
  SharedTimes(const Cluster& cluster, std::span<const std::vector<Transfer>> chains, const CopyRules& rules)
      : cluster_(cluster), chains_(chains), rules_(rules), times_(chains.size()), running_on_(cluster.nodes.size(), 0) {
    for (std::size_t chain = 0; chain < chains.size(); ++chain) start_next(chain);
  }

  std::vector<ChainTimes> run() && {
    while (!running_.empty()) {
      update_rates();
      now_ = std::ranges::min(running_, {}, &Running::end).end;
      const auto goes_on = [&](const Running& r) { return r.end > now_; };
      const auto ended = std::stable_partition(running_.begin(), running_.end(), goes_on);
      std::vector<std::size_t> ended_chains;
      for (auto r = ended; r != running_.end(); ++r) {
        count(transfer(*r), -1);
        ended_chains.push_back(r->chain);
      }
      running_.erase(ended, running_.end());
      for (const std::size_t chain : ended_chains) {
        times_[chain].transfers.back().to = now_;
        start_next(chain);
      }
    }
    return std::move(times_);
  }

 private:
  const Transfer& transfer(const Running& r) const { return chains_[r.chain][times_[r.chain].transfers.size() - 1]; }
  void count(const Transfer& t, std::int64_t change) {
    running_on_[t.from.position()] += change;
    running_on_[t.to.position()] += change;
  }
  void start_next(std::size_t chain) {
    std::vector<TransferTime>& started = times_[chain].transfers;
    if (started.size() == chains_[chain].size()) return;
    const Transfer& next = chains_[chain][started.size()];
    started.push_back({now_, now_});
    count(next, 1);
    running_.push_back({.chain = chain, .since = now_, .left = static_cast<double>(next.mib)});
  }
  void update_rates() {
    for (Running& r : running_) {
      const Transfer& t = transfer(r);
      const auto share = [&](NodeIndex n) {
        const std::int64_t transfers = running_on_[n.position()];
        if (transfers > 1) times_[r.chain].shares = true;
        return bandwidth_of(cluster_.node(n), rules_) / static_cast<double>(transfers);
      };
      const double rate = std::min(share(t.from), share(t.to));
      if (rate == r.rate) continue;  // `end` keeps its digits
      r.left = std::max(0.0, r.left - r.rate * (now_ - r.since));
      r.since = now_;
      r.rate = rate;
      r.end = now_ + r.left / rate;
    }
  }

  const Cluster& cluster_;
  std::span<const std::vector<Transfer>> chains_;
  const CopyRules& rules_;
  std::vector<ChainTimes> times_;
  std::vector<std::int64_t> running_on_;  // by node: transfers that run now
  std::vector<Running> running_;
  double now_ = 0.0;
};

}  // namespace

std::vector<ChainTimes> shared_times(const Cluster& cluster, std::span<const std::vector<Transfer>> chains,
                                     const CopyRules& rules) {
  return SharedTimes(cluster, chains, rules).run();
}

}  // namespace htools
