// What a long run is at, told on a line of the terminal at standard error (output.h).
#pragma once

#include <chrono>
#include <memory>
#include <string_view>

#include "apps/common/options.h"

namespace htools {

// Begins to show what is being done a second after it was made, a few times a second at most. Shows nothing where there
// is no capable terminal, after -q, or where the lines of the result come one by one and may appear on the same
// terminal. While it lives, the line is removed when a signal ends the program.
class Progress {
 public:
  enum class Result : bool { AtTheEnd, LineByLine };

  explicit Progress(const GeneralOptions& options, Result result = Result::AtTheEnd);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  // False: nothing will be shown, so nobody has to observe.
  bool is_on() const { return handlers_ != nullptr; }

  // `describe` makes the line. It is called only if that is shown.
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
