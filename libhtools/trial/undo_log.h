// The one mechanism for undoing: elements of a vector as they were before they were changed on trial.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace htools {

// Remembers the elements of one vector, which the owner passes to each call. Undoing restores saved values, not inverse
// operations, so sums of floating-point numbers come back to the last bit. Trials can be nested; outside of any,
// nothing is saved, and changes are for good.
template <class T>
class UndoLog {
 public:
  explicit UndoLog(std::size_t size) : saved_in_(size, 0) {}

  bool in_trial() const { return !trials_.empty(); }

  // Call before an element is changed.
  void save(const std::vector<T>& values, std::size_t i) {
    if (saved_in_[i] == depth()) return;
    if (count_ < saved_.size()) {  // assigning keeps the memory that the entry has
      saved_[count_].position = i;
      saved_[count_].saved_in = saved_in_[i];
      saved_[count_].value = values[i];
    } else {
      saved_.push_back({i, saved_in_[i], values[i]});
    }
    ++count_;
    saved_in_[i] = depth();
  }
  // Call after an element has been added at the end.
  void added() { saved_in_.push_back(depth()); }

  void begin() { trials_.push_back({count_, saved_in_.size()}); }

  // Ends the innermost trial; its changes become those of the trial around it.
  void keep() {
    const auto [start, size] = trials_.back();
    trials_.pop_back();
    std::size_t left = start;
    for (std::size_t s = start; s < count_; ++s) {
      saved_in_[saved_[s].position] = depth();
      if (saved_[s].saved_in == depth()) continue;  // the outer trial has an older value
      if (left != s) std::swap(saved_[left], saved_[s]);
      ++left;
    }
    count_ = left;
    std::fill(saved_in_.begin() + static_cast<std::ptrdiff_t>(size), saved_in_.end(), depth());
  }

  // Ends the innermost trial and undoes its changes: removes elements that it added, restores the others and calls
  // `restored(i)` for each of them.
  template <class Restored>
  void undo(std::vector<T>& values, const Restored& restored) {
    const auto [start, size] = trials_.back();
    trials_.pop_back();
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(size), values.end());
    saved_in_.resize(size);
    for (std::size_t s = start; s < count_; ++s) {
      std::swap(values[saved_[s].position], saved_[s].value);
      saved_in_[saved_[s].position] = saved_[s].saved_in;
      restored(saved_[s].position);
    }
    count_ = start;
  }
  void undo(std::vector<T>& values) {
    undo(values, [](std::size_t) {});
  }

  // The positions that the trials under way have changed, ascending.
  std::vector<std::size_t> changed() const {
    std::vector<std::size_t> positions;
    for (std::size_t s = 0; s < count_; ++s) positions.push_back(saved_[s].position);
    std::sort(positions.begin(), positions.end());
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    return positions;
  }

 private:
  struct Saved {
    std::size_t position;
    std::uint32_t saved_in;  // the innermost trial around that has saved the element, too; 0: none
    T value;
  };
  struct Start {
    std::size_t count;  // of saved elements
    std::size_t size;   // of the vector
  };

  std::uint32_t depth() const { return static_cast<std::uint32_t>(trials_.size()); }

  std::vector<std::uint32_t> saved_in_;  // by position: the innermost trial that has saved or added the element
  std::vector<Saved> saved_;             // the first `count_` count
  std::size_t count_ = 0;
  std::vector<Start> trials_;
};

}  // namespace htools
