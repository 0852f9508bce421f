#include "apps/hsweep_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <sys/file.h>
#include <sys/mman.h>
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
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/common/data_source.h"
#include "apps/common/documents.h"
#include "apps/common/progress.h"
#include "apps/options/command_line.h"
#include "apps/output/messages.h"
#include "apps/output/output.h"
#include "apps/roles.h"
#include "base/files.h"
#include "formats/text_writer.h"
#include "htools/errors.h"
#include "json/json_writer.h"
#include "report/plan_text.h"
#include "sweep/scenario.h"
#include "sweep/study.h"
#include "whatif/whatif.h"

namespace htools {
namespace {

constexpr int kExitOutOfMemory = 77;  // of the process of a scenario
constexpr std::size_t kMostClusters = 64;
constexpr std::size_t kMostWaitingPerJob = 16;
constexpr char kComplete = '1', kIncomplete = '0';  // the first byte of an answer: were all changes made as a whole?

// A failure of the machine, which ends the sweep.
void require(bool success, std::string_view what) {
  if (!success) throw FileError(fmt::format("{}: {}", what, std::strerror(errno)));
}

// An open file, which is closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

Descriptor memory_file() {
  const int number = memfd_create("hsweep", MFD_CLOEXEC);
  require(number >= 0, "a file in memory cannot be made");
  return Descriptor(number);
}

void write_all(int file, std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    require(written > 0, name);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string read_all(int file) {
  const off_t size = lseek(file, 0, SEEK_END);
  std::string text(static_cast<std::size_t>(std::max<off_t>(0, size)), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t got = pread(file, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

// A cluster, or why it cannot be loaded.
struct Loaded {
  std::optional<Cluster> cluster;
  std::string error;  // a JSON object
};

std::string error_object(std::string_view code, std::string_view message) {
  return fmt::format(R"({{"code":{},"message":{}}})", JsonText::string(code).text(), JsonText::string(message).text());
}

// The clusters of the last scenarios, each of which is read once.
class Clusters {
 public:
  const Loaded& of(const Scenario& scenario) {
    if (loaded_.size() >= kMostClusters && !loaded_.contains(scenario.cluster)) loaded_.clear();
    const auto [entry, is_new] = loaded_.try_emplace(scenario.cluster);
    if (is_new) load(scenario, entry->second);
    return entry->second;
  }

 private:
  static void load(const Scenario& scenario, Loaded& result) {
    GeneralOptions quiet;
    quiet.verbosity = 0;
    SourceOptions source;
    source.text_file = scenario.file;
    source.simulated_groups = scenario.simulated;
    try {
      result.cluster = load_cluster(quiet, source).cluster;
    } catch (const InputError& error) {
      result.error = error_object(name(error.code()), error_sentence(error));
    } catch (const FileError& error) {
      result.error = error_object(name(ErrorCode::UnreadableFile), error.what());
    }
  }

  std::map<std::string, Loaded> loaded_;
};

// Answers the scenario on standard output, in a process of its own, and returns the exit status.
int answer(const Scenario& scenario, const Cluster& cluster, const Descriptor& input) {
  char completeness = kComplete;
  try {
    std::vector<Change> changes;
    for (const std::string& text : scenario.changes) changes.push_back(parse_change(text));
    ChangeRules rules;
    rules.read_file = read_file;
    const ChangedCluster changed = make_changes(cluster, changes, rules);
    if (!changed.is_complete()) completeness = kIncomplete;
    write_all(input.number(), write_text_cluster(changed.cluster), "memory");
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

std::string record_line(const std::string& members, std::string_view rest) {
  return fmt::format(R"({{"schema":"htools.record/1","program":"hsweep",{},{}}})", members, rest) + "\n";
}

// Returns the record of a job whose process has ended.
std::string record_of(const Job& job, int wait_status) {
  const auto failed = [&](std::string_view code, const std::string& message) {
    return record_line(job.members, fmt::format(R"("status":1,"complete":true,"result":null,"error":{})",
                                                error_object(code, message)));
  };
  if (WIFSIGNALED(wait_status)) {
    return failed("ended", fmt::format("the process was ended by signal {}", WTERMSIG(wait_status)));
  }
  const int status = WEXITSTATUS(wait_status);
  if (status == kExitOutOfMemory) return failed("out-of-memory", "the scenario needs more memory than --memory allows");
  std::string text = read_all(job.output.number());
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::string_view document = std::string_view(text).substr(std::min<std::size_t>(1, text.size()));
  if (!document.starts_with('{') || !document.ends_with('}') || document.find('\n') != std::string_view::npos) {
    return failed("no-document", "the tool printed no document; out of memory, or an option that prints text");
  }
  constexpr std::string_view kErrorHead = R"({"schema":"htools.error/1")";
  constexpr std::string_view kErrorKey = R"("error":)";
  if (document.starts_with(kErrorHead)) {
    const std::size_t begin = document.find(kErrorKey) + kErrorKey.size();
    const std::string_view error = document.substr(begin, document.size() - 1 - begin);
    return record_line(job.members,
                       fmt::format(R"("status":{},"complete":true,"result":null,"error":{})", status, error));
  }
  return record_line(job.members, fmt::format(R"("status":{},"complete":{},"result":{},"error":null)", status,
                                              text.front() == kComplete, document));
}

// The file of records, or standard output. A file that is there already is gone on with.
class RecordFile {
 public:
  explicit RecordFile(const std::optional<std::string>& path) : path_(path.value_or("")) {
    if (!path) return;
    file_.emplace(open(path->c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    require(file_->number() >= 0, path_ + " cannot be opened");
    lock();
    old_ = std::make_unique<std::ifstream>(path_, std::ios::binary);
  }

  // True if the file has the record of this scenario already. Must be asked for one scenario after the other.
  bool has(const Scenario& scenario) {
    if (!old_) return false;
    std::string line;
    if (!std::getline(*old_, line) || old_->eof()) {  // the end, or a torn last line
      old_.reset();
      require(ftruncate(file_->number(), kept_) == 0 && lseek(file_->number(), kept_, SEEK_SET) == kept_, path_);
      return false;
    }
    ++line_number_;
    const std::string begin = record_line(scenario_members(scenario), "");
    if (!line.starts_with(std::string_view(begin).substr(0, begin.size() - 2))) refuse();
    kept_ += static_cast<off_t>(line.size() + 1);
    return true;
  }
  // Must be called after the last scenario. The file must not have more records.
  void finish() {
    if (old_ && old_->peek() != std::ifstream::traits_type::eof()) {
      ++line_number_;
      refuse();
    }
  }

  void add(const std::string& record) {
    if (file_) {
      write_all(file_->number(), record, path_);
    } else {
      print(record);
    }
  }

 private:
  // A task that a batch system starts again may find that the first one still runs.
  void lock() const {
    if (flock(file_->number(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    print_error(fmt::format("Waiting for another hsweep, which is writing {}\n", path_), Highlight::None);
    while (flock(file_->number(), LOCK_EX) != 0 && errno == EINTR) continue;
  }
  [[noreturn]] void refuse() const {
    throw InputError(ErrorCode::InvalidValue, "the records in the file are of another study or shard",
                     fmt::format("{}, line {}", path_, line_number_), "Give another file with -o, or remove this one.");
  }

  std::string path_;
  std::optional<Descriptor> file_;
  std::unique_ptr<std::ifstream> old_;  // the records that are there; null when all have been seen
  std::size_t line_number_ = 0;
  off_t kept_ = 0;
};

// Runs scenarios at the same time, and writes their records in order.
class Runner {
 public:
  Runner(const HsweepOptions& options, RecordFile& records)
      : options_(options), records_(records), progress_(options.general) {}

  // Counts a scenario whose record is there already.
  void pass_over() { ++passed_over_; }

  void start(const Scenario& scenario) {
    scenarios_ = scenario.count;
    while (running_ >= options_.sweep.jobs || jobs_.size() >= most_waiting()) wait_for_one();
    const Loaded& loaded = clusters_.of(scenario);
    jobs_.push_back({scenario_members(scenario), memory_file()});
    Job& job = jobs_.back();
    if (!loaded.cluster) {
      job.record =
          record_line(job.members, fmt::format(R"("status":1,"complete":true,"result":null,"error":{})", loaded.error));
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

  [[noreturn]] void run(const Scenario& scenario, const Cluster& cluster, const Descriptor& output) const {
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
      job.record = record_of(job, status);
      job.process = 0;
      --running_;
    }
    write_ended();
  }

  void write_ended() {
    while (!jobs_.empty() && jobs_.front().process == 0) {
      ++written_;
      if (jobs_.front().record.ends_with(R"("error":null})"
                                         "\n"))
        ++good_;
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
