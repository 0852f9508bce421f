// Finds where a new instance can be placed among the nodes of one group, and which place is best.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "allocate/allocation.h"
#include "allocate/candidate_check.h"
#include "allocate/pair_trials.h"
#include "metric/statistics.h"
#include "metric/tag_pairs.h"
#include "trial/scored_nodes.h"

namespace htools {

// Tries places for one arrival. Judges the results as if `nodes` were the whole cluster. What all calls have in common,
// above all the capacity check of the present state, is computed once. With 400 groups this makes the search for a
// place in all of them thirty times as fast.
class PlaceTrials {
 public:
  // `nodes` is ascending. All arguments must outlive the object. Between calls, the trial must be in the same state.
  PlaceTrials(Trial& trial, const std::vector<NodeIndex>& nodes, const Arrival& arrival, const AllocationRules& rules);

  // try_nodes() tries every node of `candidates`; try_pairs() tries every pair of a primary from `primaries` and a
  // different secondary from `secondaries`. All lists are ascending. A single node is scored by a full evaluation. A
  // pair is scored by updating the statistics of the present state, for the primary first; rounding makes the order
  // matter. Among equal scores, the last candidate wins; for pairs, the last primary and its last secondary. Both leave
  // the trial as it is. They throw InputError if the capacity check cannot be made.
  Allocation try_nodes(const std::vector<NodeIndex>& candidates);
  Allocation try_pairs(const std::vector<NodeIndex>& primaries, const std::vector<NodeIndex>& secondaries);

 private:
  // Do what try_nodes() and try_pairs() do as the rules are written, for programs without shortcuts (base/literal.h):
  // the instance goes to each place on the trial, and the score there is evaluated in full
  // (place_trials_plain.cpp).
  Allocation try_nodes_plainly(const std::vector<NodeIndex>& candidates);
  Allocation try_pairs_plainly(const std::vector<NodeIndex>& primaries, const std::vector<NodeIndex>& secondaries);
  // A place and its score.
  using ScoredPlace = std::pair<double, Placement>;
  // Returns the best of the places, which are in the order of the candidates, that passes. Counts the places in the
  // allocation, and adds the reasons of those that do not pass, at most `most_reasons`.
  std::optional<ScoredPlace> choose_plainly(const std::vector<ScoredPlace>& places, std::size_t most_reasons,
                                            Allocation& allocation);
  // Returns the nodes whose score counts.
  NodeRefs scored_nodes() const;

  // True if the place passes the capacity check or need not.
  bool passes(const Placement& place);
  // Returns the best of the pairs with this primary that passes; there are `allowed` pairs. Sets `dropped`, which must
  // be 0, to the number of better pairs that do not pass, and adds the reason of the first of these to `refusals`.
  std::optional<ScoredSecondary> best_pair(PairTrials& trials, std::size_t position, NodeIndex primary,
                                           std::int64_t allowed, std::int64_t& dropped, std::vector<Refusal>& refusals);

  Trial& trial_;
  const Cluster& cluster_;  // the cluster of the trial
  const std::vector<NodeIndex>& nodes_;
  const Arrival& arrival_;
  const AllocationRules& rules_;
  CandidateCheck check_;
  std::optional<ScoredNodes> scope_;      // set when first needed
  std::optional<Statistics> statistics_;  // set when first needed, as is tag_pairs_
  std::optional<TagPairs> tag_pairs_;
};

}  // namespace htools
