// Estimates the scores of a node group for each node that an instance could move to, as far as that tells the best one.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "cluster/instance.h"
#include "metric/lanes.h"
#include "metric/statistics.h"
#include "trial/node_watch.h"
#include "trial/trial.h"

namespace htools {

// Imagines moves between the nodes of a group, one after the other, and finds the best target of each. It computes in
// columns, by vector instructions, and updates sums of its own. So the trial does not change, and nothing is evaluated
// anew after a move: a simulation that fills 800 hosts of shared storage takes a twentieth of the time.
//
// Estimates of two targets differ as their exact scores do (Statistics::evaluate()), except for rounding errors. A
// target that is better than all others by more than these is the one that exact scores choose, too. Of the rest,
// estimates say nothing.
class MoveEstimates {
 public:
  // The components that are deviations and change with a move of an instance that uses no disk of its nodes.
  static constexpr std::array kMoved{Component::FreeMemory,
                                     Component::VcpuRatio,
                                     Component::CpuLoad,
                                     Component::MemoryLoad,
                                     Component::DiskLoad,
                                     Component::NetworkLoad,
                                     Component::FreeMemoryForthcoming,
                                     Component::VcpuRatioForthcoming};
  static constexpr std::size_t kMovedCount = kMoved.size();
  // An amount for each of these components.
  using Amounts = std::array<double, kMovedCount>;

  // What an instance takes from the node that it is on.
  struct Load {
    // Times the slope of a node (below), the change of that node's values. Memory is in MiB, and negative.
    Amounts amounts;
    double memory;  // MiB

    // Returns nothing if its moves change more than kMoved: with tags or local disks, say.
    static std::optional<Load> of(const Instance& instance);
  };

  // Takes the nodes of the group in ascending order. Both arguments must outlive the object.
  MoveEstimates(const Trial& trial, const std::vector<NodeIndex>& nodes);

  // Starts with the present state of the trial; `base` are the statistics of the group. Returns false if estimates say
  // nothing there. All calls of the others must come between start() and finish().
  bool start(const Statistics& base);
  // Goes back to the state at start().
  void finish();

  // Lets no instance come to the node any more.
  void bar(NodeIndex node);
  void leave(NodeIndex node, const Load& load);
  void come(NodeIndex node, const Load& load);
  // Finds the best target for an instance that has left its node. Returns false if it is not clear which one is best.
  // Otherwise `best` is the target, or none if no node can take the instance.
  bool find_best_target(const Load& load, NodeIndex& best);

 private:
  // The values of one component, by node. Offline nodes have slopes of 0.
  struct Column {
    std::vector<double> values, slopes;
    std::vector<double> jumps;  // by how much any change moves the value, because the reported one does not add up
    double lowest = 0.0, highest = 0.0;              // of the values
    double largest_slope = 0.0, largest_jump = 0.0;  // absolute ones
  };
  // What is known of one component after the imagined moves so far.
  struct Progress {
    double variance = 0.0, sum = 0.0;
    double noise = 0.0;                  // a bound of the error of the variance that comes from updates
    double lowest = 0.0, highest = 0.0;  // all values are between them
    std::size_t twin = 0;                // the first component with the same values
  };
  // What was imagined anew of a node, as it was before.
  struct Saved {
    std::size_t place;
    Amounts values, jumps;
    double free_memory, price, failure_price;
  };
  struct Term;
  using Terms = std::array<Term, kMovedCount>;
  struct Prices;

  void refresh();
  void enter(std::size_t place);
  std::size_t place_of(NodeIndex node) const;
  void save(std::size_t place);
  // Adds the amounts to the node's values. If the sign is -1, takes them away.
  void shift(std::size_t place, const Amounts& amounts, double sign);
  // Gives components terms of their own that are equal so far, but are not after these amounts.
  void separate_twins(const Amounts& amounts);
  Prices prices(double memory) const;
  // Estimates the scores of all targets with the first terms, of which there are at most `count`.
  template <std::size_t count>
  void estimate_first(const Terms& terms, std::size_t term_count, bool with_jumps, double memory);
  template <bool with_jumps, std::size_t... term>
  void estimate_all(std::index_sequence<term...>, const Terms& terms, double memory);
  // Returns the lowest estimate. Sets lowest_.
  double find_lowest();

  const Trial& trial_;
  const std::vector<NodeIndex>& nodes_;
  NodeWatch watch_;
  LaneWidth width_ = widest_lanes();
  // The state of the trial, with the imagined moves. Lists by node are filled up to a multiple of kStripSize.
  static constexpr std::size_t kStripSize = 16;
  bool is_entered_ = false;
  std::array<Column, kMovedCount> columns_;
  std::array<std::size_t, kMovedCount> twin_{};        // by column: the first one that is equal
  std::vector<double> free_memory_, reserved_memory_;  // MiB
  // What an instance adds to the sums of the score when it comes to the node: always; and moreover if the node fails
  // N+1 then (0 if the node is offline).
  std::vector<double> price_, failure_price_;
  std::vector<char> irregular_;  // true if a move may change something else, so that nothing is estimated
  std::size_t irregular_count_ = 0;
  // The rest is the state since start().
  std::array<Progress, kMovedCount> progress_;
  double online_ = 0.0;
  double largest_score_ = 0.0;  // a bound of the scores so far, which limits the rounding errors of sums
  int changes_ = 0;
  std::vector<Saved> saved_;
  std::vector<double> estimates_;
  std::vector<double> lowest_;  // the lowest of every lowest_.size()th estimate
};

}  // namespace htools
