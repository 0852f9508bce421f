#include "apps/common/progress.h"

#include <unistd.h>

#include <csignal>

#include "apps/output/interruption.h"
#include "apps/output/output.h"
#include "apps/output/terminal.h"

namespace htools {
namespace {

using namespace std::chrono_literals;

constexpr auto kDelay = 1s;
constexpr auto kInterval = 200ms;

bool is_wanted(const GeneralOptions& options, Progress::Result result) {
  if (options.verbosity < 1 || !is_capable_terminal(STDERR_FILENO)) return false;
  return result == Progress::Result::AtTheEnd || !may_be_watched(STDOUT_FILENO);
}

}  // namespace

struct Progress::Handlers {
  ScopedHandler hangup{SIGHUP, remove_status_and_end};
  ScopedHandler interrupt{SIGINT, remove_status_and_end};
  ScopedHandler quit{SIGQUIT, remove_status_and_end};
  ScopedHandler terminate{SIGTERM, remove_status_and_end};
};

Progress::Progress(const GeneralOptions& options, Result result)
    : due_(Clock::now() + kDelay), handlers_(is_wanted(options, result) ? std::make_unique<Handlers>() : nullptr) {}

Progress::~Progress() { remove_status(); }

void Progress::show(std::string_view line) {
  due_ = Clock::now() + kInterval;
  if (!is_in_background(STDERR_FILENO)) show_status(line);
}

}  // namespace htools
