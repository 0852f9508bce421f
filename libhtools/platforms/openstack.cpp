// Reads what `openstack ... -f json` prints: hypervisors, servers, flavors, aggregates, groups of servers, volumes,
// services and inventories.
#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "base/strings.h"
#include "cluster/tags.h"
#include "htools/errors.h"
#include "platforms/json_values.h"
#include "platforms/readers.h"

namespace htools {
namespace {

std::int64_t mib_of_gib(std::optional<std::int64_t> gib) {
  return std::min(std::min(gib.value_or(0), kMostMib) << 10, kMostMib);
}

// The name of a host without its domain, which is how services are named.
std::string short_name(const std::string& name) { return name.substr(0, name.find('.')); }

// What is known of a hypervisor, from several files.
struct HypervisorFacts {
  std::optional<std::int64_t> cpus, memory, disk, used_memory;
  std::string service;
  bool is_down = false;
  bool is_disabled = false;
};

// Collects the objects of all files, and makes the inventory of them.
class OpenstackReader {
 public:
  explicit OpenstackReader(const PlatformMap& map) : map_(map) {}

  void add(const ExportFile& file) {
    const JsonDocument& document = documents_.emplace_back(file.content);
    const std::vector<JsonObject> records = records_of(document);
    bool is_known = records.empty();
    for (const JsonObject& record : records) is_known |= add_record(record);
    if (!is_known) note_unknown_file(inventory_, file);
  }

  Inventory make() {
    for (const JsonObject& record : lists_) add_hypervisor(record, "Hypervisor Hostname", kListKeys);
    for (const JsonObject& record : shows_) add_hypervisor(record, "hypervisor_hostname", kShowKeys);
    for (const JsonObject& record : volumes_) add_volume(record);
    for (const JsonObject& record : servers_) add_server(record);
    for (const auto& [name, hypervisor] : hypervisors_) add_host(name, hypervisor);
    return std::move(inventory_);
  }

 private:
  // The keys of a hypervisor in the list and in the details.
  struct HypervisorKeys {
    std::string_view cpus, memory, used_memory, disk, state, service;
  };
  static constexpr HypervisorKeys kListKeys{"vCPUs", "Memory MB", "Memory MB Used", "", "State", ""};
  static constexpr HypervisorKeys kShowKeys{"vcpus",    "memory_mb", "memory_mb_used",
                                            "local_gb", "state",     "service_host"};

  bool add_record(const JsonObject& r) {
    const auto has = [&](std::string_view key) { return r.find(key).has_value(); };
    if (has("Hypervisor Hostname")) {
      lists_.push_back(r);
    } else if (has("hypervisor_hostname")) {
      shows_.push_back(r);
    } else if (has("RAM") && has("VCPUs")) {
      flavors_by_name_.insert_or_assign(text_of(r, "Name"), r);
      flavors_by_id_.insert_or_assign(text_of(r, "ID"), r);
    } else if (has("Members")) {
      add_group(r);
    } else if (has("Hosts")) {
      for (const std::string& host : texts_of(r, "Hosts")) aggregates_[host].insert(text_of(r, "Name"));
    } else if (has("Attached to")) {
      volumes_.push_back(r);
    } else if (has("Power State") || has("Flavor")) {
      servers_.push_back(r);
    } else if (has("resource_class")) {
      add_inventory(r);
    } else if (has("Binary")) {
      if (text_of(r, "Binary") == "nova-compute" && text_of(r, "Status") == "disabled") {
        disabled_.insert(text_of(r, "Host"));
      }
    } else {
      return false;
    }
    return true;
  }

  void add_group(const JsonObject& r) {
    std::string policy = text_of(r, "Policy");
    if (policy.empty() && !texts_of(r, "Policies").empty()) policy = texts_of(r, "Policies").front();
    const bool is_apart = policy.ends_with("anti-affinity"), is_wish = policy.starts_with("soft-");
    const std::string tag = fmt::format("openstack:{}{}:{}:{}", is_wish ? "soft-" : "", is_apart ? "apart" : "together",
                                        text_of(r, "Name"), text_of(r, "ID").substr(0, 8));
    for (const std::string& member : texts_of(r, "Members")) tags_[member].push_back(tag);
    if (is_apart && !is_wish) {
      inventory_.exclusion_prefixes.insert("openstack:apart");
    } else {
      inventory_.rules[tag] = {
          .kind = is_apart ? PlatformRule::Kind::Apart : PlatformRule::Kind::Together, .is_wish = is_wish, .hosts = {}};
    }
  }

  void add_inventory(const JsonObject& r) {
    const std::string kind = text_of(r, "resource_class");
    if (kind == "VCPU") {
      const double ratio = parse_double(text_of(r, "allocation_ratio"), "allocation_ratio");
      if (ratio > 0.0 && ratio < 1e6) inventory_.cpu_ratio = std::min(ratio, inventory_.cpu_ratio.value_or(ratio));
    } else if (kind == "MEMORY_MB") {
      const std::int64_t reserved = std::min(amount_of(r, "reserved").value_or(0), kMostMib);
      reserved_ = std::max(reserved, reserved_.value_or(reserved));
      const std::string ratio = text_of(r, "allocation_ratio");
      if (!ratio.empty() && parse_double(ratio, "allocation_ratio") != 1.0) {
        inventory_.notes.add(
            fmt::format("The ratio of memory is left out: hosts count with the memory that they have, not {} "
                        "times as much",
                        ratio));
      }
    }
  }

  void add_hypervisor(const JsonObject& r, std::string_view name_key, const HypervisorKeys& keys) {
    if (text_of(r, "Hypervisor Type") == "ironic" || text_of(r, "hypervisor_type") == "ironic") return;
    HypervisorFacts& h = hypervisors_[text_of(r, name_key)];
    const auto take = [&](std::optional<std::int64_t>& value, std::string_view key) {
      const auto amount = amount_of(r, key);
      if (amount) value = std::min(*amount, kMostMib);
    };
    take(h.cpus, keys.cpus);
    take(h.memory, keys.memory);
    take(h.used_memory, keys.used_memory);
    if (const auto disk = amount_of(r, keys.disk)) h.disk = mib_of_gib(disk);
    if (const std::string service = text_of(r, keys.service); !service.empty()) h.service = service;
    h.is_down |= text_of(r, keys.state) == "down";
    h.is_disabled |= text_of(r, "status") == "disabled";
  }

  void add_volume(const JsonObject& r) {
    if (!ids_.insert(text_of(r, "ID")).second) return;
    for (const std::string& server : servers_with(r)) {
      std::int64_t& size = volume_sizes_[server];
      size = std::min(size + mib_of_gib(amount_of(r, "Size")), kMostMib);
    }
  }

  // Returns the servers that a volume is attached to. Older clients print "Attached to SERVER on /dev/vda".
  static std::vector<std::string> servers_with(const JsonObject& volume) {
    std::vector<std::string> servers;
    for (const JsonObject& attachment : objects_of(volume, "Attached to")) {
      servers.push_back(text_of(attachment, "server_id"));
    }
    const std::vector<std::string> words = split(text_of(volume, "Attached to"), ' ');
    for (std::size_t i = 0; i + 3 < words.size(); ++i) {
      if (words[i] == "Attached" && words[i + 1] == "to" && words[i + 3] == "on") servers.push_back(words[i + 2]);
    }
    return servers;
  }

  // Returns the flavor of a server: by id, by name, or what newer servers say themselves.
  std::optional<JsonObject> flavor_of(const JsonObject& r) const {
    const auto find = [&](const std::map<std::string, JsonObject>& flavors,
                          std::string_view key) -> std::optional<JsonObject> {
      const auto flavor = flavors.find(text_of(r, key));
      if (flavor == flavors.end()) return std::nullopt;
      return flavor->second;
    };
    if (const auto flavor = find(flavors_by_id_, "Flavor ID")) return flavor;
    if (const auto flavor = find(flavors_by_name_, "Flavor Name")) return flavor;
    if (const auto flavor = find(flavors_by_name_, "Flavor")) return flavor;
    if (const auto flavor = find(flavors_by_id_, "Flavor")) return flavor;
    return object_of(r, "Flavor");
  }

  // True if the server holds memory on its host: by its status or, if that does not say so, by its power state. A
  // server that is paused or suspended may be resumed there.
  static bool runs(const JsonObject& r, const std::string& status) {
    static const std::set<std::string> kRunning{"ACTIVE", "PAUSED",    "SUSPENDED",   "VERIFY_RESIZE",
                                                "REBOOT", "MIGRATING", "HARD_REBOOT", "RESIZE"};
    static const std::set<std::string> kStopped{"SHUTOFF", "SHELVED", "SHELVED_OFFLOADED", "DELETED", "SOFT_DELETED"};
    static const std::set<std::string> kPowered{"1", "3", "Running", "Paused"};
    return kRunning.contains(status) || (!kStopped.contains(status) && kPowered.contains(text_of(r, "Power State")));
  }

  // Returns the hypervisor that is meant by the host of a server, which some clients name as its service: without the
  // domain. Returns the name itself if no hypervisor is meant, or several are.
  const std::string& hypervisor_of(const std::string& host) const {
    if (hypervisors_.contains(host)) return host;
    const std::string* meant = nullptr;
    for (const auto& [name, facts] : hypervisors_) {
      if (facts.service != host && short_name(name) != host && name != short_name(host)) continue;
      if (meant != nullptr) return host;
      meant = &name;
    }
    return meant != nullptr ? *meant : host;
  }

  void add_server(const JsonObject& r) {
    PlatformGuest guest;
    guest.id = text_of(r, "ID");
    if (!ids_.insert(guest.id).second) return;
    guest.name = text_of(r, "Name");
    guest.host = hypervisor_of(text_of(r, "Host"));
    const std::string status = text_of(r, "Status");
    guest.running = runs(r, status);
    if (status == "VERIFY_RESIZE") {
      inventory_.notes.add("Being resized: on two hosts until that is confirmed; counted on one", guest.name);
    }
    if (status != "ACTIVE" && status != "PAUSED" && status != "SHUTOFF") {
      inventory_.notes.add(fmt::format("In status {}, in which servers cannot move", status), guest.name);
      guest.pinned = true;
    }
    const auto flavor = flavor_of(r);
    if (!flavor) {
      inventory_.notes.add("Left out, because their flavor is not in the export", guest.name);
      has_unknown_guests_.insert(guest.host);
      return;
    }
    const auto amount = [&](std::string_view key, std::string_view other) {
      const auto value = amount_of(*flavor, key);
      return std::min((value ? value : amount_of(*flavor, other)).value_or(0), kMostMib);
    };
    guest.memory = amount("RAM", "ram");
    guest.cpus = amount("VCPUs", "vcpus");
    std::int64_t local = mib_of_gib(amount("Ephemeral", "ephemeral")) + amount("Swap", "swap");
    if (!text_of(r, "Image Name").starts_with("N/A")) local += mib_of_gib(amount("Disk", "disk"));
    const auto mapped = map_.shared_storage.find("ephemeral");
    const bool is_shared = mapped != map_.shared_storage.end() && mapped->second;
    (is_shared ? guest.shared_disk : guest.local_disk) = local;
    if (local > 0 && !is_shared) {
      inventory_.notes.add("Disks of images are taken to be local to the host (shared ephemeral in --map)");
    }
    const auto volumes = volume_sizes_.find(guest.id);
    if (volumes != volume_sizes_.end()) {
      guest.shared_disk += volumes->second;
    } else if (text_of(r, "Image Name").starts_with("N/A")) {
      inventory_.notes.add("Booted from a volume that the export does not list; it counts as 0", guest.name);
    }
    pin_by_flavor(*flavor, guest);
    guest.tags = tags_[guest.id];
    guest.tags.push_back("openstack:server:" + escaped_for_tag(guest.id));
    if (const std::string project = text_of(r, "Project ID"); !project.empty()) {
      guest.tags.push_back("openstack:project:" + project);
    }
    flavor_memory_[guest.host] += guest.memory;
    inventory_.guests.push_back(std::move(guest));
  }

  void pin_by_flavor(const JsonObject& flavor, PlatformGuest& guest) {
    for (const auto& [key, value] : properties_of(flavor)) {
      if (key.starts_with("pci_passthrough") || key.starts_with("resources:VGPU")) {
        inventory_.notes.add("Devices of the host are passed through; these servers cannot move", guest.name);
        guest.pinned = true;
      } else if (key == "hw:cpu_policy" && value == "dedicated") {
        inventory_.notes.add("Dedicated cpus: these servers move only where such cpus are free", guest.name);
      }
    }
  }

  // Returns the properties of a flavor. Older clients print "KEY='VALUE', KEY='VALUE'".
  static std::map<std::string, std::string> properties_of(const JsonObject& flavor) {
    std::map<std::string, std::string> properties;
    if (const auto object = object_of(flavor, "Properties")) {
      for (const JsonMember property : *object) properties[std::string(property.key)] = property.value.text();
      return properties;
    }
    const std::string text = text_of(flavor, "Properties");
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t sign = text.find("='", at),
                        end = sign == std::string::npos ? std::string::npos : text.find('\'', sign + 2);
      if (end == std::string::npos) break;
      properties[text.substr(at, sign - at)] = text.substr(sign + 2, end - sign - 2);
      at = text.find_first_not_of(", ", end + 1);
    }
    return properties;
  }

  void add_host(const std::string& name, const HypervisorFacts& h) {
    PlatformHost host;
    inventory_.storages.insert("ephemeral");
    host.name = name;
    host.memory = h.memory;
    host.cpus = h.cpus;
    const std::string service = h.service.empty() ? short_name(name) : h.service;
    if (h.service.empty()) inventory_.notes.add("Hosts of services are taken to have the names without the domain");
    host.tags.push_back("openstack:service-host:" + escaped_for_tag(service));
    host.offline = h.is_down || h.is_disabled || disabled_.contains(service);
    if (host.offline) host.tags.emplace_back(h.is_down ? kHostDownTag : kMaintenanceTag);
    const auto mapped = map_.shared_storage.find("ephemeral");
    if (mapped == map_.shared_storage.end() || !mapped->second) host.disk = h.disk.value_or(0);
    // What servers use that are left out stays in use.
    const std::int64_t used_by_others = std::max<std::int64_t>(0, h.used_memory.value_or(0) - flavor_memory_[name]);
    if (reserved_) {
      host.reserved_memory = has_unknown_guests_.contains(name) ? std::max(*reserved_, used_by_others) : *reserved_;
      inventory_.notes.add("The most that an inventory reserves of memory counts for all hosts (--node-memory=SIZE)");
    } else if (h.used_memory) {
      host.reserved_memory = used_by_others;
    }
    const auto& aggregates = aggregates_[service];
    if (!aggregates.empty()) {
      host.group = *aggregates.begin();
      inventory_.notes.add(
          "Host aggregates are taken as node groups, the first of several by name (group HOST GROUP "
          "in --map)");
    }
    inventory_.hosts.push_back(std::move(host));
  }

  const PlatformMap& map_;
  Inventory inventory_;
  std::list<JsonDocument> documents_;  // stay where they are, because values point to them
  std::vector<JsonObject> lists_, shows_, volumes_, servers_;
  std::map<std::string, JsonObject> flavors_by_name_, flavors_by_id_;
  std::map<std::string, HypervisorFacts> hypervisors_;       // by name
  std::map<std::string, std::set<std::string>> aggregates_;  // by service host
  std::map<std::string, std::vector<std::string>> tags_;     // by server
  std::map<std::string, std::int64_t> volume_sizes_;         // by server, in MiB
  std::map<std::string, std::int64_t> flavor_memory_;        // by hypervisor
  std::set<std::string> ids_;                                // of volumes and servers: lists may overlap
  std::set<std::string> has_unknown_guests_;                 // hypervisors
  std::set<std::string> disabled_;                           // service hosts
  std::optional<std::int64_t> reserved_;                     // the most that any inventory says
};

}  // namespace

Inventory read_openstack(const std::vector<ExportFile>& files, const PlatformMap& map) {
  OpenstackReader reader(map);
  for_each_file(files, [&](const ExportFile& file) { reader.add(file); });
  return reader.make();
}

}  // namespace htools
