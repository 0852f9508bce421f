// Handles signals while jobs are carried out.
#pragma once

#include <chrono>
#include <csignal>

namespace htools {

// Replaces the handler of a signal during its lifetime, unless the signal is ignored.
class ScopedHandler {
 public:
  ScopedHandler(int signal, void (*handler)(int));
  ScopedHandler(const ScopedHandler&) = delete;
  ScopedHandler& operator=(const ScopedHandler&) = delete;
  ~ScopedHandler();

 private:
  int signal_;
  struct sigaction before_ {};
};

// During its lifetime, SIGINT (Ctrl-C) requests that the program ends after the current set of jobs, and SIGTERM ends
// the program at once with status 2. Only one object may exist at a time.
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  // Returns how many times SIGINT has arrived since the program started.
  int requests() const;

 private:
  ScopedHandler interrupt_;
  ScopedHandler terminate_;
};

// Waits until the time has passed or a signal arrives, and returns the remaining time. A signal that arrives just
// before the wait does not shorten it.
std::chrono::nanoseconds wait_for_signal(std::chrono::nanoseconds time);

}  // namespace htools
