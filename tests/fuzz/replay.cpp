// Runs the kept inputs of FOLDER, which has a folder for each target, with one input in each file. The inputs have
// failed in the past and must not fail again.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files.h"
#include "fuzz/targets.h"
#include "htools/errors.h"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> sorted_entries(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

int replay(const fs::path& folder) {
  int count = 0;
  for (const fs::path& inputs : sorted_entries(folder)) {
    const auto* target = htools::testing::find_fuzz_target(inputs.filename().string());
    if (target == nullptr) throw htools::InputError(inputs.string() + ": there is no such target");
    for (const fs::path& path : sorted_entries(inputs)) {
      std::printf("%s\n", path.c_str());
      std::fflush(stdout);  // if the program is aborted, the last line names the input
      htools::testing::run_fuzz_target(*target, htools::read_file(path.string()));
      ++count;
    }
  }
  std::printf("%d inputs replayed\n", count);
  return count > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: fuzz_replay FOLDER\n", stderr);
    return 2;
  }
  try {
    return replay(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
