#include "apps/common/data_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "apps/output/messages.h"
#include "apps/output/named_files.h"
#include "apps/output/output.h"
#include "base/files.h"
#include "base/strings.h"
#include "cluster/ganeti_version.h"
#include "cluster/group_lookup.h"
#include "cluster/prepare.h"
#include "document/cluster_reader.h"
#include "examine/input_warnings.h"
#include "formats/monitoring.h"
#include "formats/text_writer.h"
#include "formats/utilisation.h"
#include "htools/errors.h"
#include "live/luxi_client.h"
#include "live/luxi_queries.h"
#include "live/monitoring_source.h"
#include "live/rapi_source.h"
#include "protocols/iallocator.h"
#include "protocols/luxi.h"
#include "protocols/rapi.h"
#include "simulate/cluster_spec.h"

namespace htools {
namespace {

void check_sources(const SourceOptions& source) {
  const int given = int{!source.master.empty()} + int{source.luxi.has_value()} + int{source.text_file.has_value()};
  if (given > 1)
    throw InputError(ErrorCode::Usage, "Only one of the rapi, luxi, and data files options should be given.");
}

// Returns the result of `load()`. If it fails, begins the error with the words for data that cannot be loaded.
template <class Load>
auto load_or_abort(Load load) {
  try {
    return load();
  } catch (const InputError& error) {
    throw error.annotated("failed to load data, aborting: ");
  }
}

// Returns the result of `read` for the content of a file that an option names. If it fails, begins the error with
// `words` and names the file.
template <class Read>
auto read_option_file(const std::string& path, const std::string& words, Read read) {
  const std::string text = read_named_file(path);
  try {
    return read(text);
  } catch (const InputError& error) {
    throw InputError(error.code(), words + error.message(),
                     error.where().empty() ? path : fmt::format("{}, {}", path, error.where()), error.hint());
  }
}

bool reads_iallocator(const SourceOptions& source) {
  return source.iallocator_file && source.master.empty() && !source.luxi && source.simulated_groups.empty() &&
         !source.text_file;
}

// A cluster as its source has it.
struct SourceCluster {
  ClusterDocument content;
  bool is_document = false;  // true if the source is a document of a cluster
};

SourceCluster read_cluster_at(const std::string& path) {
  std::string text = read_input(path);
  const bool is_document = htools::is_document(text);
  return {read_cluster_file(std::move(text), path == "-" ? "standard input" : path), is_document};
}

SourceCluster read_source(const GeneralOptions& general, const SourceOptions& source) {
  if (!source.master.empty()) {
    tell_unverified(general, source, {source.master});
    return {{read_rapi_cluster(read_rapi(source.master, source.certificates)), {}}};
  }
  if (source.luxi) {
    LuxiClient daemon(*source.luxi);
    return {{read_luxi_cluster(ask_about_cluster(daemon)), {}}};
  }
  if (!source.simulated_groups.empty()) return {{simulated_cluster(source.simulated_groups), {}}};
  if (source.text_file) return read_cluster_at(*source.text_file);
  throw InputError(ErrorCode::Usage, "No backend selected! Exiting.", {},
                   fmt::format("Name the source of the cluster: {}.", source.choices));
}

// Returns what the cluster is read from, as the options name it.
std::string source_name(const SourceOptions& source) {
  if (!source.master.empty()) return source.master;
  if (source.luxi) return *source.luxi;
  if (!source.simulated_groups.empty()) return join(source.simulated_groups, " ");
  return source.text_file.value_or(source.iallocator_file.value_or(""));
}

// Returns the cluster of the source. Errors in an allocator's document are thrown unchanged; only a failure to read the
// document counts as a failure to load data.
SourceCluster read_cluster(const GeneralOptions& general, const SourceOptions& source) {
  if (!reads_iallocator(source)) return load_or_abort([&] { return read_source(general, source); });
  return {{read_iallocator(load_or_abort([&] { return read_input(*source.iallocator_file); })).cluster, {}}};
}

std::vector<std::pair<std::string, Load>> read_utilisation_option(const UtilisationOptions& options) {
  if (!options.utilisation_file) return {};
  return read_option_file(*options.utilisation_file, "can't parse utilisation data: ", read_utilisation);
}

// The reports of the monitoring daemons, if the options ask for them, and warnings about daemons without a report.
struct MonitoringInput {
  std::optional<Monitoring> monitoring;
  std::vector<std::string> warnings;
};

MonitoringInput read_monitoring_option(const UtilisationOptions& options, const Cluster& cluster) {
  if (!options.monitoring) return {};
  const Collector collector = options.xen_monitoring ? Collector::XenCpuAverage : Collector::CpuAverage;
  if (options.monitoring_file) {
    return {
        Monitoring{collector, read_option_file(*options.monitoring_file, "can't parse MonD data: ", read_monitoring)},
        {}};
  }
  if (options.ignore_utilisation) return {};
  MonitoringAnswers answers = ask_monitoring(cluster, collector);
  return {Monitoring{collector, std::move(answers.data)}, std::move(answers.warnings)};
}

void print_warnings(const GeneralOptions& general, const UtilisationOptions& utilisation,
                    const std::vector<std::string>& monitoring_warnings, const PrepareReport& report) {
  for (const std::string& warning : monitoring_warnings) print_error(warning + "\n");
  if (report.missing_monitoring_data) {
    print_error(*report.missing_monitoring_data + "\n");
    if (utilisation.require_monitoring) throw InputError(ErrorCode::Unreachable, "Not all required data available");
  }
  if (general.verbosity == 0) return;
  print_error(warning_message(report.warnings));
  for (const std::string& warning : report.rule_warnings) print_error(warning_line(warning));
}

}  // namespace

LoadedCluster load_cluster(const GeneralOptions& general, const SourceOptions& source,
                           const UtilisationOptions& utilisation, const InstanceOptions& instances) {
  check_sources(source);
  PrepareOptions prepare_options;
  prepare_options.ignore_utilisation = utilisation.ignore_utilisation;
  prepare_options.utilisation = read_utilisation_option(utilisation);
  prepare_options.exclusion_tags = instances.exclusion_tags;
  prepare_options.selected_instances = instances.selected;
  prepare_options.excluded_instances = instances.excluded;
  prepare_options.plain_moves = instances.plain_moves;
  prepare_options.diskless_moves = instances.diskless_moves;
  prepare_options.static_kvm_node_memory = source.static_kvm_node_memory;
  LoadedCluster loaded;
  loaded.source = source_name(source);
  SourceCluster read = read_cluster(general, source);
  loaded.cluster = std::move(read.content.cluster);
  loaded.is_document = read.is_document;
  tell_other_rules(general, loaded.cluster);
  loaded.common_suffix = prepare_loaded(general, utilisation, loaded.cluster, std::move(prepare_options)).common_suffix;
  warn(general, {contradictions(loaded.cluster, read.content.node_claims)});
  warn(general, input_warnings(loaded.cluster));
  if (instances.tells_idle_tags) warn(general, idle_exclusion_warnings(loaded.cluster, instances.exclusion_tags));
  return loaded;
}

void set_node_options(const GeneralOptions& general, const NodeOptions& options, Cluster& cluster) {
  const std::vector<InstanceIndex> lost_before = lost_instances(cluster);
  apply_node_options(cluster, options);
  std::vector<std::string> warnings;
  if (options.min_disk_ratio > 1) {
    warnings.push_back(
        fmt::format("--min-disk={0} keeps {0} times the disk of each node free, so no disk fits anywhere. For {0} per "
                    "cent, give {1}.",
                    options.min_disk_ratio, options.min_disk_ratio / 100));
  }
  const std::vector<InstanceIndex> lost = lost_instances(cluster);
  if (lost.size() > lost_before.size()) warnings.push_back(loss_warning(cluster, lost));
  warn(general, warnings);
}

std::vector<GroupIndex> wanted_groups(const std::optional<std::string>& name, const Cluster& cluster) {
  if (!name) return groups_with_nodes(cluster);
  if (const auto group = find_group(cluster, *name)) return {*group};
  throw InputError(ErrorCode::UnknownName, fmt::format("there is no node group '{}'", *name), {},
                   advice_on_group(cluster, *name));
}

void warn(const GeneralOptions& general, const std::vector<std::string>& sentences) {
  if (general.verbosity <= 0) return;
  for (const std::string& sentence : sentences) print_error(warning_line(sentence));
}

void tell_unverified(const GeneralOptions& general, const SourceOptions& source,
                     const std::vector<std::string>& addresses) {
  if (general.verbosity <= 1 || source.certificates || std::ranges::none_of(addresses, is_asked_by_https)) return;
  print_error("Note: the certificate of the remote API is not verified; --cacert=FILE verifies it.\n");
}

void tell_other_rules(const GeneralOptions& general, const Cluster& cluster, std::string_view what) {
  const std::optional<GanetiRelease> fitting = rules_of_version(cluster.ganeti_version);
  if (general.verbosity <= 0 || !fitting || *fitting == general.rules()) return;
  print_error(fmt::format("Note: the rules of Ganeti {} are used, but {} runs {}: --compat={} fits.\n",
                          name(general.rules()), what, cluster.ganeti_version, name(*fitting)));
}

PrepareReport prepare_loaded(const GeneralOptions& general, const UtilisationOptions& utilisation, Cluster& cluster,
                             PrepareOptions prepare_options) {
  std::vector<std::string> monitoring_warnings;
  std::exception_ptr no_monitoring;
  try {
    MonitoringInput input = read_monitoring_option(utilisation, cluster);
    prepare_options.monitoring = std::move(input.monitoring);
    monitoring_warnings = std::move(input.warnings);
  } catch (...) {
    no_monitoring = std::current_exception();
  }
  prepare_options.rules = general.rules();
  PrepareReport report = load_or_abort([&] { return prepare(cluster, prepare_options); });
  if (no_monitoring) std::rethrow_exception(no_monitoring);  // errors of the cluster come first
  print_warnings(general, utilisation, monitoring_warnings, report);
  return report;
}

void save_cluster(const Cluster& cluster, std::string_view prefix, std::string_view extension, std::string_view state) {
  save_cluster(write_text_cluster(cluster), prefix, extension, state);
  tell_history(cluster);
}

void tell_history(const Cluster& cluster) {
  const std::vector<NodeIndex> nodes = nodes_with_history(cluster);
  if (nodes.empty()) return;
  std::vector<std::string> names;
  for (const NodeIndex n : nodes) names.push_back(cluster.node(n).facts->name);
  print_error(
      fmt::format("Note: when this file is read, the N+1 state of some nodes differs: {}\n", join(names, ", ")));
}

void save_cluster(std::string_view text, std::string_view prefix, std::string_view extension, std::string_view state) {
  const std::string path = fmt::format("{}.{}", prefix, extension);
  write_named_file(path, text);
  print_error(fmt::format("The cluster state {} has been written to file '{}'\n", state, path));
}

}  // namespace htools
