#include "apps/hscan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/common/data_source.h"
#include "apps/common/documents.h"
#include "apps/common/progress.h"
#include "apps/output/messages.h"
#include "apps/output/named_files.h"
#include "apps/output/output.h"
#include "base/strings.h"
#include "cluster/prepare.h"
#include "document/scan_content.h"
#include "examine/scan_summary.h"
#include "formats/text_writer.h"
#include "htools/errors.h"
#include "live/luxi_client.h"
#include "live/luxi_queries.h"
#include "live/rapi_source.h"
#include "protocols/luxi.h"
#include "protocols/rapi.h"
#include "report/node_table.h"
#include "report/scan_line.h"

namespace htools {
namespace {

constexpr int kExitSomeFailed = 2;
constexpr std::string_view kLocalName = "LOCAL";  // the name shown for the cluster whose master this machine is

// Returns the result of `step()`. If it fails, prints the reason in place of the cluster's line (in the words of the
// reference, because standard output must be the same), keeps it for the document, and returns nothing. Mistakes of the
// user are explained on standard error.
template <class Step>
auto or_told(ScannedCluster& scanned, std::string_view what, Step step) -> std::optional<decltype(step())> {
  std::string reason, mistake;
  try {
    return step();
  } catch (const InputError& error) {
    reason = error_sentence(error.in_reference_words());
    if (error.code() == ErrorCode::Usage) mistake = error_message(error);
    scanned.error = document_error(error);
  } catch (const std::bad_alloc&) {  // this cluster is too large, but others may be smaller
    reason = "out of memory";
    scanned.error = DocumentError{.message = reason};
  }
  print(fmt::format("\nError for {}: failed to {} data. Details:\n{}\n", scanned.name, what, reason),
        Highlight::Messages);
  if (!mistake.empty()) {
    flush_output();
    print_error(mistake);
  }
  return std::nullopt;
}

// Returns the prepared cluster. `own_memory` is the memory that nodes with KVM need for themselves, in MiB; 0 takes the
// value from the data.
Cluster prepared(Cluster cluster, std::int64_t own_memory, GanetiRelease rules) {
  PrepareOptions options;
  options.static_kvm_node_memory = own_memory;
  options.rules = rules;
  prepare(cluster, options);
  return cluster;
}

// Returns the text of the cluster's file. Ganeti 3.0 writes the memory of nodes with KVM as the source has it, although
// the line about the cluster takes another; 3.1 writes what the line is about.
std::string file_text(const Cluster& source, const Cluster& shown) {
  return shown.rules == GanetiRelease::V30 ? write_text_cluster(prepared(source, 0, shown.rules))
                                           : write_text_cluster(shown);
}

// Returns the path DIRECTORY/NAME.data, with the slashes of the name replaced by underscores.
std::string data_path(const std::string& directory, std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  return fmt::format("{}{}{}.data", directory, directory.empty() || directory.ends_with('/') ? "" : "/", name);
}

// Loads a cluster, prints its line, writes its file, and returns what the document says about it. `load()` returns the
// cluster with facts only. The result has an error if the cluster cannot be loaded, processed or converted.
template <class Load>
ScannedCluster scan(const HscanOptions& options, const std::string& name, std::size_t name_width, const Load& load) {
  ScannedCluster scanned{.name = name};
  const auto loaded = or_told(scanned, "load", load);
  if (!loaded) return scanned;
  const auto cluster = or_told(scanned, "process", [&] {
    return prepared(*loaded, options.source.static_kvm_node_memory, options.general.rules());
  });
  if (!cluster) return scanned;
  const auto text = or_told(scanned, "save", [&] { return file_text(*loaded, *cluster); });
  if (!text) return scanned;
  tell_other_rules(options.general, *cluster, name);
  scanned.summary = summarise(*cluster);
  if (prints_document()) scanned.identity = identity_of(*cluster, name);
  print(scan_line(name, name_width, *scanned.summary));
  if (options.output.node_fields) print(format_node_table(*cluster, *options.output.node_fields), Highlight::Table);
  flush_output();
  scanned.file = data_path(options.output_directory, name);
  write_named_file(*scanned.file, *text);
  return scanned;
}

// Asks the local master daemon. Throws FileError, which ends the program, if it cannot be reached. Errors in its
// answers are reported like those of other clusters.
LuxiAnswers ask_local_daemon(const HscanOptions& options) {
  try {
    LuxiClient daemon(options.source.luxi.value_or(default_luxi_socket()));
    return ask_about_cluster(daemon);
  } catch (const ConnectionError& error) {
    throw FileError(error_sentence(error));
  }
}

ScanContent scan_local_cluster(const HscanOptions& options) {
  if (options.output.headers) print(scan_header(kLocalName.size()));
  LuxiAnswers answers = ask_local_daemon(options);
  return {{scan(options, std::string(kLocalName), kLocalName.size(),
                [&] { return read_luxi_cluster(std::move(answers)); })}};
}

ScanContent scan_clusters(const HscanOptions& options, const std::vector<std::string>& addresses) {
  std::size_t width = 0;
  for (const std::string& address : addresses) width = std::max(width, display_width(rapi_name(address)));
  if (options.output.headers) print(scan_header(width));
  tell_unverified(options.general, options.source, addresses);
  ScanContent content;
  Progress progress(options.general, Progress::Result::LineByLine);
  std::size_t number = 0;
  for (const std::string& address : addresses) {
    ++number;
    progress.update([&] { return fmt::format("Cluster {} of {}: {}", number, addresses.size(), rapi_name(address)); });
    content.clusters.push_back(scan(options, rapi_name(address), width, [&] {
      return read_rapi_cluster(read_rapi(address, options.source.certificates));
    }));
  }
  return content;
}

}  // namespace

int hscan_main(const CommandLine<HscanOptions>& command_line) {
  const HscanOptions& options = command_line.options;
  const ScanContent content =
      command_line.words.all.empty() ? scan_local_cluster(options) : scan_clusters(options, command_line.words.all);
  if (prints_document()) print_document({.program = kHscanTool.name}, content);
  const bool any_failed = std::any_of(content.clusters.begin(), content.clusters.end(),
                                      [](const ScannedCluster& scanned) { return scanned.error.has_value(); });
  return any_failed ? kExitSomeFailed : kExitSuccess;
}

}  // namespace htools
