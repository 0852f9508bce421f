#include "apps/hsweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "apps/common/data_source.h"
#include "apps/common/documents.h"
#include "apps/hsweep_run.h"
#include "apps/output/named_files.h"
#include "apps/output/output.h"
#include "apps/roles.h"
#include "base/strings.h"
#include "htools/errors.h"
#include "sweep/records.h"
#include "sweep/study.h"
#include "sweep/table.h"

namespace htools {
namespace {

constexpr std::size_t kMostNumbers = 20;

// An option that only one of the commands has.
struct CommandOption {
  std::string_view option, command;
};
constexpr std::array<CommandOption, 9> kCommandOptions{{{"shard", "run"},
                                                        {"jobs", "run"},
                                                        {"memory", "run"},
                                                        {"output", "run"},
                                                        {"csv", "merge"},
                                                        {"rows", "merge"},
                                                        {"columns", "merge"},
                                                        {"value", "merge"},
                                                        {"json", "merge"}}};

// Throws InputError if an option that is given belongs to another command.
void reject_options_of_others(std::string_view command, const std::vector<std::string>& given) {
  for (const CommandOption& row : kCommandOptions) {
    if (row.command == command || std::ranges::find(given, row.option) == given.end()) continue;
    throw InputError(ErrorCode::Usage, fmt::format("Only 'hsweep {}' has the option --{}.", row.command, row.option));
  }
}

// Throws InputError if the cluster cannot be loaded.
void check_cluster(const StudyCluster& cluster) {
  GeneralOptions quiet;
  quiet.verbosity = 0;
  SourceOptions source;
  source.text_file = cluster.file;
  source.simulated_groups = cluster.simulated;
  load_cluster(quiet, source);
}

int expand(const std::string& path) {
  const Study study =
      read_study(read_named_input(path), path == "-" ? "standard input" : path, {check_question, check_cluster});
  for_each_scenario(study, [](const Scenario& scenario) { print(scenario_line(scenario)); });
  return kExitSuccess;
}

// Returns the first numbers as ranges: "3-5, 9 and 2 more".
std::string ranges(const std::vector<std::int64_t>& numbers) {
  std::string text;
  std::size_t named = 0;
  for (std::size_t i = 0; i < numbers.size(); ++named) {
    if (named == kMostNumbers) return text + fmt::format(" and {} more", numbers.size() - i);
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (i == 0 ? "" : ", ") +
            (last == i ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[last]));
    i = last + 1;
  }
  return text;
}

int merge(const HsweepOptions& options, const std::vector<std::string>& paths) {
  Records records(paths);
  if (records.scenarios() == 0) throw InputError(ErrorCode::InvalidValue, "there are no records");
  SweepTable table({options.sweep.rows, options.sweep.columns, options.sweep.value});
  records.for_each([&](std::string_view record) { table.add(record); });
  const std::vector<std::int64_t> missing = records.missing();
  if (prints_document()) {
    print_piece(table.json(records.scenarios(), missing));
  } else {
    if (options.sweep.csv) print(table.csv());
    if (!options.sweep.csv) print(table.text(), Highlight::Table);
  }
  std::vector<std::string> warnings;
  const std::vector<std::string> usual = HsweepOptions().sweep.rows;
  for (const std::string& field : table.unknown_fields()) {
    if (std::find(usual.begin(), usual.end(), field) != usual.end()) continue;  // old records may lack them
    warnings.push_back(fmt::format("no record has the field {}.", quote(field)));
  }
  warn(options.general, warnings);
  if (missing.empty()) return kExitSuccess;
  print_error(
      fmt::format("{} of {} scenarios have no record: {}\n", missing.size(), records.scenarios(), ranges(missing)),
      Highlight::Notice);
  return kExitNo;
}

}  // namespace

int hsweep_main(const CommandLine<HsweepOptions>& command_line) {
  const HsweepOptions& options = command_line.options;
  const std::vector<std::string>& words = command_line.words.all;
  const std::string_view command = words.empty() ? "" : std::string_view(words.front());
  if (options.sweep.csv && options.document.json)
    throw InputError(ErrorCode::Usage, "Only one of --csv and --json should be given.");
  const bool is_complete = command == "merge" ? words.size() > 1 : words.size() == 2;
  const bool is_known = command == "expand" || command == "run" || command == "merge";
  if (!is_known || !is_complete)
    throw InputError(ErrorCode::Usage, "hsweep needs one of: expand STUDY, run SCENARIOS, merge RECORDS...");
  reject_options_of_others(command, command_line.given);
  if (command == "merge") return merge(options, {words.begin() + 1, words.end()});
  if (command == "expand") return expand(words[1]);
  run_scenarios(options, words[1]);
  return kExitSuccess;
}

}  // namespace htools
