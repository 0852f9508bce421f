// The options of hplan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/options/groups.h"
#include "apps/options/tool.h"
#include "balance/balancer.h"
#include "cluster/prepare.h"
#include "plan/copying.h"
#include "search/wishes.h"

namespace htools {

// A number of nodes that stands for as many as possible.
inline constexpr std::int64_t kAsManyAsPossible = -1;

// The plan that is wanted, and its limits.
struct PlanChoice {
  bool balance = false;                    // asked for by name; it is the default
  std::optional<double> worth;             // how much moves must bring, as search/worth.h measures it
  bool unlimited = false;                  // the lowest score, whatever it takes
  std::optional<bool> repair;              // mend what is broken; true: without rules that only should be kept
  std::optional<std::string> to;           // file of the state that is wanted
  std::vector<std::string> empty;          // names of nodes that nothing is to stay on
  std::optional<std::int64_t> retire;      // the number of nodes to empty; kAsManyAsPossible for all that can be
  std::optional<std::string> check;        // file of the plan to judge
  std::optional<std::string> resume;       // file of the plan to go on with
  bool force = false;                      // go on with a plan that was made for another cluster
  bool restore = false;                    // give instances whose data is lost new disks
  std::optional<std::string> defragment;   // TEMPLATE,DISK,MEMORY,CPUS
  std::vector<std::string> make_room;      // instances to be, as formats/item_reader.h reads them
  std::optional<std::int64_t> max_copied;  // MiB
  std::optional<double> max_duration;      // seconds
  std::optional<double> until_score;       // as cheap as possible down to this score
  Wishes wishes;                           // what balance means besides the score
  bool then_balance = false;               // go on when the goal or the wishes are met, to the lowest score
  Wishes triggers;                         // nothing moves voluntarily if all nodes are within these limits
  bool tradeoff = false;                   // show several plans to choose from
  std::optional<std::int64_t> choose;      // take that one of them; counted from 1
  std::int64_t effort = 5;                 // 0 to 9
  std::int64_t seed = 1;
  std::optional<std::string> save_plan;  // file for the plan's document
};

struct HplanOptions {
  SourceOptions source;
  UtilisationOptions utilisation;
  InstanceOptions instances{.diskless_moves = true, .tells_idle_tags = true};
  NodeOptions nodes;
  std::optional<std::string> group;  // name or UUID; absent: all groups
  BalanceOptions balance{.moves = {.dead_disks = false}};
  PlanChoice plan;
  CopyRules copying;
  OutputOptions output;
  JobOptions jobs;
  DocumentOptions document;
  GeneralOptions general;
};

extern const Tool kHplanTool;
OptionList declare_options(HplanOptions& o);

}  // namespace htools
