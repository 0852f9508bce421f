// Values that are changed on trial.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace htools {

// A vector that remembers its changed elements as they were before. Trials can be nested; outside of any, changes are
// for good.
template <class T>
class Revertible {
 public:
  explicit Revertible(std::vector<T> values) : values_(std::move(values)), saved_in_(values_.size(), 0) {}

  const T& operator[](std::size_t i) const { return values_[i]; }
  // The element, about to be changed.
  T& change(std::size_t i) {
    if (saved_in_[i] < depth()) {
      saved_.push_back({i, saved_in_[i], values_[i]});
      saved_in_[i] = depth();
    }
    return values_[i];
  }

  void begin() { trials_.push_back(saved_.size()); }
  // Ends the trial; its changes become those of the trial around it.
  void keep() {
    const std::uint32_t outer = depth() - 1;
    const auto saved_before = [&](const Saved& saved) {
      saved_in_[saved.position] = outer;
      return saved.saved_in == outer;
    };
    saved_.erase(std::remove_if(saved_.begin() + start(), saved_.end(), saved_before), saved_.end());
    trials_.pop_back();
  }
  // Ends the trial and undoes its changes. `restored` is told each position that was changed.
  template <class Restored>
  void revert(const Restored& restored) {
    for (auto saved = saved_.begin() + start(); saved != saved_.end(); ++saved) {
      values_[saved->position] = std::move(saved->value);
      saved_in_[saved->position] = saved->saved_in;
      restored(saved->position);
    }
    saved_.erase(saved_.begin() + start(), saved_.end());
    trials_.pop_back();
  }

  // The positions that were changed in the trials under way, ascending.
  std::vector<std::size_t> changed() const {
    std::vector<std::size_t> positions;
    for (const Saved& saved : saved_) positions.push_back(saved.position);
    std::sort(positions.begin(), positions.end());
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    return positions;
  }

 private:
  struct Saved {
    std::size_t position;
    std::uint32_t saved_in;  // the innermost trial around that has saved it, too; 0: none
    T value;
  };

  std::uint32_t depth() const { return static_cast<std::uint32_t>(trials_.size()); }
  std::ptrdiff_t start() const { return static_cast<std::ptrdiff_t>(trials_.back()); }

  std::vector<T> values_;
  std::vector<std::uint32_t> saved_in_;  // by position: the innermost trial that has saved it
  std::vector<Saved> saved_;
  std::vector<std::size_t> trials_;  // where each one's part of `saved_` starts
};

}  // namespace htools
