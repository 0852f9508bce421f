// The options of hwhatif.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "allocate/allocation.h"
#include "apps/options/groups.h"
#include "apps/options/tool.h"
#include "cluster/prepare.h"

namespace htools {

// The changes to a cluster.
struct ChangeOptions {
  std::vector<std::string> changes;  // "NAME=VALUE", in command-line order
};

// The form of the result. Without a choice, it is that of the source.
struct FormOptions {
  bool text = false;   // a text file
  bool lossy = false;  // even if a text file cannot hold all of it
};

struct HwhatifOptions {
  SourceOptions source;
  UtilisationOptions utilisation;
  InstanceOptions instances{.diskless_moves = true, .tells_idle_tags = true};
  NodeOptions nodes;
  std::optional<std::string> group;  // name or UUID; absent: all groups
  AllocationRules rules;
  ChangeOptions change;
  ResultOptions result;
  FormOptions form;
  DocumentOptions document;
  GeneralOptions general;
};

extern const Tool kHwhatifTool;
OptionList declare_options(HwhatifOptions& o);

}  // namespace htools
