#include "protocols/iallocator_instance.h"

#include <fmt/format.h>

#include <algorithm>
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
using NicMembers = FoundMembers<kNicKeyCount>;

std::optional<NicMode> read_mode(const NicMembers& nic, std::string_view instance) {
  const std::optional<std::string> name = nic.get_optional(kMode, json_text);
  if (!name) return std::nullopt;
  const auto* mode = std::find(kNicModeNames.begin(), kNicModeNames.end(), *name);
  if (mode == kNicModeNames.end())
    throw InputError(ErrorCode::Syntax, fmt::format("invalid NIC mode in instance {}", instance));
  return static_cast<NicMode>(mode - kNicModeNames.begin());
}

Nic read_nic(const NicMembers& members, std::string_view instance) {
  Nic nic;
  nic.mac = members.get_optional(kMac, json_text);
  nic.ip = members.get_optional(kIp, json_text);
  nic.mode = read_mode(members, instance);
  nic.link = members.get_optional(kLink, json_text);
  nic.bridge = members.get_optional(kBridge, json_text);
  nic.network = members.get_optional(kNetwork, json_text);
  return nic;
}

// Does the same, but returns only the network, and makes no strings of the other texts.
std::optional<std::string> read_network(const NicMembers& members, std::string_view instance) {
  const auto check = [](JsonValue value) { return value.kind() == JsonKind::String || !json_text(value).empty(); };
  members.get_optional(kMac, check);
  members.get_optional(kIp, check);
  read_mode(members, instance);
  members.get_optional(kLink, check);
  members.get_optional(kBridge, check);
  return members.get_optional(kNetwork, json_text);
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
InstanceStatus read_admin_state(const FoundMembers<kInstanceKeyCount>& members) try {
  const std::string state = members.get_optional(kAdminState, json_text).value_or("up");
  if (state == "down") return InstanceStatus::AdminDown;
  return state == "offline" ? InstanceStatus::AdminOffline : InstanceStatus::Running;
} catch (const InputError&) {
  return InstanceStatus::Running;
}

}  // namespace

Instance read_allocator_instance(const JsonObject& object, std::string_view name, NicDetail nics) {
  const JsonOwner owner = owner_of(name);
  const JsonObject data = object.named(owner);
  const FoundMembers members(data, kInstanceKeys);
  Instance instance;
  InstanceFacts& facts = instance.facts.edit();
  facts.name = name;
  facts.disk = members.get(kDiskSpaceTotal, json_int);
  read_objects(members.get(kDisks, as_it_is), [&](const JsonObject& disk) {
    const JsonObject entry = disk.named(owner);
    const FoundMembers disk_members(entry, kDiskKeys);
    facts.disks.push_back({disk_members.get(kSize, json_int), disk_members.get_optional(kSpindles, json_int)});
  });
  facts.memory = members.get(kMemory, json_int);
  facts.vcpus = members.get(kVcpus, json_int);
  facts.tags = members.get(kTags, json_tags);
  facts.disk_template = members.get(kDiskTemplate, json_disk_template);
  facts.spindle_use = members.get(kSpindleUse, json_int);
  read_objects(members.get(kNics, as_it_is), [&](const JsonObject& nic) {
    const NicMembers nic_members(nic, kNicKeys);
    if (nics == NicDetail::All) {
      facts.nics.push_back(read_nic(nic_members, name));
    } else if (std::optional<std::string> network = read_network(nic_members, name)) {
      facts.nics.emplace_back().network = std::move(network);
    }
  });
  facts.status = read_admin_state(members);
  const std::optional<JsonValue>& forthcoming = members.find(kForthcoming);
  facts.forthcoming = forthcoming && forthcoming->kind() == JsonKind::True;
  return instance;
}

}  // namespace htools
