// Computes the score of a set of nodes, either by full evaluation or by updates for the change of one node.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "metric/components.h"

namespace htools {

// A set of nodes, in index order.
using NodeRefs = std::vector<std::reference_wrapper<const Node>>;
NodeRefs all_nodes(const std::vector<Node>& nodes);
NodeRefs member_nodes(const Cluster& cluster, const GroupMembers& members);

// The values of a set of nodes in index order, separately for the online and the offline ones.
class NodeValueTable {
 public:
  // The place of a node's values.
  struct Place {
    bool online;
    std::size_t row;  // the row in online() or offline()
  };

  explicit NodeValueTable(const NodeRefs& nodes);

  Place place(std::size_t node) const { return places_[node]; }
  const std::vector<ComponentValues>& online() const { return online_; }
  const std::vector<ComponentValues>& offline() const { return offline_; }
  const ComponentValues& values(std::size_t node) const {
    const Place p = places_[node];
    return p.online ? online_[p.row] : offline_[p.row];
  }
  // Returns the collisions in the counts of (location tag, exclusion tag) of all online nodes together: occurrences
  // minus distinct pairs.
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

// Returns the collisions of the nodes, as NodeValueTable::pair_collisions() defines them.
double pair_collisions(const NodeRefs& nodes);

// The sums and variances of all components. `evaluate` adds the nodes in index order and computes the variance in a
// second pass. `update` replaces the values of one node. An updated score differs from an evaluated one in its last
// digits, so every caller must choose one of the two: only the allocation of two-node instances uses updates.
class Statistics {
 public:
  static Statistics evaluate(const NodeValueTable& table);
  static Statistics evaluate(const NodeRefs& nodes) { return evaluate(NodeValueTable(nodes)); }

  // Replaces the values of one node of the set. The counts of (location tag, exclusion tag) stay as they are;
  // set_pair_collisions() replaces their collisions.
  void update(const ComponentValues& old_values, const ComponentValues& new_values, bool offline);

  // Sets the collisions of the whole set.
  void set_pair_collisions(double collisions) { pair_collisions_ = collisions; }

  // False if no node is online. There are no components then, and the score is 0.
  bool has_components() const { return online_ > 0; }
  ComponentValues values() const;
  double score() const { return has_components() ? weighted_sum(values()) : 0.0; }
  // Returns the score with its components.
  Score summary() const;

  double online() const { return online_; }  // the number of online nodes
  const ComponentValues& sums() const { return sum_; }
  const ComponentValues& variances() const { return variance_; }

 private:
  double online_ = 0.0;
  ComponentValues sum_;  // over the set of nodes that the component covers
  ComponentValues variance_;
  double pair_collisions_ = 0.0;
};

// Returns the new variance of n values with the sum `sum` after one of them has grown by `delta` and its square by
// `square_delta`. A negative result, or NaN, becomes 0.
inline double updated_variance(double variance, double n, double sum, double delta, double square_delta) {
  const double t = (n * square_delta - (2 * sum) * delta) - delta * delta;
  const double updated = variance + t / (n * n);
  return 0 <= updated ? updated : 0.0;
}

// Returns the change of the variance of n values with the sum `sum` if one of them grows by `delta` and its square by
// `square_delta`.
inline double variance_gain(double n, double sum, double delta, double square_delta) {
  return ((n * square_delta - (2 * sum) * delta) - delta * delta) / (n * n);
}

// Returns the score of a set of nodes: the weighted sum of standard deviations and sums of the nodes' values. It is 0
// without online nodes.
inline double score(const NodeRefs& nodes) { return Statistics::evaluate(nodes).score(); }
inline double score(const std::vector<Node>& nodes) { return score(all_nodes(nodes)); }

}  // namespace htools
