// Reads what `pvesh get` of Proxmox VE prints: /cluster/resources, the configurations of guests, and rules of HA.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
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

constexpr std::string_view kKeepApartPrefix = "proxmox:apart:";
// A tag of ProxLB: the guest is to be on this host; with several of them, on any of these.
constexpr std::string_view kPinTag = "plb_pin_";

bool is_digit_text(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Returns the number of the guest in the path of its configuration ("nodes/node01/qemu/101/config" with any
// separators), as the last number behind "qemu" or "lxc"; empty if there is none.
std::string guest_number(const std::string& path) {
  std::string number, word;
  bool is_next = false;
  for (const char c : path + "/") {
    const bool is_word = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (is_word) {
      word += c;
      continue;
    }
    if (is_next && is_digit_text(word)) number = word;
    is_next = word == "qemu" || word == "lxc";
    word.clear();
  }
  return number;
}

// Returns the size of "ceph-vm:vm-101-disk-0,size=40G" in MiB, rounded up; 0 if there is none. Throws InputError
// if it is something else than a size.
std::int64_t disk_size(std::string_view text) {
  const std::size_t at = text.find(",size=");
  if (at == std::string_view::npos) return 0;
  const std::string_view given = text.substr(at + 6, text.find(',', at + 6) - (at + 6));
  std::string_view number = given;
  constexpr std::string_view kUnits = "KMGT";
  const std::size_t unit = number.empty() ? std::string_view::npos : kUnits.find(number.back());
  if (unit != std::string_view::npos) number.remove_suffix(1);
  const int scale = unit == std::string_view::npos ? 0 : static_cast<int>(unit) + 1;
  double size = 0.0;
  try {
    size = number_in(number);
  } catch (const InputError&) {
    throw InputError(ErrorCode::InvalidValue, fmt::format("{} is not the size of a disk", quote(given)), {},
                     "Expected: a number from 0 to 2^62, perhaps with K, M, G or T.");
  }
  const double mib = std::ceil(std::ldexp(size, 10 * (scale - 2)));
  return static_cast<std::int64_t>(std::min(mib, static_cast<double>(kMostMib)));
}

// True if the key of a configuration is that of a disk of a virtual machine or a container.
bool is_disk_key(std::string_view key) {
  static constexpr std::array<std::string_view, 9> kKinds{"scsi",     "virtio", "sata", "ide",   "efidisk",
                                                          "tpmstate", "rootfs", "mp",   "unused"};
  const std::string_view kind = key.substr(0, key.find_first_of("0123456789"));
  return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end() && (kind != key || kind == "rootfs");
}

// Collects the objects of all files, and makes the inventory of them.
class ProxmoxReader {
 public:
  explicit ProxmoxReader(const PlatformMap& map) : map_(map) {}

  void add(const ExportFile& file) {
    const JsonDocument& document = documents_.emplace_back(file.content);
    const std::vector<JsonObject> records = records_of(document);
    const std::string number = guest_number(file.path);
    if (records.size() == 1 && !number.empty() && text_of(records[0], "type").empty()) {
      configs_.insert_or_assign(number, ExportRecord{records[0], file.path});
      return;
    }
    bool is_known = records.empty();
    for (const JsonObject& record : records) is_known |= add_record({record, file.path});
    if (!is_known) note_unknown_file(inventory_, file);
  }

  Inventory make() {
    keep_one_of_each_host();
    for_each(nodes_, [&](const JsonObject& record) { add_host(record); });
    for_each(storages_, [&](const JsonObject& record) { add_storage(record); });
    for_each(guests_, [&](const JsonObject& record) { add_guest(record); });
    inventory_.spreads_large_groups = true;
    for (auto& host : inventory_.hosts) host.disk = mib_of_bytes(local_disk_[host.name]);
    for (auto& host : inventory_.hosts) host.other_disk = other_disk_[host.name];
    return std::move(inventory_);
  }

 private:
  // Does the action for each record. Errors name the record and its file.
  template <class Action>
  static void for_each(const std::vector<ExportRecord>& records, Action action) {
    for (const ExportRecord& record : records) {
      try {
        action(record.object);
      } catch (const InputError& error) {
        throw error.annotated(fmt::format("record {}: ", quote(text_of(record.object, "id"))))
            .at(std::string(record.path));
      }
    }
  }

  bool add_record(const ExportRecord& found) {
    const JsonObject& record = found.object;
    const std::string type = text_of(record, "type");
    if (type == "node") {
      nodes_.push_back(found);
    } else if (type == "qemu" || type == "lxc") {
      guests_.push_back(found);
    } else if (type == "storage") {
      storages_.push_back(found);
    } else if (const std::string resource = text_of(record, "sid"); !resource.empty()) {
      managed_.insert_or_assign(resource, text_of(record, "group"));
    } else if (const std::string pool = text_of(record, "poolid"); !pool.empty()) {
      for (const JsonObject& member : objects_of(record, "members")) {
        if (const std::string guest = text_of(member, "vmid"); !guest.empty()) pools_.insert_or_assign(guest, pool);
      }
    } else if (!text_of(record, "rule").empty() || !text_of(record, "group").empty()) {
      add_rule(record);
    } else {
      return type == "pool" || type == "sdn" || type == "network";
    }
    return true;
  }

  // Takes a rule of HA (which guests stay apart or together, or on which hosts they run), or a group of HA.
  void add_rule(const JsonObject& record) {
    if (is_set(record, "disable")) return;
    const std::string name = text_of(record, "rule"), affinity = text_of(record, "affinity");
    if (name.empty()) {
      const std::string group = text_of(record, "group");
      group_tags_[group] =
          add_homes("proxmox:ha-group:" + group, text_of(record, "nodes"), is_set(record, "restricted"));
      return;
    }
    std::vector<std::string> tags;
    if (affinity == "negative") {
      tags.push_back(std::string(kKeepApartPrefix) + name);
      inventory_.exclusion_prefixes.emplace(kKeepApartPrefix);
    } else if (affinity == "positive") {
      tags.push_back("proxmox:together:" + name);
      inventory_.rules[tags.back()].kind = PlatformRule::Kind::Together;
    } else {
      tags = add_homes("proxmox:ha-rule:" + name, text_of(record, "nodes"), is_set(record, "strict"));
    }
    for (const std::string& resource : split(text_of(record, "resources"), ',')) {
      std::vector<std::string>& all = rule_tags_[resource];
      all.insert(all.end(), tags.begin(), tags.end());
    }
  }

  // Adds a rule for the hosts "n1:2,n2:1" with their priorities, and a wish for those of the highest one, unless all
  // have that. Returns the tags of the guests.
  std::vector<std::string> add_homes(const std::string& tag, const std::string& hosts, bool is_must) {
    std::map<std::int64_t, std::set<std::string>> of_priority;
    PlatformRule rule{.kind = PlatformRule::Kind::RunOn, .is_wish = !is_must, .hosts = {}};
    for (const std::string& word : split(hosts, ',')) {
      const std::size_t colon = std::min(word.find(':'), word.size());
      const std::string priority = word.substr(std::min(colon + 1, word.size()));
      of_priority[priority.empty() ? 0 : amount_in(priority)].insert(word.substr(0, colon));
      rule.hosts.insert(word.substr(0, colon));
    }
    if (rule.hosts.empty()) return {};
    inventory_.rules[tag] = rule;
    if (of_priority.size() == 1) return {tag};
    const std::string preferred = tag + ":preferred";
    inventory_.rules[preferred] = {
        .kind = PlatformRule::Kind::RunOn, .is_wish = true, .hosts = of_priority.rbegin()->second};
    return {tag, preferred};
  }

  // True if two records of a host give the same facts.
  static bool are_equal(const JsonObject& a, const JsonObject& b) {
    return amount_of(a, "maxcpu") == amount_of(b, "maxcpu") && amount_of(a, "maxmem") == amount_of(b, "maxmem") &&
           text_of(a, "status") == text_of(b, "status");
  }

  // Drops equal records of one host: /nodes lists the hosts that /cluster/resources has. Throws InputError if they
  // differ.
  void keep_one_of_each_host() {
    std::map<std::string, ExportRecord> known;  // by name
    std::erase_if(nodes_, [&](const ExportRecord& found) {
      const std::string name = text_of(found.object, "node");
      const auto [first, is_new] = known.emplace(name, found);
      if (is_new) return false;
      if (are_equal(first->second.object, found.object)) return true;
      throw InputError(ErrorCode::InvalidValue,
                       fmt::format("host {} is in two records that differ, of {} and {}", quote(name),
                                   first->second.path, found.path),
                       {}, "Give the newer file only, or keep the exports of several clusters apart.");
    });
  }

  void add_host(const JsonObject& record) {
    PlatformHost host;
    host.name = text_of(record, "node");
    host.cpus = amount_of(record, "maxcpu");
    if (const auto memory = amount_of(record, "maxmem")) host.memory = mib_of_bytes(*memory);
    const bool is_down = text_of(record, "status") != "online";
    host.offline = is_down || text_of(record, "hastate") == "maintenance";
    if (host.offline) host.tags.emplace_back(is_down ? kHostDownTag : kMaintenanceTag);
    inventory_.hosts.push_back(std::move(host));
  }

  void add_storage(const JsonObject& record) {
    const std::string name = text_of(record, "storage");
    const std::string content = text_of(record, "content");
    inventory_.storages.insert(name);
    const auto mapped = map_.shared_storage.find(name);
    const bool is_shared = mapped != map_.shared_storage.end() ? mapped->second : is_set(record, "shared");
    is_shared_[name] = is_shared;
    plugin_[name] = text_of(record, "plugintype");
    const std::string node = text_of(record, "node");
    at_[name].insert(node);
    if (content.find("images") == std::string::npos && content.find("rootdir") == std::string::npos) return;
    has_shared_storage_ |= is_shared;
    has_local_storage_ |= !is_shared;
    if (is_shared) return;
    inventory_.notes.add("Taken to be local to each host (shared STORAGE in --map says otherwise)", name);
    std::int64_t& disk = local_disk_[node];
    disk = std::min(disk + std::min(amount_of(record, "maxdisk").value_or(0), kMostMib << 20), kMostMib << 20);
  }

  bool is_local(const std::string& storage) const {
    const auto found = is_shared_.find(storage);
    return found != is_shared_.end() && !found->second;
  }

  // Adds a disk to the guest, by the storage that it is on.
  void add_disk(PlatformGuest& guest, const std::string& storage, std::int64_t mib) {
    if (!is_shared_.contains(storage) || !at_.at(storage).contains(guest.host)) {
      inventory_.notes.add(
          "Disks are on storage that their host does not list; taken as shared, and the guest as pinned", guest.name);
      guest.pinned = true;
    }
    (is_local(storage) ? guest.local_disk : guest.shared_disk) += mib;
    if (at_[storage].size() < nodes_.size()) {
      inventory_.notes.add(
          "Not on all hosts; guests with disks there can only move to hosts that have it (group HOST GROUP in --map "
          "keeps them among those)",
          storage);
    }
    if (is_local(storage)) return;
    const std::string& plugin = plugin_[storage];
    if (plugin == "rbd") guest.shared_template = DiskTemplate::Rbd;
    if (plugin == "nfs" || plugin == "cifs" || plugin == "cephfs") guest.shared_template = DiskTemplate::SharedFile;
  }

  void add_config(PlatformGuest& guest, const ExportRecord& config) {
    for (const JsonMember member : config.object) {
      const std::string value(member.value.text());
      const bool is_usb = member.key.starts_with("usb") && !value.starts_with("spice");
      if (member.key.starts_with("hostpci") || is_usb) {
        inventory_.notes.add("Devices of the host are passed through; these guests cannot move", guest.name);
        guest.pinned = true;
      }
      if (!is_disk_key(member.key) || value.starts_with("none")) continue;
      if (value.find("media=cdrom") != std::string::npos) {
        if (!is_local(value.substr(0, value.find(':')))) continue;
        if (value.find("cloudinit") != std::string::npos) {
          guest.tags.emplace_back("proxmox:local-cloud-init");  // the drive moves with the guest
        } else {
          inventory_.notes.add("An image in a cd drive is on local storage: eject it before a move", guest.name);
        }
        continue;
      }
      if (value.starts_with("/")) {
        inventory_.notes.add("A disk is a path of the host; these guests cannot move", guest.name);
        guest.pinned = true;
        continue;
      }
      const std::string storage = value.substr(0, value.find(':'));
      const std::string volume = value.substr(0, value.find(','));
      if (volume.find("base-") != std::string::npos && volume.find('/') != std::string::npos) {
        inventory_.notes.add("Linked clones count with their full size", guest.name);
        if (is_local(storage)) {
          inventory_.notes.add("Linked clones on local storage cannot move", guest.name);
          guest.pinned = true;
        }
      }
      if (value.find(",size=") == std::string::npos && !member.key.starts_with("unused")) {
        inventory_.notes.add("The size of a disk is missing; taken as 0", guest.name);
      }
      try {
        add_disk(guest, storage, disk_size(value));
      } catch (const InputError& error) {
        throw error.annotated(fmt::format("key '{}': ", member.key)).at(std::string(config.path));
      }
    }
  }

  void add_guest(const JsonObject& record) {
    const std::string type = text_of(record, "type");
    PlatformGuest guest;
    const std::string path = text_of(record, "id");
    guest.id = record.find("vmid") ? text_of(record, "vmid") : path.substr(path.find('/') + 1);
    if (!is_digit_text(guest.id)) {
      throw InputError(ErrorCode::InvalidValue, fmt::format("key 'vmid': {} is no number", quote(guest.id)));
    }
    guest.host = text_of(record, "node");
    guest.name = text_of(record, "name");
    if (guest.name.empty()) guest.name = (type == "lxc" ? "CT" : "VM ") + guest.id;
    guest.cpus = std::min(amount_of(record, "maxcpu").value_or(0), kMostMib);
    guest.memory = mib_of_bytes(amount_of(record, "maxmem").value_or(0));
    const std::string status = text_of(record, "status");
    guest.running = status == "running" || status == "paused";
    if (status == "unknown") {
      inventory_.notes.add("The state is unknown; taken as stopped", guest.name);
    }
    if (!text_of(record, "lock").empty()) {
      inventory_.notes.add("Locked (by a backup, for example); they can move when the lock is gone", guest.name);
    }
    const auto config = configs_.find(guest.id);
    if (config != configs_.end()) {
      add_config(guest, config->second);
    } else {
      const std::int64_t size = mib_of_bytes(amount_of(record, "maxdisk").value_or(0));
      const bool is_taken_as_local = has_local_storage_ && !has_shared_storage_;
      (is_taken_as_local ? guest.local_disk : guest.shared_disk) = size;
      inventory_.notes.add(fmt::format("No configuration was given; the boot disk alone counts, as {} "
                                       "(give nodes-NODE-qemu-VMID-config.json)",
                                       is_taken_as_local ? "local, because no storage is shared" : "shared"),
                           guest.name);
    }
    if (is_set(record, "template")) {
      inventory_.notes.add(
          guest.local_disk > 0 ? "Templates are left out; their local disks stay in use" : "Templates are left out",
          guest.name);
      other_disk_[guest.host] += guest.local_disk;
      return;
    }
    add_tags(record, type, guest);
    inventory_.guests.push_back(std::move(guest));
  }

  void add_tags(const JsonObject& record, const std::string& type, PlatformGuest& guest) {
    std::string tags = text_of(record, "tags");
    std::replace(tags.begin(), tags.end(), ',', ';');
    std::set<std::string> homes;
    for (const std::string& tag : split(tags, ';')) {
      guest.tags.push_back(tag);
      if (tag.starts_with("plb_anti_affinity_")) inventory_.exclusion_prefixes.insert("plb_anti_affinity_");
      if (tag.starts_with("plb_affinity_")) inventory_.rules[tag].kind = PlatformRule::Kind::Together;
      if (tag.starts_with(kPinTag)) homes.insert(tag.substr(kPinTag.size()));
      guest.pinned |= tag.starts_with("plb_ignore");
    }
    if (!homes.empty()) {
      guest.tags.push_back("proxlb:pin:" + join({homes.begin(), homes.end()}, "+"));
      inventory_.rules[guest.tags.back()] = {.kind = PlatformRule::Kind::RunOn, .is_wish = false, .hosts = homes};
    }
    guest.tags.push_back(fmt::format("proxmox:{}:{}", type, guest.id));
    const std::string resource = (type == "lxc" ? "ct:" : "vm:") + guest.id;
    std::string pool = text_of(record, "pool");
    if (const auto found = pools_.find(guest.id); pool.empty() && found != pools_.end()) pool = found->second;
    if (!pool.empty()) guest.tags.push_back("proxmox:pool:" + pool);
    const auto managed = managed_.find(resource);
    if (managed != managed_.end() || !text_of(record, "hastate").empty()) guest.tags.push_back("proxmox:ha");
    const auto add_found = [&](const std::map<std::string, std::vector<std::string>>& tags_of, const std::string& key) {
      const auto found = tags_of.find(key);
      if (found == tags_of.end()) return;
      guest.tags.insert(guest.tags.end(), found->second.begin(), found->second.end());
    };
    add_found(rule_tags_, resource);
    if (managed != managed_.end()) add_found(group_tags_, managed->second);
    if (type == "lxc") inventory_.notes.add("Containers restart when they move", guest.name);
  }

  const PlatformMap& map_;
  Inventory inventory_;
  std::list<JsonDocument> documents_;  // stay where they are, because values point to them
  std::vector<ExportRecord> nodes_, guests_, storages_;
  std::map<std::string, ExportRecord> configs_;                 // by number
  std::map<std::string, std::vector<std::string>> rule_tags_;   // by resource ("vm:101")
  std::map<std::string, std::string> managed_;                  // by resource: its group of HA, which may be empty
  std::map<std::string, std::vector<std::string>> group_tags_;  // by group of HA
  std::map<std::string, std::string> pools_;                    // by number of the guest, as the files of pools have it
  std::map<std::string, bool> is_shared_;                       // by storage
  bool has_shared_storage_ = false, has_local_storage_ = false;  // for disks of guests
  std::map<std::string, std::string> plugin_;                    // by storage
  std::map<std::string, std::set<std::string>> at_;              // by storage: its hosts
  std::unordered_map<std::string, std::int64_t> local_disk_;     // by host, in bytes
  std::unordered_map<std::string, std::int64_t> other_disk_;     // by host, in MiB
};

}  // namespace

Inventory read_proxmox(const std::vector<ExportFile>& files, const PlatformMap& map) {
  ProxmoxReader reader(map);
  for_each_file(files, [&](const ExportFile& file) { reader.add(file); });
  return reader.make();
}

}  // namespace htools
