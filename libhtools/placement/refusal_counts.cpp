#include "placement/refusal_counts.h"

#include <algorithm>
#include <array>
#include <optional>
#include <variant>

#include "rules/refusal.h"

namespace htools {

namespace {

// Counts refusals by rule.
class RuleCounter {
 public:
  void add(const Refusal& refusal, std::int64_t times) {
    const auto* shortage = std::get_if<Shortage>(&refusal.reason);
    if (shortage == nullptr || times == 0) return;
    auto& of_rule = counts_[static_cast<std::size_t>(shortage->limit)];
    if (!of_rule) of_rule = RuleRefusals{shortage->limit, shortage->mode, 0};
    of_rule->count += times;
  }
  std::vector<RuleRefusals> counts() const {
    std::vector<RuleRefusals> result;
    for (const auto& of_rule : counts_) {
      if (of_rule) result.push_back(*of_rule);
    }
    return result;
  }

 private:
  std::array<std::optional<RuleRefusals>, kAdmissionLimitCodes.size()> counts_;
};

// Counts the refusals of all pairs of one group. A secondary answers all primaries alike, except those that it already
// reserves memory for.
void count_pairs(const Cluster& cluster, const std::vector<NodeIndex>& nodes, const Instance& instance,
                 RuleCounter& counter) {
  std::vector<NodeIndex> primaries = nodes;
  for (const Refusal& refusal : refusals_of_nodes(cluster, nodes, instance, false)) {
    counter.add(refusal, static_cast<std::int64_t>(nodes.size()) - 1);
    std::erase(primaries, refusal.place.primary);
  }
  const auto is_primary = [&](NodeIndex n) { return std::binary_search(primaries.begin(), primaries.end(), n); };
  for (const NodeIndex s : nodes) {
    auto others = static_cast<std::int64_t>(primaries.size()) - (is_primary(s) ? 1 : 0);
    for (const PeerMap::Entry& peer : cluster.node(s).peers.entries()) {
      if (peer.primary == s || !is_primary(peer.primary)) continue;
      --others;
      if (const auto refusal = refusal_of_secondary(cluster, s, instance, peer.primary)) counter.add(*refusal, 1);
    }
    if (const auto refusal = refusal_of_secondary(cluster, s, instance, NodeIndex::none())) {
      counter.add(*refusal, others);
    }
  }
}

}  // namespace

std::vector<RuleRefusals> count_refusals(const Cluster& cluster, const Candidates& candidates,
                                         const Instance& instance) {
  RuleCounter counter;
  for (const std::vector<NodeIndex>& nodes : candidates.lists) {
    if (candidates.pairs) {
      count_pairs(cluster, nodes, instance, counter);
    } else {
      for (const Refusal& refusal : refusals_of_nodes(cluster, nodes, instance, false)) counter.add(refusal, 1);
    }
  }
  return counter.counts();
}

FailCounts failures_of(const std::vector<RuleRefusals>& refusals) {
  FailCounts failures;
  for (const RuleRefusals& refusal : refusals) failures[refusal.mode] += refusal.count;
  return failures;
}

}  // namespace htools
