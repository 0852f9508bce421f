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
#include "grow/growth.h"
#include "grow/inflate.h"
#include "htools/policy.h"
#include "jobs/platform_commands.h"
#include "maintain/reboot_groups.h"
#include "maintain/squeeze.h"
#include "plan/copying.h"
#include "platforms/make_cluster.h"
#include "search/wishes.h"

namespace htools {

// The source of the cluster.
struct SourceOptions {
  std::optional<std::string> text_file;
  std::vector<std::string> simulated_groups;  // all specifications, in command-line order
  std::string master;                         // address of the remote API; empty if there is none
  std::optional<std::string> luxi;            // path of the socket
  std::optional<std::string> iallocator_file;
  std::int64_t static_kvm_node_memory = 4096;  // MiB; <= 0 keeps the values of the source
  std::string choices;                         // the tool's options that name a source, for messages
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
  bool plain_moves = false;                 // those with a plain disk can move, too
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
  CommandPlatform commands = CommandPlatform::Ganeti;
  std::optional<std::string> save_prefix;  // set: save states of the cluster to files whose names begin with it
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

// The documents for programs.
struct DocumentOptions {
  bool json = false;                  // print a document instead of text
  std::optional<std::string> schema;  // set: print the schema with this name; empty for that of the tool
};

// What metrics are about: node groups, or nodes as well.
enum class MetricsLevel : std::uint8_t { Groups, Nodes };

// The metrics for monitoring.
struct MetricsOptions {
  std::optional<MetricsLevel> level;  // set: print metrics instead of text
  std::string cluster_name;           // the value of the label `cluster`; empty if there is none
};

// A number of nodes that stands for as many as possible.
inline constexpr std::int64_t kAsManyAsPossible = -1;

// The plan that is wanted, and its limits.
struct PlanChoice {
  bool balance = false;                    // asked for by name; it is the default
  std::optional<std::string> to;           // file of the state that is wanted
  std::vector<std::string> empty;          // names of nodes that nothing is to stay on
  std::optional<std::int64_t> retire;      // the number of nodes to empty; kAsManyAsPossible for all that can be
  std::optional<std::string> check;        // file of the plan to judge
  std::optional<std::string> resume;       // file of the plan to go on with
  bool force = false;                      // go on with a plan that was made for another cluster
  std::optional<std::string> defragment;   // TEMPLATE,DISK,MEMORY,CPUS
  std::vector<std::string> make_room;      // instances to be, as formats/item_reader.h reads them
  std::optional<std::int64_t> max_copied;  // MiB
  std::optional<double> max_duration;      // seconds
  std::optional<double> until_score;       // as cheap as possible down to this score
  Wishes wishes;                           // what balance means besides the score
  bool tradeoff = false;                   // show several plans to choose from
  std::optional<std::int64_t> choose;      // take that one of them; counted from 1
  std::int64_t effort = 5;                 // 0 to 9
  std::int64_t seed = 1;
  std::optional<std::string> save_plan;  // file for the plan's document
};

// The growth that is asked about.
struct GrowthChoice {
  std::optional<double> growth;                              // per cent of the present mix
  std::optional<MonthlyGrowth> monthly;                      // the same in each month
  std::optional<std::string> wanted;                         // file with items, one a line
  std::vector<std::string> instances;                        // items
  std::optional<std::vector<InflatedResource>> max_inflate;  // what of all present instances may grow
  std::optional<InstanceSpec> node;                          // the size of nodes to buy
  bool after_plan = false;                                   // answer also for the state after a plan
  std::optional<std::int64_t> runs;                          // random orders
  std::optional<double> size_spread;                         // per cent by which random sizes differ
  std::int64_t seed = 1;
  bool capacity_checks = true;
};

// What a report shows besides the cluster.
struct ReportChoice {
  std::optional<std::string> plan;     // file of a plan
  std::vector<std::string> capacity;   // files of answers of hspace and hgrow
  std::optional<std::string> compare;  // file of another state
  bool cures = false;                  // say what would cure each problem
  std::optional<std::string> drill;    // the set of losses to rehearse: "each-node", "each:TAGPREFIX"
};

// What to import from another platform.
struct ImportOptions {
  std::optional<std::string> platform;  // its name
  std::optional<std::string> map;       // file of what the user says about hosts and storage
  ImportRules rules;                    // but for the map
};

// The changes to a cluster.
struct ChangeOptions {
  std::vector<std::string> changes;  // "NAME=VALUE", in command-line order
};

// A part of the scenarios of a study.
struct Shard {
  std::int64_t number = 1;  // from 1
  std::int64_t count = 1;
};

// Which scenarios are run, how, and the table of their records.
struct SweepOptions {
  Shard shard;
  std::int64_t jobs = 1;
  std::optional<std::int64_t> memory;  // MiB, of each scenario
  std::optional<std::string> output_file;
  bool csv = false;
  std::vector<std::string> rows{"cluster", "changes"};
  std::string columns = "question";
  std::string value = "status";
};

// Where the result goes.
struct ResultOptions {
  std::optional<std::string> file;  // absent or "-": standard output
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
  DocumentOptions document;
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
  DocumentOptions document;
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
  DocumentOptions document;
  MetricsOptions metrics;
  GeneralOptions general;
};

struct HgrowOptions {
  SourceOptions source;
  UtilisationOptions utilisation;
  InstanceOptions instances;
  NodeOptions nodes;
  std::optional<std::string> group;  // name or UUID; absent: all groups
  GrowthChoice growth;
  DocumentOptions document;
  GeneralOptions general;
};

struct HimportOptions {
  ImportOptions import;
  ResultOptions result;
  DocumentOptions document;
  GeneralOptions general;
};

struct HinfoOptions {
  SourceOptions source;
  UtilisationOptions utilisation;
  NodeOptions nodes;
  OutputOptions output;
  DocumentOptions document;
  MetricsOptions metrics;
  GeneralOptions general;
};

struct HplanOptions {
  SourceOptions source;
  UtilisationOptions utilisation;
  InstanceOptions instances;
  NodeOptions nodes;
  std::optional<std::string> group;  // name or UUID; absent: all groups
  BalanceOptions balance;
  PlanChoice plan;
  CopyRules copying;
  OutputOptions output;
  JobOptions jobs;
  DocumentOptions document;
  GeneralOptions general;
};

struct HreportOptions {
  SourceOptions source;
  UtilisationOptions utilisation;
  InstanceOptions instances;
  NodeOptions nodes;
  std::optional<std::string> group;  // name or UUID; absent: all groups
  BalanceOptions balance;
  bool capacity_checks = true;
  ReportChoice report;
  ResultOptions result;
  CopyRules copying;
  DocumentOptions document;
  GeneralOptions general;
};

struct HrollerOptions {
  SourceOptions source;
  NodeOptions nodes;
  std::optional<std::string> group;  // name or UUID
  MaintenanceOptions maintenance;
  OutputOptions output;
  DocumentOptions document;
  GeneralOptions general;
};

struct HscanOptions {
  SourceOptions source;
  std::string output_directory = ".";
  OutputOptions output;
  DocumentOptions document;
  GeneralOptions general;
};

struct HspaceOptions {
  SourceOptions source;
  NodeOptions nodes;
  SimulationOptions simulation;
  OutputOptions output;
  DocumentOptions document;
  GeneralOptions general;
};

struct HsqueezeOptions {
  SourceOptions source;
  SqueezeTargets targets;
  OutputOptions output;
  JobOptions jobs;
  DocumentOptions document;
  GeneralOptions general;
};

struct HsweepOptions {
  SweepOptions sweep;
  DocumentOptions document;
  GeneralOptions general;
};

struct HwhatifOptions {
  SourceOptions source;
  UtilisationOptions utilisation;
  InstanceOptions instances;
  NodeOptions nodes;
  std::optional<std::string> group;  // name or UUID; absent: all groups
  AllocationRules rules;
  ChangeOptions change;
  ResultOptions result;
  DocumentOptions document;
  GeneralOptions general;
};

struct HwhyOptions {
  SourceOptions source;
  UtilisationOptions utilisation;
  InstanceOptions instances;
  NodeOptions nodes;
  std::optional<std::string> group;  // name or UUID; absent: all groups
  BalanceOptions balance;
  bool capacity_checks = true;
  bool cures = true;  // say what would cure a problem
  DocumentOptions document;
  GeneralOptions general;
};

// A tool, as described by its help text.
struct Tool {
  std::string_view name;
  std::string_view summary;  // one sentence
  // The words that the tool takes besides options, for the usage line and for completion; empty if it takes none.
  std::string_view words = {};
  std::string_view words_completion = {};
  // The name of its documents: "plan" for htools.plan/1; several are separated by '|'; empty if it has none.
  std::string_view document = {};
  // True if the reference has no such tool. Then a wrong command line ends it with the status of any other failure.
  bool is_own = false;
};

extern const Tool kHailTool;
extern const Tool kHarepTool;
extern const Tool kHbalTool;
extern const Tool kHcheckTool;
extern const Tool kHgrowTool;
extern const Tool kHimportTool;
extern const Tool kHinfoTool;
extern const Tool kHplanTool;
extern const Tool kHreportTool;
extern const Tool kHrollerTool;
extern const Tool kHscanTool;
extern const Tool kHspaceTool;
extern const Tool kHsqueezeTool;
extern const Tool kHsweepTool;
extern const Tool kHwhatifTool;
extern const Tool kHwhyTool;

// Return the options of a tool, bound to the variables that receive their values. The variables must outlive the list.
// The options are in the order of completion and of candidates in messages.
struct Option;
using OptionList = std::vector<Option>;
OptionList declare_options(HailOptions& o);
OptionList declare_options(HarepOptions& o);
OptionList declare_options(HbalOptions& o);
OptionList declare_options(HcheckOptions& o);
OptionList declare_options(HgrowOptions& o);
OptionList declare_options(HimportOptions& o);
OptionList declare_options(HinfoOptions& o);
OptionList declare_options(HplanOptions& o);
OptionList declare_options(HreportOptions& o);
OptionList declare_options(HrollerOptions& o);
OptionList declare_options(HscanOptions& o);
OptionList declare_options(HspaceOptions& o);
OptionList declare_options(HsqueezeOptions& o);
OptionList declare_options(HsweepOptions& o);
OptionList declare_options(HwhatifOptions& o);
OptionList declare_options(HwhyOptions& o);

}  // namespace htools
