// The options of himport.
#pragma once

#include <optional>
#include <string>

#include "apps/options/groups.h"
#include "apps/options/tool.h"
#include "platforms/make_cluster.h"

namespace htools {

// What to import from another platform.
struct ImportOptions {
  std::optional<std::string> platform;  // its name
  std::optional<std::string> map;       // file of what the user says about hosts and storage
  ImportRules rules;                    // but for the map
};

struct HimportOptions {
  ImportOptions import;
  ResultOptions result;
  DocumentOptions document;
  GeneralOptions general;
};

extern const Tool kHimportTool;
OptionList declare_options(HimportOptions& o);

}  // namespace htools
