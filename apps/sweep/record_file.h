// The file of records that `hsweep run` writes, and goes on with where it was cut off.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <fstream>
#include <memory>
#include <optional>
#include <string>

#include "apps/sweep/descriptor.h"
#include "sweep/scenario.h"

namespace htools {

// The file of records, or standard output. A file that is there already is gone on with.
class RecordFile {
 public:
  // Opens the file, and waits while another process writes it. Throws FileError.
  explicit RecordFile(const std::optional<std::string>& path);

  // True if the file has the record of this scenario already. Must be asked for one scenario after the other. Throws
  // InputError if the next record is of another scenario.
  bool has(const Scenario& scenario);
  // Must be called after the last scenario. Throws InputError if the file has more records.
  void finish();

  void add(const std::string& record);

 private:
  void lock() const;
  [[noreturn]] void refuse() const;

  std::string path_;
  std::optional<Descriptor> file_;
  std::unique_ptr<std::ifstream> old_;  // the records that are there; null when all have been seen
  std::size_t line_number_ = 0;
  off_t kept_ = 0;  // bytes of records that are there
};

}  // namespace htools
