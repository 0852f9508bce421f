#include "apps/himport.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "apps/common/cluster_output.h"
#include "apps/common/data_source.h"
#include "apps/common/documents.h"
#include "apps/output/named_files.h"
#include "apps/output/output.h"
#include "base/strings.h"
#include "document/cluster_content.h"
#include "formats/text_writer.h"
#include "htools/errors.h"
#include "htools/examine.h"
#include "platforms/readers.h"

namespace htools {
namespace {

namespace fs = std::filesystem;

// Folders may contain others this deep: exports have one for each host or kind of guest.
constexpr int kMostLevels = 4;

// Throws InputError if a file is text, but not in UTF-8, which would make names unreadable.
void require_utf8(const ExportFile& file) {
  const bool is_archive = file.content.starts_with("PK\x03\x04");  // the platform says what to do
  if (is_archive || is_utf8(file.content)) return;
  const bool is_utf16 = file.content.starts_with("\xFF\xFE") || file.content.starts_with("\xFE\xFF");
  throw InputError(ErrorCode::Syntax, fmt::format("this is not text in UTF-8{}", is_utf16 ? ", but in UTF-16" : ""),
                   file.path, "Save it in UTF-8, for example with iconv(1).");
}

// Adds the path, or all regular files below it. Names that begin with a dot are left out.
void add_paths(const fs::path& path, int level, std::vector<std::string>& paths) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    if (level == 0 || fs::is_regular_file(path, error)) paths.push_back(path.string());
    return;
  }
  if (level > kMostLevels) return;
  const auto require_readable = [&] {
    if (!error) return;
    throw InputError(ErrorCode::UnreadableFile, fmt::format("{} cannot be read: {}", path.string(), error.message()));
  };
  fs::directory_iterator entries(path, error);
  require_readable();
  for (const fs::directory_iterator end; entries != end; entries.increment(error)) {
    if (!entries->path().filename().string().starts_with('.')) add_paths(entries->path(), level + 1, paths);
  }
  require_readable();  // an iterator with an error is at the end
}

std::vector<ExportFile> read_files(const std::vector<std::string>& words) {
  std::vector<std::string> paths;
  for (const std::string& word : words) add_paths(word, 0, paths);
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  std::vector<ExportFile> files;
  for (const std::string& path : paths) {
    std::error_code error;
    const fs::path whole = fs::absolute(path, error);
    files.push_back({.path = path,
                     .directory = whole.parent_path().filename().string(),
                     .content = path == "-" ? read_named_input(path) : read_named_file(path)});
    require_utf8(files.back());
  }
  return files;
}

}  // namespace

int himport_main(const CommandLine<HimportOptions>& command_line) {
  const ImportOptions& options = command_line.options.import;
  if (!options.platform) {
    throw InputError(ErrorCode::Usage, "it is not said which platform the files are from", {},
                     "Use --from=proxmox, openstack, libvirt, kubernetes, rvtools or csv.");
  }
  const Platform& platform = find_platform(*options.platform);
  if (command_line.words.all.empty()) {
    throw InputError(ErrorCode::Usage, "no files to import are given", {}, std::string(platform.advice));
  }
  ImportRules rules = options.rules;
  if (options.map) rules.map = read_platform_map(read_named_input(*options.map), *options.map);
  Inventory inventory = platform.read(read_files(command_line.words.all), rules.map);
  LoadedCluster loaded;
  try {
    loaded.cluster = make_cluster(inventory, rules);
  } catch (const InputError& error) {
    // Without hosts, files are missing.
    throw inventory.hosts.empty() ? error.advised(std::string(platform.advice)) : error;
  }
  loaded.source = fmt::format("export of {}", platform.name);
  loaded.common_suffix = prepare_loaded(command_line.options.general, {}, loaded.cluster, {}).common_suffix;
  const std::string text = write_text_cluster(loaded.cluster);
  if (command_line.options.general.verbosity > 0) {
    for (const std::string& line : inventory.notes.lines()) print_error(line + "\n");
  }
  write_or_print(command_line.options.result.file, text);
  if (prints_document()) {
    const Examination examination = examine(loaded.cluster);
    print_document(document_head(kHimportTool, loaded), ClusterContent{loaded.cluster, examination});
  }
  return kExitSuccess;
}

}  // namespace htools
