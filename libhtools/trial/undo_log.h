// Saves the elements of a vector before they change, so that the changes can be undone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace htools {

// The log of the changes of one vector. The owner of the vector passes it to each call. A trial is the time from
// begin() to the matching keep() or undo(); trials can be nested. Outside of all trials nothing is saved, and changes
// are permanent. undo() restores saved values instead of applying inverse operations, so sums of floating-point numbers
// come back to the last bit.
template <class T>
class UndoLog {
 public:
  explicit UndoLog(std::size_t size) : saved_in_(size, 0) {}

  // Saves element `i`. Call this before the element changes. Only the first call in a trial has an effect.
  void save(const std::vector<T>& values, std::size_t i) {
    if (saved_in_[i] == depth()) return;
    if (count_ < saved_.size()) {  // assignment reuses the memory of the old entry
      saved_[count_].position = i;
      saved_[count_].saved_in = saved_in_[i];
      saved_[count_].value = values[i];
    } else {
      saved_.push_back({i, saved_in_[i], values[i]});
    }
    ++count_;
    saved_in_[i] = depth();
  }
  // Records that an element has been added at the end of the vector. Call this afterwards.
  void added() { saved_in_.push_back(depth()); }

  void begin() { trials_.push_back({count_, saved_in_.size()}); }

  // Ends the innermost trial; its changes become those of the trial around it.
  void keep() {
    const auto [start, size] = trials_.back();
    trials_.pop_back();
    std::size_t left = start;
    for (std::size_t s = start; s < count_; ++s) {
      saved_in_[saved_[s].position] = depth();
      if (saved_[s].saved_in == depth()) continue;  // the outer trial has saved an older value, or there is none
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
      using std::swap;
      swap(values[saved_[s].position], saved_[s].value);
      saved_in_[saved_[s].position] = saved_[s].saved_in;
      restored(saved_[s].position);
    }
    count_ = start;
  }
  void undo(std::vector<T>& values) {
    undo(values, [](std::size_t) {});
  }

  // Returns the positions of the elements that have been saved in the open trials, in ascending order.
  std::vector<std::size_t> changed() const {
    std::vector<std::size_t> positions;
    for (std::size_t s = 0; s < count_; ++s) positions.push_back(saved_[s].position);
    std::sort(positions.begin(), positions.end());
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    return positions;
  }

 private:
  // The value that an element had before it changed in a trial.
  struct Saved {
    std::size_t position;
    std::uint32_t saved_in;  // the depth of the trial that had saved the element before; 0 if none had
    T value;
  };
  // The sizes when a trial began.
  struct Start {
    std::size_t count;  // number of saved elements
    std::size_t size;   // size of the vector
  };

  // Returns the number of open trials, which is the depth of the innermost one.
  std::uint32_t depth() const { return static_cast<std::uint32_t>(trials_.size()); }

  // The depth of the innermost trial that has saved or added each element, by position; 0 if none has.
  std::vector<std::uint32_t> saved_in_;
  std::vector<Saved> saved_;  // the first `count_` are valid; the others keep their memory for later use
  std::size_t count_ = 0;
  std::vector<Start> trials_;
};

}  // namespace htools
