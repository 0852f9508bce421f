// The options of hscan.
#pragma once

#include <string>

#include "apps/options/groups.h"
#include "apps/options/tool.h"

namespace htools {

struct HscanOptions {
  SourceOptions source;
  std::string output_directory = ".";
  OutputOptions output;
  DocumentOptions document;
  GeneralOptions general;
};

extern const Tool kHscanTool;
OptionList declare_options(HscanOptions& o);

}  // namespace htools
