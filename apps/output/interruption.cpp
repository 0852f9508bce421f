#include "apps/output/interruption.h"

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

// Ends the program without flushing, because all output has been flushed already.
void terminate(int) { _exit(kExitTerminated); }

}  // namespace

ScopedHandler::ScopedHandler(int signal, void (*handler)(int)) : signal_(signal) {
  sigaction(signal_, nullptr, &before_);
  if (before_.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;  // restarts system calls, except those that wait
  sigaction(signal_, &action, nullptr);
}

ScopedHandler::~ScopedHandler() { sigaction(signal_, &before_, nullptr); }

Interruption::Interruption() : interrupt_(SIGINT, count_interrupt), terminate_(SIGTERM, terminate) {}

int Interruption::requests() const { return interrupts; }

std::chrono::nanoseconds wait_for_signal(std::chrono::nanoseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  timespec wanted{seconds.count(), (time - seconds).count()};
  timespec left{};
  if (nanosleep(&wanted, &left) == 0) return std::chrono::nanoseconds(0);
  return std::chrono::seconds(left.tv_sec) + std::chrono::nanoseconds(left.tv_nsec);
}

}  // namespace htools
