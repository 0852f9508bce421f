// Signals while jobs are carried out.
#pragma once

#include <chrono>
#include <csignal>

namespace htools {

// While it lives, a signal is handled in another way, unless it is ignored.
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

// While it lives, SIGINT (Ctrl-C) asks for an end at the next good moment, and SIGTERM ends the program at once with
// status 2. There is one at a time.
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  // How often an end has been asked for.
  int requests() const;

 private:
  ScopedHandler interrupt_;
  ScopedHandler terminate_;
};

// Waits for all of the time, or until a signal arrives; tells what remains. A signal that came just before is noticed
// in the end.
std::chrono::nanoseconds wait_for_signal(std::chrono::nanoseconds time);

}  // namespace htools
