// A search tree over an array that holds N numbers at each position. It finds the first position where all N numbers
// are large enough.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace htools {

// An array of N-tuples of numbers with a binary tree of their maxima above it. A search skips each block in which some
// number is too small everywhere. set() stops as soon as a maximum stays the same, so small changes are cheap.
template <std::size_t N>
class MaxTree {
 public:
  using Numbers = std::array<std::int64_t, N>;

  // Sets every number to the minimum of std::int64_t.
  explicit MaxTree(std::size_t size) : width_(std::bit_ceil(size)), maxima_(2 * width_, least()) {}

  const Numbers& operator[](std::size_t position) const { return maxima_[width_ + position]; }
  // Returns the maximum of each of the N numbers; the maxima may come from different positions.
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

  // Returns the first position in [begin, end) where each number is at least the needed one, or `end` if there is none.
  std::size_t first_at_least(std::size_t begin, std::size_t end, const Numbers& needed) const {
    // A block consists of 2^level positions and starts at a multiple of 2^level. The search tries the largest block
    // that starts at `position` first.
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

  std::size_t width_;  // the number of leaves, a power of two
  // The tree in heap order: the root at 1, the children of i at 2i and 2i + 1, and the leaves from `width_` on.
  std::vector<Numbers> maxima_;
};

}  // namespace htools
