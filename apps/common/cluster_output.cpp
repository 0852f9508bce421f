#include "apps/common/cluster_output.h"

#include <fmt/format.h>

#include "apps/output/named_files.h"
#include "apps/output/output.h"
#include "base/strings.h"
#include "htools/errors.h"
#include "jobs/playbook.h"
#include "jobs/script_functions.h"
#include "records/policy_text.h"
#include "report/instance_table.h"
#include "report/node_table.h"

namespace htools {
namespace {

void print_status(std::string_view title, const std::string& node_table) {
  print_error(fmt::format("\n{} status:\n{}\n", title, node_table), Highlight::Table);
}

}  // namespace

std::string cluster_tags_line(const Cluster& cluster) {
  return fmt::format("Loaded cluster tags: {}\n", join(cluster.tags, ","));
}

std::string cluster_policy_line(const Cluster& cluster) {
  return fmt::format("Loaded cluster ipolicy: {}\n", format_policy(cluster.policy));
}

std::string common_suffix_line(const LoadedCluster& loaded) {
  if (loaded.common_suffix.empty()) return "";
  return fmt::format("Note: Stripping common suffix of '{}' from names\n", loaded.common_suffix);
}

std::string instance_lines(const Cluster& cluster, std::span<const InstanceIndex> instances) {
  std::string lines;
  for (InstanceIndex i : instances) lines += fmt::format("  {}\n", cluster.instance(i).facts->name);
  return lines;
}

void print_node_table(const OutputOptions& options, const Cluster& cluster, std::string_view title) {
  if (options.node_fields) print_status(title, format_node_table(cluster, *options.node_fields));
}

void print_node_table(const OutputOptions& options, const Cluster& cluster, std::span<const NodeIndex> nodes,
                      std::string_view title) {
  if (options.node_fields) print_status(title, format_node_table(cluster, nodes, *options.node_fields));
}

void print_instance_table(const OutputOptions& options, const Cluster& cluster,
                          std::span<const InstanceIndex> instances, std::string_view title) {
  if (!options.print_instances) return;
  print_error(fmt::format("\n{} instance map:\n{}", title, format_instance_table(cluster, instances)),
              Highlight::Table);
}

void write_script(const OutputOptions& options, const std::string& script) {
  flush_output();  // the file may be standard output, too
  write_named_file(*options.command_file, script);
  print(fmt::format("The commands have been written to file '{}'\n", *options.command_file));
}

void write_wave_script(const OutputOptions& options, const Cluster& cluster, const std::vector<ScriptWave>& waves,
                       std::string_view comments) {
  write_script(options, options.platform() == CommandPlatform::Ansible
                            ? playbook(cluster, waves, &InstanceFacts::alias, comments)
                            : wave_script(cluster, waves, &InstanceFacts::alias, options.platform(), comments));
}

void print_commands(const OutputOptions& options, std::string_view heading, const CommandLines& commands) {
  if (!options.command_file) return;
  if (options.platform() == CommandPlatform::Ansible && *options.command_file != "-") {
    throw InputError(ErrorCode::Usage, "Only hplan and hbal write playbooks.", {},
                     "Use one of them, or --commands with the name of the platform.");
  }
  if (*options.command_file == "-") {
    print(fmt::format("\n{}\n{}", heading, command_list(commands)));
  } else {
    write_script(options, command_script(commands, script_functions(options.platform())));
  }
}

}  // namespace htools
