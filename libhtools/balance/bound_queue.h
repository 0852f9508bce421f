// Defines the queue in which the search takes the movers.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace htools {

// Movers in the order of their bounds, lowest first. The queue is made for many bounds of which few are taken: filling
// it only computes the lowest bound of each block of movers. (A heap of all movers that may be taken would take twice
// as long, which is a twentieth of the search on 4,000 nodes.)
class BoundQueue {
 public:
  explicit BoundQueue(std::size_t movers)
      : bounds_(Eigen::ArrayXd::Constant(whole_blocks(movers) * kBlock, kInfinity)),
        lowest_(Eigen::ArrayXd::Constant(whole_blocks(movers), kInfinity)) {}

  // Replaces all bounds. There must be as many as movers.
  template <class Bounds>
  void fill(const Bounds& bounds) {
    bounds_.head(bounds.size()) = bounds;
    for (Eigen::Index block = 0; block < lowest_.size(); ++block) update(block);
  }
  void set(std::size_t mover, double bound) {
    bounds_[static_cast<Eigen::Index>(mover)] = bound;
    update(static_cast<Eigen::Index>(mover) / kBlock);
  }
  void remove(std::size_t mover) { set(mover, kInfinity); }

  // Removes all movers with this bound and returns them in ascending order.
  std::vector<std::size_t> remove_all(double bound) {
    std::vector<std::size_t> movers;
    for (Eigen::Index block = 0; block < lowest_.size(); ++block) {
      if (lowest_[block] > bound) continue;
      for (Eigen::Index m = block * kBlock; m < (block + 1) * kBlock; ++m) {
        if (bounds_[m] != bound) continue;
        movers.push_back(static_cast<std::size_t>(m));
        bounds_[m] = kInfinity;
      }
      update(block);
    }
    return movers;
  }

  // Returns the lowest bound; infinity if the queue is empty.
  double lowest() const { return lowest_.size() == 0 ? kInfinity : lowest_.minCoeff(); }
  // Returns the first mover with the lowest bound. The queue must not be empty.
  std::size_t first() const {
    const double lowest = this->lowest();
    const auto position_in = [lowest](const auto& values) {
      return std::find(values.data(), values.data() + values.size(), lowest) - values.data();
    };
    const Eigen::Index begin = position_in(lowest_) * kBlock;
    return static_cast<std::size_t>(begin + position_in(bounds_.segment(begin, kBlock)));
  }

 private:
  static constexpr Eigen::Index kBlock = 32;
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static Eigen::Index whole_blocks(std::size_t movers) {
    return (static_cast<Eigen::Index>(movers) + kBlock - 1) / kBlock;
  }
  void update(Eigen::Index block) { lowest_[block] = bounds_.segment(block * kBlock, kBlock).minCoeff(); }

  Eigen::ArrayXd bounds_;  // by mover, padded to whole blocks
  Eigen::ArrayXd lowest_;  // by block
};

}  // namespace htools
