#include "formats/item_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/numbers.h"
#include "base/size_units.h"
#include "base/strings.h"
#include "htools/errors.h"

namespace htools {
namespace {

constexpr std::string_view kItemForm =
    "Write [COUNT*]NAME,TEMPLATE,DISK,MEMORY,CPUS[,tag:TAG...], e.g. web1,drbd,20g,4g,2.";
constexpr std::string_view kSizeForm = "Write TEMPLATE,DISK,MEMORY,CPUS, e.g. drbd,20g,4g,2.";
constexpr std::string_view kTagPrefix = "tag:";
constexpr std::string_view kSpaces = " \t\r";
constexpr std::size_t kPartsOfSize = 4;

// A specification, and the form that it must have.
struct Specification {
  std::string_view text;
  std::string_view form;
};

[[noreturn]] void refuse(const Specification& item, const std::string& problem) {
  throw InputError(ErrorCode::InvalidValue,
                   fmt::format("Invalid instance specification {}: {}", quoted_word(item.text), problem), {},
                   std::string(item.form));
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) + 1 - begin);
}

DiskTemplate read_template(const Specification& item, std::string_view text) {
  const auto* found = std::ranges::find(kDiskTemplates, text, &DiskTemplateFacts::name);
  if (found != kDiskTemplates.end()) return static_cast<DiskTemplate>(found - kDiskTemplates.begin());
  std::vector<std::string> names;
  for (const DiskTemplateFacts& row : kDiskTemplates) names.emplace_back(row.name);
  refuse(item, fmt::format("unknown disk template {} (expected one of {})", quoted_word(text), join(names, ", ")));
}

// Returns the number of a part, or nothing if it is not one.
std::optional<std::int64_t> number_of(std::string_view text, bool is_size) {
  try {
    return is_size ? parse_size(text) : parse_int(text, {});
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::int64_t read_size(const Specification& item, std::string_view what, std::string_view text, std::int64_t least) {
  const std::optional<std::int64_t> size = number_of(text, true);
  if (size && *size >= least) return *size;
  refuse(item,
         fmt::format("{} {} (expected a size of at least {} MiB, such as 512m or 8g)", what, quoted_word(text), least));
}

std::int64_t read_count(const Specification& item, std::string_view what, std::string_view text, std::int64_t most) {
  const std::optional<std::int64_t> count = number_of(text, false);
  if (count && *count >= 1 && *count <= most) return *count;
  refuse(item, fmt::format("{} {} (expected an integer from 1 to {})", what, quoted_word(text), most));
}

// The number of instances and their name, from "[COUNT*]NAME".
struct CountedName {
  std::optional<std::size_t> count;
  std::string_view name;
};

CountedName read_name(const Specification& item, std::string_view text) {
  CountedName result{std::nullopt, text};
  if (const std::size_t star = text.find('*'); star != std::string_view::npos) {
    const std::int64_t count = read_count(item, "count", text.substr(0, star), kMostInstancesOfItem);
    result = {static_cast<std::size_t>(count), text.substr(star + 1)};
  }
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (result.name.empty()) refuse(item, "the name is empty");
  if (result.name.find('|') != std::string_view::npos || std::ranges::any_of(result.name, is_control))
    refuse(item, "a name must not contain '|' or control characters");
  return result;
}

std::vector<std::string> read_tags(const Specification& item, std::span<const std::string> parts) {
  std::vector<std::string> tags;
  for (const std::string& part : parts) {
    if (!part.starts_with(kTagPrefix) || part.size() == kTagPrefix.size())
      refuse(item, fmt::format("{} after the cpus (expected tag:TAG)", quoted_word(part)));
    tags.push_back(part.substr(kTagPrefix.size()));
  }
  return tags;
}

// Returns an instance of the size TEMPLATE,DISK,MEMORY,CPUS.
NewInstance instance_of_size(const Specification& item, std::span<const std::string> parts) {
  NewInstance instance;
  instance.disk_template = read_template(item, parts[0]);
  instance.disk_mib = read_size(item, "disk", parts[1], 0);
  instance.memory_mib = read_size(item, "memory", parts[2], 1);
  instance.vcpus = read_count(item, "cpus", parts[3], std::numeric_limits<std::int32_t>::max());
  if (instance.disk_template == DiskTemplate::Diskless && instance.disk_mib > 0)
    refuse(item, "a diskless instance has no disk (expected 0)");
  return instance;
}

}  // namespace

NewInstance read_instance_size(std::string_view text) {
  const Specification size{text, kSizeForm};
  const std::vector<std::string> parts = split(text, ',');
  if (parts.size() != kPartsOfSize)
    refuse(size, fmt::format("it has {} (expected {})", counted(parts.size(), "part"), kPartsOfSize));
  return instance_of_size(size, parts);
}

std::vector<NewInstance> read_item(std::string_view text) {
  constexpr std::size_t kRequiredParts = 1 + kPartsOfSize;
  const Specification item{text, kItemForm};
  const std::vector<std::string> parts = split(text, ',');
  if (parts.size() < kRequiredParts)
    refuse(item, fmt::format("it has {} (expected {} or more)", counted(parts.size(), "part"), kRequiredParts));
  const CountedName names = read_name(item, parts[0]);
  NewInstance instance = instance_of_size(item, std::span(parts).subspan(1, kPartsOfSize));
  instance.tags = read_tags(item, std::span(parts).subspan(kRequiredParts));
  if (!names.count) {
    instance.name = names.name;
    return {std::move(instance)};
  }
  std::vector<NewInstance> instances(*names.count, instance);
  for (std::size_t i = 0; i < instances.size(); ++i) instances[i].name = numbered_name(names.name, i + 1);
  return instances;
}

std::string numbered_name(std::string_view name, std::size_t number) {
  const std::size_t dot = std::min(name.find('.'), name.size());
  return fmt::format("{}-{}{}", name.substr(0, dot), number, name.substr(dot));
}

std::vector<NewInstance> read_items(std::string_view text, std::string_view source) {
  std::vector<NewInstance> instances;
  std::size_t number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++number;
    const std::string_view item = trimmed(std::string_view(line).substr(0, line.find('#')));
    if (item.empty()) continue;
    try {
      std::vector<NewInstance> more = read_item(item);
      std::ranges::move(more, std::back_inserter(instances));
    } catch (const InputError& error) {
      throw error.at(fmt::format("{}, line {}", source, number));
    }
  }
  return instances;
}

void require_free_names(const Cluster& cluster, const std::vector<NewInstance>& instances) {
  std::unordered_set<std::string_view> taken;
  for (const Instance& instance : cluster.instances) taken.insert(instance.facts->name);
  for (const NewInstance& instance : instances) {
    if (taken.insert(instance.name).second) continue;
    throw InputError(ErrorCode::InvalidValue,
                     fmt::format("the name of the new instance {} is taken", quoted_word(instance.name)), {},
                     "Choose another name.");
  }
}

}  // namespace htools
