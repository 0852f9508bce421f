// The options of hroller.
#pragma once

#include <optional>
#include <string>

#include "apps/options/groups.h"
#include "apps/options/tool.h"
#include "cluster/prepare.h"
#include "maintain/reboot_groups.h"

namespace htools {

// The nodes that are rebooted together, and the form of the output.
struct MaintenanceOptions {
  RebootOptions reboot;
  bool needs_master = true;       // fail if there is no master node
  bool first_group_only = false;  // print only the first group
  bool print_moves = false;       // print the moves after each group
};

struct HrollerOptions {
  SourceOptions source;
  NodeOptions nodes;
  std::optional<std::string> group;  // name or UUID
  MaintenanceOptions maintenance;
  OutputOptions output;
  DocumentOptions document;
  GeneralOptions general;
};

extern const Tool kHrollerTool;
OptionList declare_options(HrollerOptions& o);

}  // namespace htools
