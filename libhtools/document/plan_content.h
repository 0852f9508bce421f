// The content of documents of the kind htools.plan/1: moves of instances, what they cost and what they achieve.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/sizes.h"
#include "document/error_content.h"
#include "document/job_fields.h"
#include "htools/balance.h"
#include "htools/maintain.h"
#include "plan/ordering.h"
#include "plan/plan.h"
#include "plan/plan_choice.h"
#include "search/wishes.h"

namespace htools {

// What a plan is made for.
enum class PlanGoal : std::uint8_t {
  Balance,
  SavePower,
  To,
  Check,
  Resume,
  Empty,
  Retire,
  MakeRoom,
  Defragment,
  Repair
};

// What limits a plan. The limits of other goals are absent.
struct PlanLimits {
  std::optional<BalanceOptions> balance = {};
  std::optional<SqueezeTargets> power = {};
  std::optional<std::int64_t> max_copied = {};  // MiB
  std::optional<double> max_seconds = {};
  std::optional<double> until_score = {};
  Wishes wishes = {};
  Wishes triggers = {};       // nothing moves voluntarily if all nodes are within these limits
  bool then_balance = false;  // the plan goes on to the lowest score
  bool plain_moves = false;   // instances on local disks may move
};

// The nodes that a plan switches.
struct NodeSwitching {
  SqueezeAction action = SqueezeAction::None;
  std::vector<NodeIndex> nodes = {};
  bool sufficient = true;
};

// A new instance and its nodes.
struct PlacedName {
  std::string instance;
  Placement place;
};

// What more moves than those of a plan would reach, in all node groups together.
struct PlanBeyond {
  std::size_t steps = 0;  // in all
  double score = 0.0;     // after them; of several groups, the sum
};

// A problem that a plan leaves.
struct LeftProblem {
  std::string_view kind;  // of finding.h
  std::string rule = {};  // the placement rule; empty if it is about none
  std::vector<NodeIndex> nodes = {};
  std::vector<InstanceIndex> instances = {};
  std::string reason = {};                 // why, as a sentence
  std::vector<std::string> conflict = {};  // names of the rules that contradict each other
  bool is_proven = false;                  // no plan whatever could cure it
};

// The commands of a step.
struct CommandsOfStep {
  std::size_t step = 0;  // its number
  std::size_t wave = 0;  // the number of its wave
  std::vector<std::string> commands;
};

// A plan.
struct PlanContent {
  PlanGoal goal = PlanGoal::Balance;
  PlanLimits limits = {};
  Plan plan = {};
  std::optional<BalanceEnd> end = {};                        // why there are no further steps, if that is known
  std::vector<Unreached> unreached = {};                     // instances that do not reach the place that was wanted
  std::vector<InstanceIndex> lost = {};                      // instances whose data is on nodes that are down
  std::optional<NodeSwitching> switching = {};               // for SavePower
  std::vector<NodeIndex> retired = {};                       // for Retire: the nodes that were chosen
  std::vector<NodeIndex> emptied = {};                       // nodes that nothing is to stay on
  std::optional<BeforeAndAfter<std::int64_t>> fitting = {};  // for Defragment: further instances that fit
  std::vector<PlacedName> placed = {};                       // for MakeRoom: where the new instances go
  std::optional<ClusterSizes> sizes = {};                    // of the cluster that the plan is for, if it goes on later
  std::optional<PlanChoices> choices = {};                   // the plan was, or is to be, chosen from these
  std::vector<LeftProblem> left = {};                        // for Repair: what no plan was found for
  std::optional<std::int64_t> least_moves = {};              // for Repair: no plan that mends the same has fewer
  std::optional<PlanBeyond> beyond = {};                     // for Balance: what more moves would reach
  std::vector<std::string> remarks = {};                     // sentences about the plan as a whole
  std::optional<std::vector<CommandsOfStep>> commands = {};  // if they were asked for
  std::optional<std::vector<SubmittedJob>> jobs = {};        // if the plan was carried out
  std::optional<DocumentError> error = {};                   // what has failed after the plan was made
};

}  // namespace htools
