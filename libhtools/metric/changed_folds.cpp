#include "metric/changed_folds.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace htools {

namespace {

// For each lane, the place of a chain, or the bits of a value.
using ChainPlaces [[gnu::vector_size(kFoldLanes * sizeof(std::int64_t))]] = std::int64_t;

bool bits_equal(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

// Lanes in pairs, for comparisons: all processors of the kind compare two values at once, but comparisons of more are
// compiled into comparisons of single values. With pairs, a simulation on 400 equal nodes takes 0.88 of the time.
using ValuePair [[gnu::vector_size(2 * sizeof(double)), gnu::may_alias]] = double;
using PlacePair [[gnu::vector_size(2 * sizeof(std::int64_t))]] = std::int64_t;

const ValuePair* pairs(const FoldLanes& lanes) { return reinterpret_cast<const ValuePair*>(&lanes); }

// Partial results that continue together, one for each lane.
struct Chain {
  FoldLanes value{};
  FoldLanes mean{};  // what the squared distances are taken from; unused by sums
};

// The partial results of all variants. The first chains are those of the unchanged columns. Chains that a lane does not
// need repeat its first one.
class Chains {
 public:
  // Every variant begins with the chain that `start` has for it.
  Chains(std::vector<Chain> unchanged, std::vector<ChainPlaces> start)
      : chains_(std::move(unchanged)),
        first_chains_(chains_.size()),
        used_(ChainPlaces{} + static_cast<std::int64_t>(chains_.size())),
        join_at_(chains_.size() + kFewChains),
        place_(std::move(start)) {}

  std::vector<Chain>& all() { return chains_; }

  // Returns the chain of a variant in all lanes together.
  Chain of(std::size_t variant) const {
    Chain chain;
    for (std::size_t lane = 0; lane < kFoldLanes; ++lane) {
      const Chain& own = chains_[static_cast<std::size_t>(place_[variant][lane])];
      chain.value[lane] = own.value[lane], chain.mean[lane] = own.mean[lane];
    }
    return chain;
  }

  // Continues the variant with `chain`: in each lane with the equal one if there is one, else with a new one. Zeros of
  // either sign count as equal: no sum that starts at 0 is -0, and the sign of a zero mean changes no squared distance.
  void enter(std::size_t variant, const Chain& chain) {
    constexpr std::int64_t kNone = -1;
    ChainPlaces found;
    const ValuePair *values = pairs(chain.value), *means = pairs(chain.mean);
    for (std::size_t pair = 0; pair < kFoldLanes / 2; ++pair) {
      PlacePair found_pair = PlacePair{} + kNone;
      for (std::size_t c = chains_.size(); c-- > 0;) {
        const PlacePair equal =
            (pairs(chains_[c].value)[pair] == values[pair]) & (pairs(chains_[c].mean)[pair] == means[pair]);
        found_pair = equal ? PlacePair{} + static_cast<std::int64_t>(c) : found_pair;
      }
      found[2 * pair] = found_pair[0], found[2 * pair + 1] = found_pair[1];
    }
    for (std::size_t lane = 0; lane < kFoldLanes; ++lane) {
      if (found[lane] == kNone) found[lane] = add(lane, chain);
    }
    place_[variant] = found;
  }

  // Joins equal chains if there are many.
  void join_equal() {
    if (chains_.size() < join_at_) return;
    std::vector<ChainPlaces> new_place(chains_.size());
    ChainPlaces left{};
    for (std::size_t c = 0; c < chains_.size(); ++c) {
      for (std::size_t lane = 0; lane < kFoldLanes; ++lane) {
        if (static_cast<std::int64_t>(c) >= used_[lane]) continue;
        std::size_t to = 0;
        const auto end = static_cast<std::size_t>(left[lane]);
        while (to < end && !(bits_equal(chains_[to].value[lane], chains_[c].value[lane]) &&
                             bits_equal(chains_[to].mean[lane], chains_[c].mean[lane]))) {
          ++to;
        }
        // The unchanged chains keep their places, because they continue beside the variants.
        if (to == end || c < first_chains_) {
          to = end;
          chains_[to].value[lane] = chains_[c].value[lane], chains_[to].mean[lane] = chains_[c].mean[lane];
          ++left[lane];
        }
        new_place[c][lane] = static_cast<std::int64_t>(to);
      }
    }
    for (ChainPlaces& places : place_) {
      for (std::size_t lane = 0; lane < kFoldLanes; ++lane) {
        places[lane] = new_place[static_cast<std::size_t>(places[lane])][lane];
      }
    }
    used_ = left;
    std::int64_t most = 0;
    for (std::size_t lane = 0; lane < kFoldLanes; ++lane) most = std::max(most, used_[lane]);
    chains_.resize(static_cast<std::size_t>(most));
    for (std::size_t lane = 0; lane < kFoldLanes; ++lane) {
      for (auto c = static_cast<std::size_t>(used_[lane]); c < chains_.size(); ++c) repeat_first(c, lane);
    }
    join_at_ = 2 * chains_.size() + kFewChains;
  }

 private:
  static constexpr std::size_t kFewChains = 4;

  void repeat_first(std::size_t chain, std::size_t lane) {
    chains_[chain].value[lane] = chains_[0].value[lane], chains_[chain].mean[lane] = chains_[0].mean[lane];
  }
  // Adds the lane of a chain, and returns its place.
  std::int64_t add(std::size_t lane, const Chain& chain) {
    const auto place = static_cast<std::size_t>(used_[lane]++);
    if (place == chains_.size()) chains_.push_back(Chain(chains_[0]));
    chains_[place].value[lane] = chain.value[lane], chains_[place].mean[lane] = chain.mean[lane];
    return static_cast<std::int64_t>(place);
  }

  std::vector<Chain> chains_;
  std::size_t first_chains_;        // how many of them belong to the unchanged columns
  ChainPlaces used_;                // by lane: how many of the chains it needs
  std::size_t join_at_;             // the number of chains from which looking for equal ones pays
  std::vector<ChainPlaces> place_;  // by variant
};

// Takes all chains through all rows. `step(chain, values)` adds the values of a row to a chain.
template <class Step>
void fold(Chains& chains, const std::vector<FoldLanes>& rows, const FoldedComponents& lanes,
          std::span<const FoldChange> changes, Step step) {
  constexpr std::size_t kJoinInterval = 16;
  std::vector<Chain> changed;
  std::size_t next = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    changed.clear();
    const std::size_t first = next;
    for (; next < changes.size() && changes[next].row == row; ++next) {
      changed.push_back(chains.of(changes[next].variant));
      FoldLanes values{};
      for (std::size_t lane = 0; lane < kFoldLanes; ++lane) values[lane] = (*changes[next].values)[lanes[lane]];
      step(changed.back(), values);
    }
    for (Chain& chain : chains.all()) step(chain, rows[row]);
    for (std::size_t c = 0; c < changed.size(); ++c) chains.enter(changes[first + c].variant, changed[c]);
    if (row % kJoinInterval == 0) chains.join_equal();
  }
}

}  // namespace

std::vector<FoldResults> fold_variants(std::span<const std::vector<double>> columns, const FoldedComponents& lanes,
                                       std::span<const FoldChange> changes, std::size_t variants) {
  std::vector<FoldLanes> rows(columns[lanes[0]].size());
  for (std::size_t lane = 0; lane < kFoldLanes; ++lane) {
    const std::vector<double>& column = columns[lanes[lane]];
    for (std::size_t row = 0; row < rows.size(); ++row) rows[row][lane] = column[row];
  }

  std::vector<FoldResults> results(variants);
  Chains sums({Chain{}}, std::vector<ChainPlaces>(variants, ChainPlaces{}));
  fold(sums, rows, lanes, changes, [](Chain& chain, const FoldLanes& x) { chain.value += x; });
  for (std::size_t v = 0; v < variants; ++v) results[v].sum = sums.of(v).value;

  // Variants with equal sums have equal means and share the unchanged chain of the second pass.
  const auto n = static_cast<double>(rows.size());
  std::vector<Chain> unchanged(1);
  std::array<std::size_t, kFoldLanes> means{};
  std::vector<ChainPlaces> start(variants);
  for (std::size_t v = 0; v < variants; ++v) {
    for (std::size_t lane = 0; lane < kFoldLanes; ++lane) {
      const double mean = results[v].sum[lane] / n;
      std::size_t place = 0;
      while (place < means[lane] && !bits_equal(unchanged[place].mean[lane], mean)) ++place;
      if (place == means[lane]) {
        if (place == unchanged.size()) unchanged.push_back(Chain(unchanged[0]));
        unchanged[place].mean[lane] = mean;
        ++means[lane];
      }
      start[v][lane] = static_cast<std::int64_t>(place);
    }
  }
  for (Chain& chain : unchanged) {
    for (std::size_t lane = 0; lane < kFoldLanes; ++lane) {
      if (static_cast<std::size_t>(&chain - unchanged.data()) >= means[lane])
        chain.mean[lane] = unchanged[0].mean[lane];
    }
  }
  Chains squares(std::move(unchanged), std::move(start));
  fold(squares, rows, lanes, changes, [](Chain& chain, const FoldLanes& x) {
    const FoldLanes distance = x - chain.mean;
    chain.value += distance * distance;
  });
  for (std::size_t v = 0; v < variants; ++v) {
    const FoldLanes sum = squares.of(v).value;
    for (std::size_t lane = 0; lane < kFoldLanes; ++lane) results[v].deviation[lane] = std::sqrt(sum[lane] / n);
  }
  return results;
}

}  // namespace htools
