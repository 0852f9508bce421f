#include "apps/plans/watched_search.h"

#include <fmt/format.h>

#include <atomic>
#include <csignal>

namespace htools {
namespace {

std::atomic<bool> is_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

void interrupt(int) { is_interrupted = true; }

}  // namespace

WatchedSearch::WatchedSearch(const GeneralOptions& options)
    : progress_(options, Progress::Result::AtTheEnd), handler_(SIGINT, interrupt) {}

WatchedSearch::~WatchedSearch() { is_interrupted = false; }

SearchWatch WatchedSearch::watch() {
  SearchWatch watch{.on_progress = {}, .stop = &is_interrupted};
  if (progress_.is_on()) {
    watch.on_progress = [this](double score, double share) { show(score, share); };
  }
  return watch;
}

void WatchedSearch::show(double score, double share) {
  // A search that begins anew starts near 0; within one, the share may fall a little when more work turns up.
  if (2.0 * share < last_share_) ++searches_;
  last_share_ = share;
  progress_.update([&] { return fmt::format("Score {:.8f}, search {}: {:.0f} %", score, searches_, 100.0 * share); });
}

std::optional<std::string> WatchedSearch::interruption(std::string_view found) const {
  if (!is_interrupted) return std::nullopt;
  return fmt::format("The search was interrupted; {} that it had found.", found);
}

}  // namespace htools
