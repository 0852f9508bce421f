// Numbers at positions, some for each position, and the first position where all of them are large enough.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace htools {

// A tree of maxima: a search skips blocks in which some number is too small everywhere; `set` is quicker the less it
// changes.
template <std::size_t N>
class MaxTree {
 public:
  using Numbers = std::array<std::int64_t, N>;

  // All numbers are the least ones.
  explicit MaxTree(std::size_t size) : width_(std::bit_ceil(size)), maxima_(2 * width_, least()) {}

  const Numbers& operator[](std::size_t position) const { return maxima_[width_ + position]; }
  // The largest numbers, each from any position.
  const Numbers& max() const { return maxima_[1]; }

  void set(std::size_t position, const Numbers& numbers) {
    std::size_t block = width_ + position;
    maxima_[block] = numbers;
    while ((block /= 2) > 0) {
      const Numbers joined = larger(maxima_[2 * block], maxima_[2 * block + 1]);
      if (joined == maxima_[block]) return;
      maxima_[block] = joined;
    }
  }

  // The first position in [begin, end) whose numbers are all at least the needed ones; `end` if there is none.
  std::size_t first_at_least(std::size_t begin, std::size_t end, const Numbers& needed) const {
    // A block is 2^level positions, starting at a multiple of that. The largest one is looked at first.
    std::size_t position = begin;
    int level = std::countr_zero(position | width_);
    while (position < end) {
      if (!enough(maxima_[(width_ + position) >> level], needed)) {
        position += std::size_t{1} << level;
        level = std::countr_zero(position | width_);
      } else if (level == 0) {
        return position;
      } else {
        --level;
      }
    }
    return end;
  }

 private:
  static constexpr Numbers least() {
    Numbers numbers;
    numbers.fill(std::numeric_limits<std::int64_t>::min());
    return numbers;
  }
  static Numbers larger(Numbers a, const Numbers& b) {
    for (std::size_t i = 0; i < N; ++i) {
      if (b[i] > a[i]) a[i] = b[i];
    }
    return a;
  }
  static bool enough(const Numbers& numbers, const Numbers& needed) {
    for (std::size_t i = 0; i < N; ++i) {
      if (numbers[i] < needed[i]) return false;
    }
    return true;
  }

  std::size_t width_;  // number of leaves, a power of two
  std::vector<Numbers> maxima_;
};

}  // namespace htools
