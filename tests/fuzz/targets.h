// What is fuzzed: every reader of input from outside, and the engines behind it.
#pragma once

#include <span>
#include <string_view>

namespace htools::testing {

struct FuzzTarget {
  std::string_view name;
  std::string_view input;  // what the bytes are, for people
  // Reads the input. May throw InputError, as any reader may. Ends the program where a promise is broken.
  void (*run)(std::string_view input);
};

std::span<const FuzzTarget> fuzz_targets();
const FuzzTarget* find_fuzz_target(std::string_view name);

// Runs the target; input that it refuses is fine if the refusal says something.
void run_fuzz_target(const FuzzTarget& target, std::string_view input);

}  // namespace htools::testing
