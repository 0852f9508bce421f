// The entry points for libFuzzer. Usage:
//   fuzzer --target=NAME [LIBFUZZER'S OPTIONS] [FOLDER WITH INPUTS]...
//   fuzzer --list
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fuzz/targets.h"

namespace {

const htools::testing::FuzzTarget* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  using htools::testing::fuzz_targets;
  constexpr std::string_view kOption = "--target=";  // libFuzzer ignores such words
  for (int i = 1; i < *argc; ++i) {
    const std::string_view word = (*argv)[i];
    if (word.starts_with(kOption)) chosen = htools::testing::find_fuzz_target(word.substr(kOption.size()));
    if (word == "--list") {
      for (const auto& target : fuzz_targets()) std::puts(std::string(target.name).c_str());
      std::exit(0);
    }
  }
  if (chosen != nullptr) return 0;
  std::fputs("usage: fuzzer --target=NAME [-OPTION=VALUE]... [FOLDER]...\n       fuzzer --list\nNAME is one of:\n",
             stderr);
  for (const auto& target : fuzz_targets()) {
    std::fprintf(stderr, "  %-14s %s\n", std::string(target.name).c_str(), std::string(target.input).c_str());
  }
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  htools::testing::run_fuzz_target(*chosen, {reinterpret_cast<const char*>(data), size});
  return 0;
}
