#include "platforms/json_values.h"

#include <fmt/format.h>

#include "base/numbers.h"
#include "base/strings.h"
#include "htools/errors.h"

namespace htools {
namespace {

constexpr double kMostAmount = 0x1p62;

void add_objects(JsonValue array, std::vector<JsonObject>& objects) {
  for (const JsonValue value : JsonArray(array)) {
    if (value.kind() == JsonKind::Object) objects.emplace_back(value);
  }
}

}  // namespace

double number_in(std::string_view text) {
  double value = -1.0;
  try {
    value = parse_double(text, "amount");
  } catch (const InputError&) {  // the error below says what is expected
  }
  if (value >= 0.0 && value <= kMostAmount) return value;
  throw InputError(ErrorCode::InvalidValue, fmt::format("{} is not a number from 0 to 2^62", quote(text)));
}

std::int64_t amount_in(std::string_view text) { return truncate_to_int(number_in(text)); }

std::string text_of(const JsonObject& object, std::string_view key) {
  const auto value = object.find(key);
  if (!value) return {};
  if (value->kind() == JsonKind::True) return "1";
  return std::string(value->text());
}

std::optional<std::int64_t> amount_of(const JsonObject& object, std::string_view key) {
  const std::string text = text_of(object, key);
  if (text.empty()) return std::nullopt;
  try {
    return amount_in(text);
  } catch (const InputError& error) {
    throw error.annotated(fmt::format("key '{}': ", key));
  }
}

bool is_set(const JsonObject& object, std::string_view key) {
  const std::string text = text_of(object, key);
  return !text.empty() && text != "0" && text != "false" && text != "False";
}

std::optional<JsonObject> object_of(const JsonObject& object, std::string_view key) {
  const auto value = object.find(key);
  if (!value || value->kind() != JsonKind::Object) return std::nullopt;
  return JsonObject(*value);
}

std::vector<JsonObject> objects_of(const JsonObject& object, std::string_view key) {
  std::vector<JsonObject> objects;
  const auto value = object.find(key);
  if (value && value->kind() == JsonKind::Array) add_objects(*value, objects);
  return objects;
}

std::vector<std::string> texts_of(const JsonObject& object, std::string_view key) {
  std::vector<std::string> texts;
  const auto value = object.find(key);
  if (!value || value->kind() != JsonKind::Array) return texts;
  for (const JsonValue element : JsonArray(*value)) {
    if (element.kind() == JsonKind::String) texts.emplace_back(element.text());
  }
  return texts;
}

std::optional<JsonObject> inside(const JsonObject& object, std::initializer_list<std::string_view> path) {
  std::optional<JsonObject> at = object;
  for (const std::string_view key : path) {
    if (at) at = object_of(*at, key);
  }
  return at;
}

std::string text_in(const JsonObject& object, std::initializer_list<std::string_view> path, std::string_view key) {
  const auto found = inside(object, path);
  return found ? text_of(*found, key) : std::string();
}

std::vector<JsonObject> objects_in(const JsonObject& object, std::initializer_list<std::string_view> path,
                                   std::string_view key) {
  const auto found = inside(object, path);
  return found ? objects_of(*found, key) : std::vector<JsonObject>();
}

std::vector<JsonObject> records_of(const JsonDocument& document) {
  std::vector<JsonObject> objects;
  JsonValue root = document.root();
  for (const std::string_view key : {"data", "items"}) {
    if (root.kind() != JsonKind::Object) break;
    const auto inside = JsonObject(root).find(key);
    if (inside && inside->kind() >= JsonKind::Array) root = *inside;
  }
  if (root.kind() == JsonKind::Array) {
    add_objects(root, objects);
  } else {
    objects.emplace_back(root);
  }
  return objects;
}

}  // namespace htools
