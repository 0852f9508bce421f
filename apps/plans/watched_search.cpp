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
    watch.on_progress = [this](double score, double share) {
      progress_.update([&] { return fmt::format("Score {:.8f}, {:.0f} % searched", score, 100.0 * share); });
    };
  }
  return watch;
}

std::optional<std::string> WatchedSearch::interruption(std::string_view found) const {
  if (!is_interrupted) return std::nullopt;
  return fmt::format("The search was interrupted; {} that it had found.", found);
}

}  // namespace htools
