#include "protocols/iallocator_instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "protocols/facts_json.h"

namespace htools {
namespace {

JsonOwner owner_of(std::string_view instance) { return {"invalid data for instance '", instance, "'"}; }

JsonArray require_array(JsonValue value) {
  if (value.kind() == JsonKind::Array) return JsonArray(value);
  throw InputError(ErrorCode::Syntax, fmt::format("Invalid input, expected array but got {}", show_json(value)));
}

// Calls `read` for each element of an array of objects. Checks first that all elements are objects.
template <class Read>
void read_objects(JsonValue value, Read read) {
  const JsonArray array = require_array(value);
  for (const JsonValue element : array) require_object(element);
  for (const JsonValue element : array) read(JsonObject(element));
}

std::optional<NicMode> read_mode(const JsonObject& nic, std::string_view instance) {
  const std::optional<std::string> name = nic.get_optional("mode", json_text);
  if (!name) return std::nullopt;
  const auto* mode = std::find(kNicModeNames.begin(), kNicModeNames.end(), *name);
  if (mode == kNicModeNames.end())
    throw InputError(ErrorCode::Syntax, fmt::format("invalid NIC mode in instance {}", instance));
  return static_cast<NicMode>(mode - kNicModeNames.begin());
}

Nic read_nic(const JsonObject& object, std::string_view instance) {
  Nic nic;
  nic.mac = object.get_optional("mac", json_text);
  nic.ip = object.get_optional("ip", json_text);
  nic.mode = read_mode(object, instance);
  nic.link = object.get_optional("link", json_text);
  nic.bridge = object.get_optional("bridge", json_text);
  nic.network = object.get_optional("network", json_text);
  return nic;
}

// Does the same, but returns only the network, and makes no strings of the other texts.
std::optional<std::string> read_network(const JsonObject& object, std::string_view instance) {
  const auto check = [](JsonValue value) { return value.kind() == JsonKind::String || !json_text(value).empty(); };
  object.get_optional("mac", check);
  object.get_optional("ip", check);
  read_mode(object, instance);
  object.get_optional("link", check);
  object.get_optional("bridge", check);
  return object.get_optional("network", json_text);
}

// Reads the state that the administrator wants. Everything that is not understood counts as up.
InstanceStatus read_admin_state(const JsonObject& object) try {
  const std::string state = object.get_optional("admin_state", json_text).value_or("up");
  if (state == "down") return InstanceStatus::AdminDown;
  return state == "offline" ? InstanceStatus::AdminOffline : InstanceStatus::Running;
} catch (const InputError&) {
  return InstanceStatus::Running;
}

}  // namespace

Instance read_allocator_instance(const JsonObject& object, std::string_view name, NicDetail nics) {
  const JsonOwner owner = owner_of(name);
  const JsonObject data = object.named(owner);
  Instance instance;
  InstanceFacts& facts = instance.facts.edit();
  facts.name = name;
  facts.disk = data.get("disk_space_total", json_int);
  read_objects(data.get("disks", as_it_is), [&](const JsonObject& disk) {
    const JsonObject entry = disk.named(owner);
    facts.disks.push_back({entry.get("size", json_int), entry.get_optional("spindles", json_int)});
  });
  facts.memory = data.get("memory", json_int);
  facts.vcpus = data.get("vcpus", json_int);
  facts.tags = data.get("tags", json_tags);
  facts.disk_template = data.get("disk_template", json_disk_template);
  facts.spindle_use = data.get("spindle_use", json_int);
  read_objects(data.get("nics", as_it_is), [&](const JsonObject& object_of_nic) {
    if (nics == NicDetail::All) {
      facts.nics.push_back(read_nic(object_of_nic, name));
    } else if (std::optional<std::string> network = read_network(object_of_nic, name)) {
      facts.nics.emplace_back().network = std::move(network);
    }
  });
  facts.status = read_admin_state(object);
  const std::optional<JsonValue> forthcoming = object.find("forthcoming");
  facts.forthcoming = forthcoming && forthcoming->kind() == JsonKind::True;
  return instance;
}

}  // namespace htools
