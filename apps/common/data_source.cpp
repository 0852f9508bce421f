#include "apps/common/data_source.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include "apps/common/messages.h"
#include "apps/common/output.h"
#include "base/errors.h"
#include "base/files.h"
#include "cluster/prepare.h"
#include "formats/iallocator.h"
#include "formats/rapi.h"
#include "formats/text_reader.h"
#include "formats/text_writer.h"
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

std::string read_standard_input() {
  constexpr std::size_t kMostBytes = std::size_t{2} << 30;  // as for files
  std::string content;
  std::array<char, 65536> chunk;
  for (std::size_t got = chunk.size(); got == chunk.size();) {
    got = std::fread(chunk.data(), 1, chunk.size(), stdin);
    content.append(chunk.data(), got);
    if (content.size() > kMostBytes) throw InputError("<stdin>: readFile: resource exhausted (File too large)");
  }
  if (std::ferror(stdin) != 0) throw InputError(fmt::format("<stdin>: readFile: {}", std::strerror(errno)));
  return content;
}

std::string read_input(const std::string& path) { return path == "-" ? read_standard_input() : read_file(path); }

// Saved answers of the remote API. What is missing is told when its turn comes.
Cluster read_rapi_directory(const std::filesystem::path& directory) {
  const auto document = [&](const char* name) {
    try {
      return RapiDocument{read_file((directory / name).string()), std::nullopt};
    } catch (const InputError& error) {
      return RapiDocument{"", error};
    }
  };
  return read_rapi_cluster(
      {document("groups.json"), document("nodes.json"), document("instances.json"), document("info.json")});
}

Cluster read_master(const std::string& address) {
  constexpr std::string_view kFileScheme = "file://";
  if (address.starts_with(kFileScheme)) return read_rapi_directory(address.substr(kFileScheme.size()));
  throw InputError(
      "network sources are not available in this version: -m reads saved documents only, as in -m file://DIRECTORY");
}

bool reads_iallocator(const Options& options) {
  return options.iallocator_file && options.master.empty() && !options.luxi && options.simulated_groups.empty() &&
         !options.text_file;
}

Cluster read_source(const Options& options) {
  if (!options.master.empty()) return read_master(options.master);
  if (options.luxi) throw InputError("network sources are not available in this version: LUXI (-L) cannot be asked");
  if (!options.simulated_groups.empty()) return simulated_cluster(options.simulated_groups);
  if (options.text_file) return read_text_cluster(read_file(*options.text_file), *options.text_file);
  throw InputError("No backend selected! Exiting.");
}

// What is wrong in an allocator's document is told as it is; only failing to read it is failing to load data.
Cluster read_cluster(const Options& options) {
  if (!reads_iallocator(options)) return load_or_abort([&] { return read_source(options); });
  return read_iallocator_cluster(load_or_abort([&] { return read_input(*options.iallocator_file); }));
}

}  // namespace

LoadedCluster load_cluster(const Options& options) {
  check_sources(options);
  LoadedCluster loaded;
  PrepareOptions prepare_options;
  prepare_options.static_kvm_node_memory = options.static_kvm_node_memory;
  loaded.cluster = read_cluster(options);
  const PrepareReport report = load_or_abort([&] { return prepare(loaded.cluster, prepare_options); });
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
