#include "apps/plans/given_plans.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "apps/common/data_source.h"
#include "apps/output/messages.h"
#include "apps/output/named_files.h"
#include "apps/output/output.h"
#include "apps/plans/balanced_plan.h"
#include "apps/plans/restored_instances.h"
#include "apps/plans/watched_search.h"
#include "base/amounts.h"
#include "base/strings.h"
#include "cluster/fingerprint.h"
#include "cluster/members.h"
#include "cluster/sizes.h"
#include "formats/plan_reader.h"
#include "goals/emptying.h"
#include "goals/restoring.h"
#include "htools/score.h"
#include "plan/paths.h"
#include "plan/plan.h"
#include "plan/progress.h"
#include "report/size_difference.h"

namespace htools {
namespace {

// A plan is compared with our own one up to this size; beyond that, the comparison would take seconds. With -v, it is
// compared always.
constexpr std::size_t kMostComparedSteps = 100;
constexpr std::size_t kMostComparedNodes = 100;

constexpr std::size_t kMostEmptiedNamed = 5;  // of the nodes that the plan empties
constexpr std::size_t kMostLeftOutNamed = 3;  // of the steps with names that the cluster does not have

// Takes what is of other node groups away. Returns how much that is.
template <class Wanted>
std::size_t leave_out_other_groups(const Cluster& cluster, const std::vector<GroupIndex>& groups,
                                   std::vector<Wanted>& placements) {
  return std::erase_if(placements, [&](const Wanted& w) {
    const NodeIndex primary = cluster.instance(w.instance).primary;
    return !primary.is_none() && std::ranges::find(groups, cluster.node(primary).facts->group) == groups.end();
  });
}

// Says in what the cluster differs from the one that the plan was made for, as far as the plan shows that.
std::string difference_of(const Cluster& cluster, Proposal proposal) {
  if (proposal.sizes) {
    const std::vector<std::string> sentences = size_differences(*proposal.sizes, sizes_of(cluster));
    if (sentences.empty()) return "All names, memory, disks and CPUs are equal: spindles or CPU speeds differ.";
    return join(sentences, " ");
  }
  const std::size_t steps = proposal.placements.size();
  const std::vector<std::string> left_out = leave_out_unknown(cluster, proposal);
  const bool has_other_counts = proposal.counts && (proposal.counts->nodes != cluster.nodes.size() ||
                                                    proposal.counts->instances != cluster.instances.size());
  if (left_out.empty() && has_other_counts) {
    return fmt::format("It had {} and {}, and has {} and {} now.", counted(proposal.counts->nodes, "node"),
                       counted(proposal.counts->instances, "instance"), cluster.nodes.size(), cluster.instances.size());
  }
  if (left_out.empty()) return "It has all names of the plan, so that sizes or other names differ.";
  return fmt::format("{} of {} name what it does not have. {}", left_out.size(), counted(steps, "step"),
                     join_first(left_out, kMostLeftOutNamed));
}

// Reads a plan and checks that it is for this cluster. Says what of it is left out. The nodes that it empties count as
// offline from then on.
std::vector<ResolvedPlacement> read_proposal(const std::string& path, const PlanChoice& choice, Trial& trial,
                                             const std::vector<GroupIndex>& groups, Made& made) {
  const Cluster& cluster = trial.cluster();
  Proposal proposal = read_plan(read_named_input(path), path == "-" ? "standard input" : path);
  require_chosen(proposal);
  if (proposal.facts_fingerprint && !choice.force && *proposal.facts_fingerprint != facts_fingerprint_of(cluster)) {
    throw InputError(ErrorCode::InvalidValue, "the plan was made for another cluster: names or sizes differ", path,
                     difference_of(cluster, proposal) + " Use --force to go on by names.");
  }
  if (choice.force) made.remarks = leave_out_unknown(cluster, proposal);
  made.is_no = !made.remarks.empty();
  std::vector<ResolvedPlacement> placements = resolve(cluster, proposal);
  if (const std::size_t others = leave_out_other_groups(cluster, groups, placements); others > 0) {
    made.remarks.push_back(
        fmt::format("{} of other node groups than that of --group: left out.", counted(others, "step")));
  }
  made.restored = restore_as_planned(trial, placements);
  made.restored_as_planned = made.restored.size();
  restore_wanted(trial, choice, groups, made);
  if (!made.restored.empty()) made.start = cluster;
  made.emptied = emptied_nodes(cluster, proposal);
  std::erase_if(made.emptied,
                [&](NodeIndex n) { return std::ranges::find(groups, cluster.node(n).facts->group) == groups.end(); });
  switch_off(trial, made.emptied);
  if (made.emptied.empty()) return placements;
  made.start = cluster;
  std::vector<std::string> names;
  for (const NodeIndex n : made.emptied) names.push_back(cluster.node(n).facts->alias);
  made.remarks.push_back(
      fmt::format("Counted as offline, because the plan empties them: {}.", join_first(names, kMostEmptiedNamed)));
  return placements;
}

// Returns where the other state has the instances, as far as that differs. Throws one InputError about all nodes that
// are not in the cluster.
std::vector<WantedPlacement> placements_of_state(const std::string& path, const HplanOptions& options,
                                                 const Cluster& cluster, Made& made) {
  SourceOptions source;
  source.text_file = path;
  source.static_kvm_node_memory = options.source.static_kvm_node_memory;
  GeneralOptions quiet = options.general;
  quiet.verbosity = 0;
  const LoadedCluster other = load_cluster(quiet, source);
  Proposal proposal{.source = path, .unit = "instance", .facts_fingerprint = std::nullopt, .placements = {}};
  std::unordered_set<std::string_view> names;
  for (const Instance& instance : cluster.instances) names.insert(instance.facts->name);
  std::size_t missing = 0;
  for (const Instance& instance : other.cluster.instances) {
    if (instance.primary.is_none()) continue;
    if (names.erase(instance.facts->name) == 0) {
      ++missing;
      continue;
    }
    ProposedPlacement p{.line = proposal.placements.size() + 1, .instance = instance.facts->name, .from = {}, .to = {}};
    for (const NodeIndex n : nodes_of(placement_of(instance))) p.to.push_back(other.cluster.node(n).facts->name);
    proposal.placements.push_back(std::move(p));
  }
  if (proposal.placements.empty() && missing > 0) {
    throw InputError(ErrorCode::InvalidValue, "this is the state of another cluster: they have no instance in common",
                     path);
  }
  if (missing > 0) {
    made.is_no = true;
    made.remarks.push_back(
        fmt::format("Left out, because the cluster does not have them: {} of {}.", counted(missing, "instance"), path));
  }
  if (!names.empty())
    made.remarks.push_back(fmt::format("Left where they are, because {} does not have them: {}.", path,
                                       counted(names.size(), "instance")));
  std::vector<WantedPlacement> wanted;
  for (const ResolvedPlacement& r : resolve(cluster, proposal)) {
    const Placement placement = wanted_placement(cluster, r);
    if (placement != placement_of(cluster.instance(r.instance))) wanted.push_back({r.instance, placement});
  }
  return wanted;
}

// Says what our own plan reaches at the price of the judged one.
void compare_with_own_plan(const Cluster& start, const HplanOptions& options, const std::vector<GroupIndex>& groups,
                           Made& made) {
  WatchedSearch search(options.general);
  const SearchRules rules{.balance = options.balance, .copying = options.copying, .wishes = {.emptied = made.emptied}};
  for (const GroupIndex group : groups) {
    const GroupMembers members = members_of(start, group);
    std::int64_t moves = 0, copied = 0;
    for (const BalanceStep& step : made.steps) {
      if (start.node(step.before.primary).facts->group != group) continue;
      ++moves;
      copied += cost_of(start, step, options.copying).copied_mib;
    }
    const SearchLimits limits{.max_steps = moves, .max_copied = copied, .min_gain = options.balance.min_gain};
    const Ordering own = search_plan(start, members, rules, limits, search_effort(options.plan), search.watch());
    const double score = own.steps.empty() ? score_of(start, group).value : own.steps.back().step.score;
    made.remarks.push_back(
        fmt::format("At the same price (at most {} and {} of disk copied), hplan's own plan for group {} reaches a "
                    "score of {:.8f}.",
                    counted(moves, "move"), amount_text(copied), start.group(group).name, score));
  }
  if (const auto sentence = search.interruption("these are the best plans")) made.remarks.push_back(*sentence);
}

}  // namespace

Made ordered(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups) {
  Made made;
  std::vector<WantedPlacement> wanted = placements_of_state(*options.plan.to, options, trial.cluster(), made);
  if (const std::size_t others = leave_out_other_groups(trial.cluster(), groups, wanted); others > 0) {
    made.remarks.push_back(
        fmt::format("{} of other node groups than that of --group: left where they are.", counted(others, "instance")));
  }
  order_groups(trial, groups, wanted, rules_for_named(options.balance.moves), made);
  return made;
}

Made checked(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups) {
  Made made;
  const std::vector<ResolvedPlacement> placements =
      read_proposal(*options.plan.check, options.plan, trial, groups, made);
  const Cluster start = trial.cluster();
  made.judgement = judge(trial, placements, options.balance.moves);
  made.steps = made.judgement->steps;
  made.is_no = made.is_no || !made.judgement->is_good();
  const bool is_small = made.steps.size() <= kMostComparedSteps && start.nodes.size() <= kMostComparedNodes;
  if (options.general.verbosity < (is_small ? 1 : 2)) return made;
  compare_with_own_plan(start, options, groups, made);
  return made;
}

Made resumed(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups) {
  Made made;
  const Cluster& cluster = trial.cluster();
  const std::vector<ResolvedPlacement> placements =
      read_proposal(*options.plan.resume, options.plan, trial, groups, made);
  const RestOfProposal rest = rest_of(cluster, placements);
  for (const InstanceIndex i : rest.strays)
    made.remarks.push_back(
        fmt::format("{} is not where the plan expects it; it stays.", cluster.instance(i).facts->alias));
  made.remarks.insert(made.remarks.begin(), fmt::format("Steps of the plan: {} ({} done, {} still right, {} stale).",
                                                        placements.size() + made.restored_as_planned, rest.done,
                                                        rest.right + made.restored_as_planned, rest.stale));
  made.is_no = made.is_no || rest.stale > 0;
  order_groups(trial, groups, rest.wanted, rules_for_named(options.balance.moves), made);
  return made;
}

}  // namespace htools
