// The options of hail.
#pragma once

#include "allocate/allocation.h"
#include "apps/options/groups.h"
#include "apps/options/tool.h"

namespace htools {

struct HailOptions {
  SourceOptions source;
  UtilisationOptions utilisation;
  AllocationRules rules;
  OutputOptions output;
  GeneralOptions general;
};

extern const Tool kHailTool;
OptionList declare_options(HailOptions& o);

}  // namespace htools
