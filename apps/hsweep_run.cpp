#include "apps/hsweep_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "apps/common/data_source.h"
#include "apps/common/documents.h"
#include "apps/common/progress.h"
#include "apps/options/command_line.h"
#include "apps/options/hwhatif_options.h"
#include "apps/output/messages.h"
#include "apps/output/output.h"
#include "apps/roles.h"
#include "apps/sweep/descriptor.h"
#include "apps/sweep/record.h"
#include "apps/sweep/record_file.h"
#include "base/durations.h"
#include "base/files.h"
#include "document/cluster_content.h"
#include "formats/text_writer.h"
#include "htools/errors.h"
#include "htools/examine.h"
#include "sweep/scenario.h"
#include "sweep/study.h"
#include "whatif/whatif.h"

namespace htools {
namespace {

constexpr std::size_t kMostClusters = 64;
constexpr std::size_t kMostWaitingPerJob = 16;

// A cluster, or why it cannot be loaded.
struct Loaded {
  std::optional<LoadedCluster> cluster;
  std::string error;  // a JSON object
};

// The clusters of the last scenarios, each of which is read once.
class Clusters {
 public:
  explicit Clusters(GanetiRelease rules) : rules_(rules) {}

  const Loaded& of(const Scenario& scenario) {
    if (loaded_.size() >= kMostClusters && !loaded_.contains(scenario.cluster)) loaded_.clear();
    const auto [entry, is_new] = loaded_.try_emplace(scenario.cluster);
    if (is_new) load(scenario, entry->second);
    return entry->second;
  }

 private:
  void load(const Scenario& scenario, Loaded& result) const {
    GeneralOptions quiet;
    quiet.verbosity = 0;
    quiet.compat = rules_;
    SourceOptions source;
    source.text_file = scenario.file;
    source.simulated_groups = scenario.simulated;
    try {
      result.cluster = load_cluster(quiet, source, {}, {.diskless_moves = true});
    } catch (const InputError& error) {
      result.error = error_object(name(error.code()), error_sentence(error));
    } catch (const FileError& error) {
      result.error = error_object(name(ErrorCode::UnreadableFile), error.what());
    }
  }

  GanetiRelease rules_;
  std::map<std::string, Loaded> loaded_;
};

// Returns the cluster in the form of its source.
std::string in_own_form(const LoadedCluster& loaded) {
  if (!loaded.is_document) return write_text_cluster(loaded.cluster);
  const Examination examination = examine(loaded.cluster);
  return document_text(document_head(kHwhatifTool, loaded), ClusterContent{loaded.cluster, examination});
}

// Answers the scenario on standard output, in a process of its own, and returns the exit status.
int answer(const Scenario& scenario, LoadedCluster loaded, const Descriptor& input) {
  char completeness = kComplete;
  try {
    std::vector<Change> changes;
    for (const std::string& text : scenario.changes) changes.push_back(parse_change(text));
    ChangeRules rules;
    rules.read_file = read_file;
    rules.keeps_all = loaded.is_document;
    ChangedCluster changed = make_changes(loaded.cluster, changes, rules);
    if (!changed.is_complete()) completeness = kIncomplete;
    loaded.cluster = std::move(changed.cluster);
    write_all(input.number(), in_own_form(loaded), "memory");
  } catch (const InputError& error) {
    write_all(STDOUT_FILENO,
              fmt::format(R"({}{{"schema":"htools.error/1","program":"hsweep","error":{}}})", kComplete,
                          error_object(name(error.code()), error_sentence(error))) +
                  "\n",
              "memory");
    return kExitFailure;
  }
  write_all(STDOUT_FILENO, {&completeness, 1}, "memory");
  require(lseek(input.number(), 0, SEEK_SET) == 0 && dup2(input.number(), STDIN_FILENO) >= 0, "standard input");
  unsetenv("HTOOLS");
  return run_tool_named(scenario.question.front(), question_words(scenario.question, scenario.seed));
}

// A scenario whose process is running, or has ended.
struct Job {
  std::string members;  // of its record
  Descriptor output;
  pid_t process = 0;
  std::string record = {};  // set when it has ended
};

// Runs scenarios at the same time, and writes their records in order.
class Runner {
 public:
  Runner(const HsweepOptions& options, RecordFile& records)
      : options_(options), records_(records), progress_(options.general), clusters_(options.general.rules()) {}

  // Counts a scenario whose record is there already.
  void pass_over() { ++passed_over_; }

  void start(const Scenario& scenario) {
    scenarios_ = scenario.count;
    while (running_ >= options_.sweep.jobs || jobs_.size() >= most_waiting()) wait_for_one();
    const Loaded& loaded = clusters_.of(scenario);
    jobs_.push_back({scenario_members(scenario), memory_file()});
    Job& job = jobs_.back();
    if (!loaded.cluster) {
      job.record = failed_record(job.members, kExitFailure, loaded.error);
      write_ended();
      return;
    }
    flush_output();  // or the process would write it again
    job.process = fork();
    require(job.process >= 0, "a process cannot be started");
    if (job.process == 0) run(scenario, *loaded.cluster, job.output);
    ++running_;
  }

  void finish() {
    while (running_ > 0) wait_for_one();
    write_ended();
  }

 private:
  std::size_t most_waiting() const { return static_cast<std::size_t>(options_.sweep.jobs) * kMostWaitingPerJob; }

  [[noreturn]] void run(const Scenario& scenario, const LoadedCluster& cluster, const Descriptor& output) const {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // it is of no use without its parent, and would keep the file locked
    int status = kExitOutOfMemory;
    try {
      const Descriptor input = memory_file();
      const Descriptor nowhere(open("/dev/null", O_WRONLY | O_CLOEXEC));
      if (options_.sweep.memory) {
        malloc_trim(0);  // what the parent has freed would be used first, whatever the limit
        const auto bytes = static_cast<rlim_t>(*options_.sweep.memory) << 20U;
        const rlimit limit{bytes, bytes};
        setrlimit(RLIMIT_AS, &limit);
      }
      dup2(output.number(), STDOUT_FILENO);
      dup2(nowhere.number(), STDERR_FILENO);
      status = answer(scenario, cluster, input);
      flush_output();
    } catch (const std::bad_alloc&) {
      status = kExitOutOfMemory;
    } catch (const std::exception&) {
      status = kExitFailure;
    }
    _exit(status);
  }

  void wait_for_one() {
    int status = 0;
    const pid_t ended = waitpid(-1, &status, 0);
    if (ended < 0 && errno == EINTR) return;
    require(ended > 0, "waiting for a process");
    for (Job& job : jobs_) {
      if (job.process != ended) continue;
      job.record = record_of(job.members, status, read_all(job.output.number()));
      job.process = 0;
      --running_;
    }
    write_ended();
  }

  void write_ended() {
    while (!jobs_.empty() && jobs_.front().process == 0) {
      ++written_;
      if (has_answer(jobs_.front().record)) ++good_;
      records_.add(jobs_.front().record);
      jobs_.pop_front();
    }
    progress_.update([&] { return progress_line(); });
  }

  // Shards have about as many scenarios each.
  std::string progress_line() const {
    const double expected =
        std::max(1.0, static_cast<double>(scenarios_) / static_cast<double>(options_.sweep.shard.count));
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
    const double done = static_cast<double>(passed_over_ + written_);
    const double left =
        written_ == 0 ? 0.0 : passed.count() * std::max(0.0, expected - done) / static_cast<double>(written_);
    return fmt::format("{:.0f} of about {:.0f} records, {} errors, {} left", done, expected, written_ - good_,
                       duration_text(left));
  }

  const HsweepOptions& options_;
  RecordFile& records_;
  Progress progress_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  Clusters clusters_;
  std::deque<Job> jobs_;
  std::int64_t running_ = 0;
  std::int64_t scenarios_ = 0;   // of the study
  std::size_t passed_over_ = 0;  // scenarios that had records
  std::size_t written_ = 0, good_ = 0;
};

}  // namespace

// Makes the tool follow the rules of this release of Ganeti, unless the question names another. They become part of the
// question, so that records say which rules they followed.
void follow_rules(GanetiRelease rules, Scenario& scenario) {
  if (rules == GanetiRelease::V30) return;
  scenario.question.insert(scenario.question.begin() + 1, fmt::format("--compat={}", name(rules)));
  scenario.id = scenario_id(scenario);
}

void run_scenarios(const HsweepOptions& options, const std::string& path) {
  std::ifstream file;
  if (path != "-") file.open(path, std::ios::binary);
  std::istream& lines = path == "-" ? std::cin : file;
  if (!lines) throw FileError(fmt::format("{} cannot be opened", path));
  RecordFile records(options.sweep.output_file);
  Runner runner(options, records);
  Shards shards(static_cast<std::size_t>(options.sweep.shard.count));
  std::size_t number = 0;
  std::vector<std::string> checked;  // the last question that was found to be one
  for (std::string line; std::getline(lines, line);) {
    ++number;
    Scenario scenario;
    try {
      scenario = read_scenario(line);
      if (scenario.question != checked) {
        require_options_of_studies(scenario.question);
        check_question(scenario.question);
      }
      checked = scenario.question;
      follow_rules(options.general.rules(), scenario);
    } catch (const InputError& error) {
      throw InputError(error.code(), error.message(), fmt::format("{}, line {}", path, number), error.hint());
    }
    if (shards.next(scenario.cost) != static_cast<std::size_t>(options.sweep.shard.number)) continue;
    if (records.has(scenario)) {
      runner.pass_over();
    } else {
      runner.start(scenario);
    }
  }
  if (lines.bad()) throw FileError(fmt::format("{} cannot be read: {}", path, std::strerror(errno)));
  runner.finish();
  records.finish();
}

}  // namespace htools
