#include "sweep/records.h"

#include <fmt/format.h>

#include <utility>

#include "htools/errors.h"
#include "json/json.h"

namespace htools {
namespace {

constexpr std::string_view kRecordSchema = "htools.record/1";
constexpr std::int64_t kMostRecords = 100'000'000;

}  // namespace

Records::Records(std::vector<std::string> paths) : paths_(std::move(paths)) {
  for (const std::string& path : paths_) {
    files_.emplace_back(path, std::ios::binary);
    if (!files_.back()) throw InputError(ErrorCode::UnreadableFile, path + " cannot be opened", path);
  }
  for (std::size_t file = 0; file < paths_.size(); ++file) read(file);
}

void Records::read(std::size_t file) {
  Place place{.file = static_cast<std::uint32_t>(file)};
  for (std::string line; std::getline(files_[file], line);) {
    if (files_[file].eof()) break;  // a torn line
    ++place.line;
    place.size = static_cast<std::uint32_t>(line.size());
    try {
      enter(line, place);
    } catch (const InputError& error) {
      throw error.at(name_of(place));
    }
    place.offset += line.size() + 1;
  }
  files_[file].clear();
}

void Records::enter(const std::string& line, const Place& place) {
  const JsonDocument document{line};
  const JsonObject record = json_object(document.root());
  if (record.get("schema", json_text) != kRecordSchema)
    throw InputError(ErrorCode::InvalidValue, fmt::format("this is not a document of the kind {}", kRecordSchema));
  const std::int64_t number = record.get("number", json_int);
  const std::int64_t count = record.get("count", json_int);
  if (number < 1 || number > count || count > kMostRecords)
    throw InputError(ErrorCode::InvalidValue,
                     fmt::format("the record has the impossible number {} of {}", number, count));
  if (places_.empty()) scenarios_ = count;
  if (count != scenarios_) {
    throw InputError(ErrorCode::InvalidValue,
                     fmt::format("the record is of another study: one with {} scenarios, not {}", count, scenarios_));
  }
  const auto [entry, is_new] = places_.try_emplace(number, place);
  if (is_new) return;
  const Place& known = entry->second;
  const auto position = files_[place.file].tellg();
  const bool is_same = at(known) == line;
  files_[place.file].clear();
  files_[place.file].seekg(position);
  if (is_same) return;
  throw InputError(ErrorCode::InvalidValue,
                   fmt::format("the records of scenario {} differ: {} and {}", number, name_of(known), name_of(place)));
}

std::string Records::at(const Place& place) {
  std::string line(place.size, '\0');
  std::ifstream& file = files_[place.file];
  file.clear();
  file.seekg(static_cast<std::streamoff>(place.offset));
  file.read(line.data(), static_cast<std::streamsize>(line.size()));
  return line;
}

std::string Records::name_of(const Place& place) const {
  return fmt::format("{}, line {}", paths_[place.file], place.line);
}

std::vector<std::int64_t> Records::missing() const {
  std::vector<std::int64_t> numbers;
  for (std::int64_t number = 1; number <= scenarios_; ++number) {
    if (!places_.contains(number)) numbers.push_back(number);
  }
  return numbers;
}

void Records::for_each(const std::function<void(std::string_view record)>& use) {
  for (const auto& [number, place] : places_) use(at(place));
}

}  // namespace htools
