// The options of the command line, in groups that the tools combine. The initial values are the defaults. If an option
// is repeated, its last value counts, except where noted. option_table.h has the options that fill the groups, in the
// same order.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "allocate/allocation.h"
#include "apps/output/terminal.h"
#include "balance/balancer.h"
#include "cluster/disk_template.h"
#include "cluster/prepare.h"
#include "htools/policy.h"
#include "maintain/reboot_groups.h"
#include "maintain/squeeze.h"

namespace htools {

// The source of the cluster.
struct SourceOptions {
  std::optional<std::string> text_file;
  std::vector<std::string> simulated_groups;  // all specifications, in command-line order
  std::string master;                         // address of the remote API; empty if there is none
  std::optional<std::string> luxi;            // path of the socket
  std::optional<std::string> iallocator_file;
  std::int64_t static_kvm_node_memory = 4096;  // MiB; <= 0 keeps the values of the source
};

// The sources of the instances' loads.
struct UtilisationOptions {
  std::optional<std::string> utilisation_file;
  bool ignore_utilisation = false;
  bool monitoring = false;
  std::optional<std::string> monitoring_file;  // used only with `monitoring`
  bool xen_monitoring = false;
  bool require_monitoring = false;
};

// The instances that can move, and the tags of instances that must not share a node.
struct InstanceOptions {
  std::vector<std::string> exclusion_tags;  // see cluster/tags.h
  std::vector<std::string> selected;        // if not empty, only these can move
  std::vector<std::string> excluded;        // these cannot move
};

// The kind and number of new instances to place.
struct SimulationOptions {
  std::optional<DiskTemplate> disk_template;
  std::optional<std::int64_t> spindle_use;  // >= 0
  // In these specifications, disk_size is the total disk of an instance, and spindle_use the spindles of that disk.
  std::optional<InstanceSpec> standard_spec;
  std::optional<InstanceSpec> tiered_spec;
  std::int64_t max_instances = -1;  // per phase; -1: no limit
  bool independent_groups = false;
  bool accept_existing_errors = false;
  bool capacity_checks = true;
};

// The nodes that are rebooted together, and the form of the output.
struct MaintenanceOptions {
  RebootOptions reboot;
  bool needs_master = true;       // fail if there is no master node
  bool first_group_only = false;  // print only the first group
  bool print_moves = false;       // print the moves after each group
};

// The output to print and the files to save.
struct OutputOptions {
  std::optional<std::vector<std::string>> node_fields;  // set: print node tables with these fields
  bool print_instances = false;
  std::optional<std::string> command_file;  // set: show the commands; "-" for standard output
  std::optional<std::string> save_prefix;   // set: save states of the cluster to files whose names begin with it
  bool machine_readable = false;
  bool headers = true;
};

enum class JobPriority : std::uint8_t { Low, Normal, High };

// The jobs to submit, and their properties.
struct JobOptions {
  bool execute = false;
  bool first_job_set = false;         // execute or show only the first set of jobs
  std::optional<std::string> reason;  // if absent, the tool gives its own
  JobPriority priority = JobPriority::Normal;
};

// The way in which instances are repaired.
struct RepairOptions {
  double job_delay = 10.0;  // seconds that a repair waits before it begins; 0 or less: no wait
  bool dry_run = false;
};

// The options that every tool has.
struct GeneralOptions {
  int verbosity = 1;  // plus one per --verbose, minus one per --quiet; may be negative
  ColourChoice colours = ColourChoice::Auto;
  bool version = false;
  bool help = false;
  bool help_completion = false;
};

// The options of each tool.

struct HailOptions {
  SourceOptions source;
  UtilisationOptions utilisation;
  AllocationRules rules;
  OutputOptions output;
  GeneralOptions general;
};

struct HarepOptions {
  SourceOptions source;
  JobOptions jobs;
  RepairOptions repair;
  GeneralOptions general;
};

struct HbalOptions {
  SourceOptions source;
  UtilisationOptions utilisation;
  InstanceOptions instances;
  NodeOptions nodes;
  std::optional<std::string> group;  // name or UUID
  BalanceOptions balance;
  OutputOptions output;
  JobOptions jobs;
  GeneralOptions general;
};

struct HcheckOptions {
  SourceOptions source;
  UtilisationOptions utilisation;
  InstanceOptions instances;
  NodeOptions nodes;
  BalanceOptions balance;
  bool capacity_checks = true;
  bool simulation = true;  // check the result of rebalancing, too
  OutputOptions output;
  GeneralOptions general;
};

struct HinfoOptions {
  SourceOptions source;
  UtilisationOptions utilisation;
  NodeOptions nodes;
  OutputOptions output;
  GeneralOptions general;
};

struct HrollerOptions {
  SourceOptions source;
  NodeOptions nodes;
  std::optional<std::string> group;  // name or UUID
  MaintenanceOptions maintenance;
  OutputOptions output;
  GeneralOptions general;
};

struct HscanOptions {
  SourceOptions source;
  std::string output_directory = ".";
  OutputOptions output;
  GeneralOptions general;
};

struct HspaceOptions {
  SourceOptions source;
  NodeOptions nodes;
  SimulationOptions simulation;
  OutputOptions output;
  GeneralOptions general;
};

struct HsqueezeOptions {
  SourceOptions source;
  SqueezeTargets targets;
  OutputOptions output;
  JobOptions jobs;
  GeneralOptions general;
};

// A tool, as described by its help text.
struct Tool {
  std::string_view name;
  std::string_view summary;  // one sentence
  // The words that the tool takes besides options, for the usage line and for completion; empty if it takes none.
  std::string_view words = {};
  std::string_view words_completion = {};
};

extern const Tool kHailTool;
extern const Tool kHarepTool;
extern const Tool kHbalTool;
extern const Tool kHcheckTool;
extern const Tool kHinfoTool;
extern const Tool kHrollerTool;
extern const Tool kHscanTool;
extern const Tool kHspaceTool;
extern const Tool kHsqueezeTool;

// Return the options of a tool, bound to the variables that receive their values. The variables must outlive the list.
// The options are in the order of completion and of candidates in messages.
struct Option;
using OptionList = std::vector<Option>;
OptionList declare_options(HailOptions& o);
OptionList declare_options(HarepOptions& o);
OptionList declare_options(HbalOptions& o);
OptionList declare_options(HcheckOptions& o);
OptionList declare_options(HinfoOptions& o);
OptionList declare_options(HrollerOptions& o);
OptionList declare_options(HscanOptions& o);
OptionList declare_options(HspaceOptions& o);
OptionList declare_options(HsqueezeOptions& o);

}  // namespace htools
