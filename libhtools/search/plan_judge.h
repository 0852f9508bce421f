// Judges plans that a search has found: their scores and prices, whether they are within its limits, and which of two
// is better.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "plan/ordering.h"
#include "plan/urgency.h"
#include "search/placement_state.h"
#include "search/search.h"

namespace htools {

// Scores that differ by less are equal: the sums of the search differ from those of the metric in the last digits.
inline constexpr double kSameScore = 1e-9;

// A plan that a search has found, and what counts when plans are compared.
struct FoundPlan {
  Ordering ordering;
  Stranded stranded = {};     // after it
  double excess = 0.0;        // by which the limits of the wishes are missed
  double score = 0.0;         // with the wished weights
  PlacementPrice price = {};  // of the steps
};

// All arguments of the constructor must outlive the judge.
class PlanJudge {
 public:
  PlanJudge(const Cluster& start, const GroupMembers& members, const SearchRules& rules, const SearchLimits& limits)
      : start_(start),
        members_(members),
        rules_(rules),
        limits_(limits),
        has_stranded_(stranded(start, members) != Stranded{}) {}

  // Returns the plan with its score and price, and with its most urgent steps first.
  FoundPlan judged(const Ordering& ordering) const;
  bool is_within_limits(const FoundPlan& c) const;
  // True if the score is the one that is asked for, or lower.
  bool is_enough(double score) const;
  // True if the first plan is better than the second.
  bool is_better(const FoundPlan& a, const FoundPlan& b) const;
  // Returns the seconds that the waves of the plan take.
  double seconds(const Ordering& ordering) const;

  // Returns the part of a plan up to the step with the lowest score, or to the one that reaches what is asked for, of
  // those that are within the limits: after the most steps for instances on nodes that are down.
  Ordering beginning(Ordering ordering) const;
  // Returns the greedy plan, cut where it would exceed a limit or has reached what is asked for. `known` is the whole
  // plan, or null. It is the best of several ones if there is more than one way: with and without moves of instances on
  // local disks, and with the nodes emptied first that are down or to be emptied.
  FoundPlan greedy(const Ordering* known) const;
  // Returns plans to the score that is asked for and to what is wished, by the cheapest way in a small group: with its
  // moves in the order of the score, and as they were found. None if the group is too large, or there is no such way.
  std::vector<FoundPlan> cheapest_to_score() const;
  // Returns the greedy plan of moves that copy no disks, cut likewise.
  FoundPlan greedy_without_copies() const;

 private:
  bool is_short_enough(const Ordering& ordering) const;
  // Returns the number of steps after which the plan comes nearest to the wishes, at the score that is asked for or a
  // lower one. Nothing if no score is asked for, or the plan does not reach it there.
  std::optional<std::size_t> length_to_goal(const Ordering& plan) const;
  // Returns the length, extended by the steps for instances on nodes that are down that follow: the score does not
  // dispense with them.
  std::size_t with_stranded(const Ordering& plan, std::size_t length) const;
  bool moves_local_disks() const;
  Ordering urgent_first(const Ordering& ordering) const;
  // Cuts a greedy plan.
  Ordering cut(Ordering plan) const;

  const Cluster& start_;
  const GroupMembers& members_;
  const SearchRules& rules_;
  const SearchLimits& limits_;
  const bool has_stranded_;  // instances are on nodes that are down
};

}  // namespace htools
