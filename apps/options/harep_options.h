// The options of harep.
#pragma once

#include "apps/options/groups.h"
#include "apps/options/tool.h"

namespace htools {

// The way in which instances are repaired.
struct RepairOptions {
  double job_delay = 10.0;  // seconds that a repair waits before it begins; 0 or less: no wait
  bool dry_run = false;
};

struct HarepOptions {
  SourceOptions source;
  JobOptions jobs;
  RepairOptions repair;
  DocumentOptions document;
  GeneralOptions general;
};

extern const Tool kHarepTool;
OptionList declare_options(HarepOptions& o);

}  // namespace htools
