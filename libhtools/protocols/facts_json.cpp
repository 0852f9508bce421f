#include "protocols/facts_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace htools {

TagList json_tags(JsonValue value) {
  TagList tags;
  for (const JsonValue element : json_array(value)) {
    tags.push_back(element.kind() == JsonKind::String ? element.text() : json_text(element));
  }
  tags.shrink_to_fit();
  return tags;
}

std::vector<std::optional<std::int64_t>> json_spindles(JsonValue value) {
  if (value.kind() != JsonKind::Array)
    throw InputError(ErrorCode::Syntax, fmt::format("Expecting array, got '{}'", show_json(value)));
  return json_list(value, [](JsonValue v) -> std::optional<std::int64_t> {
    if (v.is_null()) return std::nullopt;
    return json_converted(v, json_int);
  });
}

std::string json_ganeti_version(const JsonObject& info) {
  const std::optional<JsonValue> version = info.find("software_version");
  return version && version->kind() == JsonKind::String ? std::string(version->text()) : "";
}

std::vector<Disk> pair_disks(const std::vector<std::int64_t>& sizes,
                             const std::vector<std::optional<std::int64_t>>& spindles) {
  std::vector<Disk> disks(std::min(sizes.size(), spindles.size()));
  for (std::size_t i = 0; i < disks.size(); ++i) disks[i] = {sizes[i], spindles[i]};
  return disks;
}

}  // namespace htools
