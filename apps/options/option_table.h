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
#include "apps/options/hail_options.h"
#include "apps/options/harep_options.h"
#include "apps/options/hbal_options.h"
#include "apps/options/hcheck_options.h"
#include "apps/options/hgrow_options.h"
#include "apps/options/himport_options.h"
#include "apps/options/hinfo_options.h"
#include "apps/options/hplan_options.h"
#include "apps/options/hreport_options.h"
#include "apps/options/hroller_options.h"
#include "apps/options/hscan_options.h"
#include "apps/options/hspace_options.h"
#include "apps/options/hsqueeze_options.h"
#include "apps/options/hsweep_options.h"
#include "apps/options/hwhatif_options.h"
#include "apps/options/hwhy_options.h"
#include "apps/options/option.h"
#include "apps/options/option_values.h"
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
    "read the cluster from a text file or a document of hinfo --json; - means standard input",
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
inline constexpr OptionOf<SourceOptions> kCacert{
    ClusterData, "cacert", "FILE", "file",
    "verify the certificate and the name of the remote API's server by the certificates in FILE",
    [](auto& o) { return required(o.certificates); }, OptionOrigin::Own};
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

inline constexpr OptionOf<InstanceOptions> kMovePlain{
    WhatToMove, "move-plain", "", "none",
    "also move instances on local disks (plain), which are copied; Ganeti stops the instances",
    [](auto& o) { return flag(o.plain_moves); }, OptionOrigin::Own};

// ---- NodeOptions
inline constexpr OptionOf<NodeOptions> kOffline{
    ClusterData, "offline,O", "NODE", "onenode",
    "treat NODE as offline; repeat the option for each node",
    [](auto& o) { return repeated(o.offline); }};
inline constexpr OptionOf<NodeOptions> kCordon{
    ClusterData, "cordon", "NODE,...", "manynodes",
    "these nodes keep what they carry, and receive nothing; the option can be repeated",
    [](auto& o) { return repeated(o.cordoned); }, OptionOrigin::Own};
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
inline constexpr OptionOf<BalanceOptions> kIgnoreAutoBalance{
    WhatToMove, "ignore-auto-balance", "", "none",
    "move instances that are not balanced automatically, too",
    [](auto& o) { return flag(o.moves.auto_balanced_only, false); }, OptionOrigin::Own};
inline constexpr OptionOf<BalanceOptions> kMinScore{
    Limits, "min-score,e", "EPSILON", "float",
    "stop when the score is within EPSILON (1e-9) of its lower bound",
    [](auto& o) { return required(o.min_score, [](auto v) { return parse_double(v, "min score"); }); }};
inline constexpr OptionOf<BalanceOptions> kMinGain{
    Limits, "min-gain,g", "DELTA", "float",
    "stop when the best move lowers the score by less than DELTA (0.01) ...",
    [](auto& o) { return required(o.min_gain, [](auto v) { return parse_double(v, "min gain"); }); }};
inline constexpr OptionOf<BalanceOptions> kMinGainOfPlan{
    Limits, "min-gain,g", "DELTA", "float",
    "leave out a plan that lowers the score by less than DELTA (0.01); hbal's plan, where the search starts, also ends "
    "at a move that gains less ...",
    [](auto& o) { return required(o.min_gain, [](auto v) { return parse_double(v, "min gain"); }); }};
inline constexpr OptionOf<BalanceOptions> kMinGainLimit{
    Limits, "min-gain-limit", "SCORE", "float",
    "... and the score is not above SCORE (0.1)",
    [](auto& o) { return required(o.min_gain_limit, [](auto v) { return parse_double(v, "min gain limit"); }); }};

// ---- PlanChoice
inline constexpr OptionOf<PlanChoice> kBalance{
    WhatToPlan, "balance", "", "none",
    "find the moves to a lower score that are worth it (the default)",
    [](auto& o) { return flag(o.balance); }, OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kWorth{
    Limits, "worth", "X", "float",
    "end the plan where moving a further 1 % of the instances brings less than 2 X % of what all moves gain (1)",
    [](auto& o) { return required(o.worth, parse_worth); }, OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kUnlimited{
    Limits, "unlimited", "", "none",
    "look for the lowest score, however many moves it takes",
    [](auto& o) { return flag(o.unlimited); }, OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kRepair{
    WhatToPlan, "repair", "must", "string",
    "mend what is broken with the fewest moves, and move nothing else; with =must, leave out rules that only should be "
    "kept",
    [](auto& o) { return optional(o.repair, parse_repair); }, OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kTo{
    WhatToPlan, "to", "STATE", "file",
    "order the moves to the places that the instances have in this text file",
    [](auto& o) { return required(o.to); }, OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kEmpty{
    WhatToPlan, "empty", "NODE,...", "manynodes",
    "move everything off these nodes, which count as offline",
    [](auto& o) { return required(o.empty, parse_node_list); }, OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kRetire{
    WhatToPlan, "retire", "COUNT", "string",
    "move everything off COUNT nodes, those that are cheapest to empty; off as many as possible if COUNT is max",
    [](auto& o) { return required(o.retire, parse_node_count); }, OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kMakeRoom{
    WhatToPlan, "make-room", "ITEM", "string",
    "make the cheapest moves after which new instances fit: [COUNT*]NAME,TEMPLATE,DISK,MEMORY,CPUS[,tag:TAG...]; can be "
    "repeated",
    [](auto& o) { return repeated(o.make_room); }, OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kDefragment{
    WhatToPlan, "defragment", "TEMPLATE,DISK,MEMORY,CPUS", "string",
    "make the moves after which most further instances of this size fit",
    [](auto& o) { return required(o.defragment); }, OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kCheck{
    WhatToPlan, "check", "FILE", "file",
    "judge this plan: a document of hplan, what hbal has printed, or lines INSTANCE NODE[:NODE]",
    [](auto& o) { return required(o.check); }, OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kResume{
    WhatToPlan, "resume", "FILE", "file",
    "go on with this plan from the state as it is",
    [](auto& o) { return required(o.resume); }, OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kForcePlan{
    WhatToPlan, "force", "", "none",
    "go on with a plan that was made for a cluster with other names or sizes",
    [](auto& o) { return flag(o.force); }, OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kRestore{
    WhatToPlan, "restore", "", "none",
    "give instances whose data is on offline nodes alone new disks, first of all: their data must come from a backup",
    [](auto& o) { return flag(o.restore); }, OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kMaxCopied{
    Limits, "max-copied", "SIZE", "string",
    "copy at most this much disk",
    [](auto& o) { return required(o.max_copied, [](auto v) { return parse_amount(v, "max copied"); }); },
    OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kMaxDuration{
    Limits, "max-duration", "TIME", "string",
    "take at most this long, for example 90s, 45m, 2h or 3d",
    [](auto& o) { return required(o.max_duration, parse_duration); }, OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kUntilScore{
    Limits, "until-score", "SCORE", "float",
    "find the cheapest plan down to SCORE: least disk copied, then fewest moves",
    [](auto& o) { return required(o.until_score, [](auto v) { return parse_score(v, "until score"); }); },
    OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kAtMost{
    WhatToPlan, "at-most", "RESOURCE:PERCENT,...", "string",
    "first let no node use more of its memory, disk or cpus: memory:80,cpus:100",
    [](auto& o) { return required(o.wishes.at_most, parse_at_most); }, OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kSpread{
    WhatToPlan, "spread", "RESOURCE:POINTS,...", "string",
    "first bring the fullest and the emptiest node so near to each other: memory:10",
    [](auto& o) { return required(o.wishes.spread, parse_spread); }, OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kWeigh{
    WhatToPlan, "weigh", "COMPONENT:FACTOR,...", "string",
    "multiply the weights of these components of the score: free_mem_cv:2,vcpu_ratio_cv:0",
    [](auto& o) { return required(o.wishes.factors, parse_factors); }, OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kIfAbove{
    WhatToPlan, "if-above", "RESOURCE:PERCENT,...", "string",
    "make no voluntary move unless a node uses more than this: memory:80",
    [](auto& o) { return required(o.triggers.at_most, parse_if_above); }, OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kIfApart{
    WhatToPlan, "if-apart", "RESOURCE:POINTS,...", "string",
    "make no voluntary move unless two nodes are further apart than this: memory:25",
    [](auto& o) { return required(o.triggers.spread, parse_if_apart); }, OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kThenBalance{
    WhatToPlan, "then-balance", "", "none",
    "when nodes are empty and all are within --at-most and --spread, go on to the lowest score",
    [](auto& o) { return flag(o.then_balance); }, OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kTradeoff{
    WhatToPlan, "tradeoff", "", "none",
    "show a table of plans to choose from: none is beaten in score, moves, copied disk and time at once",
    [](auto& o) { return flag(o.tradeoff); }, OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kChoose{
    WhatToPlan, "choose", "N", "integer",
    "take plan N of the table",
    [](auto& o) { return required(o.choose, [](auto v) { return parse_count(v, "number of the plan"); }); },
    OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kEffort{
    Limits, "effort", "N", "choices=0,1,2,3,4,5,6,7,8,9",
    "how hard to search, from 0 (hbal's plan) to 9; each takes three times as long (5)",
    [](auto& o) { return required(o.effort, parse_effort); }, OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kSeed{
    Limits, "seed", "N", "integer",
    "begin the random draws of the search with this number (1)",
    [](auto& o) { return required(o.seed, [](auto v) { return parse_int(v, "seed"); }); }, OptionOrigin::Own};
inline constexpr OptionOf<PlanChoice> kSavePlan{
    Output, "save-plan", "FILE", "file",
    "write the plan to this file, as a JSON document that --check and --resume read",
    [](auto& o) { return required(o.save_plan); }, OptionOrigin::Own};

// ---- ImportOptions
inline constexpr OptionOf<ImportOptions> kFrom{
    ClusterData, "from", "PLATFORM", "choices=proxmox,openstack,libvirt,kubernetes,rvtools,csv",
    "the platform that the files are from",
    [](auto& o) { return required(o.platform); }, OptionOrigin::Own};
inline constexpr OptionOf<ImportOptions> kMap{
    ClusterData, "map", "FILE", "file",
    "read from FILE what the export does not say about hosts and storage: reserve HOST SIZE, group HOST GROUP, shared "
    "STORAGE, local STORAGE, leave-out HOST",
    [](auto& o) { return required(o.map); }, OptionOrigin::Own};
inline constexpr OptionOf<ImportOptions> kNodeMemory{
    ClusterData, "node-memory", "SIZE", "string",
    "memory that each host needs for itself (what the export says, else 4g)",
    [](auto& o) { return required(o.rules.node_memory, [](auto v) { return parse_amount(v, "node memory"); }); },
    OptionOrigin::Own};
inline constexpr OptionOf<ImportOptions> kCpuRatio{
    ClusterData, "cpu-ratio", "RATIO", "float",
    "virtual cpus that a cpu thread may carry (what the export says, else 4)",
    [](auto& o) { return required(o.rules.cpu_ratio, parse_import_ratio); }, OptionOrigin::Own};
inline constexpr OptionOf<ImportOptions> kStopped{
    ClusterData, "stopped", "CHOICE", "choices=keep,drop",
    "keep guests that are stopped (the default), or drop them",
    [](auto& o) { return required(o.rules.keep_stopped, parse_keep_or_drop); }, OptionOrigin::Own};

// ---- ResultOptions
inline constexpr OptionOf<ResultOptions> kResultFile{
    Output, "output,o", "FILE", "file",
    "write the result to FILE instead of standard output; the file is replaced as a whole",
    [](auto& o) { return required(o.file); }, OptionOrigin::Own};

// ---- FormOptions
inline constexpr OptionOf<FormOptions> kTextForm{
    Output, "text", "", "none",
    "write the result as a text file, whatever the form of the source",
    [](auto& o) { return flag(o.text); }, OptionOrigin::Own};
inline constexpr OptionOf<FormOptions> kLossy{
    Output, "lossy", "", "none",
    "exit with status 0 even if a text file cannot hold all of the result",
    [](auto& o) { return flag(o.lossy); }, OptionOrigin::Own};

// ---- CopyRules
inline constexpr OptionOf<CopyRules> kCopyRate{
    Copying, "copy-rate", "SIZE", "string",
    "what a node sends and receives in a second (100m, 1gbit); node tags htools:bandwidth:SIZE override it",
    [](auto& o) { return required(o.rate, parse_copy_rate); },
    OptionOrigin::Own};
inline constexpr OptionOf<CopyRules> kCopiesPerNode{
    Copying, "copies-per-node", "N", "integer",
    "copy the disks of at most N (1) instances at the same time from or to a node",
    [](auto& o) { return required(o.copies_per_node, [](auto v) { return parse_count(v, "copies per node"); }); },
    OptionOrigin::Own};
inline constexpr OptionOf<CopyRules> kParallelCopies{
    Copying, "parallel-copies", "N", "integer",
    "copy the disks of at most N instances at the same time in the whole cluster",
    [](auto& o) { return required(o.parallel_copies, [](auto v) { return parse_count(v, "parallel copies"); }); },
    OptionOrigin::Own};
inline constexpr OptionOf<CopyRules> kMigrationsPerNode{
    Copying, "migrations-per-node", "N", "integer",
    "migrate at most N (2) instances at the same time from or to a node",
    [](auto& o) {
      return required(o.migrations_per_node, [](auto v) { return parse_count(v, "migrations per node"); });
    },
    OptionOrigin::Own};
inline constexpr OptionOf<CopyRules> kParallelMigrations{
    Copying, "parallel-migrations", "N", "integer",
    "migrate at most N instances at the same time in the whole cluster",
    [](auto& o) {
      return required(o.parallel_migrations, [](auto v) { return parse_count(v, "parallel migrations"); });
    },
    OptionOrigin::Own};

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
inline constexpr OptionOf<OutputOptions> kCommands{
    Output, "commands", "PLATFORM", "choices=ganeti,proxmox,openstack,libvirt,ansible",
    "write the commands of -C for this platform (ganeti); the others need a cluster that himport has read",
    [](auto& o) { return required(o.commands, parse_command_platform); }, OptionOrigin::Own};
inline constexpr OptionOf<CopyRules> kOneByOne{
    Output, "one-by-one", "", "none",
    "make one move at a time: each move is a wave, and times are those of all moves one after the other",
    [](auto& o) { return flag(o.one_by_one); }, OptionOrigin::Own};
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

// ---- DocumentOptions
inline constexpr OptionOf<DocumentOptions> kJson{
    Output, "json", "", "none",
    "print one JSON document instead of text; see htools-json(7)",
    [](auto& o) { return flag(o.json); }, OptionOrigin::Own};
inline constexpr OptionOf<DocumentOptions> kSchema{
    Output, "schema", "NAME", "none",
    "print the JSON Schema of this document and exit; of the document of errors if NAME is error",
    [](auto& o) { return optional(o.schema, [](auto v) { return std::string(v.value_or("")); }); }, OptionOrigin::Own};

// ---- MetricsOptions
inline constexpr OptionOf<MetricsOptions> kPrometheus{
    Output, "prometheus", "LEVEL", "choices=groups,nodes",
    "print metrics for Prometheus instead of text: of node groups or, if LEVEL is nodes, also of nodes",
    [](auto& o) { return optional(o.level, parse_metrics_level); }, OptionOrigin::Own};
inline constexpr OptionOf<MetricsOptions> kClusterName{
    Output, "cluster-name", "NAME", "string",
    "give all metrics a label with the name of the cluster",
    [](auto& o) { return required(o.cluster_name); }, OptionOrigin::Own};

// ---- GrowthChoice
inline constexpr OptionOf<GrowthChoice> kGrowth{
    WhatToPlace, "growth", "PERCENT", "string",
    "does the present mix of instances fit so many per cent more often?",
    [](auto& o) { return required(o.growth, [](auto v) { return parse_percent(v, "growth", kMostGrowthPercent); }); },
    OptionOrigin::Own};
inline constexpr OptionOf<GrowthChoice> kPerMonth{
    WhatToPlace, "per-month", "PERCENT[,MONTHS]", "string",
    "when is the cluster full, and of what, if the present mix grows so much each month?",
    [](auto& o) { return required(o.monthly, parse_monthly_growth); }, OptionOrigin::Own};
inline constexpr OptionOf<GrowthChoice> kWanted{
    WhatToPlace, "wanted", "FILE", "file",
    "do the instances in this file fit? One item a line; - means standard input",
    [](auto& o) { return required(o.wanted); }, OptionOrigin::Own};
inline constexpr OptionOf<GrowthChoice> kInstances{
    WhatToPlace, "instances", "ITEM", "string",
    "do these instances fit? [COUNT*]NAME,TEMPLATE,DISK,MEMORY,CPUS[,tag:TAG...]; can be repeated",
    [](auto& o) { return repeated(o.instances); }, OptionOrigin::Own};
inline constexpr OptionOf<GrowthChoice> kMaxInflate{
    WhatToPlace, "max-inflate", "RESOURCE,...", "choices=memory,disk,cpus",
    "by which factor may memory, disk, cpus of all present instances grow where they are?",
    [](auto& o) { return required(o.max_inflate, parse_inflated_resources); }, OptionOrigin::Own};
inline constexpr OptionOf<GrowthChoice> kNodeToBuy{
    WhatToPlace, "node", "DISK,MEMORY,CPUS", "string",
    "how many nodes of this size must be bought so that all of it fits, N+1 safe?",
    [](auto& o) { return required(o.node, parse_node_size); }, OptionOrigin::Own};
inline constexpr OptionOf<GrowthChoice> kAfterPlan{
    WhatToPlace, "after-plan", "", "none",
    "answer also for the state after a plan of hplan, with its price",
    [](auto& o) { return flag(o.after_plan); }, OptionOrigin::Own};
inline constexpr OptionOf<GrowthChoice> kRuns{
    WhatToPlace, "runs", "N", "string",
    "place the instances N times in random order, and show percentiles",
    [](auto& o) { return required(o.runs, parse_runs); }, OptionOrigin::Own};
inline constexpr OptionOf<GrowthChoice> kSizeSpread{
    WhatToPlace, "size-spread", "PERCENT", "string",
    "with --runs: draw sizes, too, which differ by up to so many per cent",
    [](auto& o) { return required(o.size_spread, [](auto v) { return parse_percent(v, "size spread", 99); }); },
    OptionOrigin::Own};
inline constexpr OptionOf<GrowthChoice> kRunSeed{
    WhatToPlace, "seed", "N", "float",
    "number that random choices follow from (1)",
    [](auto& o) { return required(o.seed, [](auto v) { return parse_int(v, "seed"); }); }, OptionOrigin::Own};

// ---- ReportChoice
inline constexpr OptionOf<ReportChoice> kShownPlan{
    WhatToShow, "plan", "FILE", "file",
    "show this plan, judged step by step: a document of hplan, what hbal has printed, or lines INSTANCE NODE[:NODE]",
    [](auto& o) { return required(o.plan); }, OptionOrigin::Own};
inline constexpr OptionOf<ReportChoice> kShownCapacity{
    WhatToShow, "capacity", "FILE", "file",
    "show this answer of hspace --json or hgrow --json; can be repeated",
    [](auto& o) { return repeated(o.capacity); }, OptionOrigin::Own};
inline constexpr OptionOf<ReportChoice> kCompare{
    WhatToShow, "compare", "STATE", "file",
    "show how the cluster differs from the state in this text file",
    [](auto& o) { return required(o.compare); }, OptionOrigin::Own};
inline constexpr OptionOf<ReportChoice> kCures{
    WhatToShow, "cures", "", "none",
    "say of each problem what would cure it, as hwhy does",
    [](auto& o) { return flag(o.cures); }, OptionOrigin::Own};
inline constexpr OptionOf<ReportChoice> kDrill{
    WhatToShow, "drill", "SET", "choices=each-node,each-group,each-pair",
    "show what follows if nodes are lost: each-node, each-group, each-pair, or each:TAGPREFIX",
    [](auto& o) { return required(o.drill); }, OptionOrigin::Own};
// ---- ChangeOptions
inline constexpr OptionOf<ChangeOptions> kAddNodes{
    WhatToChange, "add-nodes", "SPEC", "string",
    "add nodes: COUNT*NAME,GROUP,DISK,MEMORY,CPUS[,SPINDLES]",
    [](auto& o) { return sequenced(o.changes, "add-nodes"); }, OptionOrigin::Own};
inline constexpr OptionOf<ChangeOptions> kRemoveNodes{
    WhatToChange, "remove-nodes", "NODE,...", "manynodes",
    "remove these nodes, which must be empty",
    [](auto& o) { return sequenced(o.changes, "remove-nodes"); }, OptionOrigin::Own};
inline constexpr OptionOf<ChangeOptions> kSetOffline{
    WhatToChange, "set-offline", "NODE,...", "manynodes",
    "these nodes go offline",
    [](auto& o) { return sequenced(o.changes, "set-offline"); }, OptionOrigin::Own};
inline constexpr OptionOf<ChangeOptions> kSetOnline{
    WhatToChange, "set-online", "NODE,...", "manynodes",
    "these nodes come back: they are up, and take instances",
    [](auto& o) { return sequenced(o.changes, "set-online"); }, OptionOrigin::Own};
inline constexpr OptionOf<ChangeOptions> kSetMaintenance{
    WhatToChange, "set-maintenance", "NODE,...", "manynodes",
    "these nodes are up, but are to be emptied: they count as offline",
    [](auto& o) { return sequenced(o.changes, "set-maintenance"); }, OptionOrigin::Own};
inline constexpr OptionOf<ChangeOptions> kSetCordoned{
    WhatToChange, "set-cordoned", "NODE,...", "manynodes",
    "these nodes keep what they carry, and receive nothing",
    [](auto& o) { return sequenced(o.changes, "set-cordoned"); }, OptionOrigin::Own};
inline constexpr OptionOf<ChangeOptions> kSetState{
    WhatToChange, "set-state", "NODE:STATE", "string",
    "give a node this state: online, offline, maintenance or cordoned",
    [](auto& o) { return sequenced(o.changes, "set-state"); }, OptionOrigin::Own};
inline constexpr OptionOf<ChangeOptions> kAddInstances{
    WhatToChange, "add-instances", "ITEM", "string",
    "place new instances as hail does, one at a time: [COUNT*]NAME,TEMPLATE,DISK,MEMORY,CPUS[,tag:TAG...]",
    [](auto& o) { return sequenced(o.changes, "add-instances"); }, OptionOrigin::Own};
inline constexpr OptionOf<ChangeOptions> kRemoveInstances{
    WhatToChange, "remove-instances", "INST,...", "manyinstances",
    "remove these instances",
    [](auto& o) { return sequenced(o.changes, "remove-instances"); }, OptionOrigin::Own};
inline constexpr OptionOf<ChangeOptions> kGrow{
    WhatToChange, "grow", "PERCENTAGE", "string",
    "place copies of the instances, so many per cent of each size, for example 20%",
    [](auto& o) { return sequenced(o.changes, "grow"); }, OptionOrigin::Own};
inline constexpr OptionOf<ChangeOptions> kInflate{
    WhatToChange, "inflate", "FACTORS", "string",
    "multiply the sizes of all instances, for example memory:1.2,cpus:1.1,disk:1.5",
    [](auto& o) { return sequenced(o.changes, "inflate"); }, OptionOrigin::Own};
inline constexpr OptionOf<ChangeOptions> kMove{
    WhatToChange, "move", "MOVE", "string",
    "move an instance: INSTANCE:NODE[:NODE], the primary node first",
    [](auto& o) { return sequenced(o.changes, "move"); }, OptionOrigin::Own};
inline constexpr OptionOf<ChangeOptions> kApplyPlan{
    WhatToChange, "apply-plan", "FILE", "file",
    "make the moves of a plan: anything that hplan --check reads",
    [](auto& o) { return sequenced(o.changes, "apply-plan"); }, OptionOrigin::Own};
inline constexpr OptionOf<ChangeOptions> kTagNode{
    WhatToChange, "tag-node", "NODE:TAG", "string",
    "give a node a tag",
    [](auto& o) { return sequenced(o.changes, "tag-node"); }, OptionOrigin::Own};
inline constexpr OptionOf<ChangeOptions> kTagInstance{
    WhatToChange, "tag-instance", "INST:TAG", "string",
    "give an instance a tag",
    [](auto& o) { return sequenced(o.changes, "tag-instance"); }, OptionOrigin::Own};
inline constexpr OptionOf<ChangeOptions> kTagCluster{
    WhatToChange, "tag-cluster", "TAG", "string",
    "give the cluster a tag",
    [](auto& o) { return sequenced(o.changes, "tag-cluster"); }, OptionOrigin::Own};
inline constexpr OptionOf<ChangeOptions> kAddRule{
    WhatToChange, "add-rule", "RULE", "string",
    "add a placement rule: KIND:INSTANCES[:NODES], for example run-on:db1,db2:node1,node2 or apart:tag:service:web",
    [](auto& o) { return sequenced(o.changes, "add-rule"); }, OptionOrigin::Own};
inline constexpr OptionOf<ChangeOptions> kRemoveRule{
    WhatToChange, "remove-rule", "NAME", "string",
    "remove the placement rule of this name",
    [](auto& o) { return sequenced(o.changes, "remove-rule"); }, OptionOrigin::Own};
inline constexpr OptionOf<ChangeOptions> kSetPolicy{
    WhatToChange, "set-policy", "SETTING", "string",
    "change the policy of a node group: GROUP:vcpu-ratio:4.0, GROUP:max-memory:48g, GROUP:disk-templates:drbd,plain "
    "and the like",
    [](auto& o) { return sequenced(o.changes, "set-policy"); }, OptionOrigin::Own};

// ---- SweepOptions
inline constexpr OptionOf<DocumentOptions> kSweepSchema{
    Output, "schema", "NAME", "none",
    "print a JSON Schema and exit; NAME is study, scenario, record (the default), table or error",
    [](auto& o) { return optional(o.schema, [](auto v) { return std::string(v.value_or("")); }); }, OptionOrigin::Own};
inline constexpr OptionOf<SweepOptions> kShard{
    Sweep, "shard", "I/N", "string",
    "run the I-th of N parts of the scenarios, which take about as long as each other (1/1)",
    [](auto& o) { return required(o.shard, parse_shard); }, OptionOrigin::Own};
inline constexpr OptionOf<SweepOptions> kSweepJobs{
    Sweep, "jobs,j", "JOBS", "integer",
    "run so many scenarios at the same time (1)",
    [](auto& o) { return required(o.jobs, [](auto v) { return parse_count(v, "jobs"); }); }, OptionOrigin::Own};
inline constexpr OptionOf<SweepOptions> kMemoryLimit{
    Sweep, "memory", "SIZE", "string",
    "a scenario that needs more memory than this fails, and the others go on",
    [](auto& o) { return required(o.memory, [](auto v) { return parse_positive_amount(v, "memory"); }); },
    OptionOrigin::Own};
inline constexpr OptionOf<SweepOptions> kRecordFile{
    Output, "output,o", "FILE", "file",
    "write the records to FILE instead of standard output; if FILE has records of these scenarios, go on behind them",
    [](auto& o) { return required(o.output_file); }, OptionOrigin::Own};
inline constexpr OptionOf<SweepOptions> kCsv{
    Output, "csv", "", "none",
    "print the table as comma-separated values",
    [](auto& o) { return flag(o.csv); }, OptionOrigin::Own};
inline constexpr OptionOf<SweepOptions> kRows{
    Output, "rows", "FIELD,...", "string",
    "the fields of the records that make the rows of the table (cluster,changes)",
    [](auto& o) { return required(o.rows, comma_list); }, OptionOrigin::Own};
inline constexpr OptionOf<SweepOptions> kColumns{
    Output, "columns", "FIELD", "string",
    "the field that makes the columns (question)",
    [](auto& o) { return required(o.columns); }, OptionOrigin::Own};
inline constexpr OptionOf<SweepOptions> kValue{
    Output, "value", "FIELD", "string",
    "the field that is shown (status), for example result.score; of several records in a cell, the percentiles 5, 50 "
    "and 95",
    [](auto& o) { return required(o.value); }, OptionOrigin::Own};

// ---- GeneralOptions
inline constexpr OptionOf<GeneralOptions> kVerbose{
    Output, "verbose,v", "", "none",
    "print more; can be repeated",
    [](auto& o) { return count(o.verbosity, 1); }};
inline constexpr OptionOf<GeneralOptions> kQuiet{
    Output, "quiet,q", "", "none",
    "print less; can be repeated",
    [](auto& o) { return count(o.verbosity, -1); }};
inline constexpr OptionOf<GeneralOptions> kCompat{
    ClusterData, "compat", "RELEASE", "choices=3.0,3.1",
    "follow the rules of this release of Ganeti: 3.0 (the default), or 3.1 for 3.1 and later",
    [](auto& o) { return required(o.compat, parse_release); }, OptionOrigin::Own};
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
    "work on the node group with this name or UUID only",
    [](auto& group) { return required(group); }};
inline constexpr OptionOf<std::optional<std::string>> kGroupToFill{
    WhatToPlace, "group,G", "ID", "onegroup",
    "place new instances in the node group with this name or UUID only",
    [](auto& group) { return required(group); }};
inline constexpr OptionOf<std::optional<std::string>> kNeededGroup{
    WhatToMove, "group,G", "ID", "onegroup",
    "work on the node group with this name or UUID; needed if more than one group has nodes",
    [](auto& group) { return required(group); }};
inline constexpr OptionOf<std::int64_t> kMaxLength{
    Limits, "max-length,l", "N", "integer",
    "make at most N moves per node group; -1 (the default) means no limit",
    [](auto& limit) { return required(limit, [](auto v) { return parse_int(v, "max solution length"); }); }};
inline constexpr OptionOf<std::int64_t> kMaxLengthOfPlan{
    Limits, "max-length,l", "N", "integer",
    "make at most N moves in all; -1 (the default) means no limit",
    [](auto& limit) { return required(limit, [](auto v) { return parse_int(v, "max solution length"); }); }};
inline constexpr OptionOf<std::int64_t> kMaxInstances{
    Limits, "max-length,l", "N", "integer",
    "place at most N instances per phase; -1 (the default) means no limit",
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
inline constexpr OptionOf<bool> kNoCures{
    Checks, "no-cures", "", "none",
    "do not look for what would cure the problems",
    [](auto& cures) { return flag(cures, false); }, OptionOrigin::Own};
inline constexpr OptionOf<std::string> kOutputDir{
    Output, "output-dir,d", "PATH", "dir",
    "write the files to this directory instead of the current one",
    [](auto& directory) { return required(directory); }};
// clang-format on

}  // namespace htools::option_table
