// The table of all options of the suite. A row has the option's topic in the help text, its names, the name of its
// argument, how shells complete that, the description, and the value, which says how the argument is read and which
// variable receives it (bound_values.h). The rows are in the order of the groups of options.h that they fill. Only
// options.cpp, which says which tool has which options, includes the table.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "apps/options/bound_values.h"
#include "apps/options/option.h"
#include "apps/options/option_values.h"
#include "apps/options/options.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "live/luxi_client.h"
#include "report/node_table.h"

namespace htools::option_table {

using enum OptionTopic;

inline std::vector<std::string> comma_list(std::string_view text) { return split(text, ','); }

inline std::set<std::string> comma_set(std::string_view text) {
  const std::vector<std::string> parts = comma_list(text);
  return {parts.begin(), parts.end()};
}

// clang-format off

// ---- SourceOptions
inline constexpr OptionOf<SourceOptions> kTextData{
    ClusterData, "text-data,t", "FILE", "file",
    "read the cluster from a text file",
    [](auto& o) { return required(o.text_file); }};
inline constexpr OptionOf<SourceOptions> kSimulate{
    ClusterData, "simulate", "SPEC", "string",
    "simulate a node group of equal, empty nodes: POLICY,NODES,DISK,MEMORY,CPUS, optionally followed by ,SPINDLES or "
    ",SPINDLES,EXCLUSIVE; can be repeated, the last one becomes the first group",
    [](auto& o) { return repeated(o.simulated_groups); }};
inline constexpr OptionOf<SourceOptions> kMaster{
    ClusterData, "master,m", "ADDRESS", "host",
    "read the cluster from its remote API: ADDRESS is a host (asked by https at port 5080), a URL, or "
    "file://DIRECTORY for saved documents",
    [](auto& o) { return required(o.master); }};
inline constexpr OptionOf<SourceOptions> kLuxi{
    ClusterData, "luxi,L", "SOCKET", "file",
    "read the cluster from Ganeti's query daemon on this machine, at its usual socket or at SOCKET",
    [](auto& o) { return optional(o.luxi, [](auto v) { return v ? std::string(*v) : default_luxi_socket(); }); }};
inline constexpr OptionOf<SourceOptions> kIallocSrc{
    ClusterData, "ialloc-src,I", "FILE", "file",
    "read the cluster from an allocator request; - means standard input",
    [](auto& o) { return required(o.iallocator_file); }};
inline constexpr OptionOf<SourceOptions> kStaticKvmNodeMemory{
    ClusterData, "static-kvm-node-memory", "N", "integer",
    "MiB of memory that a node running KVM needs for itself (4096); 0 uses the amount in the data",
    [](auto& o) {
      return required(o.static_kvm_node_memory, [](auto v) { return parse_int(v, "static node memory"); });
    }};

// ---- UtilisationOptions
inline constexpr OptionOf<UtilisationOptions> kDynuFile{
    Utilisation, "dynu-file,U", "FILE", "file",
    "read the CPU, memory, disk and network load of the instances from FILE; an instance that is not in it counts 1",
    [](auto& o) { return required(o.utilisation_file); }};
inline constexpr OptionOf<UtilisationOptions> kIgnoreDynu{
    Utilisation, "ignore-dynu", "", "none",
    "ignore the load of the instances",
    [](auto& o) { return flag(o.ignore_utilisation); }};
inline constexpr OptionOf<UtilisationOptions> kMond{
    Utilisation, "mond", "CHOICE", "choices=yes,no",
    "use the CPU load that the nodes' monitoring daemons report, unless CHOICE is no; with --mond-data, read their "
    "answers from a file instead of asking them",
    [](auto& o) { return optional(o.monitoring, parse_yes_no); }};
inline constexpr OptionOf<UtilisationOptions> kMondData{
    Utilisation, "mond-data", "FILE", "file",
    "read the answers of the monitoring daemons from FILE; has no effect without --mond",
    [](auto& o) { return required(o.monitoring_file); }};
inline constexpr OptionOf<UtilisationOptions> kMondXen{
    Utilisation, "mond-xen", "", "none",
    "use the CPU load that Xen reports for each instance instead of the nodes' load",
    [](auto& o) { return flag(o.xen_monitoring); }};
inline constexpr OptionOf<UtilisationOptions> kExitOnMissingMondData{
    Utilisation, "exit-on-missing-mond-data", "", "none",
    "exit with an error if a monitoring daemon has not answered, instead of ignoring the measured loads",
    [](auto& o) { return flag(o.require_monitoring); }};

// ---- InstanceOptions
inline constexpr OptionOf<InstanceOptions> kExclusionTags{
    ClusterData, "exclusion-tags", "TAG,...", "string",
    "keep apart instances that share a tag beginning with TAG and a colon, in addition to what the cluster's tags say",
    [](auto& o) { return required(o.exclusion_tags, comma_list); }};
inline constexpr OptionOf<InstanceOptions> kSelectInstances{
    WhatToMove, "select-instances", "INSTS", "manyinstances",
    "move only these instances (names separated by commas)",
    [](auto& o) { return required(o.selected, comma_list); }};
inline constexpr OptionOf<InstanceOptions> kExcludeInstances{
    WhatToMove, "exclude-instances", "INSTS", "manyinstances",
    "do not move these instances (names separated by commas)",
    [](auto& o) { return required(o.excluded, comma_list); }};

// ---- NodeOptions
inline constexpr OptionOf<NodeOptions> kOffline{
    ClusterData, "offline,O", "NODE", "onenode",
    "treat NODE as offline; repeat the option for each node",
    [](auto& o) { return repeated(o.offline); }};
inline constexpr OptionOf<NodeOptions> kMaxCpu{
    Limits, "max-cpu", "RATIO", "float",
    "allow this many virtual CPUs per physical CPU of a node, instead of what the policy allows; above 0",
    [](auto& o) { return required(o.max_vcpu_ratio, parse_cpu_ratio); }};
inline constexpr OptionOf<NodeOptions> kMinDisk{
    Limits, "min-disk", "RATIO", "float",
    "keep this fraction of each node's disk free, usually between 0 (the default) and 1",
    [](auto& o) { return required(o.min_disk_ratio, [](auto v) { return parse_double(v, "min free disk space"); }); }};

// ---- BalanceOptions
inline constexpr OptionOf<BalanceOptions> kEvacMode{
    WhatToMove, "evac-mode,E", "", "none",
    "move only instances whose primary or secondary node is offline",
    [](auto& o) { return flag(o.moves.evacuation); }};
inline constexpr OptionOf<BalanceOptions> kRestrictedMigration{
    WhatToMove, "restricted-migration", "", "none",
    "change primary nodes only by failover to the secondary, unless the primary is offline",
    [](auto& o) { return flag(o.moves.restricted_migration); }};
inline constexpr OptionOf<BalanceOptions> kNoDiskMoves{
    WhatToMove, "no-disk-moves", "", "none",
    "do not copy disks; only migrate and fail over",
    [](auto& o) { return flag(o.moves.disk_moves, false); }};
inline constexpr OptionOf<BalanceOptions> kNoInstanceMoves{
    WhatToMove, "no-instance-moves", "", "none",
    "do not change primary nodes; only replace secondary nodes",
    [](auto& o) { return flag(o.moves.instance_moves, false); }};
inline constexpr OptionOf<BalanceOptions> kMinScore{
    Limits, "min-score,e", "EPSILON", "float",
    "stop when the score is within EPSILON (1e-9) of its lower bound",
    [](auto& o) { return required(o.min_score, [](auto v) { return parse_double(v, "min score"); }); }};
inline constexpr OptionOf<BalanceOptions> kMinGain{
    Limits, "min-gain,g", "DELTA", "float",
    "stop when the best move lowers the score by less than DELTA (0.01) ...",
    [](auto& o) { return required(o.min_gain, [](auto v) { return parse_double(v, "min gain"); }); }};
inline constexpr OptionOf<BalanceOptions> kMinGainLimit{
    Limits, "min-gain-limit", "SCORE", "float",
    "... and the score is not above SCORE (0.1)",
    [](auto& o) { return required(o.min_gain_limit, [](auto v) { return parse_double(v, "min gain limit"); }); }};

// ---- SimulationOptions
inline constexpr OptionOf<SimulationOptions> kDiskTemplate{
    WhatToPlace, "disk-template", "TEMPLATE", "choices=diskless,file,sharedfile,plain,blockdev,drbd,rbd,ext,gluster",
    "disk template of the new instances (default: the first one of the cluster's policy)",
    [](auto& o) { return required(o.disk_template, parse_disk_template); }};
inline constexpr OptionOf<SimulationOptions> kSpindleUse{
    WhatToPlace, "spindle-use", "SPINDLES", "float",
    "spindles that a new instance uses on nodes without exclusive storage (default: from the policy)",
    [](auto& o) { return required(o.spindle_use, parse_spindle_use); }};
inline constexpr OptionOf<SimulationOptions> kStandardAlloc{
    WhatToPlace, "standard-alloc", "STDSPEC", "string",
    "size of the instances in fixed-size allocation: DISK,MEMORY,CPUS[,SPINDLES] (default: from the policy)",
    [](auto& o) { return required(o.standard_spec, [](auto v) { return parse_spec(v, "standard"); }); }};
inline constexpr OptionOf<SimulationOptions> kTieredAlloc{
    WhatToPlace, "tiered-alloc", "TSPEC", "string",
    "initial size of the instances in tiered allocation, in the same form (default: from the policy)",
    [](auto& o) { return required(o.tiered_spec, [](auto v) { return parse_spec(v, "tiered"); }); }};
inline constexpr OptionOf<SimulationOptions> kIndependentGroups{
    Checks, "independent-groups", "", "none",
    "check each node group on its own: an N+1 failure in one group does not stop the others",
    [](auto& o) { return flag(o.independent_groups); }};
inline constexpr OptionOf<SimulationOptions> kAcceptExistingErrors{
    Checks, "accept-existing-errors", "", "none",
    "tolerate existing N+1 failures, but add none",
    [](auto& o) { return flag(o.accept_existing_errors); }};

// ---- AllocationRules
inline constexpr OptionOf<AllocationRules> kRestrictAllocationTo{
    Checks, "restrict-allocation-to", "NODE,...", "manynodes",
    "place new instances on these nodes only (full names separated by commas), whatever the request says",
    [](auto& o) { return required(o.allowed_nodes, comma_set); }};

// ---- SqueezeTargets
inline constexpr OptionOf<SqueezeTargets> kMinimalResources{
    Limits, "minimal-resources", "FACTOR", "float",
    "switch nodes on if a node has no room for FACTOR (2) times the policy's standard instance",
    [](auto& o) { return required(o.minimal, [](auto v) { return parse_double(v, "minimal resources"); }); }};
inline constexpr OptionOf<SqueezeTargets> kTargetResources{
    Limits, "target-resources", "FACTOR", "float",
    "switch nodes off as long as every node keeps room for FACTOR (2) times the policy's standard instance",
    [](auto& o) { return required(o.target, [](auto v) { return parse_double(v, "target resources"); }); }};

// ---- MaintenanceOptions
inline constexpr OptionOf<MaintenanceOptions> kNodeTags{
    WhatToReboot, "node-tags", "TAG,...", "string",
    "reboot only nodes that have one of these tags (separated by commas)",
    [](auto& o) { return required(o.reboot.node_tags, comma_list); }};
inline constexpr OptionOf<MaintenanceOptions> kSkipNonRedundant{
    WhatToReboot, "skip-non-redundant", "", "none",
    "leave out the primary nodes of instances whose disk template is not drbd",
    [](auto& o) { return flag(o.reboot.skip_non_redundant); }};
inline constexpr OptionOf<MaintenanceOptions> kIgnoreNonRedundant{
    WhatToReboot, "ignore-non-redundant", "", "none",
    "do not move instances whose disk template is not drbd; they stop with their node",
    [](auto& o) { return flag(o.reboot.ignore_non_redundant); }};
inline constexpr OptionOf<MaintenanceOptions> kOfflineMaintenance{
    WhatToReboot, "offline-maintenance", "", "none",
    "assume that instances are shut down instead of migrated; their secondary nodes need no memory for them",
    [](auto& o) { return flag(o.reboot.offline_maintenance); }};
inline constexpr OptionOf<MaintenanceOptions> kFullEvacuation{
    WhatToReboot, "full-evacuation", "", "none",
    "empty the nodes completely: also migrate drbd instances and replace their secondary nodes",
    [](auto& o) { return flag(o.reboot.full_evacuation); }};
inline constexpr OptionOf<MaintenanceOptions> kForce{
    Checks, "force,f", "", "none",
    "continue if the data names no master node",
    [](auto& o) { return flag(o.needs_master, false); }};
inline constexpr OptionOf<MaintenanceOptions> kOneStepOnly{
    Output, "one-step-only", "", "none",
    "print only the first group of nodes, one per line",
    [](auto& o) { return flag(o.first_group_only); }};
inline constexpr OptionOf<MaintenanceOptions> kPrintMoves{
    Output, "print-moves", "", "none",
    "after each group of nodes, print where their instances go",
    [](auto& o) { return flag(o.print_moves); }};

// ---- OutputOptions
inline constexpr OptionOf<OutputOptions> kPrintNodes{
    Output, "print-nodes,p", "FIELDS", "none",
    "print tables of the nodes; FIELDS are separated by commas, a list that begins with + adds to the default one",
    [](auto& o) { return optional(o.node_fields, [](auto v) { return parse_node_fields(v.value_or("")); }); }};
inline constexpr OptionOf<OutputOptions> kPrintInstances{
    Output, "print-instances", "", "none",
    "print tables of the instances",
    [](auto& o) { return flag(o.print_instances); }};
inline constexpr OptionOf<OutputOptions> kPrintCommands{
    Output, "print-commands,C", "FILE", "none",
    "print the commands that carry out the solution, or write them to FILE as a script",
    [](auto& o) { return optional(o.command_file, [](auto v) { return std::string(v.value_or("-")); }); }};
inline constexpr OptionOf<OutputOptions> kSave{
    Output, "save,S", "FILE", "none",
    "save states of the cluster to text files whose names begin with FILE",
    [](auto& o) { return required(o.save_prefix); }};
inline constexpr OptionOf<OutputOptions> kMachineReadable{
    Output, "machine-readable", "CHOICE", "choices=yes,no",
    "print lines of KEY=VALUE if CHOICE is yes or absent, text for people if it is no",
    [](auto& o) { return optional(o.machine_readable, parse_yes_no); }};
inline constexpr OptionOf<OutputOptions> kNoHeaders{
    Output, "no-headers", "", "none",
    "print no header line",
    [](auto& o) { return flag(o.headers, false); }};

// ---- JobOptions
inline constexpr OptionOf<JobOptions> kExec{
    Jobs, "exec,X", "", "none",
    "carry out the solution by submitting jobs (only with -L)",
    [](auto& o) { return flag(o.execute); }};
inline constexpr OptionOf<JobOptions> kFirstJobGroup{
    Jobs, "first-job-group", "", "none",
    "print or submit only the jobs that can start at once",
    [](auto& o) { return flag(o.first_job_set); }};
inline constexpr OptionOf<JobOptions> kReason{
    Jobs, "reason", "REASON", "none",
    "reason for the jobs, for the reason trail that the cluster keeps",
    [](auto& o) { return required(o.reason, parse_reason); }};
inline constexpr OptionOf<JobOptions> kPriority{
    Jobs, "priority", "PRIO", "choices=low,normal,high",
    "priority of the jobs: low, normal or high",
    [](auto& o) { return required(o.priority, parse_priority); }};

// ---- RepairOptions
inline constexpr OptionOf<RepairOptions> kJobDelay{
    Jobs, "job-delay", "SECONDS", "float",
    "let each repair wait for SECONDS (10) before it starts, so that it does not delay the jobs after it; 0: no wait",
    [](auto& o) { return required(o.job_delay, parse_job_delay); }};
inline constexpr OptionOf<RepairOptions> kDryRun{
    Jobs, "dry-run", "", "none",
    "change nothing: print the jobs instead of submitting them",
    [](auto& o) { return flag(o.dry_run); }};

// ---- GeneralOptions
inline constexpr OptionOf<GeneralOptions> kVerbose{
    Output, "verbose,v", "", "none",
    "print more; can be repeated",
    [](auto& o) { return count(o.verbosity, 1); }};
inline constexpr OptionOf<GeneralOptions> kQuiet{
    Output, "quiet,q", "", "none",
    "print less; can be repeated",
    [](auto& o) { return count(o.verbosity, -1); }};
inline constexpr OptionOf<GeneralOptions> kColor{
    General, "color", "WHEN", "choices=always,auto,never",
    "colour important output: always (also if WHEN is absent), never, or auto (on terminals, unless NO_COLOR is set)",
    [](auto& o) { return optional(o.colours, parse_colour_choice); }};
inline constexpr OptionOf<GeneralOptions> kVersion{
    General, "version,V", "", "none",
    "print the version and exit",
    [](auto& o) { return flag(o.version); }};
inline constexpr OptionOf<GeneralOptions> kHelp{
    General, "help,h", "", "none",
    "print this text and exit",
    [](auto& o) { return flag(o.help); }};
inline constexpr OptionOf<GeneralOptions> kHelpCompletion{
    General, "help-completion", "", "none",
    "print the options in a form for shell completion and exit",
    [](auto& o) { return flag(o.help_completion); }};

// ---- Options that fill a single variable, because tools keep it in different groups.
inline constexpr OptionOf<std::optional<std::string>> kGroup{
    WhatToMove, "group,G", "ID", "onegroup",
    "work on the node group with this name or UUID only; hbal needs it if more than one group has nodes",
    [](auto& group) { return required(group); }};
inline constexpr OptionOf<std::int64_t> kMaxLength{
    Limits, "max-length,l", "N", "integer",
    "make at most N moves per node group, or place at most N instances per phase; -1 (the default) means no limit",
    [](auto& limit) { return required(limit, [](auto v) { return parse_int(v, "max solution length"); }); }};
inline constexpr OptionOf<bool> kIgnoreSoftErrors{
    Checks, "ignore-soft-errors", "", "none",
    "allow placements that are possible but break a soft rule: N+1, ratios of the policy, reserved disk, exclusion "
    "tags",
    [](auto& force) { return flag(force); }};
inline constexpr OptionOf<bool> kNoCapacityChecks{
    Checks, "no-capacity-checks", "", "none",
    "do not require that each node can be emptied (global N+1)",
    [](auto& capacity_checks) { return flag(capacity_checks, false); }};
inline constexpr OptionOf<bool> kNoSimulation{
    Checks, "no-simulation", "", "none",
    "check the cluster as it is, without trying to rebalance it; exit with status 0",
    [](auto& simulation) { return flag(simulation, false); }};
inline constexpr OptionOf<std::string> kOutputDir{
    Output, "output-dir,d", "PATH", "dir",
    "write the files to this directory instead of the current one",
    [](auto& directory) { return required(directory); }};
// clang-format on

}  // namespace htools::option_table
