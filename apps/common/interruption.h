// Signals while jobs are carried out.
#pragma once

#include <chrono>

namespace htools {

// While it lives, SIGINT (Ctrl-C) asks for an end at the next good moment, and SIGTERM ends the program at once with
// status 2. There is one at a time.
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  // How often an end has been asked for.
  int requests() const;
};

// Waits for all of the time, or until a signal arrives; tells what remains.
std::chrono::nanoseconds wait_for_signal(std::chrono::nanoseconds time);

}  // namespace htools
