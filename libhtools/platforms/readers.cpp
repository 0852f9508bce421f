#include "platforms/readers.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/size_units.h"
#include "base/strings.h"
#include "htools/errors.h"

namespace htools {

namespace {

// Returns the memory of a statement in MiB. Throws InputError with the place.
std::int64_t reserved_size(const std::string& text, const std::string& where) {
  std::int64_t size = 0;
  try {
    size = parse_size(text);
  } catch (const InputError& error) {
    throw error.at(where);
  }
  if (size < 0) throw InputError(ErrorCode::InvalidValue, fmt::format("the size {} is below 0", quote(text)), where);
  return std::min(size, kMostMib);
}

// Splits a statement into words. What a statement about storage names is one, since datastores have names with blanks.
std::vector<std::string> words_of(std::string_view statement) {
  constexpr std::string_view kBlanks = " \t\r";
  std::vector<std::string> words;
  statement = statement.substr(0, statement.find_last_not_of(kBlanks) + 1);
  while (!statement.empty()) {
    statement.remove_prefix(statement.find_first_not_of(kBlanks));
    const bool is_storage = words.size() == 1 && (words[0] == "shared" || words[0] == "local");
    const std::size_t end =
        is_storage ? statement.size() : std::min(statement.find_first_of(kBlanks), statement.size());
    words.emplace_back(statement.substr(0, end));
    statement.remove_prefix(end);
  }
  return words;
}

}  // namespace

const Platform& find_platform(std::string_view name) {
  std::string names;
  for (const Platform& platform : kPlatforms) {
    if (platform.name == name) return platform;
    names += (names.empty() ? "" : ", ") + std::string(platform.name);
  }
  throw InputError(ErrorCode::Usage, fmt::format("there is no platform {}", quote(name)), {},
                   fmt::format("Use --from with one of {}.", names));
}

void for_each_file(const std::vector<ExportFile>& files, const std::function<void(const ExportFile&)>& read) {
  for (const ExportFile& file : files) {
    try {
      read(file);
    } catch (const InputError& error) {
      throw InputError(error.code(), error.message(), file.path + (error.where().empty() ? "" : ", " + error.where()),
                       error.hint());
    }
  }
}

void note_unknown_file(Inventory& inventory, const ExportFile& file) {
  inventory.notes.add("Not used, because their content is not known", file.path);
}

std::int64_t mib_of_bytes(std::int64_t bytes) { return std::min(bytes >> 20, kMostMib); }

PlatformMap read_platform_map(std::string_view text, std::string_view source) {
  PlatformMap map;
  std::size_t number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++number;
    const std::vector<std::string> words = words_of(std::string_view(line).substr(0, line.find('#')));
    if (words.empty()) continue;
    const std::string where = fmt::format("{}, line {}", source, number);
    if (words[0] == "reserve" && words.size() == 3) {
      map.reserved_memory[words[1]] = reserved_size(words[2], where);
      map.hosts.push_back({words[1], where});
    } else if (words[0] == "group" && words.size() == 3) {
      map.groups[words[1]] = words[2];
      map.hosts.push_back({words[1], where});
    } else if ((words[0] == "shared" || words[0] == "local") && words.size() == 2) {
      map.shared_storage[words[1]] = words[0] == "shared";
      map.storages.push_back({words[1], where});
    } else if (words[0] == "leave-out" && words.size() == 2) {
      map.left_out.insert(words[1]);
      map.hosts.push_back({words[1], where});
    } else {
      throw InputError(ErrorCode::Syntax, fmt::format("unknown statement {}", quote(line)), where,
                       "Expected: reserve HOST SIZE, group HOST GROUP, shared STORAGE, local STORAGE, or "
                       "leave-out HOST.");
    }
  }
  return map;
}

}  // namespace htools
