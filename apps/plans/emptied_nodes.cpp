#include "apps/plans/emptied_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/common/progress.h"
#include "apps/plans/balanced_plan.h"
#include "base/amounts.h"
#include "base/strings.h"
#include "cluster/group_lookup.h"
#include "cluster/name_lookup.h"
#include "goals/emptying.h"
#include "goals/retirement.h"
#include "grow/must_stay.h"
#include "htools/errors.h"
#include "plan/plan.h"
#include "report/plan_text.h"
#include "report/refusal_sentence.h"
#include "rules/refusal.h"

namespace htools {
namespace {

constexpr std::size_t kMostNamed = 5;  // of those that stay on a node

std::string name_of(const Cluster& cluster, NodeIndex n) { return cluster.node(n).facts->alias; }

std::vector<std::string> names_of(const Cluster& cluster, const std::vector<NodeIndex>& nodes) {
  std::vector<std::string> names;
  for (const NodeIndex n : nodes) names.push_back(name_of(cluster, n));
  return names;
}

// Returns the nodes of these groups that the user has named.
std::vector<NodeIndex> named_nodes(const Cluster& cluster, const std::vector<GroupIndex>& groups,
                                   const std::vector<std::string>& keys) {
  std::vector<std::string> names;
  for (const Node& node : cluster.nodes) names.push_back(node.facts->name);
  std::vector<NodeIndex> nodes;
  for (const std::string& key : keys) {
    const std::optional<std::string> name = resolve_name(names, key);
    if (!name) {
      const NameComplaint complaint = complaint_about("node", names, key);
      throw InputError(ErrorCode::UnknownName, "--empty: " + complaint.message, {}, complaint.hint);
    }
    const NodeIndex n(static_cast<std::size_t>(std::ranges::find(names, *name) - names.begin()));
    if (std::ranges::find(groups, cluster.node(n).facts->group) == groups.end()) {
      throw InputError(ErrorCode::Usage, fmt::format("--empty names '{}', which is not in the node group of --group",
                                                     cluster.node(n).facts->name));
    }
    if (std::ranges::find(nodes, n) == nodes.end()) nodes.push_back(n);
  }
  return nodes;
}

// How moves for instances that stay were looked for.
struct Attempted {
  bool has_limits;
  bool is_forced;
  std::optional<int> effort = {};  // of the search; none if there was no search
};

// Says why an instance stays: what forbids it, or else that no way was found and which rule refuses the nearest move.
// (Several moves together might do what none does alone.)
std::string reason_of(const Cluster& cluster, const Staying& staying, const Attempted& attempted) {
  if (!staying.may_move) return immovable_text(cluster, staying.instance, staying.immovable);
  if (!staying.has_targets) return "no other node of its group takes instances";
  std::string text = fmt::format("no way {}was found{}", attempted.has_limits ? "within the limits " : "",
                                 attempted.effort ? fmt::format(" (--effort={})", *attempted.effort) : "");
  if (!staying.nearest) return text;
  text += fmt::format("; nearest, {}",
                      refusal_sentence(cluster, cluster.instance(staying.instance).facts->name, *staying.nearest));
  if (attempted.is_forced || mode_of(*staying.nearest) != FailMode::Tags) return text;
  return text + "; --ignore-soft-errors allows instances with a common tag on one node";
}

void tell_staying(const Cluster& cluster, const std::vector<Staying>& staying, const Attempted& attempted, Made& made) {
  for (std::size_t i = 0; i < std::min(staying.size(), kMostNamed); ++i) {
    made.remarks.push_back(fmt::format("{} stays on {}: {}.", cluster.instance(staying[i].instance).facts->alias,
                                       name_of(cluster, staying[i].node), reason_of(cluster, staying[i], attempted)));
  }
  if (staying.size() > kMostNamed) made.remarks.push_back(fmt::format("{} more stay.", staying.size() - kMostNamed));
}

// Says what the limits of the plan would have to allow: what the plan without them needs. `start` is as
// `before`, with the nodes offline.
void tell_needed_limits(const Cluster& before, const Cluster& start, HplanOptions options,
                        const std::vector<GroupIndex>& groups, const std::vector<NodeIndex>& nodes, Made& made) {
  options.balance.max_steps = BalanceOptions{}.max_steps;
  options.plan.max_copied.reset();
  options.plan.max_duration.reset();
  Trial trial(start);
  const Made whole = balanced(trial, options, groups);
  if (!staying_on(trial.cluster(), nodes, options.balance.moves).empty()) return;
  MoveCost sum;
  for (const BalanceStep& step : whole.steps) {
    const MoveCost cost = cost_of(before, step, options.copying);
    sum.copied_mib += cost.copied_mib;
    sum.migrated_mib += cost.migrated_mib;
  }
  made.remarks.push_back(fmt::format(
      "The limits leave instances behind; without them, {} would empty the nodes, with {} of disk copied and "
      "{} of memory migrated.",
      counted(whole.steps.size(), "move"), amount_text(sum.copied_mib), amount_text(sum.migrated_mib)));
}

// Names the nodes that break a soft rule since the plan. (Moves off nodes that are really offline may do that.)
void tell_unsafe(const Cluster& before, const Cluster& after, Made& made) {
  std::vector<NodeIndex> not_n1, too_many_vcpus;
  for (const NodeIndex n : newly_unsafe(before, after)) {
    const bool lacks_memory = after.node(n).books.n1_failed && !before.node(n).books.n1_failed;
    (lacks_memory ? not_n1 : too_many_vcpus).push_back(n);
  }
  const auto tell = [&](std::string_view what, const std::vector<NodeIndex>& nodes) {
    if (nodes.empty()) return;
    made.remarks.push_back(fmt::format("{}: {}.", what, join_first(names_of(after, nodes), kMostNamed)));
  };
  tell("No longer N+1 safe", not_n1);
  tell("Above the limit of virtual CPUs", too_many_vcpus);
}

// Empties the nodes and balances the others.
Made without(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups,
             const std::vector<NodeIndex>& nodes) {
  const Cluster before = trial.cluster();
  switch_off(trial, nodes);
  Cluster start = trial.cluster();
  HplanOptions wished = options;
  wished.plan.wishes.emptied = nodes;
  Made made = balanced(trial, wished, groups);
  const Cluster& after = trial.cluster();
  const std::vector<Staying> staying = staying_on(after, nodes, options.balance.moves);
  const bool has_limits = !search_limits(options).are_open();
  const Attempted attempted{.has_limits = has_limits || options.plan.wishes.has_limits(),
                            .is_forced = options.balance.moves.force,
                            .effort = static_cast<int>(options.plan.effort)};
  tell_staying(after, staying, attempted, made);
  if (!staying.empty() && has_limits && !made.is_interrupted)
    tell_needed_limits(before, start, wished, groups, nodes, made);
  tell_unsafe(before, after, made);
  made.is_no = made.is_no || !staying.empty();
  made.start = std::move(start);
  made.emptied = nodes;
  return made;
}

// Says what stands in the way of one more node.
void tell_obstacle(const Cluster& cluster, const RetirementObstacle& obstacle, bool is_forced, Made& made) {
  made.remarks.push_back(fmt::format("No moves were found that empty one more node. {} would be the next:",
                                     name_of(cluster, obstacle.node)));
  tell_staying(cluster, obstacle.staying, {.has_limits = false, .is_forced = is_forced}, made);
  if (obstacle.unsafe.empty()) return;
  made.remarks.push_back(fmt::format("these would no longer be N+1 safe, or above the limit of virtual cpus: {}.",
                                     join_first(names_of(cluster, obstacle.unsafe), kMostNamed)));
}

// Returns a number of nodes of the group that must stay: by what moves allow, and by the bound of hgrow, which counts
// instances on offline nodes and limits that --ignore-soft-errors lifts.
std::int64_t nodes_to_keep(const Cluster& cluster, GroupIndex group, const MoveRules& rules) {
  const auto by_moves = static_cast<std::int64_t>(least_nodes(cluster, group, rules));
  const bool has_lost_nodes = std::ranges::any_of(members_of(cluster, group).nodes, [&](NodeIndex n) {
    const Node& node = cluster.node(n);
    return node.offline && !(node.primaries.empty() && node.secondaries.empty());
  });
  if (rules.force || has_lost_nodes) return by_moves;
  return std::max(by_moves, nodes_that_must_stay(cluster, group, false));
}

void tell_least_nodes(const Cluster& cluster, const std::vector<GroupIndex>& groups,
                      const std::vector<NodeIndex>& retired, const MoveRules& rules, Made& made) {
  for (const GroupIndex g : groups) {
    const auto left = std::ranges::count_if(members_of(cluster, g).nodes, [&](NodeIndex n) {
      return !cluster.node(n).offline && std::ranges::find(retired, n) == retired.end();
    });
    made.remarks.push_back(fmt::format("Group {} keeps {} nodes; at least {} must stay, whatever the plan.",
                                       cluster.group(g).name, left, nodes_to_keep(cluster, g, rules)));
  }
}

}  // namespace

Made emptied(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups) {
  return without(trial, options, groups, named_nodes(trial.cluster(), groups, options.plan.empty));
}

Made retired(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups) {
  const Cluster before = trial.cluster();
  const MoveRules& rules = options.balance.moves;
  const bool is_max = *options.plan.retire == kAsManyAsPossible;
  const auto wanted = static_cast<std::size_t>(*options.plan.retire);
  Retirement choice;
  {
    Progress progress(options.general, Progress::Result::AtTheEnd);
    choice = choose_retirement(
        before, groups, is_max ? std::nullopt : std::optional(wanted), rules,
        [&](std::size_t nodes) { progress.update([&] { return fmt::format("{} nodes can be retired", nodes); }); });
  }
  Made made = without(trial, options, groups, choice.nodes);
  std::vector<std::string> head;
  if (!is_max && choice.nodes.size() < wanted) {
    made.is_no = true;
    head.push_back(fmt::format("Moves were found that retire {} of {} nodes.", choice.nodes.size(), wanted));
  }
  head.push_back(choice.nodes.empty() ? "No moves were found that retire a node."
                                      : fmt::format("Retired: {}.", join(names_of(before, choice.nodes), ", ")));
  made.remarks.insert(made.remarks.begin(), head.begin(), head.end());
  if (choice.obstacle) tell_obstacle(before, *choice.obstacle, options.balance.moves.force, made);
  if (is_max) tell_least_nodes(before, groups, choice.nodes, rules, made);
  made.retired = choice.nodes;
  return made;
}

}  // namespace htools
