#include "apps/common/interruption.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <ctime>

namespace htools {
namespace {

constexpr int kExitTerminated = 2;

std::atomic<int> interrupts = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler counts");

void count_interrupt(int) { ++interrupts; }

// What has been printed is written out already.
void terminate(int) { _exit(kExitTerminated); }

// Calls to the system go on after a signal, but for waiting.
void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

}  // namespace

Interruption::Interruption() {
  interrupts = 0;
  handle(SIGINT, count_interrupt);
  handle(SIGTERM, terminate);
}

Interruption::~Interruption() {
  handle(SIGINT, SIG_DFL);
  handle(SIGTERM, SIG_DFL);
}

int Interruption::requests() const { return interrupts; }

std::chrono::nanoseconds wait_for_signal(std::chrono::nanoseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  timespec wanted{seconds.count(), (time - seconds).count()};
  timespec left{};
  if (nanosleep(&wanted, &left) == 0) return std::chrono::nanoseconds(0);
  return std::chrono::seconds(left.tv_sec) + std::chrono::nanoseconds(left.tv_nsec);
}

}  // namespace htools
