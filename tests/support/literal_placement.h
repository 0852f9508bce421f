// Provides literal versions of the rules for the placement of new instances and for the loss of nodes: every candidate
// is tried on a copy of the cluster and scored. Only the admission checks and the bookkeeping of single nodes come from
// the code under test.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "htools/refusal.h"
#include "rules/admission.h"
#include "tests/support/literal_score.h"

namespace htools::testing::literal {

// Sorts by ascending score with a merge sort that starts from maximal runs. An element counts as greater if its score
// is neither less nor equal, so the position of NaN depends on the algorithm, which is the reason to repeat it here.
template <class T>
std::vector<T> sort_by_score(const std::vector<T>& list, const std::function<double(const T&)>& score_of) {
  using List = std::vector<T>;
  const auto greater = [&](const T& a, const T& b) {
    const double x = score_of(a), y = score_of(b);
    return !(x < y) && !(x == y);
  };
  std::vector<List> runs;
  List rest = list;
  while (rest.size() >= 2) {
    const bool descending = greater(rest[0], rest[1]);
    List run{rest[0], rest[1]};
    std::size_t taken = 2;
    while (taken < rest.size() && greater(rest[taken - 1], rest[taken]) == descending) run.push_back(rest[taken++]);
    if (descending) std::reverse(run.begin(), run.end());
    runs.push_back(run);
    rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(taken));
  }
  runs.push_back(rest);
  const std::function<List(List, List)> merge = [&](List left, List right) {
    List merged;
    while (!left.empty() && !right.empty()) {
      List& from = greater(left.front(), right.front()) ? right : left;
      merged.push_back(from.front());
      from.erase(from.begin());
    }
    merged.insert(merged.end(), left.begin(), left.end());
    merged.insert(merged.end(), right.begin(), right.end());
    return merged;
  };
  while (runs.size() > 1) {
    std::vector<List> next;
    for (std::size_t r = 0; r < runs.size(); r += 2) {
      next.push_back(r + 1 < runs.size() ? merge(runs[r], runs[r + 1]) : runs[r]);
    }
    runs = next;
  }
  return runs.front();
}

struct Solution {
  double score;
  NodeIndex primary, secondary;
};
struct PlaceResult {
  FailCounts failures;
  std::int64_t successes = 0;
  std::optional<Solution> solution;
};
using Good = std::function<bool(const Solution&)>;

// Returns the first solution that is good, by ascending score. `found` holds the successes in the order of the
// candidates.
PlaceResult choose(const std::vector<Solution>& found, const Good& good);

void add_failures(FailCounts& to, const FailCounts& more);

std::vector<NodeIndex> candidate_nodes(const Cluster& cluster);

// Checks the policy, then the admission. Adds the instance to the node if both allow it; otherwise returns the failure.
std::optional<FailMode> put_primary(const Cluster& cluster, Node& node, const Instance& instance, AdmissionRules rules);

PlaceResult place(const Cluster& cluster, const Instance& instance, const Good& good);
PlaceResult place(const Cluster& cluster, const Instance& instance);

Cluster applied(Cluster cluster, Instance instance, const Solution& solution);

bool is_in(const std::vector<NodeIndex>& nodes, NodeIndex n);

// Creates a copy of an instance that cannot move on one of the other nodes; returns false if that is not possible.
bool create_anew(Cluster& cluster, InstanceIndex i, const std::vector<NodeIndex>& escapes, const NodeRefs& all);

// True if node `n` can be vacated, as if `nodes` were the whole cluster.
bool vacatable(Cluster cluster, const std::vector<NodeIndex>& nodes, NodeIndex n);

std::vector<NodeIndex> every_node(const Cluster& cluster);

// True if every node can be vacated, except those of ignored groups and, with `skip_offline`, offline ones.
bool redundant(const Cluster& cluster, const std::vector<NodeIndex>& nodes,
               const std::vector<bool>& ignored_groups = {}, bool skip_offline = false);
inline bool redundant(const Cluster& cluster) { return redundant(cluster, every_node(cluster)); }

}  // namespace htools::testing::literal
