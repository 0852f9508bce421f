#include "apps/common/options.h"

#include <utility>

#include "apps/common/bound_values.h"
#include "apps/common/option.h"
#include "apps/common/option_values.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "live/luxi_client.h"
#include "report/node_table.h"

namespace htools {
namespace {

using enum OptionTopic;

std::vector<std::string> comma_list(std::string_view text) { return split(text, ','); }

// SourceOptions

Option text_data(SourceOptions& o) {
  return {ClusterData, "text-data,t", required("FILE", o.text_file), "file", "read the cluster from a text file"};
}

Option simulate(SourceOptions& o) {
  return {
      ClusterData, "simulate", repeated("SPEC", o.simulated_groups), "string",
      "simulate a node group of equal, empty nodes: POLICY,NODES,DISK,MEMORY,CPUS, optionally followed by ,SPINDLES or "
      ",SPINDLES,EXCLUSIVE; can be repeated, the last one becomes the first group"};
}

Option master(SourceOptions& o) {
  return {ClusterData, "master,m", required("ADDRESS", o.master), "host",
          "read the cluster from its remote API: ADDRESS is a host (asked by https at port 5080), a URL, or "
          "file://DIRECTORY for saved documents"};
}

Option luxi(SourceOptions& o) {
  return {ClusterData, "luxi,L",
          optional("SOCKET", o.luxi,
                   [](std::optional<std::string_view> v) { return v ? std::string(*v) : default_luxi_socket(); }),
          "file", "read the cluster from Ganeti's query daemon on this machine, at its usual socket or at SOCKET"};
}

Option ialloc_src(SourceOptions& o) {
  return {ClusterData, "ialloc-src,I", required("FILE", o.iallocator_file), "file",
          "read the cluster from an allocator request; - means standard input"};
}

Option static_kvm_node_memory(SourceOptions& o) {
  return {
      ClusterData, "static-kvm-node-memory",
      required("N", o.static_kvm_node_memory, [](std::string_view v) { return parse_int(v, "static node memory"); }),
      "integer", "MiB of memory that a node running KVM needs for itself (4096); 0 uses the amount in the data"};
}

// UtilisationOptions

Option dynu_file(UtilisationOptions& o) {
  return {
      Utilisation, "dynu-file,U", required("FILE", o.utilisation_file), "file",
      "read the CPU, memory, disk and network load of the instances from FILE; an instance that is not in it counts 1"};
}

Option ignore_dynu(UtilisationOptions& o) {
  return {Utilisation, "ignore-dynu", flag(o.ignore_utilisation), "none", "ignore the load of the instances"};
}

Option mond(UtilisationOptions& o) {
  return {
      Utilisation, "mond", optional("CHOICE", o.monitoring, parse_yes_no), "choices=yes,no",
      "use the CPU load that the nodes' monitoring daemons report, unless CHOICE is no; with --mond-data, read their "
      "answers from a file instead of asking them"};
}

Option mond_data(UtilisationOptions& o) {
  return {Utilisation, "mond-data", required("FILE", o.monitoring_file), "file",
          "read the answers of the monitoring daemons from FILE; has no effect without --mond"};
}

Option mond_xen(UtilisationOptions& o) {
  return {Utilisation, "mond-xen", flag(o.xen_monitoring), "none",
          "use the CPU load that Xen reports for each instance instead of the nodes' load"};
}

Option exit_on_missing_mond_data(UtilisationOptions& o) {
  return {Utilisation, "exit-on-missing-mond-data", flag(o.require_monitoring), "none",
          "exit with an error if a monitoring daemon has not answered, instead of ignoring the measured loads"};
}

// InstanceOptions

Option exclusion_tags(InstanceOptions& o) {
  return {ClusterData, "exclusion-tags", required("TAG,...", o.exclusion_tags, comma_list), "string",
          "keep apart instances that share a tag beginning with TAG and a colon, in addition to what the cluster's "
          "tags say"};
}

Option select_instances(InstanceOptions& o) {
  return {WhatToMove, "select-instances", required("INSTS", o.selected, comma_list), "manyinstances",
          "move only these instances (names separated by commas)"};
}

Option exclude_instances(InstanceOptions& o) {
  return {WhatToMove, "exclude-instances", required("INSTS", o.excluded, comma_list), "manyinstances",
          "do not move these instances (names separated by commas)"};
}

// NodeOptions

Option offline(NodeOptions& o) {
  return {ClusterData, "offline,O", repeated("NODE", o.offline), "onenode",
          "treat NODE as offline; repeat the option for each node"};
}

Option max_cpu(NodeOptions& o) {
  return {Limits, "max-cpu", required("RATIO", o.max_vcpu_ratio, parse_cpu_ratio), "float",
          "allow this many virtual CPUs per physical CPU of a node, instead of what the policy allows; above 0"};
}

Option min_disk(NodeOptions& o) {
  return {
      Limits, "min-disk",
      required("RATIO", o.min_disk_ratio, [](std::string_view v) { return parse_double(v, "min free disk space"); }),
      "float", "keep this fraction of each node's disk free, usually between 0 (the default) and 1"};
}

// BalanceOptions

Option evac_mode(BalanceOptions& o) {
  return {WhatToMove, "evac-mode,E", flag(o.moves.evacuation), "none",
          "move only instances whose primary or secondary node is offline"};
}

Option restricted_migration(BalanceOptions& o) {
  return {WhatToMove, "restricted-migration", flag(o.moves.restricted_migration), "none",
          "change primary nodes only by failover to the secondary, unless the primary is offline"};
}

Option no_disk_moves(BalanceOptions& o) {
  return {WhatToMove, "no-disk-moves", flag(o.moves.disk_moves, false), "none",
          "do not copy disks; only migrate and fail over"};
}

Option no_instance_moves(BalanceOptions& o) {
  return {WhatToMove, "no-instance-moves", flag(o.moves.instance_moves, false), "none",
          "do not change primary nodes; only replace secondary nodes"};
}

Option min_score(BalanceOptions& o) {
  return {Limits, "min-score,e",
          required("EPSILON", o.min_score, [](std::string_view v) { return parse_double(v, "min score"); }), "float",
          "stop when the score is within EPSILON (1e-9) of its lower bound"};
}

Option min_gain(BalanceOptions& o) {
  return {Limits, "min-gain,g",
          required("DELTA", o.min_gain, [](std::string_view v) { return parse_double(v, "min gain"); }), "float",
          "stop when the best move lowers the score by less than DELTA (0.01) ..."};
}

Option min_gain_limit(BalanceOptions& o) {
  return {Limits, "min-gain-limit",
          required("SCORE", o.min_gain_limit, [](std::string_view v) { return parse_double(v, "min gain limit"); }),
          "float", "... and the score is not above SCORE (0.1)"};
}

// AllocationOptions

Option disk_template(AllocationOptions& o) {
  return {WhatToPlace, "disk-template", required("TEMPLATE", o.disk_template, parse_disk_template),
          "choices=diskless,file,sharedfile,plain,blockdev,drbd,rbd,ext,gluster",
          "disk template of the new instances (default: the first one of the cluster's policy)"};
}

Option spindle_use(AllocationOptions& o) {
  return {WhatToPlace, "spindle-use", required("SPINDLES", o.spindle_use, parse_spindle_use), "float",
          "spindles that a new instance uses on nodes without exclusive storage (default: from the policy)"};
}

Option standard_alloc(AllocationOptions& o) {
  return {WhatToPlace, "standard-alloc",
          required("STDSPEC", o.standard_spec, [](std::string_view v) { return parse_spec(v, "standard"); }), "string",
          "size of the instances in fixed-size allocation: DISK,MEMORY,CPUS[,SPINDLES] (default: from the policy)"};
}

Option tiered_alloc(AllocationOptions& o) {
  return {WhatToPlace, "tiered-alloc",
          required("TSPEC", o.tiered_spec, [](std::string_view v) { return parse_spec(v, "tiered"); }), "string",
          "initial size of the instances in tiered allocation, in the same form (default: from the policy)"};
}

Option independent_groups(AllocationOptions& o) {
  return {Checks, "independent-groups", flag(o.independent_groups), "none",
          "check each node group on its own: an N+1 failure in one group does not stop the others"};
}

Option accept_existing_errors(AllocationOptions& o) {
  return {Checks, "accept-existing-errors", flag(o.accept_existing_errors), "none",
          "tolerate existing N+1 failures, but add none"};
}

// AllocationRules

Option restrict_allocation_to(AllocationRules& o) {
  return {Checks, "restrict-allocation-to",
          required("NODE,...", o.allowed_nodes,
                   [](std::string_view v) {
                     const std::vector<std::string> names = comma_list(v);
                     return std::set<std::string>(names.begin(), names.end());
                   }),
          "manynodes",
          "place new instances on these nodes only (full names separated by commas), whatever the request says"};
}

// SqueezeTargets

Option minimal_resources(SqueezeTargets& o) {
  return {Limits, "minimal-resources",
          required("FACTOR", o.minimal, [](std::string_view v) { return parse_double(v, "minimal resources"); }),
          "float", "switch nodes on if a node has no room for FACTOR (2) times the policy's standard instance"};
}

Option target_resources(SqueezeTargets& o) {
  return {Limits, "target-resources",
          required("FACTOR", o.target, [](std::string_view v) { return parse_double(v, "target resources"); }), "float",
          "switch nodes off as long as every node keeps room for FACTOR (2) times the policy's standard instance"};
}

// MaintenanceOptions

Option node_tags(MaintenanceOptions& o) {
  return {WhatToReboot, "node-tags", required("TAG,...", o.reboot.node_tags, comma_list), "string",
          "reboot only nodes that have one of these tags (separated by commas)"};
}

Option skip_non_redundant(MaintenanceOptions& o) {
  return {WhatToReboot, "skip-non-redundant", flag(o.reboot.skip_non_redundant), "none",
          "leave out the primary nodes of instances whose disk template is not drbd"};
}

Option ignore_non_redundant(MaintenanceOptions& o) {
  return {WhatToReboot, "ignore-non-redundant", flag(o.reboot.ignore_non_redundant), "none",
          "do not move instances whose disk template is not drbd; they stop with their node"};
}

Option offline_maintenance(MaintenanceOptions& o) {
  return {WhatToReboot, "offline-maintenance", flag(o.reboot.offline_maintenance), "none",
          "assume that instances are shut down instead of migrated; their secondary nodes need no memory for them"};
}

Option full_evacuation(MaintenanceOptions& o) {
  return {WhatToReboot, "full-evacuation", flag(o.reboot.full_evacuation), "none",
          "empty the nodes completely: also migrate drbd instances and replace their secondary nodes"};
}

Option force(MaintenanceOptions& o) {
  return {Checks, "force,f", flag(o.needs_master, false), "none", "continue if the data names no master node"};
}

Option one_step_only(MaintenanceOptions& o) {
  return {Output, "one-step-only", flag(o.first_group_only), "none",
          "print only the first group of nodes, one per line"};
}

Option print_moves(MaintenanceOptions& o) {
  return {Output, "print-moves", flag(o.print_moves), "none",
          "after each group of nodes, print where their instances go"};
}

// OutputOptions

Option print_nodes(OutputOptions& o) {
  return {
      Output, "print-nodes,p",
      optional("FIELDS", o.node_fields,
               [](std::optional<std::string_view> v) { return parse_node_fields(v.value_or("")); }),
      "none",
      "print tables of the nodes; FIELDS are separated by commas, a list that begins with + adds to the default one"};
}

Option print_instances(OutputOptions& o) {
  return {Output, "print-instances", flag(o.print_instances), "none", "print tables of the instances"};
}

Option print_commands(OutputOptions& o) {
  return {
      Output, "print-commands,C",
      optional("FILE", o.command_file, [](std::optional<std::string_view> v) { return std::string(v.value_or("-")); }),
      "none", "print the commands that carry out the solution, or write them to FILE as a script"};
}

Option save(OutputOptions& o) {
  return {Output, "save,S", required("FILE", o.save_prefix), "none",
          "save states of the cluster to text files whose names begin with FILE"};
}

Option machine_readable(OutputOptions& o) {
  return {Output, "machine-readable", optional("CHOICE", o.machine_readable, parse_yes_no), "choices=yes,no",
          "print lines of KEY=VALUE if CHOICE is yes or absent, text for people if it is no"};
}

Option no_headers(OutputOptions& o) {
  return {Output, "no-headers", flag(o.headers, false), "none", "print no header line"};
}

// JobOptions

Option exec(JobOptions& o) {
  return {Jobs, "exec,X", flag(o.execute), "none", "carry out the solution by submitting jobs (only with -L)"};
}

Option first_job_group(JobOptions& o) {
  return {Jobs, "first-job-group", flag(o.first_job_set), "none",
          "print or submit only the jobs that can start at once"};
}

Option reason(JobOptions& o) {
  return {Jobs, "reason", required("REASON", o.reason, parse_reason), "none",
          "reason for the jobs, for the reason trail that the cluster keeps"};
}

Option priority(JobOptions& o) {
  return {Jobs, "priority", required("PRIO", o.priority, parse_priority), "choices=low,normal,high",
          "priority of the jobs: low, normal or high"};
}

// RepairOptions

Option job_delay(RepairOptions& o) {
  return {Jobs, "job-delay", required("SECONDS", o.job_delay, parse_job_delay), "float",
          "let each repair wait for SECONDS (10) before it starts, so that it does not delay the jobs after it; 0: no "
          "wait"};
}

Option dry_run(RepairOptions& o) {
  return {Jobs, "dry-run", flag(o.dry_run), "none", "change nothing: print the jobs instead of submitting them"};
}

// GeneralOptions

Option verbose(GeneralOptions& o) {
  return {Output, "verbose,v", count(o.verbosity, 1), "none", "print more; can be repeated"};
}

Option quiet(GeneralOptions& o) {
  return {Output, "quiet,q", count(o.verbosity, -1), "none", "print less; can be repeated"};
}

Option color(GeneralOptions& o) {
  return {General, "color", optional("WHEN", o.colours, parse_colour_choice), "choices=always,auto,never",
          "colour important output: always (also if WHEN is absent), never, or auto (on terminals, unless NO_COLOR is "
          "set)"};
}

Option version(GeneralOptions& o) {
  return {General, "version,V", flag(o.version), "none", "print the version and exit"};
}

Option help(GeneralOptions& o) { return {General, "help,h", flag(o.help), "none", "print this text and exit"}; }

Option help_completion(GeneralOptions& o) {
  return {General, "help-completion", flag(o.help_completion), "none",
          "print the options in a form for shell completion and exit"};
}

// Options that fill a variable, since the tools that have them keep it in different places.

Option group(std::optional<std::string>& group) {
  return {WhatToMove, "group,G", required("ID", group), "onegroup",
          "work on the node group with this name or UUID only; hbal needs it if more than one group has nodes"};
}

Option max_length(std::int64_t& limit) {
  return {
      Limits, "max-length,l",
      required("N", limit, [](std::string_view v) { return parse_int(v, "max solution length"); }), "integer",
      "make at most N moves per node group, or place at most N instances per phase; -1 (the default) means no limit"};
}

Option ignore_soft_errors(bool& force) {
  return {Checks, "ignore-soft-errors", flag(force), "none",
          "allow placements that are possible but break a soft rule: N+1, ratios of the policy, reserved disk, "
          "exclusion tags"};
}

Option no_capacity_checks(bool& capacity_checks) {
  return {Checks, "no-capacity-checks", flag(capacity_checks, false), "none",
          "do not require that each node can be emptied (global N+1)"};
}

Option no_simulation(bool& simulation) {
  return {Checks, "no-simulation", flag(simulation, false), "none",
          "check the cluster as it is, without trying to rebalance it; exit with status 0"};
}

Option output_dir(std::string& directory) {
  return {Output, "output-dir,d", required("PATH", directory), "dir",
          "write the files to this directory instead of the current one"};
}

// The tool's own options, then those that every tool has.
template <class... Own>
OptionList option_list(GeneralOptions& general, Own... own) {
  OptionList list;
  list.reserve(sizeof...(own) + 4);
  (list.push_back(std::move(own)), ...);
  for (auto* declare : {color, version, help, help_completion}) list.push_back(declare(general));
  return list;
}

}  // namespace

OptionList declare_options(HailOptions& o) {
  return option_list(o.general, print_nodes(o.output), save(o.output), text_data(o.source), simulate(o.source),
                     verbose(o.general), ignore_dynu(o.utilisation), ignore_soft_errors(o.rules.force),
                     no_capacity_checks(o.rules.capacity_checks), restrict_allocation_to(o.rules), mond(o.utilisation),
                     mond_xen(o.utilisation), static_kvm_node_memory(o.source));
}

OptionList declare_options(HarepOptions& o) {
  return option_list(o.general, luxi(o.source), job_delay(o.repair), reason(o.jobs), dry_run(o.repair));
}

OptionList declare_options(HbalOptions& o) {
  return option_list(
      o.general, print_nodes(o.output), print_instances(o.output), print_commands(o.output), text_data(o.source),
      evac_mode(o.balance), restricted_migration(o.balance), master(o.source), luxi(o.source), ialloc_src(o.source),
      exec(o.jobs), first_job_group(o.jobs), reason(o.jobs), group(o.group), max_length(o.balance.max_steps),
      verbose(o.general), quiet(o.general), offline(o.nodes), static_kvm_node_memory(o.source), min_score(o.balance),
      max_cpu(o.nodes), min_disk(o.nodes), min_gain(o.balance), min_gain_limit(o.balance), no_disk_moves(o.balance),
      select_instances(o.instances), no_instance_moves(o.balance), ignore_soft_errors(o.balance.moves.force),
      dynu_file(o.utilisation), ignore_dynu(o.utilisation), mond(o.utilisation), mond_data(o.utilisation),
      exit_on_missing_mond_data(o.utilisation), mond_xen(o.utilisation), exclusion_tags(o.instances),
      exclude_instances(o.instances), save(o.output), priority(o.jobs));
}

OptionList declare_options(HcheckOptions& o) {
  return option_list(o.general, text_data(o.source), no_disk_moves(o.balance), dynu_file(o.utilisation),
                     ignore_dynu(o.utilisation), evac_mode(o.balance), exclude_instances(o.instances),
                     exclusion_tags(o.instances), ialloc_src(o.source), no_instance_moves(o.balance), luxi(o.source),
                     machine_readable(o.output), max_cpu(o.nodes), max_length(o.balance.max_steps), min_disk(o.nodes),
                     min_gain(o.balance), min_gain_limit(o.balance), min_score(o.balance),
                     ignore_soft_errors(o.balance.moves.force), no_simulation(o.simulation), offline(o.nodes),
                     quiet(o.general), master(o.source), select_instances(o.instances),
                     no_capacity_checks(o.capacity_checks), verbose(o.general));
}

OptionList declare_options(HinfoOptions& o) {
  return option_list(o.general, print_nodes(o.output), print_instances(o.output), text_data(o.source), master(o.source),
                     luxi(o.source), ialloc_src(o.source), verbose(o.general), quiet(o.general), offline(o.nodes),
                     ignore_dynu(o.utilisation), mond(o.utilisation), mond_data(o.utilisation),
                     static_kvm_node_memory(o.source));
}

OptionList declare_options(HrollerOptions& o) {
  return option_list(o.general, luxi(o.source), master(o.source), text_data(o.source), ialloc_src(o.source),
                     offline(o.nodes), offline_maintenance(o.maintenance), verbose(o.general), quiet(o.general),
                     no_headers(o.output), node_tags(o.maintenance), save(o.output), group(o.group),
                     print_moves(o.maintenance), full_evacuation(o.maintenance), skip_non_redundant(o.maintenance),
                     ignore_non_redundant(o.maintenance), force(o.maintenance), one_step_only(o.maintenance),
                     static_kvm_node_memory(o.source));
}

OptionList declare_options(HscanOptions& o) {
  return option_list(o.general, print_nodes(o.output), output_dir(o.output_directory), luxi(o.source),
                     verbose(o.general), no_headers(o.output), static_kvm_node_memory(o.source));
}

OptionList declare_options(HspaceOptions& o) {
  return option_list(o.general, print_nodes(o.output), text_data(o.source), disk_template(o.allocation),
                     spindle_use(o.allocation), simulate(o.source), master(o.source), luxi(o.source),
                     ialloc_src(o.source), verbose(o.general), quiet(o.general), independent_groups(o.allocation),
                     accept_existing_errors(o.allocation), offline(o.nodes),
                     no_capacity_checks(o.allocation.capacity_checks), machine_readable(o.output), max_cpu(o.nodes),
                     max_length(o.allocation.max_instances), min_disk(o.nodes), standard_alloc(o.allocation),
                     tiered_alloc(o.allocation), save(o.output), static_kvm_node_memory(o.source));
}

OptionList declare_options(HsqueezeOptions& o) {
  return option_list(o.general, luxi(o.source), text_data(o.source), exec(o.jobs), minimal_resources(o.targets),
                     target_resources(o.targets), save(o.output), print_commands(o.output), verbose(o.general),
                     no_headers(o.output), static_kvm_node_memory(o.source));
}

constinit const Tool kHailTool{.name = "hail",
                               .summary = "Chooses nodes for new instances, and for instances that must move.",
                               .words = "FILE",
                               .words_completion = "file 1 1"};

constinit const Tool kHarepTool{"harep", "Repairs instances that have lost a node, as far as their tags allow it."};

constinit const Tool kHbalTool{"hbal", "Finds the moves that make a node group balanced and safe."};

constinit const Tool kHcheckTool{"hcheck",
                                 "Reports whether a cluster is healthy, and whether rebalancing would fix it."};

constinit const Tool kHinfoTool{"hinfo", "Shows a cluster: node groups, nodes, instances and score."};

constinit const Tool kHrollerTool{"hroller", "Sorts the nodes into groups that can be rebooted together."};

constinit const Tool kHscanTool{
    .name = "hscan",
    .summary = "Prints a line about each of several clusters, and saves each to a text file.",
    .words = "[CLUSTER...]",
    .words_completion = "host 0 none"};

constinit const Tool kHspaceTool{"hspace", "Computes how many more instances fit on a cluster."};

constinit const Tool kHsqueezeTool{"hsqueeze", "Finds nodes that can be switched off, or must be switched on."};

}  // namespace htools
