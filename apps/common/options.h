// What the user can ask for on the command line: the values (Options), the table of all options of the suite, and which
// tool has which of them.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/common/terminal.h"
#include "balance/balancer.h"
#include "cluster/disk_template.h"
#include "htools/policy.h"
#include "maintain/reboot_groups.h"
#include "maintain/squeeze.h"

namespace htools {

enum class JobPriority : std::uint8_t { Low, Normal, High };

// The options' values, with the defaults. A repeated option replaces its value, except where stated.
struct Options {
  // Cluster data
  std::optional<std::string> text_file;
  std::string master;               // address for RAPI; empty if there is none
  std::optional<std::string> luxi;  // socket
  std::optional<std::string> iallocator_file;
  std::vector<std::string> simulated_groups;   // all of them, in command-line order
  std::vector<std::string> offline_nodes;      // all of them, in command-line order
  std::int64_t static_kvm_node_memory = 4096;  // MiB; <= 0 keeps the values of the source
  std::vector<std::string> exclusion_tags;     // cluster/tags.h

  // Utilisation
  std::optional<std::string> utilisation_file;
  bool ignore_utilisation = false;
  bool monitoring = false;
  std::optional<std::string> monitoring_file;  // counts only with `monitoring`
  bool xen_monitoring = false;
  bool require_monitoring = false;

  // What to place. In a spec, disk_size is the whole disk and spindle_use the spindles of that disk.
  std::optional<DiskTemplate> disk_template;
  std::optional<std::int64_t> spindle_use;  // >= 0
  std::optional<InstanceSpec> standard_spec;
  std::optional<InstanceSpec> tiered_spec;

  // What to move
  std::optional<std::string> group;  // name or UUID
  std::vector<std::string> selected_instances;
  std::vector<std::string> excluded_instances;
  BalanceOptions balance;

  // Which nodes to reboot together
  RebootOptions reboot;

  // Which nodes to switch off or on
  SqueezeTargets squeeze;

  // Limits
  std::int64_t max_length = -1;   // as given; also in `balance`
  std::optional<double> max_cpu;  // vcpus per physical cpu; > 0 or NaN
  double min_disk = 0.0;          // part of the disk that stays free

  // Checks
  bool independent_groups = false;
  bool accept_existing_errors = false;
  bool capacity_checks = true;
  bool simulation = true;                              // try what rebalancing would do
  bool needs_master = true;                            // fail without a master node
  std::optional<std::set<std::string>> allowed_nodes;  // full names; set: new instances go to no other node

  // Output
  std::optional<std::vector<std::string>> node_fields;  // set: print node tables with these fields
  bool print_instances = false;
  std::optional<std::string> command_file;  // set: show the commands; "-" for standard output
  std::optional<std::string> save_prefix;
  std::string output_directory = ".";
  bool machine_readable = false;
  bool headers = true;
  bool first_group_only = false;  // of the nodes to reboot
  bool print_moves = false;       // of each group of nodes to reboot
  int verbosity = 1;              // plus one per --verbose, minus one per --quiet; may be negative

  // Jobs
  bool execute = false;
  bool first_job_set = false;  // execute or show no other one
  std::optional<std::string> job_reason;
  JobPriority job_priority = JobPriority::Normal;
  double job_delay = 10.0;  // seconds that a repair waits before it begins, if more than 0
  bool dry_run = false;

  // General
  ColourChoice colours = ColourChoice::Auto;
  bool help = false;
  bool version = false;
  bool help_completion = false;
};

enum class ArgumentKind : std::uint8_t { None, Required, Optional };

// Headings of the help text, in its order.
enum class OptionTopic : std::uint8_t {
  ClusterData,
  Utilisation,
  WhatToPlace,
  WhatToMove,
  WhatToReboot,
  Limits,
  Checks,
  Output,
  Jobs,
  General
};

struct OptionSpec {
  char short_name;  // '\0' if there is none
  std::string_view long_name;
  ArgumentKind kind;
  std::string_view argument;    // its name in the help text; empty if there is none
  std::string_view completion;  // what shells complete the argument with; a fixed vocabulary
  OptionTopic topic;
  std::string_view description;
  // Puts the value in its place; it is absent only for kinds None and Optional. Throws InputError.
  void (*apply)(Options&, std::optional<std::string_view> value);
};

// A tool as its command line sees it.
struct Tool {
  std::string_view name;
  std::string_view summary;                    // one sentence
  std::span<const OptionSpec* const> options;  // the order of completion and of candidates in messages
  // Words that are no options, if the tool takes any: as the usage line and as the completion say it.
  std::string_view words = {};
  std::string_view words_completion = {};
};

// Every option of the suite.
std::span<const OptionSpec> all_options();

// The tools' command lines.
extern const Tool kHailTool;
extern const Tool kHarepTool;
extern const Tool kHbalTool;
extern const Tool kHcheckTool;
extern const Tool kHinfoTool;
extern const Tool kHrollerTool;
extern const Tool kHscanTool;
extern const Tool kHspaceTool;
extern const Tool kHsqueezeTool;

}  // namespace htools
