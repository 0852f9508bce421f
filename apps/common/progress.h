// Shows the progress of a long run on a status line of the terminal (output.h).
#pragma once

#include <chrono>
#include <memory>
#include <string_view>

#include "apps/options/groups.h"

namespace htools {

// Shows the current activity from one second after its construction, at most five times a second. Shows nothing if
// there is no capable terminal, after -q, and if the results appear line by line and may be on the same terminal.
// During its lifetime, a signal that ends the program removes the line.
class Progress {
 public:
  enum class Result : bool { AtTheEnd, LineByLine };

  explicit Progress(const GeneralOptions& options, Result result = Result::AtTheEnd);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  // True if progress may be shown. If false, observers are not needed.
  bool is_on() const { return handlers_ != nullptr; }

  // Shows the line that `describe()` returns, if an update is due. Otherwise does not call it.
  template <class Describe>
  void update(Describe describe) {
    if (is_due()) show(describe());
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Handlers;

  bool is_due() const { return is_on() && Clock::now() >= due_; }
  void show(std::string_view line);

  Clock::time_point due_;
  std::unique_ptr<Handlers> handlers_;
};

}  // namespace htools
