// Brings the records of all shards of a study together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace htools {

// The records of several files, by the numbers of their scenarios. Keeps where each record is, not the record.
class Records {
 public:
  // Reads all files. A torn last line is left out. Throws InputError if a file cannot be read, a line is no record,
  // records are of several studies, or two records of a scenario differ.
  explicit Records(std::vector<std::string> paths);

  std::int64_t scenarios() const { return scenarios_; }
  // Returns the numbers of the scenarios without a record.
  std::vector<std::int64_t> missing() const;
  // Calls `use` for each record, by the numbers of their scenarios.
  void for_each(const std::function<void(std::string_view record)>& use);

 private:
  // Where a record is.
  struct Place {
    std::uint32_t file = 0, size = 0, line = 0;
    std::uint64_t offset = 0;
  };

  void read(std::size_t file);
  void enter(const std::string& line, const Place& place);
  std::string at(const Place& place);
  std::string name_of(const Place& place) const;

  std::vector<std::string> paths_;
  std::vector<std::ifstream> files_;
  std::map<std::int64_t, Place> places_;  // by the numbers of the scenarios
  std::int64_t scenarios_ = 0;            // of the study
};

}  // namespace htools
