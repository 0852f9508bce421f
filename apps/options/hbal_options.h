// The options of hbal.
#pragma once

#include <optional>
#include <string>

#include "apps/options/groups.h"
#include "apps/options/tool.h"
#include "balance/balancer.h"
#include "cluster/prepare.h"

namespace htools {

struct HbalOptions {
  SourceOptions source;
  UtilisationOptions utilisation;
  InstanceOptions instances;
  NodeOptions nodes;
  std::optional<std::string> group;  // name or UUID
  BalanceOptions balance;
  OutputOptions output;
  JobOptions jobs;
  DocumentOptions document;
  GeneralOptions general;
};

extern const Tool kHbalTool;
OptionList declare_options(HbalOptions& o);

}  // namespace htools
