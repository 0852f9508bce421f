// Leaves out targets that are too far from good ones for a mover, a block at a time.
//
// Blocks are of targets with similar values: the targets are halved again and again, each time by the column in which
// they differ most. For a block, the lowest sum of squares of each column follows from the ranges of its values and
// factors, as for the imaginary target of best_case(). On 2,000 nodes, more than nine tenths of the blocks have bounds
// above what the search has found already. Balancing takes 0.8 of the time for it, and 0.7 on 4,000 nodes.
#include <algorithm>
#include <numeric>

#include "balance/move_bounds.h"
#include "balance/move_bounds_detail.h"
#include "metric/lanes.h"

namespace htools {

using namespace detail;

void MoveBounds::arrange_targets() {
  changes_since_arranged_ = 0;
  const auto count = index(targets_.size());
  // Two factors, or factors of both signs, would need more ranges, which is too much for the few clusters with them.
  const bool are_signed = ((lowest_factor_ >= 0) || (highest_factor_ <= 0)).all();
  if (count < 2 * block_ || exclusive_storage_ || !are_signed || !distance_.topRows(count).allFinite()) return;
  std::vector<Position> rows(targets_.size());
  std::iota(rows.begin(), rows.end(), Position{0});
  const auto divide = [&](const auto& again, Position begin, Position end) -> void {
    if (end - begin <= block_) return;
    Position widest = 0;
    double width = -1.0;
    for (Position k = 0; k <= reserved_; ++k) {
      double low = kInfinity, high = -kInfinity;
      for (Position i = begin; i < end; ++i) {
        const double distance = distance_(rows[static_cast<std::size_t>(i)], k);
        low = std::min(low, distance);
        high = std::max(high, distance);
      }
      if (high - low > width) widest = k, width = high - low;
    }
    const Position middle = begin + (end - begin + 2 * block_ - 1) / (2 * block_) * block_;
    const auto by_distance = [&](Position a, Position b) {
      return std::pair(distance_(a, widest), a) < std::pair(distance_(b, widest), b);
    };
    std::nth_element(rows.begin() + begin, rows.begin() + middle, rows.begin() + end, by_distance);
    again(again, begin, middle);
    again(again, middle, end);
  };
  divide(divide, 0, count);
  std::vector<NodeIndex> arranged;
  for (Position row : rows) arranged.push_back(targets_[static_cast<std::size_t>(row)]);
  targets_ = std::move(arranged);
  for (std::size_t t = 0; t < targets_.size(); ++t) row_of_[targets_[t].position()] = t;
  for (NodeIndex n : targets_) describe_node(n);
  relate_factors();
  summarise_nodes();

  const Position blocks = (count + block_ - 1) / block_;
  block_low_.resize(blocks);
  most_reserved_in_block_.resize(blocks);
  for (Eigen::ArrayXXd* a :
       {&lowest_in_block_, &highest_in_block_, &lowest_factor_in_block_, &highest_factor_in_block_}) {
    a->resize(blocks, reserved_ + 1);
  }
  for (Position block = 0; block < blocks; ++block) describe_block(block);
}

void MoveBounds::describe_block(Position block) {
  const Position begin = block * block_, count = std::min(block_, index(targets_.size()) - begin);
  const auto values = values_.middleRows(begin, count), factors = factor_.middleRows(begin, count);
  lowest_in_block_.row(block) = values.colwise().minCoeff();
  highest_in_block_.row(block) = values.colwise().maxCoeff();
  lowest_factor_in_block_.row(block) = factors.colwise().minCoeff();
  highest_factor_in_block_.row(block) = factors.colwise().maxCoeff();
  most_reserved_in_block_[block] = reserved_memory_.segment(begin, count).maxCoeff();
}

void MoveBounds::bound_blocks(std::size_t mover, std::size_t kind) {
  const Departures& d = departures_[kind];
  const Position m = index(mover), blocks = block_low_.size();
  const bool as_primary = facts(kind_at(kind)).primary == MoveRole::Target;
  block_low_.setConstant(apart_from_target(mover, kind));
  double* const low = block_low_.data();
  for (Position k = 0; k < reserved_; ++k) {
    if (!changes_target(kind, k)) continue;
    const double amount = (as_primary ? primary_amount_ : secondary_amount_)(m, k);
    if (amount == 0) {
      block_low_ += root(left(d, m, k));
      continue;
    }
    const bool rises = amount * highest_factor_[k] > 0 || amount * lowest_factor_[k] > 0;
    const auto& least_factor = amount > 0 ? lowest_factor_in_block_ : highest_factor_in_block_;
    const auto& largest_factor = amount > 0 ? highest_factor_in_block_ : lowest_factor_in_block_;
    // A value that rises is best where it is lowest.
    for_lanes(width_, blocks,
              [low, amount, arrival = arrival_of(d, m, k), mean = mean_[k],
               value = (rises ? lowest_in_block_ : highest_in_block_).col(k).data(), least = least_factor.col(k).data(),
               largest = largest_factor.col(k).data()](Position i) {
                const double square = arrival.square(amount * least[i], amount * largest[i], value[i] - mean);
                low[i] += std::sqrt(square > 0.0 ? square : 0.0);
              });
  }
  if (as_primary) return;
  const Position k = reserved_;
  for_lanes(width_, blocks,
            [low, arrival = arrival_of(d, m, k), total_ratio = total_ratio_, memory = secondary_memory_[m],
             mean = mean_[k], lowest = lowest_in_block_.col(k).data(), reserved = most_reserved_in_block_.data(),
             factor = lowest_factor_in_block_.col(k).data()](Position i) {
              const double more = std::max(0.0, memory - reserved[i]) * factor[i];
              const double square = arrival.square(more, kInfinity, lowest[i] - mean);
              low[i] += std::sqrt(square > 0.0 ? square : 0.0) + total_ratio * more;
            });
}

void MoveBounds::choose_runs(std::size_t mover, std::size_t kind, double limit, TargetBounds& found) {
  const auto count = index(targets_.size());
  found.runs.clear();
  found.rest = kInfinity;
  if (departures_[kind].sums[index(mover)] == kInfinity) return;
  if (block_low_.size() == 0 || limit == kInfinity) {
    found.runs.push_back({0, count, kInfinity});
    return;
  }
  bound_blocks(mover, kind);
  for (Position block = 0; block < block_low_.size(); ++block) {
    if (block_low_[block] > limit) {
      found.rest = std::min(found.rest, block_low_[block]);
      continue;
    }
    const Position begin = block * block_, end = std::min(begin + block_, count);
    if (found.runs.empty() || found.runs.back().end != begin) found.runs.push_back({begin, end, kInfinity});
    found.runs.back().end = end;
  }
}

}  // namespace htools
