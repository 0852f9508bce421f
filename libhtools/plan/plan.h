// Describes a plan, which is a sequence of moves: what each step costs and why it is made, in which waves the steps can
// be carried out, and what they achieve.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "htools/moves.h"
#include "plan/copying.h"
#include "plan/ordering.h"
#include "plan/step_reason.h"

namespace htools {

// The cost of one step.
struct MoveCost {
  std::int64_t copied_mib = 0;    // of disks, to new secondary nodes, or local ones that go with their instance
  std::int64_t migrated_mib = 0;  // of memory, once for each live migration
  bool stopped = false;           // the instance runs, but restarts on its new primary node (cluster/mobility.h)
  double seconds = 0.0;           // if nothing else is copied
};

// Returns the cost of a step. `cluster` may be any state; only facts and offline nodes count.
MoveCost cost_of(const Cluster& cluster, const BalanceStep& step, const CopyRules& rules);

// What is to be said about a proposed step.
enum class Verdict : std::uint8_t {
  Ok,         // allowed, and made
  Refused,    // a rule forbids it
  Pointless,  // the instance is there already
  Stale       // the instance is not where the proposal expects it
};
inline constexpr std::array<std::string_view, 4> kVerdictNames{"ok", "refused", "pointless", "stale"};
constexpr std::string_view name(Verdict verdict) { return kVerdictNames[static_cast<std::size_t>(verdict)]; }

// A step, as people and programs see it.
struct PlannedStep {
  std::size_t number = 0;  // counted from 1
  BalanceStep step;
  GroupIndex group;
  std::size_t wave = 0;    // counted from 1
  bool mandatory = false;  // the instance leaves an offline node
  std::string reason;      // "balance: memory of node5 80 -> 71 %"
  Served serves = {};      // the same for programs
  MoveCost cost;
  // The data of the instance is lost: the step makes new, empty disks where the instance will be, and copies nothing.
  // The move of such a step means nothing.
  bool new_disks = false;
  // For steps that somebody has proposed: what is to be said about them. A step that is not made has wave 0, no cost,
  // and a score that is not a number.
  std::optional<Verdict> verdict = {};
  std::optional<Unreached> refusal = {};  // if it is refused
};

// What steps with new disks are called, among the kinds of moves.
inline constexpr std::string_view kNewDisksName = "restore";

// Steps that are carried out at the same time.
struct Wave {
  std::vector<std::size_t> steps;  // their numbers
  double seconds = 0.0;            // until the longest of them has ended
};

// Sums over all steps.
struct PlanTotals {
  std::size_t steps = 0;
  std::int64_t copied_mib = 0;
  std::int64_t migrated_mib = 0;
  std::int64_t stopped = 0;  // the number of steps during which an instance is down
  double seconds_one_by_one = 0.0;
  double seconds = 0.0;        // wave by wave
  double least_seconds = 0.0;  // no division into waves takes less
};

// A number before and after a plan.
template <class Number>
struct BeforeAndAfter {
  Number before{};
  Number after{};
};

// What a plan does to one node group.
struct GroupOutcome {
  GroupIndex group;
  BeforeAndAfter<double> score;
  double lower_bound = 0.0;  // the part of the score before that no placement can avoid
  BeforeAndAfter<std::int64_t> grade;
  BeforeAndAfter<std::int64_t> graded_nodes;  // the number of nodes that the grade is over
  bool is_left_behind = false;                // instances stay on nodes that count as empty, which no grade is over
  BeforeAndAfter<std::int64_t> not_n1;        // the number of nodes that are not N+1 safe
};

// A plan with all that is known of it.
struct Plan {
  std::vector<GroupOutcome> groups;
  std::vector<PlannedStep> steps;
  std::vector<Wave> waves;
  std::vector<std::size_t> longest_chain;  // numbers of steps that wait for each other and take longest together
  PlanTotals totals;
};

// The way in which the steps of a plan are divided into waves: into the job sets of the balancer (balance/job_sets.h),
// or into a schedule (plan/schedule.h).
enum class WaveKind : std::uint8_t { OfBalancer, OfSchedule };

// Describes the steps, which lead from `start` to `after`. `before` is the state that people know; it differs from
// `start` in nodes that are switched off or on. `groups` are those whose outcome is wanted.
Plan describe_plan(const Cluster& before, const Cluster& start, const Cluster& after,
                   std::span<const BalanceStep> steps, const std::vector<GroupIndex>& groups,
                   WaveKind wave_kind = WaveKind::OfBalancer, const MoveRules& moves = {}, const CopyRules& rules = {});

// Puts steps that give instances new disks at the beginning of the plan, in a wave of their own. They lead from the
// state that people know to the one in which the plan begins, `start`. The numbers of steps and waves that were there
// change.
void put_restored_first(Plan& plan, const Cluster& start, std::span<const BalanceStep> restored);

}  // namespace htools
