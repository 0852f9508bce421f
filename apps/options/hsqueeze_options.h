// The options of hsqueeze.
#pragma once

#include "apps/options/groups.h"
#include "apps/options/tool.h"
#include "maintain/squeeze.h"

namespace htools {

struct HsqueezeOptions {
  SourceOptions source;
  SqueezeTargets targets;
  OutputOptions output;
  JobOptions jobs;
  DocumentOptions document;
  GeneralOptions general;
};

extern const Tool kHsqueezeTool;
OptionList declare_options(HsqueezeOptions& o);

}  // namespace htools
