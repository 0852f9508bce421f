// The options of hwhy.
#pragma once

#include <optional>
#include <string>

#include "apps/options/groups.h"
#include "apps/options/tool.h"
#include "balance/balancer.h"
#include "cluster/prepare.h"

namespace htools {

struct HwhyOptions {
  SourceOptions source;
  UtilisationOptions utilisation;
  InstanceOptions instances{.diskless_moves = true, .tells_idle_tags = true};
  NodeOptions nodes;
  std::optional<std::string> group;  // name or UUID; absent: all groups
  BalanceOptions balance{.moves = {.dead_disks = false}};
  bool capacity_checks = true;
  bool cures = true;  // say what would cure a problem
  DocumentOptions document;
  GeneralOptions general;
};

extern const Tool kHwhyTool;
OptionList declare_options(HwhyOptions& o);

}  // namespace htools
