#include "apps/hscan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/common/data_source.h"
#include "apps/common/messages.h"
#include "apps/common/named_files.h"
#include "apps/common/output.h"
#include "base/errors.h"
#include "base/strings.h"
#include "cluster/prepare.h"
#include "formats/text_writer.h"
#include "report/node_table.h"
#include "report/scan_line.h"

namespace htools {
namespace {

constexpr int kExitSomeFailed = 2;
constexpr std::string_view kLocalName = "LOCAL";  // of the cluster whose master this machine is

// What `step` makes; if it fails, nothing, and why is told in the place of the cluster's line.
template <class Step>
auto or_told(std::string_view cluster, std::string_view what, Step step) -> std::optional<decltype(step())> {
  try {
    return step();
  } catch (const InputError& error) {
    print(fmt::format("\nError for {}: failed to {} data. Details:\n{}\n", cluster, what, error_sentence(error)));
    return std::nullopt;
  }
}

// The cluster, prepared. `own_memory`: of nodes running KVM, in MiB; 0 for what the data says.
Cluster prepared(Cluster cluster, std::int64_t own_memory) {
  PrepareOptions options;
  options.static_kvm_node_memory = own_memory;
  prepare(cluster, options);
  return cluster;
}

// DIRECTORY/NAME.data, with the slashes of the name replaced.
std::string data_path(const std::string& directory, std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  return fmt::format("{}{}{}.data", directory, directory.empty() || directory.ends_with('/') ? "" : "/", name);
}

bool scan(const Options& options, const std::string& name, std::size_t name_width) {
  const auto loaded = or_told(name, "load", [&] { return read_remote_cluster(name); });
  if (!loaded) return false;
  const auto cluster = or_told(name, "process", [&] { return prepared(*loaded, options.static_kvm_node_memory); });
  if (!cluster) return false;
  print(scan_line(name, name_width, *cluster));
  if (options.node_fields) print(format_node_table(*cluster, *options.node_fields));
  flush_output();
  write_named_file(data_path(options.output_directory, name), write_text_cluster(prepared(*loaded, 0)));
  return true;
}

}  // namespace

int hscan_main(const CommandLine& command_line) {
  const Options& options = command_line.options;
  std::size_t name_width = command_line.words.empty() ? kLocalName.size() : 0;
  for (const std::string& name : command_line.words) name_width = std::max(name_width, display_width(name));
  if (options.headers) print(scan_header(name_width));
  if (command_line.words.empty()) {
    throw InputError("network sources are not available in this version: the master daemon cannot be asked");
  }
  bool all = true;
  for (const std::string& name : command_line.words) all = scan(options, name, name_width) && all;
  return all ? kExitSuccess : kExitSomeFailed;
}

}  // namespace htools
