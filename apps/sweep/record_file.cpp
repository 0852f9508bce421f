#include "apps/sweep/record_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "apps/output/messages.h"
#include "apps/output/output.h"
#include "apps/sweep/record.h"
#include "htools/errors.h"

namespace htools {

RecordFile::RecordFile(const std::optional<std::string>& path) : path_(path.value_or("")) {
  if (!path) return;
  file_.emplace(open(path->c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  require(file_->number() >= 0, path_ + " cannot be opened");
  lock();
  old_ = std::make_unique<std::ifstream>(path_, std::ios::binary);
}

bool RecordFile::has(const Scenario& scenario) {
  if (!old_) return false;
  const std::string record = record_line(scenario_members(scenario), "");
  const std::string_view begin = std::string_view(record).substr(0, record.find_last_of(',') + 1);
  std::string line;
  const bool is_last = !std::getline(*old_, line) || old_->eof();
  ++line_number_;
  if (!line.starts_with(begin) && !(is_last && begin.starts_with(line))) refuse();
  if (is_last) {  // the end, or a torn line
    old_.reset();
    require(ftruncate(file_->number(), kept_) == 0 && lseek(file_->number(), kept_, SEEK_SET) == kept_, path_);
    return false;
  }
  kept_ += static_cast<off_t>(line.size() + 1);
  return true;
}

void RecordFile::finish() {
  if (old_ && old_->peek() != std::ifstream::traits_type::eof()) {
    ++line_number_;
    refuse();
  }
}

void RecordFile::add(const std::string& record) {
  if (file_) {
    write_all(file_->number(), record, path_);
  } else {
    print(record);
  }
}

// A task that a batch system starts again may find that the first one still runs.
void RecordFile::lock() const {
  if (flock(file_->number(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  print_error(fmt::format("Waiting for another hsweep, which is writing {}\n", path_), Highlight::None);
  while (flock(file_->number(), LOCK_EX) != 0 && errno == EINTR) continue;
}

void RecordFile::refuse() const {
  throw InputError(ErrorCode::InvalidValue, "the records in the file are of another study or shard",
                   fmt::format("{}, line {}", path_, line_number_), "Give another file with -o, or remove this one.");
}

}  // namespace htools
