// A search that the user sees, and may end.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apps/common/progress.h"
#include "apps/options/groups.h"
#include "apps/output/interruption.h"
#include "search/search.h"

namespace htools {

// During its lifetime, a terminal shows how far the search is, or each of several that follow one another, and SIGINT
// (Ctrl-C) ends the search: then the best that it has found counts. Only one object may exist at a time.
class WatchedSearch {
 public:
  explicit WatchedSearch(const GeneralOptions& options);
  WatchedSearch(const WatchedSearch&) = delete;
  WatchedSearch& operator=(const WatchedSearch&) = delete;
  ~WatchedSearch();

  // Returns what a search needs to know; valid during the lifetime of the object.
  SearchWatch watch();
  // Returns a sentence for the user if the search was ended. `found` is its subject, such as "this is the best plan".
  std::optional<std::string> interruption(std::string_view found) const;

 private:
  // Shows the score, and how far the present search is: "search 2: 40 %".
  void show(double score, double share);

  Progress progress_;
  double last_share_ = 0.0;
  int searches_ = 1;
  ScopedHandler handler_;
};

}  // namespace htools
