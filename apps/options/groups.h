// The groups of options that several tools have; those of one tool stand beside it (hbal_options.h and so on). The
// initial values are the defaults. If an option is repeated, its last value counts, except where noted. option_table.h
// has the options that fill the groups.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/output/terminal.h"
#include "htools/ganeti_release.h"
#include "jobs/platform_commands.h"

namespace htools {

// The source of the cluster.
struct SourceOptions {
  std::optional<std::string> text_file;
  std::vector<std::string> simulated_groups;  // all specifications, in command-line order
  std::string master;                         // address of the remote API; empty if there is none
  std::optional<std::string> certificates;    // file of certificates that verify those of the remote API
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
  std::vector<std::string> exclusion_tags = {};  // see cluster/tags.h
  std::vector<std::string> selected = {};        // if not empty, only these can move
  std::vector<std::string> excluded = {};        // these cannot move
  bool plain_moves = false;                      // those with a plain disk can move, too
  // Those without disks can move, too. No option sets this: our own tools move them, and those of the reference do not.
  bool diskless_moves = false;
  // Values of exclusion_tags that have no effect are named. Likewise, since the reference says nothing.
  bool tells_idle_tags = false;
};

// The output to print and the files to save.
struct OutputOptions {
  std::optional<std::vector<std::string>> node_fields;  // set: print node tables with these fields
  bool print_instances = false;
  std::optional<std::string> command_file;  // set: show the commands; "-" for standard output
  std::optional<CommandPlatform> commands;  // whose commands; if empty, those of Ganeti (hplan looks at the cluster)
  std::optional<std::string> save_prefix;   // set: save states of the cluster to files whose names begin with it
  bool machine_readable = false;
  bool headers = true;

  CommandPlatform platform() const { return commands.value_or(CommandPlatform::Ganeti); }
};

enum class JobPriority : std::uint8_t { Low, Normal, High };

// The jobs to submit, and their properties.
struct JobOptions {
  bool execute = false;
  bool first_job_set = false;         // execute or show only the first set of jobs
  std::optional<std::string> reason;  // if absent, the tool gives its own
  JobPriority priority = JobPriority::Normal;
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

// Where the result goes.
struct ResultOptions {
  std::optional<std::string> file;  // absent or "-": standard output
};

// The options that every tool has.
struct GeneralOptions {
  std::optional<GanetiRelease> compat;  // if absent, that of the environment or the default: see rules()
  int verbosity = 1;                    // plus one per --verbose, minus one per --quiet; may be negative
  ColourChoice colours = ColourChoice::Auto;
  bool version = false;
  bool help = false;
  bool help_completion = false;

  // Returns the release of Ganeti whose rules hold.
  GanetiRelease rules() const { return compat.value_or(GanetiRelease::V30); }
};

}  // namespace htools
