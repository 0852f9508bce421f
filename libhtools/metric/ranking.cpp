#include "metric/ranking.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/natural_merge_sort.h"

namespace htools {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A score and the position that it belongs to.
using Scored = std::pair<double, std::size_t>;

// True if b belongs before a. This is also true if one of the scores is NaN.
bool out_of_order(const Scored& a, const Scored& b) { return !(a.first < b.first) && !(a.first == b.first); }

}  // namespace

void sort_by_score(std::vector<std::pair<double, std::size_t>>& scored) { natural_merge_sort(scored, out_of_order); }

Ranking::Ranking(const ChangedScores& scores, const std::vector<ChangedScores::Candidate>& candidates)
    : scores_(scores), candidates_(candidates) {
  const bool finite = std::all_of(candidates.begin(), candidates.end(),
                                  [&](const auto& candidate) { return scores.is_finite(candidate); });
  if (!finite) {
    score_all();
    return;
  }
  open_low_ = kInfinity;
  ChangedScores::Bounds bounds{};
  open_.reserve(candidates.size());
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    if (c == 0 || !scores.same_change(candidates[c - 1], candidates[c])) bounds = scores.bounds(candidates[c]);
    if (!std::isfinite(bounds.low) || !std::isfinite(bounds.high)) {  // the squares of the values overflow
      open_.clear();
      score_all();
      return;
    }
    open_.push_back({bounds.low, bounds.high, c});
    open_low_ = std::min(open_low_, bounds.low);
  }
}

void Ranking::score_all() {
  std::vector<const ChangedScores::Candidate*> all;
  for (const auto& candidate : candidates_) all.push_back(&candidate);
  const std::vector<double> scores = scores_.exact(all);
  std::vector<std::pair<double, std::size_t>> sorted;
  for (std::size_t c = all.size(); c-- > 0;) sorted.emplace_back(scores[c], c);
  sort_by_score(sorted);
  for (std::size_t i = sorted.size(); i-- > 0;) ready_.push_back({sorted[i].first, sorted[i].second});
}

void Ranking::score_up_to(double limit) {
  std::vector<const ChangedScores::Candidate*> chosen;
  std::vector<std::size_t> places;
  std::vector<Open> rest;
  double rest_low = kInfinity, high = kInfinity;
  for (const Open& open : open_) {
    if (open.low <= limit) {
      chosen.push_back(&candidates_[open.candidate]);
      places.push_back(open.candidate);
      high = open.high;
    } else {
      rest.push_back(open);
      rest_low = std::min(rest_low, open.low);
    }
  }
  open_ = std::move(rest);
  open_low_ = rest_low;
  // A single one that is better than all others needs no exact score to be the next.
  if (places.size() == 1 && high < (ready_.empty() ? kInfinity : ready_.back().score)) {
    ready_.push_back({high, places.front()});
    return;
  }
  const std::vector<double> scores = scores_.exact(chosen);
  for (std::size_t c = 0; c < places.size(); ++c) ready_.push_back({scores[c], places[c]});
  std::sort(ready_.begin(), ready_.end(), [](const Scored& a, const Scored& b) {
    return a.score != b.score ? a.score > b.score : a.candidate < b.candidate;
  });
}

std::optional<std::size_t> Ranking::next() {
  while (!open_.empty() && (ready_.empty() || open_low_ <= ready_.back().score)) {
    double limit = ready_.empty() ? kInfinity : ready_.back().score;
    for (const Open& open : open_) limit = std::min(limit, open.high);
    score_up_to(limit);
  }
  if (ready_.empty()) return std::nullopt;
  const std::size_t candidate = ready_.back().candidate;
  ready_.pop_back();
  return candidate;
}

}  // namespace htools
