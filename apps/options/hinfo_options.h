// The options of hinfo.
#pragma once

#include "apps/options/groups.h"
#include "apps/options/tool.h"
#include "cluster/prepare.h"

namespace htools {

struct HinfoOptions {
  SourceOptions source;
  UtilisationOptions utilisation;
  NodeOptions nodes;
  OutputOptions output;
  DocumentOptions document;
  MetricsOptions metrics;
  GeneralOptions general;
};

extern const Tool kHinfoTool;
OptionList declare_options(HinfoOptions& o);

}  // namespace htools
