#include "apps/common/options.h"

#include <array>
#include <cstddef>

#include "apps/common/option_values.h"
#include "base/numbers.h"
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
     "make up a group of equal, empty nodes: POLICY,NODES,DISK,MEMORY,CPUS[,SPINDLES[,EXCLUSIVE]]; may be repeated, "
     "the last one becomes the first group",
     [](Options& o, Value v) { o.simulated_groups.emplace_back(*v); }},
    {'m', "master", Required, "ADDRESS", "host", ClusterData,
     "read the cluster from saved documents of the remote API: file://DIRECTORY (addresses of hosts: not in this "
     "version)",
     [](Options& o, Value v) { o.master = *v; }},
    {'L', "luxi", Optional, "SOCKET", "file", ClusterData,
     "ask the master daemon on this machine, at its usual socket or at SOCKET (not in this version)",
     [](Options& o, Value v) { o.luxi = v.value_or(""); }},
    {'I', "ialloc-src", Required, "FILE", "file", ClusterData,
     "read the cluster from an allocator request; - stands for the standard input",
     [](Options& o, Value v) { o.iallocator_file = *v; }},
    {'O', "offline", Required, "NODE", "onenode", ClusterData,
     "treat NODE as offline; may be repeated",
     [](Options& o, Value v) { o.offline_nodes.emplace_back(*v); }},
    {'\0', "static-kvm-node-memory", Required, "N", "integer", ClusterData,
     "MiB that a node running KVM needs for itself (4096); 0 takes what the data says",
     [](Options& o, Value v) { o.static_kvm_node_memory = parse_int(*v, "static node memory"); }},

    {'\0', "disk-template", Required, "TEMPLATE",
     "choices=diskless,file,sharedfile,plain,blockdev,drbd,rbd,ext,gluster", WhatToPlace,
     "disk template of the new instances; the first one of the cluster's policy if not given",
     [](Options& o, Value v) { o.disk_template = parse_disk_template(*v); }},
    {'\0', "spindle-use", Required, "SPINDLES", "float", WhatToPlace,
     "spindles that a new instance uses on nodes without exclusive storage; from the policy if not given",
     [](Options& o, Value v) { o.spindle_use = parse_spindle_use(*v); }},
    {'\0', "standard-alloc", Required, "STDSPEC", "string", WhatToPlace,
     "size of the instances of fixed size: DISK,MEMORY,CPUS[,SPINDLES]; from the policy if not given",
     [](Options& o, Value v) { o.standard_spec = parse_spec(*v, "standard"); }},
    {'\0', "tiered-alloc", Required, "TSPEC", "string", WhatToPlace,
     "size that tiered allocation begins with, in the same form; from the policy if not given",
     [](Options& o, Value v) { o.tiered_spec = parse_spec(*v, "tiered"); }},

    {'l', "max-length", Required, "N", "integer", Limits,
     "place at most N instances per phase; -1, the default, means no limit",
     [](Options& o, Value v) { o.max_length = parse_int(*v, "max solution length"); }},
    {'\0', "max-cpu", Required, "RATIO", "float", Limits,
     "virtual cpus that a node may carry per physical cpu, instead of what the policy says; above 0",
     [](Options& o, Value v) { o.max_cpu = parse_cpu_ratio(*v); }},
    {'\0', "min-disk", Required, "RATIO", "float", Limits,
     "part of each node's disk that must stay free, usually between 0 (the default) and 1",
     [](Options& o, Value v) { o.min_disk = parse_double(*v, "min free disk space"); }},

    {'\0', "independent-groups", None, "", "none", Checks,
     "judge node groups one by one: an N+1 failure in one group does not stop the others",
     [](Options& o, Value) { o.independent_groups = true; }},
    {'\0', "accept-existing-errors", None, "", "none", Checks,
     "tolerate N+1 failures that are there already, but add none",
     [](Options& o, Value) { o.accept_existing_errors = true; }},
    {'\0', "no-capacity-checks", None, "", "none", Checks,
     "do not demand that each node can be emptied (global N+1)",
     [](Options& o, Value) { o.capacity_checks = false; }},

    {'p', "print-nodes", Optional, "FIELDS", "none", Output,
     "print tables of the nodes; FIELDS are separated by commas, a list after + is added to the usual one",
     [](Options& o, Value v) { o.node_fields = parse_node_fields(v.value_or("")); }},
    {'S', "save", Required, "FILE", "none", Output,
     "save the resulting cluster to text files whose names begin with FILE",
     [](Options& o, Value v) { o.save_prefix = *v; }},
    {'\0', "machine-readable", Optional, "CHOICE", "choices=yes,no", Output,
     "print lines of KEY=VALUE if CHOICE is yes or absent, a text for people if it is no",
     [](Options& o, Value v) { o.machine_readable = parse_yes_no(v); }},
    {'v', "verbose", None, "", "none", Output,
     "say more; may be repeated",
     [](Options& o, Value) { ++o.verbosity; }},
    {'q', "quiet", None, "", "none", Output,
     "say less; may be repeated",
     [](Options& o, Value) { --o.verbosity; }},

    {'V', "version", None, "", "none", General,
     "print the version and exit",
     [](Options& o, Value) { o.version = true; }},
    {'h', "help", None, "", "none", General,
     "print this text and exit",
     [](Options& o, Value) { o.help = true; }},
    {'\0', "help-completion", None, "", "none", General,
     "print the options for the completion of shells and exit",
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
  return std::array{option(names)..., option("version"), option("help"), option("help-completion")};
}

constexpr auto kHspaceOptions = option_list(
    "print-nodes", "text-data", "disk-template", "spindle-use", "simulate", "master", "luxi", "ialloc-src", "verbose",
    "quiet", "independent-groups", "accept-existing-errors", "offline", "no-capacity-checks", "machine-readable",
    "max-cpu", "max-length", "min-disk", "standard-alloc", "tiered-alloc", "save", "static-kvm-node-memory");

}  // namespace

std::span<const OptionSpec> all_options() { return kOptions; }

constinit const Tool kHspaceTool{"hspace", "Works out how many more instances fit on a cluster.", kHspaceOptions};

}  // namespace htools
