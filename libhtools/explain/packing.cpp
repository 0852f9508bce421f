#include "explain/packing.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace htools {
namespace {

constexpr std::int64_t kMostTries = 100000;  // of placing one item, in the exhaustive search

using Bins = std::vector<std::optional<std::size_t>>;

// The search for places of all items, the largest first.
class PackSearch {
 public:
  PackSearch(const std::vector<std::int64_t>& items, std::vector<std::int64_t>& bins, const MayGo& may_go)
      : items_(items), bins_(bins), may_go_(may_go), order_(items.size()), places_(items.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return items[a] > items[b]; });
  }

  // Places each item where least is left (best fit). Returns true if all have found a place.
  bool pack_best_fit() {
    bool is_complete = true;
    for (const std::size_t item : order_) {
      std::optional<std::size_t> best;
      for (std::size_t b = 0; b < bins_.size(); ++b) {
        if (fits(item, b) && (!best || bins_[b] < bins_[*best])) best = b;
      }
      if (best) bins_[*best] -= items_[item];
      places_[item] = best;
      is_complete &= best.has_value();
    }
    return is_complete;
  }

  // Tries all ways to place the items from position `next` of the order on.
  bool pack_all(std::size_t next) {
    if (next == order_.size()) return true;
    const std::size_t item = order_[next];
    std::vector<std::int64_t> seen;  // free amounts that have been tried; equal bins are tried once
    for (std::size_t b = 0; b < bins_.size(); ++b) {
      if (++tries_ > kMostTries) return false;
      if (!fits(item, b)) continue;
      if (!may_go_) {
        if (std::find(seen.begin(), seen.end(), bins_[b]) != seen.end()) continue;
        seen.push_back(bins_[b]);
      }
      bins_[b] -= items_[item];
      places_[item] = b;
      if (pack_all(next + 1)) return true;
      bins_[b] += items_[item];
    }
    places_[item] = std::nullopt;
    return false;
  }

  const Bins& places() const { return places_; }

 private:
  bool fits(std::size_t item, std::size_t bin) const {
    return bins_[bin] > items_[item] && (!may_go_ || may_go_(item, bin));
  }

  const std::vector<std::int64_t>& items_;
  std::vector<std::int64_t>& bins_;
  const MayGo& may_go_;
  std::vector<std::size_t> order_;
  Bins places_;
  std::int64_t tries_ = 0;
};

}  // namespace

Bins pack(const std::vector<std::int64_t>& items, std::vector<std::int64_t> bins, const MayGo& may_go) {
  const std::vector<std::int64_t> free = bins;
  PackSearch quick(items, bins, may_go);
  if (quick.pack_best_fit()) return quick.places();
  bins = free;
  PackSearch thorough(items, bins, may_go);
  return thorough.pack_all(0) ? thorough.places() : quick.places();
}

}  // namespace htools
