// The options of hgrow.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/options/groups.h"
#include "apps/options/tool.h"
#include "cluster/prepare.h"
#include "grow/growth.h"
#include "grow/inflate.h"
#include "htools/policy.h"

namespace htools {

// The growth that is asked about.
struct GrowthChoice {
  std::optional<double> growth;                              // per cent of the present mix
  std::optional<MonthlyGrowth> monthly;                      // the same in each month
  std::optional<std::string> wanted;                         // file with items, one a line
  std::vector<std::string> instances;                        // items
  std::optional<std::vector<InflatedResource>> max_inflate;  // what of all present instances may grow
  std::optional<InstanceSpec> node;                          // the size of nodes to buy
  bool after_plan = false;                                   // answer also for the state after a plan
  std::optional<std::int64_t> runs;                          // random orders
  std::optional<double> size_spread;                         // per cent by which random sizes differ
  std::int64_t seed = 1;
  bool capacity_checks = true;
};

struct HgrowOptions {
  SourceOptions source;
  UtilisationOptions utilisation;
  InstanceOptions instances{.diskless_moves = true, .tells_idle_tags = true};
  NodeOptions nodes;
  std::optional<std::string> group;  // name or UUID; absent: all groups
  GrowthChoice growth;
  DocumentOptions document;
  GeneralOptions general;
};

extern const Tool kHgrowTool;
OptionList declare_options(HgrowOptions& o);

}  // namespace htools
