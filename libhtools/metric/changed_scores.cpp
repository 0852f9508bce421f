#include "metric/changed_scores.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace htools {

namespace {

// Some neighbouring components, for arithmetic with all of them at once. They are so few that intermediate results stay
// in registers.
constexpr std::size_t kBlockSize = 2;
using Block = Eigen::Array<double, kBlockSize, 1>;
static_assert(kComponentCount % kBlockSize == 0);
// Returns a view of the block of the values that begins at position `k`.
Eigen::Map<const Block> block(const ComponentValues& values, std::size_t k) {
  return Eigen::Map<const Block>(values.by_position.data() + k);
}

// True if the values are the same to the bit.
bool same_bits(const ComponentValues& a, const ComponentValues& b) {
  using Bits = std::array<std::uint64_t, kComponentCount>;
  return std::bit_cast<Bits>(a.by_position) == std::bit_cast<Bits>(b.by_position);
}

}  // namespace

// The components that are folded together: as many as there are lanes, and, for each component that some candidate
// changes, the lane of its column. Components often have equal columns with equal changes (the loads; the books without
// forthcoming instances); these share a lane.
struct ChangedScores::FoldBlock {
  FoldedComponents lanes{};
  std::size_t used = 0;
  std::vector<std::pair<std::size_t, std::size_t>> lane_of;  // component and lane
};

ChangedScores::ChangedScores(const NodeRefs& nodes) : table_(nodes), columns_(kComponentCount) {
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    columns_[k].reserve(table_.online().size());
    for (const ComponentValues& row : table_.online()) columns_[k].push_back(row[k]);
  }
  refresh();
}

void ChangedScores::refresh() {
  const Statistics statistics = Statistics::evaluate(table_);
  base_ = statistics.values();
  base_is_finite_ = all_finite(base_);
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    mean_[k] = statistics.sums()[k] / statistics.online();
    squares_[k] = statistics.variances()[k] * statistics.online();
    size_[k] = std::abs(mean_[k]) + std::sqrt(squares_[k]);
  }
}

void ChangedScores::apply(const Candidate& candidate) {
  for (const Change& change : candidate.changes) {
    table_.set(change.position, change.values);
    const NodeValueTable::Place place = table_.place(change.position);
    for (std::size_t k = 0; place.online && k < kComponentCount; ++k) columns_[k][place.row] = change.values[k];
  }
  table_.set_pair_collisions(candidate.pair_collisions);
  refresh();
}

bool ChangedScores::is_finite(const Candidate& candidate) const {
  if (table_.online().empty()) return true;
  return base_is_finite_ && std::all_of(candidate.changes.begin(), candidate.changes.end(), [&](const Change& change) {
           return !table_.place(change.position).online || all_finite(change.values);
         });
}

ComponentValues ChangedScores::unfolded_values(const Candidate& candidate) const {
  ComponentValues values = base_;
  values[Component::LocationExclusion] = candidate.pair_collisions;
  for (const Change& change : candidate.changes) {
    if (table_.place(change.position).online) continue;
    const ComponentValues& old_values = table_.values(change.position);
    for (std::size_t k = 0; k < kComponentCount; ++k) {
      if (kComponents[k].nodes == NodeSet::Offline) values[k] += change.values[k] - old_values[k];
    }
  }
  return values;
}

bool ChangedScores::same_change(const Candidate& a, const Candidate& b) const {
  return a.pair_collisions == b.pair_collisions &&
         std::equal(a.changes.begin(), a.changes.end(), b.changes.begin(), b.changes.end(),
                    [&](const Change& x, const Change& y) {
                      return table_.place(x.position).online == table_.place(y.position).online &&
                             same_bits(x.values, y.values) &&
                             same_bits(table_.values(x.position), table_.values(y.position));
                    });
}

ChangedScores::Bounds ChangedScores::bounds(const Candidate& candidate) const {
  if (table_.online().empty()) return {0.0, 0.0};
  const auto n = static_cast<double>(table_.online().size());
  const double one_nth = 1 / n;  // multiplication is faster than division, and bounds may be rounded differently
  // The relative error of a fold of n terms, with a margin.
  const double error = 8 * n * std::numeric_limits<double>::epsilon();
  // The values of an online node before and after the change.
  struct Step {
    const ComponentValues *old_values, *new_values;
  };
  boost::container::static_vector<Step, kMaxChanges> steps;
  for (const Change& change : candidate.changes) {
    if (table_.place(change.position).online) steps.push_back({&table_.values(change.position), &change.values});
  }
  ComponentValues low = unfolded_values(candidate), high = low;
  for (std::size_t k = 0; k < kComponentCount; k += kBlockSize) {
    const Block mean = block(mean_, k);
    Block delta = Block::Zero(), moved = delta, squares = block(squares_, k), terms = squares, size = block(size_, k);
    for (const Step& s : steps) {
      const Block old_values = block(*s.old_values, k), new_values = block(*s.new_values, k);
      const Block step = new_values - old_values;
      const Block distances = (old_values - mean) + (new_values - mean);
      delta += step;
      moved += step.abs();
      size += old_values.abs() + new_values.abs();
      squares += step * distances;
      terms += step.abs() * distances.abs();
    }
    if ((moved == 0).all()) continue;
    squares -= delta * delta * one_nth;
    const Block doubt = error * (terms + moved * (moved + size)) + n * (error * size) * (error * size);
    const Block low_deviation = ((squares - doubt).max(0.0) * one_nth).sqrt();
    const Block high_deviation = ((squares + doubt).max(0.0) * one_nth).sqrt();
    for (std::size_t c = k; c < k + kBlockSize; ++c) {
      const auto i = static_cast<Eigen::Index>(c - k);
      if (kComponents[c].nodes != NodeSet::Online || moved[i] == 0) continue;
      if (kComponents[c].aggregation == Aggregation::Deviation) {
        low[c] = low_deviation[i], high[c] = high_deviation[i];
      } else if (kComponents[c].aggregation == Aggregation::Sum) {
        const double sum = base_[c] + delta[i];
        const double sum_doubt = error * (std::abs(base_[c]) + n * size[i]);
        low[c] = sum - sum_doubt, high[c] = sum + sum_doubt;
      }
    }
  }
  const double low_score = weighted_sum(low), high_score = weighted_sum(high);
  const double rounding = 64 * std::numeric_limits<double>::epsilon() * (1 + std::abs(high_score));
  return {low_score - rounding, high_score + rounding};
}

std::vector<ChangedScores::FoldBlock> ChangedScores::fold_blocks(std::span<const FoldChange> changes) const {
  const std::vector<ComponentValues>& rows = table_.online();
  std::vector<FoldBlock> blocks;
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    if (kComponents[k].nodes != NodeSet::Online || kComponents[k].aggregation == Aggregation::Pairs) continue;
    const auto is_changed = [&](const FoldChange& change) { return (*change.values)[k] != rows[change.row][k]; };
    if (std::none_of(changes.begin(), changes.end(), is_changed)) continue;
    const auto same = [&](std::size_t other) {
      return columns_[other] == columns_[k] &&
             std::all_of(changes.begin(), changes.end(),
                         [&](const FoldChange& change) { return (*change.values)[other] == (*change.values)[k]; });
    };
    const auto place = [&] {
      for (FoldBlock& block : blocks) {
        for (std::size_t lane = 0; lane < block.used; ++lane) {
          if (same(block.lanes[lane])) return std::pair(&block, lane);
        }
      }
      if (blocks.empty() || blocks.back().used == kFoldLanes) blocks.emplace_back().lanes.fill(k);
      blocks.back().lanes[blocks.back().used] = k;
      return std::pair(&blocks.back(), blocks.back().used++);
    }();
    place.first->lane_of.emplace_back(k, place.second);
  }
  return blocks;
}

std::vector<double> ChangedScores::exact(std::span<const Candidate* const> candidates) const {
  if (table_.online().empty()) return std::vector<double>(candidates.size(), 0.0);
  std::vector<ComponentValues> values;
  std::vector<FoldChange> changes;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    values.push_back(unfolded_values(*candidates[c]));
    for (const Change& change : candidates[c]->changes) {
      const NodeValueTable::Place place = table_.place(change.position);
      if (place.online) changes.push_back({place.row, c, &change.values});
    }
  }
  std::sort(changes.begin(), changes.end(), [](const FoldChange& a, const FoldChange& b) { return a.row < b.row; });
  for (const FoldBlock& block : fold_blocks(changes)) {
    const std::vector<FoldResults> results = fold_variants(columns_, block.lanes, changes, candidates.size());
    for (const auto& [k, lane] : block.lane_of) {
      const bool is_sum = kComponents[k].aggregation == Aggregation::Sum;
      for (std::size_t c = 0; c < candidates.size(); ++c) {
        values[c][k] = is_sum ? results[c].sum[lane] : results[c].deviation[lane];
      }
    }
  }
  std::vector<double> scores(candidates.size());
  for (std::size_t c = 0; c < candidates.size(); ++c) scores[c] = weighted_sum(values[c]);
  return scores;
}

}  // namespace htools
