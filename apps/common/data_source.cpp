#include "apps/common/data_source.h"

#include <fmt/format.h>

#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "apps/common/messages.h"
#include "apps/common/named_files.h"
#include "apps/common/output.h"
#include "base/files.h"
#include "cluster/prepare.h"
#include "formats/monitoring.h"
#include "formats/text_reader.h"
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

void check_sources(const Options& options) {
  const int given = int{!options.master.empty()} + int{options.luxi.has_value()} + int{options.text_file.has_value()};
  if (given > 1) throw InputError("Only one of the rapi, luxi, and data files options should be given.");
}

// The errors of `load` begin with the words for data that cannot be loaded.
template <class Load>
auto load_or_abort(Load load) {
  try {
    return load();
  } catch (const InputError& error) {
    throw error.annotated("failed to load data, aborting: ");
  }
}

// What `read` makes of a file that an option names. Its errors begin with `words` and name the file.
template <class Read>
auto read_option_file(const std::string& path, const std::string& words, Read read) {
  const std::string text = read_named_file(path);
  try {
    return read(text);
  } catch (const InputError& error) {
    throw InputError(words + error.message(), error.where().empty() ? path : fmt::format("{}, {}", path, error.where()),
                     error.hint());
  }
}

bool reads_iallocator(const Options& options) {
  return options.iallocator_file && options.master.empty() && !options.luxi && options.simulated_groups.empty() &&
         !options.text_file;
}

Cluster read_source(const Options& options) {
  if (!options.master.empty()) return read_rapi_cluster(read_rapi(options.master));
  if (options.luxi) {
    LuxiClient daemon(*options.luxi);
    return read_luxi_cluster(ask_about_cluster(daemon));
  }
  if (!options.simulated_groups.empty()) return simulated_cluster(options.simulated_groups);
  if (options.text_file) return read_text_cluster(read_file(*options.text_file), *options.text_file);
  throw InputError("No backend selected! Exiting.");
}

// What is wrong in an allocator's document is told as it is; only failing to read it is failing to load data.
Cluster read_cluster(const Options& options) {
  if (!reads_iallocator(options)) return load_or_abort([&] { return read_source(options); });
  return read_iallocator(load_or_abort([&] { return read_input(*options.iallocator_file); })).cluster;
}

std::vector<std::pair<std::string, Load>> read_utilisation_option(const Options& options) {
  if (!options.utilisation_file) return {};
  return read_option_file(*options.utilisation_file, "can't parse utilisation data: ", read_utilisation);
}

// What the monitoring daemons reported, if it is asked for, and what there is to say about those that did not.
struct MonitoringInput {
  std::optional<Monitoring> monitoring;
  std::vector<std::string> warnings;
};

MonitoringInput read_monitoring_option(const Options& options, const Cluster& cluster) {
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

void print_warnings(const Options& options, const std::vector<std::string>& monitoring_warnings,
                    const PrepareReport& report) {
  for (const std::string& warning : monitoring_warnings) print_error(warning + "\n");
  if (report.missing_monitoring_data) {
    print_error(*report.missing_monitoring_data + "\n");
    if (options.require_monitoring) throw InputError("Not all required data available");
  }
  if (options.verbosity != 0) print_error(warning_message(report.warnings));
}

}  // namespace

LoadedCluster load_cluster(const Options& options) {
  check_sources(options);
  PrepareOptions prepare_options;
  prepare_options.ignore_utilisation = options.ignore_utilisation;
  prepare_options.utilisation = read_utilisation_option(options);
  prepare_options.exclusion_tags = options.exclusion_tags;
  prepare_options.selected_instances = options.selected_instances;
  prepare_options.excluded_instances = options.excluded_instances;
  prepare_options.static_kvm_node_memory = options.static_kvm_node_memory;
  LoadedCluster loaded;
  loaded.cluster = read_cluster(options);
  loaded.common_suffix = prepare_loaded(options, loaded.cluster, std::move(prepare_options)).common_suffix;
  return loaded;
}

PrepareReport prepare_loaded(const Options& options, Cluster& cluster, PrepareOptions prepare_options) {
  std::vector<std::string> monitoring_warnings;
  std::exception_ptr no_monitoring;
  try {
    MonitoringInput input = read_monitoring_option(options, cluster);
    prepare_options.monitoring = std::move(input.monitoring);
    monitoring_warnings = std::move(input.warnings);
  } catch (...) {
    no_monitoring = std::current_exception();
  }
  PrepareReport report = load_or_abort([&] { return prepare(cluster, prepare_options); });
  if (no_monitoring) std::rethrow_exception(no_monitoring);  // what is wrong with the cluster is told first
  print_warnings(options, monitoring_warnings, report);
  return report;
}

void apply_node_options(Cluster& cluster, const Options& options) {
  apply_node_options(cluster, NodeOptions{options.offline_nodes, options.max_cpu, options.min_disk});
}

void save_cluster(const Cluster& cluster, std::string_view prefix, std::string_view extension, std::string_view state) {
  save_cluster(write_text_cluster(cluster), prefix, extension, state);
}

void save_cluster(std::string_view text, std::string_view prefix, std::string_view extension, std::string_view state) {
  const std::string path = fmt::format("{}.{}", prefix, extension);
  write_named_file(path, text);
  print_error(fmt::format("The cluster state {} has been written to file '{}'\n", state, path));
}

}  // namespace htools
