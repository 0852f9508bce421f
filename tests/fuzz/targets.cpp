#include "fuzz/targets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "apps/options/command_line.h"
#include "apps/options/hail_options.h"
#include "apps/options/harep_options.h"
#include "apps/options/hbal_options.h"
#include "apps/options/hcheck_options.h"
#include "apps/options/hinfo_options.h"
#include "apps/options/hroller_options.h"
#include "apps/options/hscan_options.h"
#include "apps/options/hspace_options.h"
#include "apps/options/hsqueeze_options.h"
#include "apps/options/option_values.h"
#include "base/decimal.h"
#include "base/numbers.h"
#include "base/size_units.h"
#include "base/strings.h"
#include "cluster/prepare.h"
#include "document/cluster_content.h"
#include "document/cluster_reader.h"
#include "document/document.h"
#include "formats/monitoring.h"
#include "formats/text_reader.h"
#include "formats/utilisation.h"
#include "fuzz/engines.h"
#include "fuzz/promise.h"
#include "fuzz/reports.h"
#include "htools/errors.h"
#include "htools/examine.h"
#include "json/json_stream.h"
#include "platforms/make_cluster.h"
#include "platforms/readers.h"
#include "platforms/table.h"
#include "protocols/iallocator.h"
#include "protocols/job_replies.h"
#include "protocols/luxi.h"
#include "protocols/rapi.h"
#include "repair/repair_policy.h"
#include "repair/repair_state.h"
#include "simulate/cluster_spec.h"

namespace htools::testing {
namespace {

// The separator of several documents in one input, as in sequences of JSON texts (RFC 7464).
constexpr char kRecordSeparator = '\x1e';

std::array<std::string, 4> four_documents(std::string_view input) {
  std::array<std::string, 4> documents;
  for (std::string& document : documents) {
    const std::size_t end = std::min(input.find(kRecordSeparator), input.size());
    document = input.substr(0, end);
    input.remove_prefix(std::min(end + 1, input.size()));
  }
  return documents;
}

void read_text(std::string_view input) { exercise(read_text_cluster(input, "input"), input.size()); }

std::string document_of(Cluster cluster) {
  prepare(cluster, {});
  std::string text;
  JsonStream out([&text](std::string_view piece) { text += piece; }, JsonLayout::Compact);
  const Examination examination = examine(cluster);
  write_document(out, DocumentHead{"fuzzer", identity_of(cluster, "input"), &cluster},
                 ClusterContent{cluster, examination});
  return text;
}

void read_document(std::string_view input) {
  ClusterDocument document = read_cluster_document(std::string(input), "input");
  const std::string written = document_of(document.cluster);
  promise(document_of(read_cluster_document(written, "written").cluster) == written,
          "a document is written again as it was");
  prepare(document.cluster, {});
  contradictions(document.cluster, document.node_claims);
  exercise(std::move(document.cluster), input.size());
}

void read_allocator_message(std::string_view input) {
  AllocatorDocument document = read_iallocator(std::string(input));
  exercise_request(std::move(document.cluster), document.request);
}

void read_rapi(std::string_view input) {
  auto [groups, nodes, instances, info] = four_documents(input);
  exercise(read_rapi_cluster({{groups, {}}, {nodes, {}}, {instances, {}}, {info, {}}}), input.size());
}

void read_luxi(std::string_view input) {
  auto [groups, nodes, instances, info] = four_documents(input);
  exercise(read_luxi_cluster({groups, nodes, instances, info}), input.size());
}

void read_jobs(std::string_view input) {
  for (std::size_t count = 0; count < 3; ++count) {
    try {
      promise(read_submitted_jobs(std::string(input), count).size() == count, "one number for each submitted job");
    } catch (const InputError&) {
    }
    try {
      promise(read_job_statuses(std::string(input), count).size() == count, "one status for each job");
    } catch (const InputError&) {
    }
  }
}

void read_monitoring_data(std::string_view input) {
  for (const Collector collector : {Collector::CpuAverage, Collector::XenCpuAverage}) {
    try {
      read_monitoring_report(input, collector);
    } catch (const InputError&) {
    }
  }
  read_monitoring(input);
}

void read_loads(std::string_view input) {
  const auto lines = static_cast<std::size_t>(std::count(input.begin(), input.end(), '\n'));
  promise(read_utilisation(input).size() <= lines + 1, "at most one instance in a line");
}

// Reads one specification per line. Skips inputs that ask for 1,000 nodes or more, because all of them would be
// created.
void simulate_clusters(std::string_view input) {
  const std::vector<std::string> specs = split(input, '\n');
  for (const std::string& spec : specs) {
    const std::vector<std::string> fields = split(spec, ',');
    if (fields.size() > 1 && fields[1].size() > 3) return;
  }
  exercise(simulated_cluster(specs), input.size());
}

void read_instance_spec(std::string_view input) { parse_spec(input, "standard"); }

// Returns the number as the standard library reads it, if the text has the form that both parsers accept: DIGITS [.
// DIGITS] [e [SIGN] DIGITS].
std::optional<double> standard_double(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  std::string_view rest = text;
  const auto skip_digits = [&] {
    const std::size_t count = std::min(rest.find_first_not_of(kDigits), rest.size());
    rest.remove_prefix(count);
    return count > 0;
  };
  const auto skip_one_of = [&](std::string_view characters) {
    const bool found = !rest.empty() && characters.find(rest.front()) != std::string_view::npos;
    if (found) rest.remove_prefix(1);
    return found;
  };
  if (!skip_digits()) return std::nullopt;
  if (skip_one_of(".") && !skip_digits()) return std::nullopt;
  if (skip_one_of("eE")) {
    skip_one_of("+-");
    if (!skip_digits()) return std::nullopt;
  }
  if (!rest.empty()) return std::nullopt;
  return std::strtod(std::string(text).c_str(), nullptr);
}

void read_numbers(std::string_view input) {
  const auto standard = standard_double(input);
  try {
    const double value = parse_double(input, "owner");
    if (standard) promise(value == *standard, "doubles are read as the standard library reads them");
    format_fixed(value, 3);
    format_general(value, 6);
    format_show(value);
    const std::string plain = format_plain(value);
    if (std::isfinite(value)) promise(parse_double(plain, "owner") == value, "a double that was written is read again");
  } catch (const InputError&) {
    promise(!standard, "no number is refused");
  }
  try {
    const std::int64_t value = parse_int(input, "owner");
    promise(parse_int(std::to_string(value), "owner") == value, "an integer that was written is read again");
  } catch (const InputError&) {
  }
  parse_size(input);
}

template <class Options>
void read_words(const Tool& tool, std::vector<std::string> words) {
  const auto parsed = parse_command_line<Options>(tool, std::move(words));
  const Exit* end = std::get_if<Exit>(&parsed);
  promise(end == nullptr || !end->out.empty() || !end->err.empty(), "no program ends in silence");
}

// Reads the name of a tool and the words of its command line, one per line.
void read_command_line(std::string_view input) {
  struct Reader {
    const Tool* tool;
    void (*read)(const Tool& tool, std::vector<std::string> words);
  };
  static constexpr std::array kReaders = std::to_array<Reader>({
      {&kHailTool, read_words<HailOptions>},
      {&kHarepTool, read_words<HarepOptions>},
      {&kHbalTool, read_words<HbalOptions>},
      {&kHcheckTool, read_words<HcheckOptions>},
      {&kHinfoTool, read_words<HinfoOptions>},
      {&kHrollerTool, read_words<HrollerOptions>},
      {&kHscanTool, read_words<HscanOptions>},
      {&kHspaceTool, read_words<HspaceOptions>},
      {&kHsqueezeTool, read_words<HsqueezeOptions>},
  });
  std::vector<std::string> words = split(input, '\n');
  if (words.empty()) return;
  const auto reader = std::find_if(kReaders.begin(), kReaders.end(),
                                   [&](const Reader& candidate) { return candidate.tool->name == words.front(); });
  if (reader == kReaders.end()) return;
  words.erase(words.begin());
  for (std::string& word : words) word = word.substr(0, word.find('\0'));  // the system ends words at zero bytes
  reader->read(*reader->tool, std::move(words));
}

// Reads one tag of an instance per line.
void read_repair_tags(std::string_view input) {
  constexpr std::int64_t kNow = 1'700'000'000;
  Instance instance;
  instance.facts.edit().tags = split(input, '\n');
  for (const std::string& tag : instance.facts->tags) {
    const auto record = read_repair_record(tag);
    if (!record) continue;
    const auto again = read_repair_record(write_repair_record(*record));
    promise(again && again->id == record->id && again->time == record->time && again->jobs == record->jobs &&
                again->result == record->result && again->type == record->type,
            "a repair's tag that was written is read again");
  }
  read_repair_policy(instance.facts->tags, kNow);
  read_repair_state(instance);
}

// Imports files, each with its path in the first line.
void import_files(std::string_view platform, std::string_view input) {
  std::vector<ExportFile> files;
  for (const std::string& file : split(input, kRecordSeparator)) {
    const std::size_t end = std::min(file.find('\n'), file.size());
    const std::string path = file.substr(0, end);
    const std::size_t slash = std::min(path.find('/'), path.size());
    files.push_back(
        {.path = path, .directory = path.substr(0, slash), .content = file.substr(std::min(end + 1, file.size()))});
  }
  PlatformMap map;
  if (input.size() % 2 == 1) map.shared_storage = {{"ephemeral", true}, {"local-lvm", true}};
  Inventory inventory = find_platform(platform).read(files, map);
  const std::size_t guests = inventory.guests.size();
  Cluster cluster = make_cluster(inventory, {});
  promise(cluster.instances.size() <= guests, "an import makes no guests");
  for (const std::string& line : inventory.notes.lines()) promise(!line.empty(), "notes say something");
  exercise(std::move(cluster), input.size());
}

// Reads a map of himport, and a table.
void read_import_tables(std::string_view input) {
  try {
    read_platform_map(input, "input");
  } catch (const InputError&) {
  }
  const Table table(input, "input");
  for (std::size_t row = 0; row < table.size(); ++row) {
    for (std::size_t column = 0; column <= table.headers().size(); ++column) table.field(row, column);
    promise(table.place(row).starts_with("input, line "), "rows have places");
  }
}

constexpr std::array kTargets{
    FuzzTarget{"text", "a cluster file", read_text},
    FuzzTarget{"document", "a document of a cluster", read_document},
    FuzzTarget{"iallocator", "an allocator's message", read_allocator_message},
    FuzzTarget{"rapi", "groups, nodes, instances and information as RAPI tells them", read_rapi},
    FuzzTarget{"luxi", "groups, nodes, instances and information as LUXI tells them", read_luxi},
    FuzzTarget{"jobs", "a reply of the job queue", read_jobs},
    FuzzTarget{"monitoring", "what monitoring daemons report", read_monitoring_data},
    FuzzTarget{"utilisation", "a utilisation file", read_loads},
    FuzzTarget{"simulation", "specifications of simulated groups", simulate_clusters},
    FuzzTarget{"instance-spec", "the size of an instance", read_instance_spec},
    FuzzTarget{"numbers", "a number or a size", read_numbers},
    FuzzTarget{"options", "a command line", read_command_line},
    FuzzTarget{"repair-tags", "tags of automatic repairs", read_repair_tags},
    FuzzTarget{"plan", "a plan, which a page shows", show_plan},
    FuzzTarget{"capacity", "an answer about capacity, which a page shows", show_capacity},
    FuzzTarget{"proxmox", "an export of Proxmox VE", [](std::string_view input) { import_files("proxmox", input); }},
    FuzzTarget{"openstack", "an export of OpenStack", [](std::string_view input) { import_files("openstack", input); }},
    FuzzTarget{"libvirt", "an export of libvirt", [](std::string_view input) { import_files("libvirt", input); }},
    FuzzTarget{"kubernetes", "an export of Kubernetes",
               [](std::string_view input) { import_files("kubernetes", input); }},
    FuzzTarget{"rvtools", "an export of RVTools", [](std::string_view input) { import_files("rvtools", input); }},
    FuzzTarget{"csv", "tables of hosts and guests", [](std::string_view input) { import_files("csv", input); }},
    FuzzTarget{"import-map", "a map of himport, and a table", read_import_tables},
};

}  // namespace

std::span<const FuzzTarget> fuzz_targets() { return kTargets; }

const FuzzTarget* find_fuzz_target(std::string_view name) {
  const auto* found = std::find_if(kTargets.begin(), kTargets.end(), [&](const auto& t) { return t.name == name; });
  return found == kTargets.end() ? nullptr : found;
}

void run_fuzz_target(const FuzzTarget& target, std::string_view input) {
  try {
    target.run(input);
  } catch (const InputError& error) {
    promise(!error.message().empty(), "an error has a message");
  }
}

}  // namespace htools::testing
