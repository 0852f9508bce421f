// The options of hcheck.
#pragma once

#include "apps/options/groups.h"
#include "apps/options/tool.h"
#include "balance/balancer.h"
#include "cluster/prepare.h"

namespace htools {

struct HcheckOptions {
  SourceOptions source;
  UtilisationOptions utilisation;
  InstanceOptions instances;
  NodeOptions nodes;
  BalanceOptions balance;
  bool capacity_checks = true;
  bool simulation = true;  // check the result of rebalancing, too
  OutputOptions output;
  DocumentOptions document;
  MetricsOptions metrics;
  GeneralOptions general;
};

extern const Tool kHcheckTool;
OptionList declare_options(HcheckOptions& o);

}  // namespace htools
