#include "apps/hbal.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/common/cluster_output.h"
#include "apps/common/data_source.h"
#include "apps/common/documents.h"
#include "apps/common/execution.h"
#include "apps/common/plan_document.h"
#include "apps/common/progress.h"
#include "apps/output/output.h"
#include "balance/balancer.h"
#include "balance/job_sets.h"
#include "base/decimal.h"
#include "base/strings.h"
#include "cluster/group_lookup.h"
#include "cluster/members.h"
#include "formats/text_writer.h"
#include "htools/errors.h"
#include "htools/examine.h"
#include "jobs/commands.h"
#include "jobs/planned_jobs.h"
#include "jobs/platform_commands.h"
#include "jobs/wave_script.h"
#include "report/solution.h"

namespace htools {
namespace {

// The memory and disk totals that `-v -v -v -v` prints before and after balancing.
struct Resources {
  std::int64_t memory = 0;  // MiB, unallocated
  std::int64_t disk = 0;    // MiB, free
};

Resources resources_of(const Cluster& cluster, const GroupMembers& members) {
  Resources sum;
  for (NodeIndex n : members.nodes) {
    sum.memory += cluster.node(n).unallocated_memory();
    sum.disk += cluster.node(n).books.real.free_disk;
  }
  return sum;
}

void print_split_instances(const Cluster& cluster) {
  const std::vector<InstanceIndex> split = split_instances(cluster);
  if (split.empty()) return;
  print_error(
      fmt::format("{}{}These instances will not be moved.\n", kSplitInstancesHeading, instance_lines(cluster, split)));
}

void print_cluster_facts(const HbalOptions& options, const LoadedCluster& loaded) {
  if (options.general.verbosity > 1) print_split_instances(loaded.cluster);
  print(fmt::format("Loaded {} nodes, {} instances\n", loaded.cluster.nodes.size(), loaded.cluster.instances.size()));
  if (options.general.verbosity > 1) print(common_suffix_line(loaded));
}

// Prints the names of the groups under the heading, and throws the error that no group is selected.
[[noreturn]] void fail_to_select(const Cluster& cluster, const std::vector<GroupIndex>& groups,
                                 const std::string& heading, const std::string& advice) {
  std::vector<std::string> names;
  for (GroupIndex g : groups) names.push_back(cluster.group(g).name);
  if (prints_document()) {
    throw InputError(ErrorCode::UnknownName, fmt::format("{}: {}", heading, join(names, ", ")), {}, advice);
  }
  print_error(heading + ":\n");
  for (const std::string& name : names) print_error(fmt::format("  {}\n", name));
  throw InputError(ErrorCode::UnknownName, "Aborting.", {}, advice);
}

GroupIndex select_group(const HbalOptions& options, const Cluster& cluster) {
  if (options.group) {
    if (const auto group = find_group(cluster, *options.group)) return *group;
    const std::string suggestion = suggest_group(cluster, *options.group);
    std::vector<GroupIndex> all;
    for (std::size_t g = 0; g < cluster.groups.size(); ++g) all.emplace_back(g);
    fail_to_select(cluster, all, fmt::format("Node group {} not found. Node group list is", *options.group),
                   suggestion.empty() ? "Choose one of them with -G." : suggestion);
  }
  const std::vector<GroupIndex> groups = groups_with_nodes(cluster);
  if (groups.size() == 1) return groups.front();
  fail_to_select(
      cluster, groups, "Found multiple node groups",
      groups.empty() ? "" : fmt::format("Choose one with -G, for example -G {}", cluster.group(groups.front()).name));
}

std::string names_text(const Cluster& cluster, const std::vector<NodeIndex>& nodes) {
  std::vector<std::string> names;
  for (NodeIndex n : nodes) names.push_back(cluster.node(n).facts->name);
  return quote_list(names);
}

std::string policy_status_text(const Cluster& cluster, const GroupExamination& health) {
  std::vector<std::string> entries;
  auto violation = health.policy_violations.begin();
  for (NodeIndex n : health.other_nodes) {
    const bool violates = violation != health.policy_violations.end() && violation->node == n;
    entries.push_back(fmt::format("({},{})", quote(cluster.node(n).facts->name),
                                  violates ? fmt::format("Bad {}", name((violation++)->ratio)) : "Ok ()"));
  }
  return "[" + join(entries, ",") + "]";
}

void print_health(const HbalOptions& options, const Cluster& cluster, const GroupExamination& health) {
  if (options.general.verbosity >= 1) {
    print(fmt::format("Initial check done: {} bad nodes, {} bad instances.\n", health.bad_nodes.size(),
                      health.bad_instances.size()));
  }
  if (options.general.verbosity > 4) {
    print(fmt::format("Bad nodes: {}\nN+1 happy nodes: {}\nNode policy status: {}\n",
                      names_text(cluster, health.bad_nodes), names_text(cluster, health.other_nodes),
                      policy_status_text(cluster, health)));
  }
  if (!health.bad_nodes.empty()) {
    print("Cluster is not N+1 happy, continuing but no guarantee that the cluster will end N+1 happy.\n",
          Highlight::Notice);
  }
  if (health.policy_violations.empty()) return;
  print(fmt::format("The cluster contains {} policy-violating nodes.\n", health.policy_violations.size()),
        Highlight::Notice);
  print(options.balance.moves.force ? "Continuing, ignoring soft errors.\n"
                                    : "Continuing, but the set of moves might be too restricted; consider using the "
                                      "--ignore-soft-errors option.\n");
}

void print_tables(const HbalOptions& options, const Cluster& cluster, const GroupMembers& members,
                  std::string_view title) {
  print_instance_table(options.output, cluster, members.instances, title);
  print_node_table(options.output, cluster, members.nodes, fmt::format("{} cluster", title));
}

std::vector<std::span<const BalanceStep>> wanted_job_sets(const HbalOptions& options, const Cluster& cluster,
                                                          const std::vector<BalanceStep>& steps) {
  std::vector<std::span<const BalanceStep>> sets = job_sets(cluster, steps);
  if (options.jobs.first_job_set && !sets.empty()) sets.resize(1);
  return sets;
}

void print_job_commands(const HbalOptions& options, const Cluster& cluster, JobSets sets) {
  if (!options.output.command_file) return;
  const bool is_ganeti = options.output.platform() == CommandPlatform::Ganeti;
  if (!is_ganeti && options.output.command_file != "-") {
    std::vector<ScriptWave> waves;
    for (const std::span<const BalanceStep> set : sets) waves.push_back({set});
    write_wave_script(options.output, cluster, waves);
    return;
  }
  print_commands(options.output,
                 options.jobs.first_job_set ? "First set of jobs:" : "Commands to run to reach the above solution:",
                 platform_commands(cluster, sets, &InstanceFacts::alias, options.output.platform(),
                                   is_ganeti ? LeavingOffline::Migrates : LeavingOffline::FailsOver));
}

// Prints the score; at higher verbosity, all of its components instead of the sentence.
void print_score(const HbalOptions& options, const Score& score, std::string_view coefficients_title,
                 std::string_view score_title, Highlight highlight) {
  const std::string value = format_fixed(score.value, 8);
  if (options.general.verbosity > 2) {
    print(fmt::format("{}{}\n{}", coefficients_title, value, to_text(score)));
  } else {
    print(fmt::format("{}{}\n", score_title, value), highlight);
  }
}

// Balances the members and prints each step as soon as it is found.
BalanceResult balance_aloud(const HbalOptions& options, Trial& trial, const GroupMembers& members) {
  print("Trying to minimize the CV...\n");
  flush_output();  // the first step may take long
  const SolutionLines lines(trial.cluster(), members);
  std::size_t number = 0;
  Progress progress(options.general, Progress::Result::LineByLine);
  return balance(trial, members, options.balance, [&](const BalanceStep& step) {
    print(lines.line(++number, step));
    flush_output();
    progress.update([&] { return fmt::format("Step {}, score {}", number, format_fixed(step.score, 8)); });
  });
}

void print_outcome(const HbalOptions& options, const Cluster& after, GroupIndex group, const BalanceResult& result) {
  if (result.steps.empty()) {
    print("No solution found\n");
  } else {
    print_score(options, score_of(after, group), "Final coefficients:   overall ",
                fmt::format("Cluster score improved from {} to ", format_fixed(result.initial_score, 8)),
                Highlight::Good);
  }
  if (options.general.verbosity >= 1) print(fmt::format("Solution length={}\n", result.steps.size()));
}

void print_already_balanced(double score, double lower_bound, double min_score) {
  print(
      fmt::format("Cluster is already well balanced (initial score {},\noptimum score due to N+1 reservations {},\n"
                  "minimum score {}).\nNothing to do, exiting\n",
                  format_general(score, 6), format_general(lower_bound, 6), format_general(min_score, 6)));
}

}  // namespace

int hbal_main(const CommandLine<HbalOptions>& command_line) {
  reject_words(command_line.words);
  const HbalOptions& options = command_line.options;
  LoadedCluster loaded = load_cluster(options.general, options.source, options.utilisation, options.instances);
  Cluster& cluster = loaded.cluster;
  const std::string original = options.output.save_prefix ? write_text_cluster(cluster) : "";
  if (options.general.verbosity > 1) print(cluster_tags_line(cluster) + cluster_policy_line(cluster));
  set_node_options(options.general, options.nodes, cluster);
  PlanDocument document(kHbalTool, loaded, PlanGoal::Balance, {.balance = options.balance});
  if (cluster.instances.empty()) {
    print("Cluster is empty, exiting.\n");
    document.print();
    return kExitSuccess;
  }
  print_cluster_facts(options, loaded);
  if (options.output.save_prefix) save_cluster(original, *options.output.save_prefix, "original", "before balancing");

  const GroupIndex group = select_group(options, cluster);
  const GroupMembers members = members_of(cluster, group);
  print(fmt::format("Group size {} nodes, {} instances\nSelected node group: {}\n", members.nodes.size(),
                    members.instances.size(), cluster.group(group).name));
  const GroupExamination examination = examine(cluster, group);
  print_health(options, cluster, examination);
  print_tables(options, cluster, members, "Initial");
  const Resources resources = resources_of(cluster, members);

  print_score(options, examination.score, "Initial coefficients: overall ", "Initial score: ", Highlight::None);
  const double lower_bound = balance_lower_bound(cluster, members);
  if (is_balanced(examination.score.value, lower_bound, options.balance)) {
    print_already_balanced(examination.score.value, lower_bound, options.balance.min_score);
    document.describe(cluster, {}, {group});
    document.set_end(BalanceEnd::LowestScore);
    document.print();
    return kExitSuccess;
  }

  Trial trial(std::move(cluster));
  const BalanceResult result = balance_aloud(options, trial, members);
  const Cluster& after = trial.cluster();
  document.describe(after, result.steps, {group});
  document.set_end(result.end);
  print_outcome(options, after, group, result);
  const auto sets = wanted_job_sets(options, after, result.steps);
  print_job_commands(options, after, sets);
  if (options.output.save_prefix) {
    save_cluster(write_text_cluster(after, members), *options.output.save_prefix, "balanced", "after balancing");
    tell_history(after);
  }
  print_tables(options, after, members, "Final");
  if (options.general.verbosity > 3) {
    const Resources final_resources = resources_of(after, members);
    print(fmt::format("Original: mem={} disk={}\nFinal:    mem={} disk={}\n", resources.memory, resources.disk,
                      final_resources.memory, final_resources.disk));
  }
  if (options.jobs.execute && !result.steps.empty()) {
    document.carry_out([&](std::vector<SubmittedJob>& jobs) {
      execute(options.source, options.jobs, kHbalTool, "rebalancing via hbal",
              move_jobs(after, sets, "Executing jobset for"), jobs);
    });
  }
  document.print();
  return kExitSuccess;
}

}  // namespace htools
