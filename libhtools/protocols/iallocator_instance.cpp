#include "protocols/iallocator_instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
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

enum NicKey : std::size_t { kMac, kIp, kMode, kLink, kBridge, kNetwork, kNicKeyCount };
constexpr JsonKeys<kNicKeyCount> kNicKeys({"mac", "ip", "mode", "link", "bridge", "network"});
using NicFields = JsonFields<kNicKeyCount>;

std::optional<NicMode> read_mode(const NicFields& nic, std::string_view instance) {
  const std::optional<std::string> name = nic.get_optional(kMode, json_text);
  if (!name) return std::nullopt;
  const auto* mode = std::find(kNicModeNames.begin(), kNicModeNames.end(), *name);
  if (mode == kNicModeNames.end())
    throw InputError(ErrorCode::Syntax, fmt::format("invalid NIC mode in instance {}", instance));
  return static_cast<NicMode>(mode - kNicModeNames.begin());
}

Nic read_nic(const NicFields& fields, std::string_view instance) {
  Nic nic;
  nic.mac = fields.get_optional(kMac, json_text);
  nic.ip = fields.get_optional(kIp, json_text);
  nic.mode = read_mode(fields, instance);
  nic.link = fields.get_optional(kLink, json_text);
  nic.bridge = fields.get_optional(kBridge, json_text);
  nic.network = fields.get_optional(kNetwork, json_text);
  return nic;
}

// Does the same, but returns only the network, and makes no strings of the other texts.
std::optional<std::string> read_network(const NicFields& fields, std::string_view instance) {
  const auto check = [](JsonValue value) { return value.kind() == JsonKind::String || !json_text(value).empty(); };
  fields.get_optional(kMac, check);
  fields.get_optional(kIp, check);
  read_mode(fields, instance);
  fields.get_optional(kLink, check);
  fields.get_optional(kBridge, check);
  return fields.get_optional(kNetwork, json_text);
}

enum DiskKey : std::size_t { kSize, kSpindles, kDiskKeyCount };
constexpr JsonKeys<kDiskKeyCount> kDiskKeys({"size", "spindles"});

enum InstanceKey : std::size_t {
  kTags,
  kAdminState,
  kVcpus,
  kMemory,
  kSpindleUse,
  kNics,
  kDisks,
  kDiskTemplate,
  kDiskSpaceTotal,
  kForthcoming,
  kInstanceKeyCount
};
constexpr JsonKeys<kInstanceKeyCount> kInstanceKeys({"tags", "admin_state", "vcpus", "memory", "spindle_use", "nics",
                                                     "disks", "disk_template", "disk_space_total", "forthcoming"});

// Reads the state that the administrator wants. Everything that is not understood counts as up.
InstanceStatus read_admin_state(const JsonFields<kInstanceKeyCount>& fields) try {
  const std::string state = fields.get_optional(kAdminState, json_text).value_or("up");
  if (state == "down") return InstanceStatus::AdminDown;
  return state == "offline" ? InstanceStatus::AdminOffline : InstanceStatus::Running;
} catch (const InputError&) {
  return InstanceStatus::Running;
}

}  // namespace

Instance read_allocator_instance(const JsonObject& object, std::string_view name, NicDetail nics) {
  const JsonOwner owner = owner_of(name);
  const JsonObject data = object.named(owner);
  const JsonFields fields(data, kInstanceKeys);
  Instance instance;
  InstanceFacts& facts = instance.facts.edit();
  facts.name = name;
  facts.disk = fields.get(kDiskSpaceTotal, json_int);
  read_objects(fields.get(kDisks, as_it_is), [&](const JsonObject& disk) {
    const JsonObject entry = disk.named(owner);
    const JsonFields disk_fields(entry, kDiskKeys);
    facts.disks.push_back({disk_fields.get(kSize, json_int), disk_fields.get_optional(kSpindles, json_int)});
  });
  facts.memory = fields.get(kMemory, json_int);
  facts.vcpus = fields.get(kVcpus, json_int);
  facts.tags = fields.get(kTags, json_tags);
  facts.disk_template = fields.get(kDiskTemplate, json_disk_template);
  facts.spindle_use = fields.get(kSpindleUse, json_int);
  read_objects(fields.get(kNics, as_it_is), [&](const JsonObject& nic) {
    const NicFields nic_fields(nic, kNicKeys);
    if (nics == NicDetail::All) {
      facts.nics.push_back(read_nic(nic_fields, name));
    } else if (std::optional<std::string> network = read_network(nic_fields, name)) {
      facts.nics.emplace_back().network = std::move(network);
    }
  });
  facts.status = read_admin_state(fields);
  const std::optional<JsonValue>& forthcoming = fields.find(kForthcoming);
  facts.forthcoming = forthcoming && forthcoming->kind() == JsonKind::True;
  return instance;
}

}  // namespace htools
