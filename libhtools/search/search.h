// Finds plans that are far better than greedy ones: searches placements (annealing.h) and orders the moves that lead to
// the best of them (plan/ordering.h).
//
// The greedy plan, cut at the limits, is where the search starts, and what it must beat: a result is never worse.
// Placements are searched with all limits. Where no order of moves leads to one, or only one that exceeds a limit, the
// search goes on from where the moves lead, or without the places that are out of reach, or from a part of the greedy
// plan. Results depend on the cluster, the options and the seed alone.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "htools/balance.h"
#include "plan/copying.h"
#include "plan/ordering.h"
#include "plan/price_order.h"
#include "search/wishes.h"

namespace htools {

// What a plan must not exceed, and what it is to reach.
struct SearchLimits {
  std::optional<std::int64_t> max_steps = {};
  std::optional<std::int64_t> max_copied = {};  // MiB
  std::optional<double> max_seconds = {};       // of the schedule
  std::optional<double> until_score = {};       // as cheap as possible down to this score
  PriceOrder order = PriceOrder::Cheapest;      // which of two prices is the lower one
  double min_gain = 0.01;                       // a plan that gains less is none
  // Steps of other node groups, which are made at the same time: the seconds are those of a schedule with them.
  std::vector<BalanceStep> beside = {};

  // True if nothing stops a plan before its end.
  bool are_open() const { return !max_steps && !max_copied && !max_seconds && !until_score; }
};

// As `until_score`, asks for the plan that meets the wishes at the lowest price, whatever the score.
inline constexpr double kAnyScore = 1e12;

// How hard a search tries.
struct SearchEffort {
  std::size_t level = 5;  // 0 to 9: each is about three times as long as the one before; 0 is the greedy plan
  std::uint64_t seed = 1;
  std::size_t threads = 1;  // has no influence on the result
};

// The moves that a search may make, and by which rules copies are made.
struct SearchRules {
  BalanceOptions balance;  // of the greedy plan; `max_steps` has no effect
  CopyRules copying;
  Wishes wishes = {};  // they come before the score; scores are those with the wished weights
};

// What the user sees and does during a search.
struct SearchWatch {
  std::function<void(double score, double share)> on_progress = {};  // the share of the work is from 0 to 1
  const std::atomic<bool>* stop = nullptr;                           // the search ends soon after this has become true
};

// Plans that are known before a search.
struct KnownPlans {
  const Ordering* greedy = nullptr;        // greedy_plan() without a limit, which takes time to make
  std::vector<const Ordering*> good = {};  // they may exceed the limits; the search may start near their ends
};

// Searches for the plan of one node group with the lowest score within the limits, or, with `until_score`, for the
// cheapest plan that meets the wishes and leads down to that score, by the order of prices of the limits; of plans with
// equal prices, the one with the lowest score. The plan may miss `until_score`; then its score is the lowest that was
// found.
Ordering search_plan(const Cluster& start, const GroupMembers& members, const SearchRules& rules,
                     const SearchLimits& limits, const SearchEffort& effort, const SearchWatch& watch = {},
                     const KnownPlans& known = {});

}  // namespace htools
