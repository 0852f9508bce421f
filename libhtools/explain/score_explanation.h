// Explains a score: which components and which nodes it comes from, which instances raise it, and which moves would
// pay.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/cluster.h"
#include "htools/balance.h"
#include "htools/score.h"

namespace htools {

// The part of the score that comes from one node. Of a standard deviation, a node has the share that its squared
// distance from the mean has in the sum of all.
struct NodeShare {
  NodeIndex node;
  double total = 0.0;
  ComponentValues components;  // weighted; those of all nodes add up to the weighted component
};

// By how much the score would be lower if the instance were not there.
struct InstanceShare {
  InstanceIndex instance;
  double gain = 0.0;
};

// The score of a node group and where it comes from.
struct ScoreExplanation {
  GroupIndex group;
  Score score;
  double lower_bound = 0.0;  // the part of it that no placement can avoid
  std::int64_t grade = 0;
  std::int64_t graded_nodes = 0;              // number of nodes that the grade is over
  std::int64_t not_n1 = 0;                    // number of nodes that are not N+1 safe
  std::vector<NodeShare> nodes = {};          // the largest share first
  std::vector<InstanceShare> instances = {};  // the largest gains first; at most a few
  std::vector<BalanceStep> moves = {};        // the first moves that pay
  BalanceEnd end = BalanceEnd::StepLimit;     // why there are no more of them
};
ScoreExplanation explain_score(const Cluster& cluster, GroupIndex group, const BalanceOptions& options);

}  // namespace htools
