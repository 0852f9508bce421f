// The options of hsweep.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/options/groups.h"
#include "apps/options/tool.h"

namespace htools {

// A part of the scenarios of a study.
struct Shard {
  std::int64_t number = 1;  // from 1
  std::int64_t count = 1;
};

// Which scenarios are run, how, and the table of their records.
struct SweepOptions {
  Shard shard;
  std::int64_t jobs = 1;
  std::optional<std::int64_t> memory;  // MiB, of each scenario
  std::optional<std::string> output_file;
  bool csv = false;
  std::vector<std::string> rows{"cluster", "changes"};
  std::string columns = "question";
  std::string value = "status";
};

struct HsweepOptions {
  SweepOptions sweep;
  DocumentOptions document;
  GeneralOptions general;
};

extern const Tool kHsweepTool;
OptionList declare_options(HsweepOptions& o);

}  // namespace htools
