#include "apps/common/data_source.h"

#include <fmt/format.h>

#include "apps/common/messages.h"
#include "apps/common/output.h"
#include "base/errors.h"
#include "base/files.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "formats/text_writer.h"
#include "simulate/cluster_spec.h"

namespace htools {
namespace {

void check_sources(const Options& options) {
  const int given = int{!options.master.empty()} + int{options.luxi.has_value()} + int{options.text_file.has_value()};
  if (given > 1) throw InputError("Only one of the rapi, luxi, and data files options should be given.");
}

Cluster read_source(const Options& options) {
  if (!options.master.empty()) throw InputError("reading clusters over RAPI (-m) is not available in this version");
  if (options.luxi) throw InputError("reading clusters over LUXI (-L) is not available in this version");
  if (!options.simulated_groups.empty()) return simulated_cluster(options.simulated_groups);
  if (options.text_file) return read_text_cluster(read_file(*options.text_file), *options.text_file);
  if (options.iallocator_file) {
    throw InputError("reading clusters from allocator requests (-I) is not available in this version");
  }
  throw InputError("No backend selected! Exiting.");
}

}  // namespace

LoadedCluster load_cluster(const Options& options) {
  check_sources(options);
  LoadedCluster loaded;
  PrepareOptions prepare_options;
  prepare_options.static_kvm_node_memory = options.static_kvm_node_memory;
  PrepareReport report;
  try {
    loaded.cluster = read_source(options);
    report = prepare(loaded.cluster, prepare_options);
  } catch (const InputError& error) {
    throw error.annotated("failed to load data, aborting: ");
  }
  if (options.verbosity != 0) print_error(warning_message(report.warnings));
  loaded.common_suffix = report.common_suffix;
  return loaded;
}

void apply_node_options(Cluster& cluster, const Options& options) {
  apply_node_options(cluster, NodeOptions{options.offline_nodes, options.max_cpu, options.min_disk});
}

void save_cluster(const Cluster& cluster, std::string_view prefix, std::string_view extension, std::string_view state) {
  const std::string path = fmt::format("{}.{}", prefix, extension);
  try {
    write_file_atomically(path, write_text_cluster(cluster));
  } catch (const InputError& error) {
    throw FileError(error.what());
  }
  print_error(fmt::format("The cluster state {} has been written to file '{}'\n", state, path));
}

}  // namespace htools
