#include "apps/common/options.h"

#include <array>
#include <cstddef>

#include "apps/common/option_values.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "live/luxi_client.h"
#include "report/node_table.h"

namespace htools {
namespace {

using Value = std::optional<std::string_view>;
using enum ArgumentKind;
using enum OptionTopic;

// clang-format off
constexpr std::array kOptions = std::to_array<OptionSpec>({
    {'t', "text-data", Required, "FILE", "file", ClusterData,
     "read the cluster from a text file",
     [](Options& o, Value v) { o.text_file = *v; }},
    {'\0', "simulate", Required, "SPEC", "string", ClusterData,
     "simulate a node group of equal, empty nodes: POLICY,NODES,DISK,MEMORY,CPUS, optionally followed by ,SPINDLES or "
     ",SPINDLES,EXCLUSIVE; can be repeated, the last one becomes the first group",
     [](Options& o, Value v) { o.simulated_groups.emplace_back(*v); }},
    {'m', "master", Required, "ADDRESS", "host", ClusterData,
     "read the cluster from its remote API: ADDRESS is a host (asked by https at port 5080), a URL, or "
     "file://DIRECTORY for saved documents",
     [](Options& o, Value v) { o.master = *v; }},
    {'L', "luxi", Optional, "SOCKET", "file", ClusterData,
     "read the cluster from Ganeti's query daemon on this machine, at its usual socket or at SOCKET",
     [](Options& o, Value v) { o.luxi = v ? std::string(*v) : default_luxi_socket(); }},
    {'I', "ialloc-src", Required, "FILE", "file", ClusterData,
     "read the cluster from an allocator request; - means standard input",
     [](Options& o, Value v) { o.iallocator_file = *v; }},
    {'O', "offline", Required, "NODE", "onenode", ClusterData,
     "treat NODE as offline; repeat the option for each node",
     [](Options& o, Value v) { o.offline_nodes.emplace_back(*v); }},
    {'\0', "static-kvm-node-memory", Required, "N", "integer", ClusterData,
     "MiB of memory that a node running KVM needs for itself (4096); 0 uses the amount in the data",
     [](Options& o, Value v) { o.static_kvm_node_memory = parse_int(*v, "static node memory"); }},
    {'\0', "exclusion-tags", Required, "TAG,...", "string", ClusterData,
     "keep apart instances that share a tag beginning with TAG and a colon, in addition to what the cluster's tags say",
     [](Options& o, Value v) { o.exclusion_tags = split(*v, ','); }},

    {'U', "dynu-file", Required, "FILE", "file", Utilisation,
     "read the CPU, memory, disk and network load of the instances from FILE; an instance that is not in it counts 1",
     [](Options& o, Value v) { o.utilisation_file = *v; }},
    {'\0', "ignore-dynu", None, "", "none", Utilisation,
     "ignore the load of the instances",
     [](Options& o, Value) { o.ignore_utilisation = true; }},
    {'\0', "mond", Optional, "CHOICE", "choices=yes,no", Utilisation,
     "use the CPU load that the nodes' monitoring daemons report, unless CHOICE is no; with --mond-data, read their "
     "answers from a file instead of asking them",
     [](Options& o, Value v) { o.monitoring = parse_yes_no(v); }},
    {'\0', "mond-data", Required, "FILE", "file", Utilisation,
     "read the answers of the monitoring daemons from FILE; has no effect without --mond",
     [](Options& o, Value v) { o.monitoring_file = *v; }},
    {'\0', "mond-xen", None, "", "none", Utilisation,
     "use the CPU load that Xen reports for each instance instead of the nodes' load",
     [](Options& o, Value) { o.xen_monitoring = true; }},
    {'\0', "exit-on-missing-mond-data", None, "", "none", Utilisation,
     "exit with an error if a monitoring daemon has not answered, instead of ignoring the measured loads",
     [](Options& o, Value) { o.require_monitoring = true; }},

    {'\0', "disk-template", Required, "TEMPLATE",
     "choices=diskless,file,sharedfile,plain,blockdev,drbd,rbd,ext,gluster", WhatToPlace,
     "disk template of the new instances (default: the first one of the cluster's policy)",
     [](Options& o, Value v) { o.disk_template = parse_disk_template(*v); }},
    {'\0', "spindle-use", Required, "SPINDLES", "float", WhatToPlace,
     "spindles that a new instance uses on nodes without exclusive storage (default: from the policy)",
     [](Options& o, Value v) { o.spindle_use = parse_spindle_use(*v); }},
    {'\0', "standard-alloc", Required, "STDSPEC", "string", WhatToPlace,
     "size of the instances in fixed-size allocation: DISK,MEMORY,CPUS[,SPINDLES] (default: from the policy)",
     [](Options& o, Value v) { o.standard_spec = parse_spec(*v, "standard"); }},
    {'\0', "tiered-alloc", Required, "TSPEC", "string", WhatToPlace,
     "initial size of the instances in tiered allocation, in the same form (default: from the policy)",
     [](Options& o, Value v) { o.tiered_spec = parse_spec(*v, "tiered"); }},

    {'G', "group", Required, "ID", "onegroup", WhatToMove,
     "work on the node group with this name or UUID only; hbal needs it if more than one group has nodes",
     [](Options& o, Value v) { o.group = *v; }},
    {'E', "evac-mode", None, "", "none", WhatToMove,
     "move only instances whose primary or secondary node is offline",
     [](Options& o, Value) { o.balance.moves.evacuation = true; }},
    {'\0', "restricted-migration", None, "", "none", WhatToMove,
     "change primary nodes only by failover to the secondary, unless the primary is offline",
     [](Options& o, Value) { o.balance.moves.restricted_migration = true; }},
    {'\0', "no-disk-moves", None, "", "none", WhatToMove,
     "do not copy disks; only migrate and fail over",
     [](Options& o, Value) { o.balance.moves.disk_moves = false; }},
    {'\0', "no-instance-moves", None, "", "none", WhatToMove,
     "do not change primary nodes; only replace secondary nodes",
     [](Options& o, Value) { o.balance.moves.instance_moves = false; }},
    {'\0', "select-instances", Required, "INSTS", "manyinstances", WhatToMove,
     "move only these instances (names separated by commas)",
     [](Options& o, Value v) { o.selected_instances = split(*v, ','); }},
    {'\0', "exclude-instances", Required, "INSTS", "manyinstances", WhatToMove,
     "do not move these instances (names separated by commas)",
     [](Options& o, Value v) { o.excluded_instances = split(*v, ','); }},

    {'\0', "node-tags", Required, "TAG,...", "string", WhatToReboot,
     "reboot only nodes that have one of these tags (separated by commas)",
     [](Options& o, Value v) { o.reboot.node_tags = split(*v, ','); }},
    {'\0', "skip-non-redundant", None, "", "none", WhatToReboot,
     "leave out the primary nodes of instances whose disk template is not drbd",
     [](Options& o, Value) { o.reboot.skip_non_redundant = true; }},
    {'\0', "ignore-non-redundant", None, "", "none", WhatToReboot,
     "do not move instances whose disk template is not drbd; they stop with their node",
     [](Options& o, Value) { o.reboot.ignore_non_redundant = true; }},
    {'\0', "offline-maintenance", None, "", "none", WhatToReboot,
     "assume that instances are shut down instead of migrated; their secondary nodes need no memory for them",
     [](Options& o, Value) { o.reboot.offline_maintenance = true; }},
    {'\0', "full-evacuation", None, "", "none", WhatToReboot,
     "empty the nodes completely: also migrate drbd instances and replace their secondary nodes",
     [](Options& o, Value) { o.reboot.full_evacuation = true; }},

    {'l', "max-length", Required, "N", "integer", Limits,
     "make at most N moves per node group, or place at most N instances per phase; -1 (the default) means no limit",
     [](Options& o, Value v) { o.max_length = o.balance.max_steps = parse_int(*v, "max solution length"); }},
    {'e', "min-score", Required, "EPSILON", "float", Limits,
     "stop when the score is within EPSILON (1e-9) of its lower bound",
     [](Options& o, Value v) { o.balance.min_score = parse_double(*v, "min score"); }},
    {'g', "min-gain", Required, "DELTA", "float", Limits,
     "stop when the best move lowers the score by less than DELTA (0.01) ...",
     [](Options& o, Value v) { o.balance.min_gain = parse_double(*v, "min gain"); }},
    {'\0', "min-gain-limit", Required, "SCORE", "float", Limits,
     "... and the score is not above SCORE (0.1)",
     [](Options& o, Value v) { o.balance.min_gain_limit = parse_double(*v, "min gain limit"); }},
    {'\0', "max-cpu", Required, "RATIO", "float", Limits,
     "allow this many virtual CPUs per physical CPU of a node, instead of what the policy allows; above 0",
     [](Options& o, Value v) { o.max_cpu = parse_cpu_ratio(*v); }},
    {'\0', "min-disk", Required, "RATIO", "float", Limits,
     "keep this fraction of each node's disk free, usually between 0 (the default) and 1",
     [](Options& o, Value v) { o.min_disk = parse_double(*v, "min free disk space"); }},
    {'\0', "minimal-resources", Required, "FACTOR", "float", Limits,
     "switch nodes on if a node has no room for FACTOR (2) times the policy's standard instance",
     [](Options& o, Value v) { o.squeeze.minimal = parse_double(*v, "minimal resources"); }},
    {'\0', "target-resources", Required, "FACTOR", "float", Limits,
     "switch nodes off as long as every node keeps room for FACTOR (2) times the policy's standard instance",
     [](Options& o, Value v) { o.squeeze.target = parse_double(*v, "target resources"); }},

    {'\0', "independent-groups", None, "", "none", Checks,
     "check each node group on its own: an N+1 failure in one group does not stop the others",
     [](Options& o, Value) { o.independent_groups = true; }},
    {'\0', "accept-existing-errors", None, "", "none", Checks,
     "tolerate existing N+1 failures, but add none",
     [](Options& o, Value) { o.accept_existing_errors = true; }},
    {'\0', "no-capacity-checks", None, "", "none", Checks,
     "do not require that each node can be emptied (global N+1)",
     [](Options& o, Value) { o.capacity_checks = false; }},
    {'\0', "ignore-soft-errors", None, "", "none", Checks,
     "allow placements that are possible but break a soft rule: N+1, ratios of the policy, reserved disk, exclusion tags",
     [](Options& o, Value) { o.balance.moves.force = true; }},
    {'\0', "no-simulation", None, "", "none", Checks,
     "check the cluster as it is, without trying to rebalance it; exit with status 0",
     [](Options& o, Value) { o.simulation = false; }},
    {'f', "force", None, "", "none", Checks,
     "continue if the data names no master node",
     [](Options& o, Value) { o.needs_master = false; }},
    {'\0', "restrict-allocation-to", Required, "NODE,...", "manynodes", Checks,
     "place new instances on these nodes only (full names separated by commas), whatever the request says",
     [](Options& o, Value v) {
       const std::vector<std::string> names = split(*v, ',');
       o.allowed_nodes.emplace(names.begin(), names.end());
     }},

    {'p', "print-nodes", Optional, "FIELDS", "none", Output,
     "print tables of the nodes; FIELDS are separated by commas, a list that begins with + adds to the default one",
     [](Options& o, Value v) { o.node_fields = parse_node_fields(v.value_or("")); }},
    {'\0', "print-instances", None, "", "none", Output,
     "print tables of the instances",
     [](Options& o, Value) { o.print_instances = true; }},
    {'C', "print-commands", Optional, "FILE", "none", Output,
     "print the commands that carry out the solution, or write them to FILE as a script",
     [](Options& o, Value v) { o.command_file = v.value_or("-"); }},
    {'d', "output-dir", Required, "PATH", "dir", Output,
     "write the files to this directory instead of the current one",
     [](Options& o, Value v) { o.output_directory = *v; }},
    {'S', "save", Required, "FILE", "none", Output,
     "save states of the cluster to text files whose names begin with FILE",
     [](Options& o, Value v) { o.save_prefix = *v; }},
    {'\0', "machine-readable", Optional, "CHOICE", "choices=yes,no", Output,
     "print lines of KEY=VALUE if CHOICE is yes or absent, text for people if it is no",
     [](Options& o, Value v) { o.machine_readable = parse_yes_no(v); }},
    {'\0', "no-headers", None, "", "none", Output,
     "print no header line",
     [](Options& o, Value) { o.headers = false; }},
    {'\0', "one-step-only", None, "", "none", Output,
     "print only the first group of nodes, one per line",
     [](Options& o, Value) { o.first_group_only = true; }},
    {'\0', "print-moves", None, "", "none", Output,
     "after each group of nodes, print where their instances go",
     [](Options& o, Value) { o.print_moves = true; }},
    {'v', "verbose", None, "", "none", Output,
     "print more; can be repeated",
     [](Options& o, Value) { ++o.verbosity; }},
    {'q', "quiet", None, "", "none", Output,
     "print less; can be repeated",
     [](Options& o, Value) { --o.verbosity; }},

    {'X', "exec", None, "", "none", Jobs,
     "carry out the solution by submitting jobs (only with -L)",
     [](Options& o, Value) { o.execute = true; }},
    {'\0', "first-job-group", None, "", "none", Jobs,
     "print or submit only the jobs that can start at once",
     [](Options& o, Value) { o.first_job_set = true; }},
    {'\0', "reason", Required, "REASON", "none", Jobs,
     "reason for the jobs, for the reason trail that the cluster keeps",
     [](Options& o, Value v) { o.job_reason = parse_reason(*v); }},
    {'\0', "priority", Required, "PRIO", "choices=low,normal,high", Jobs,
     "priority of the jobs: low, normal or high",
     [](Options& o, Value v) { o.job_priority = parse_priority(*v); }},
    {'\0', "job-delay", Required, "SECONDS", "float", Jobs,
     "let each repair wait for SECONDS (10) before it starts, so that it does not delay the jobs after it; 0: no wait",
     [](Options& o, Value v) { o.job_delay = parse_job_delay(*v); }},
    {'\0', "dry-run", None, "", "none", Jobs,
     "change nothing: print the jobs instead of submitting them",
     [](Options& o, Value) { o.dry_run = true; }},

    {'\0', "color", Optional, "WHEN", "choices=always,auto,never", General,
     "colour important output: always (also if WHEN is absent), never, or auto (on terminals, unless NO_COLOR is set)",
     [](Options& o, Value v) { o.colours = parse_colour_choice(v); }},
    {'V', "version", None, "", "none", General,
     "print the version and exit",
     [](Options& o, Value) { o.version = true; }},
    {'h', "help", None, "", "none", General,
     "print this text and exit",
     [](Options& o, Value) { o.help = true; }},
    {'\0', "help-completion", None, "", "none", General,
     "print the options in a form for shell completion and exit",
     [](Options& o, Value) { o.help_completion = true; }},
});
// clang-format on

// Fails to compile for a name that is not in the table.
consteval const OptionSpec* option(std::string_view long_name) {
  for (const OptionSpec& spec : kOptions) {
    if (spec.long_name == long_name) return &spec;
  }
  throw "no such option";
}

// A tool's own options in their order, then those that every tool has.
template <class... Names>
consteval auto option_list(Names... names) {
  return std::array{option(names)..., option("color"), option("version"), option("help"), option("help-completion")};
}

constexpr auto kHailOptions =
    option_list("print-nodes", "save", "text-data", "simulate", "verbose", "ignore-dynu", "ignore-soft-errors",
                "no-capacity-checks", "restrict-allocation-to", "mond", "mond-xen", "static-kvm-node-memory");

constexpr auto kHarepOptions = option_list("luxi", "job-delay", "reason", "dry-run");

constexpr auto kHbalOptions = option_list(
    "print-nodes", "print-instances", "print-commands", "text-data", "evac-mode", "restricted-migration", "master",
    "luxi", "ialloc-src", "exec", "first-job-group", "reason", "group", "max-length", "verbose", "quiet", "offline",
    "static-kvm-node-memory", "min-score", "max-cpu", "min-disk", "min-gain", "min-gain-limit", "no-disk-moves",
    "select-instances", "no-instance-moves", "ignore-soft-errors", "dynu-file", "ignore-dynu", "mond", "mond-data",
    "exit-on-missing-mond-data", "mond-xen", "exclusion-tags", "exclude-instances", "save", "priority");

constexpr auto kHcheckOptions =
    option_list("text-data", "no-disk-moves", "dynu-file", "ignore-dynu", "evac-mode", "exclude-instances",
                "exclusion-tags", "ialloc-src", "no-instance-moves", "luxi", "machine-readable", "max-cpu",
                "max-length", "min-disk", "min-gain", "min-gain-limit", "min-score", "ignore-soft-errors",
                "no-simulation", "offline", "quiet", "master", "select-instances", "no-capacity-checks", "verbose");

constexpr auto kHinfoOptions =
    option_list("print-nodes", "print-instances", "text-data", "master", "luxi", "ialloc-src", "verbose", "quiet",
                "offline", "ignore-dynu", "mond", "mond-data", "static-kvm-node-memory");

constexpr auto kHrollerOptions =
    option_list("luxi", "master", "text-data", "ialloc-src", "offline", "offline-maintenance", "verbose", "quiet",
                "no-headers", "node-tags", "save", "group", "print-moves", "full-evacuation", "skip-non-redundant",
                "ignore-non-redundant", "force", "one-step-only", "static-kvm-node-memory");

constexpr auto kHscanOptions =
    option_list("print-nodes", "output-dir", "luxi", "verbose", "no-headers", "static-kvm-node-memory");

constexpr auto kHspaceOptions = option_list(
    "print-nodes", "text-data", "disk-template", "spindle-use", "simulate", "master", "luxi", "ialloc-src", "verbose",
    "quiet", "independent-groups", "accept-existing-errors", "offline", "no-capacity-checks", "machine-readable",
    "max-cpu", "max-length", "min-disk", "standard-alloc", "tiered-alloc", "save", "static-kvm-node-memory");

constexpr auto kHsqueezeOptions =
    option_list("luxi", "text-data", "exec", "minimal-resources", "target-resources", "save", "print-commands",
                "verbose", "no-headers", "static-kvm-node-memory");

}  // namespace

std::span<const OptionSpec> all_options() { return kOptions; }

constinit const Tool kHailTool{.name = "hail",
                               .summary = "Chooses nodes for new instances, and for instances that must move.",
                               .options = kHailOptions,
                               .words = "FILE",
                               .words_completion = "file 1 1"};

constinit const Tool kHarepTool{"harep", "Repairs instances that have lost a node, as far as their tags allow it.",
                                kHarepOptions};

constinit const Tool kHbalTool{"hbal", "Finds the moves that make a node group balanced and safe.", kHbalOptions};

constinit const Tool kHcheckTool{
    "hcheck", "Reports whether a cluster is healthy, and whether rebalancing would fix it.", kHcheckOptions};

constinit const Tool kHinfoTool{"hinfo", "Shows a cluster: node groups, nodes, instances and score.", kHinfoOptions};

constinit const Tool kHrollerTool{"hroller", "Sorts the nodes into groups that can be rebooted together.",
                                  kHrollerOptions};

constinit const Tool kHscanTool{
    .name = "hscan",
    .summary = "Prints a line about each of several clusters, and saves each to a text file.",
    .options = kHscanOptions,
    .words = "[CLUSTER...]",
    .words_completion = "host 0 none"};

constinit const Tool kHspaceTool{"hspace", "Computes how many more instances fit on a cluster.", kHspaceOptions};

constinit const Tool kHsqueezeTool{"hsqueeze", "Finds nodes that can be switched off, or must be switched on.",
                                   kHsqueezeOptions};

}  // namespace htools
