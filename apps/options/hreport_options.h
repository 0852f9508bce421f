// The options of hreport.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/options/groups.h"
#include "apps/options/tool.h"
#include "balance/balancer.h"
#include "cluster/prepare.h"
#include "plan/copying.h"

namespace htools {

// What a report shows besides the cluster.
struct ReportChoice {
  std::optional<std::string> plan;     // file of a plan
  std::vector<std::string> capacity;   // files of answers of hspace and hgrow
  std::optional<std::string> compare;  // file of another state
  bool cures = false;                  // say what would cure each problem
  std::optional<std::string> drill;    // the set of losses to rehearse: "each-node", "each:TAGPREFIX"
};

struct HreportOptions {
  SourceOptions source;
  UtilisationOptions utilisation;
  InstanceOptions instances{.diskless_moves = true, .tells_idle_tags = true};
  NodeOptions nodes;
  std::optional<std::string> group;  // name or UUID; absent: all groups
  BalanceOptions balance{.moves = {.dead_disks = false}};
  bool capacity_checks = true;
  ReportChoice report;
  ResultOptions result;
  CopyRules copying;
  DocumentOptions document;
  GeneralOptions general;
};

extern const Tool kHreportTool;
OptionList declare_options(HreportOptions& o);

}  // namespace htools
