// The targets of fuzzing: all readers of external input, and the engines that work with the result.
#pragma once

#include <span>
#include <string_view>

namespace htools::testing {

struct FuzzTarget {
  std::string_view name;
  std::string_view input;  // description of the input, for the list of targets
  // Reads the input. May throw InputError, as every reader may. Aborts the program if a promise is broken (promise.h).
  void (*run)(std::string_view input);
};

std::span<const FuzzTarget> fuzz_targets();
const FuzzTarget* find_fuzz_target(std::string_view name);

// Runs the target. Input that it refuses is fine if the error has a message.
void run_fuzz_target(const FuzzTarget& target, std::string_view input);

}  // namespace htools::testing
