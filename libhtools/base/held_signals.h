// Work that must not be ended in its middle.
#pragma once

#include <csignal>

namespace htools {

// While it lives, the signals by which people and systems end programs wait: SIGINT, SIGTERM, SIGHUP and SIGQUIT.
class HeldSignals {
 public:
  HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals();

 private:
  sigset_t before_;
};

}  // namespace htools
