// Defers signals during work that must not be interrupted.
#pragma once

#include <csignal>

namespace htools {

// Holds back the signals by which people and systems end programs (SIGINT, SIGTERM, SIGHUP and SIGQUIT) during its
// life. They are delivered when it is destroyed.
class HeldSignals {
 public:
  HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals();

 private:
  sigset_t before_;  // the signal mask to restore
};

}  // namespace htools
