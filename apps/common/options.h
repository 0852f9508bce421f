// What the user can ask for on the command line, in groups that the tools combine. The initial values are the defaults.
// If an option is repeated, its last value counts, except where stated. option_table.h has the options that fill the
// groups, in the same order.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "allocate/allocation.h"
#include "apps/common/terminal.h"
#include "balance/balancer.h"
#include "cluster/disk_template.h"
#include "cluster/prepare.h"
#include "htools/policy.h"
#include "maintain/reboot_groups.h"
#include "maintain/squeeze.h"

namespace htools {

// Where the cluster comes from.
struct SourceOptions {
  std::optional<std::string> text_file;
  std::vector<std::string> simulated_groups;  // all specifications, in command-line order
  std::string master;                         // address for RAPI; empty if there is none
  std::optional<std::string> luxi;            // socket
  std::optional<std::string> iallocator_file;
  std::int64_t static_kvm_node_memory = 4096;  // MiB; <= 0 keeps the values of the source
};

// How the loads of the instances are determined.
struct UtilisationOptions {
  std::optional<std::string> utilisation_file;
  bool ignore_utilisation = false;
  bool monitoring = false;
  std::optional<std::string> monitoring_file;  // used only with `monitoring`
  bool xen_monitoring = false;
  bool require_monitoring = false;
};

// Which instances can move, and which must not share a node.
struct InstanceOptions {
  std::vector<std::string> exclusion_tags;  // cluster/tags.h
  std::vector<std::string> selected;        // if not empty, only these can move
  std::vector<std::string> excluded;        // these cannot move
};

// What new instances are like, and how many are placed.
struct SimulationOptions {
  std::optional<DiskTemplate> disk_template;
  std::optional<std::int64_t> spindle_use;  // >= 0
  // In these specifications, disk_size is the whole disk, and spindle_use the spindles of that disk.
  std::optional<InstanceSpec> standard_spec;
  std::optional<InstanceSpec> tiered_spec;
  std::int64_t max_instances = -1;  // per phase; -1: no limit
  bool independent_groups = false;
  bool accept_existing_errors = false;
  bool capacity_checks = true;
};

// Which nodes are rebooted together, and what is printed about them.
struct MaintenanceOptions {
  RebootOptions reboot;
  bool needs_master = true;       // fail without a master node
  bool first_group_only = false;  // print no other group
  bool print_moves = false;       // after each group
};

// What is printed and saved.
struct OutputOptions {
  std::optional<std::vector<std::string>> node_fields;  // set: print node tables with these fields
  bool print_instances = false;
  std::optional<std::string> command_file;  // set: show the commands; "-" for standard output
  std::optional<std::string> save_prefix;   // set: save states of the cluster to files whose names begin with it
  bool machine_readable = false;
  bool headers = true;
};

enum class JobPriority : std::uint8_t { Low, Normal, High };

// Which jobs are submitted, and what they say of themselves.
struct JobOptions {
  bool execute = false;
  bool first_job_set = false;         // execute or show no other one
  std::optional<std::string> reason;  // if absent, the tool's own
  JobPriority priority = JobPriority::Normal;
};

// How instances are repaired.
struct RepairOptions {
  double job_delay = 10.0;  // seconds that a repair waits before it begins, if more than 0
  bool dry_run = false;
};

// What every tool knows.
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
  bool simulation = true;  // try what rebalancing would do
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

// A tool as its command line sees it.
struct Tool {
  std::string_view name;
  std::string_view summary;  // one sentence
  // Words that are no options, if the tool takes any: as the usage line and as the completion say it.
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

// The options of a tool, bound to the variables that receive their values, which must outlive the list. They are in the
// order of completion and of candidates in messages.
class Option;
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
