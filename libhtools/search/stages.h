// Shows the progress of searches that are made one after the other as that of a whole.
#pragma once

#include <cstddef>

#include "search/search.h"

namespace htools {

// Returns the watch of one search of several, by how many were begun before and how many there are. The watch of the
// whole must stay valid.
inline SearchWatch stage_of(const SearchWatch& whole, std::size_t before, std::size_t all) {
  SearchWatch stage = whole;
  if (whole.on_progress) {
    stage.on_progress = [&whole, before, all](double score, double share) {
      whole.on_progress(score, (static_cast<double>(before) + share) / static_cast<double>(all));
    };
  }
  return stage;
}

}  // namespace htools
