// The metric over a set of nodes: full evaluation, and updates by the change of one node.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "metric/components.h"

namespace htools {

using NodeRefs = std::vector<std::reference_wrapper<const Node>>;
NodeRefs all_nodes(const std::vector<Node>& nodes);
NodeRefs member_nodes(const Cluster& cluster, const GroupMembers& members);

// The values of a set of nodes, in index order, kept apart for the online and the offline ones.
class NodeValueTable {
 public:
  // Where a node's values are kept.
  struct Place {
    bool online;
    std::size_t row;  // in online() or offline()
  };

  explicit NodeValueTable(const NodeRefs& nodes);

  Place place(std::size_t node) const { return places_[node]; }
  const std::vector<ComponentValues>& online() const { return online_; }
  const std::vector<ComponentValues>& offline() const { return offline_; }
  const ComponentValues& values(std::size_t node) const {
    const Place p = places_[node];
    return p.online ? online_[p.row] : offline_[p.row];
  }
  // Of the (location tag, exclusion tag) counts of all online nodes together: occurrences minus distinct pairs.
  double pair_collisions() const { return pair_collisions_; }

  void set(std::size_t node, const ComponentValues& values) {
    const Place p = places_[node];
    (p.online ? online_[p.row] : offline_[p.row]) = values;
  }
  void set_pair_collisions(double collisions) { pair_collisions_ = collisions; }

 private:
  std::vector<Place> places_;
  std::vector<ComponentValues> online_;
  std::vector<ComponentValues> offline_;
  double pair_collisions_;
};

double pair_collisions(const NodeRefs& nodes);

// Counts, sums and variances of all components. `evaluate` folds the nodes in index order, the variance in a second
// pass; `update` replaces one node's values by others. An updated score differs from an evaluated one in its last
// digits, so each use says which of the two it means: only the allocation of two-node instances uses updates.
class Statistics {
 public:
  static Statistics evaluate(const NodeValueTable& table);
  static Statistics evaluate(const NodeRefs& nodes) { return evaluate(NodeValueTable(nodes)); }

  // Replaces the values of one node of the set; its (location tag, exclusion tag) counts stay as they are.
  void update(const ComponentValues& old_values, const ComponentValues& new_values, bool offline);

  // ... which this replaces for the whole set.
  void set_pair_collisions(double collisions) { pair_collisions_ = collisions; }

  // False if no node is online: then there are no components, and the score is 0.
  bool has_components() const { return online_ > 0; }
  ComponentValues values() const;
  double score() const { return has_components() ? weighted_sum(values()) : 0.0; }

  double online() const { return online_; }  // number of online nodes
  const ComponentValues& sums() const { return sum_; }
  const ComponentValues& variances() const { return variance_; }

 private:
  double online_ = 0.0;
  ComponentValues sum_;  // over the component's set of nodes
  ComponentValues variance_;
  double pair_collisions_ = 0.0;
};

// New variance of n values with sum `sum` when one of them grows by `delta` and its square by `square_delta`.
inline double updated_variance(double variance, double n, double sum, double delta, double square_delta) {
  const double t = (n * square_delta - (2 * sum) * delta) - delta * delta;
  const double updated = variance + t / (n * n);
  return 0 <= updated ? updated : 0.0;
}

// The score of a set of nodes: standard deviations and sums of the nodes' values, weighted. 0 without online nodes.
inline double score(const NodeRefs& nodes) { return Statistics::evaluate(nodes).score(); }
inline double score(const std::vector<Node>& nodes) { return score(all_nodes(nodes)); }

}  // namespace htools
