// Reads what virsh prints on each host. The folder of a file is the name of its host.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "cluster/tags.h"
#include "htools/errors.h"
#include "platforms/json_values.h"
#include "platforms/readers.h"
#include "platforms/xml.h"

namespace htools {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

// Returns the text without blank lines, a declaration and comments at its beginning.
std::string_view without_prolog(std::string_view text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    const std::string_view end = text.starts_with("<!--") ? "-->" : text.starts_with("<?") ? "?>" : "";
    const std::size_t at = end.empty() ? std::string_view::npos : text.find(end);
    if (at == std::string_view::npos) return text;
    text.remove_prefix(at + end.size());
  }
}

// The fields of a domain ("state.state" and so on).
using DomainFields = std::map<std::string, std::string>;

// A storage pool; hosts have the same ones as a rule.
struct StoragePool {
  std::string type;
  std::string path;
};
using StoragePools = std::map<std::string, StoragePool>;  // by name

// What the files of one host say.
struct HostFiles {
  std::optional<std::int64_t> cpus, memory_kib;
  std::map<std::string, DomainFields> domains;
  std::map<std::string, std::string> uuids;  // by domain, as far as they are known
  std::set<std::string> passed_through;      // domains that have devices of the host
  std::map<std::string, std::int64_t> pool_bytes;
  StoragePools pools;
  std::map<std::string, std::set<std::string>> removable;  // by domain: the names of its cdroms and floppies
};

// Collects what all files say, and makes the inventory of it.
class LibvirtReader {
 public:
  explicit LibvirtReader(const PlatformMap& map) : map_(map) {}

  void add(const ExportFile& file) {
    HostFiles& host = hosts_[file.directory];
    const std::string_view text = without_prolog(file.content);
    if (text.starts_with("<pool")) {
      add_pools(XmlDocument(text, file.path), host);
    } else if (text.starts_with("<domain ") || text.starts_with("<domain>")) {
      add_domain_xml(XmlDocument(text, file.path), host);
    } else if (text.find("CPU(s):") != std::string_view::npos) {
      add_node_info(file, host);
    } else if (text.find("Domain: '") != std::string_view::npos) {
      add_domains(file, host);
    } else if (text.find("Capacity:") != std::string_view::npos) {
      add_pool_sizes(file, host);
    } else if (text.find_first_not_of('\n') != std::string_view::npos && !is_unneeded(text)) {
      note_unknown_file(inventory_, file);
    }
  }

  Inventory make() {
    keep_one_of_each_domain();
    for (const auto& [name, files] : hosts_) {
      if (!files.cpus && files.domains.empty()) continue;
      PlatformHost host;
      host.name = name;
      host.cpus = files.cpus;
      if (files.memory_kib) host.memory = std::min(*files.memory_kib >> 10, kMostMib);
      for (const auto& [pool, bytes] : files.pool_bytes) {
        inventory_.storages.insert(pool);
        if (is_shared(pool, files)) continue;
        host.disk = std::min(host.disk + mib_of_bytes(bytes), kMostMib);
        inventory_.notes.add("Pools taken to be local to each host (shared STORAGE in --map says otherwise)", pool);
      }
      for (const auto& [domain, fields] : files.domains) host.disk += add_guest(name, domain, fields, files);
      host.disk = std::min(host.disk, kMostMib);
      inventory_.hosts.push_back(std::move(host));
    }
    return std::move(inventory_);
  }

 private:
  // True if the file is known, but says nothing that the others do not say: lists of disks and pools, capabilities.
  static bool is_unneeded(std::string_view text) {
    return text.starts_with("<capabilities") || text.starts_with("total") ||
           text.find("Autostart") != std::string_view::npos ||
           (text.find("Target") != std::string_view::npos && text.find("Source") != std::string_view::npos);
  }

  // Calls `take(label, value)` for each line "LABEL: VALUE" or "LABEL=VALUE".
  template <class Take>
  static void for_each_field(const ExportFile& file, char separator, Take take) {
    std::size_t number = 0;
    for (const std::string& line : split(file.content, '\n')) {
      ++number;
      const std::size_t at = line.find(separator);
      if (at == std::string::npos) continue;
      try {
        take(std::string(trimmed(std::string_view(line).substr(0, at))),
             std::string(trimmed(std::string_view(line).substr(at + 1))));
      } catch (const InputError& error) {
        throw error.at(fmt::format("{}, line {}", file.path, number));
      }
    }
  }

  static void add_node_info(const ExportFile& file, HostFiles& host) {
    for_each_field(file, ':', [&](const std::string& label, const std::string& value) {
      if (label == "CPU(s)") host.cpus = std::min(amount_in(value), kMostMib);
      if (label == "Memory size") host.memory_kib = amount_in(value.substr(0, value.find(' ')));
    });
  }

  static void add_pool_sizes(const ExportFile& file, HostFiles& host) {
    std::string pool;
    for_each_field(file, ':', [&](const std::string& label, const std::string& value) {
      if (label == "Name") pool = value;
      if (label != "Capacity") return;
      if (value.find(' ') != std::string::npos) {
        throw InputError(ErrorCode::InvalidValue, fmt::format("{} is a rounded size", quote(value)), {},
                         "Use virsh pool-info --bytes.");
      }
      host.pool_bytes[pool] = amount_in(value);
    });
  }

  static void add_domains(const ExportFile& file, HostFiles& host) {
    DomainFields* fields = nullptr;
    for (const std::string& line : split(file.content, '\n')) {
      const std::string_view text = trimmed(line);
      if (text.starts_with("Domain: '")) {
        const std::string_view name = text.substr(9);
        fields = &host.domains[std::string(name.substr(0, name.rfind('\'')))];
      } else if (const std::size_t at = text.find('='); fields != nullptr && at != std::string_view::npos) {
        fields->insert_or_assign(std::string(text.substr(0, at)), std::string(text.substr(at + 1)));
      }
    }
  }

  void add_pools(const XmlDocument& document, HostFiles& host) {
    for (const std::string& name : document.texts("/pool/name")) {
      if (name.find('\'') != std::string::npos) continue;
      const std::string pool = "/pool[name='" + name + "']/";
      inventory_.storages.insert(name);
      const StoragePool found{.type = document.text(pool + "@type"), .path = document.text(pool + "target/path")};
      host.pools[name] = found;
      pools_.emplace(name, found);
    }
  }

  void add_domain_xml(const XmlDocument& document, HostFiles& host) {
    const std::string name = document.text("/domain/name");
    if (const std::string uuid = document.text("/domain/uuid"); !uuid.empty()) host.uuids[name] = uuid;
    if (!document.texts("/domain/devices/hostdev/@type").empty()) {
      host.passed_through.insert(name);
    }
    for (const std::string_view device : {"cdrom", "floppy"}) {
      const auto names = document.texts(fmt::format("/domain/devices/disk[@device='{}']/target/@dev", device));
      host.removable[name].insert(names.begin(), names.end());
    }
    if (!document.texts("/domain/devices/disk/backingStore/source/@file").empty()) {
      inventory_.notes.add("Disks with a backing file count with their full size", name);
    }
  }

  // Returns the pools that a host has: those that it describes itself, and those of the others.
  StoragePools pools_of(const HostFiles& host) const {
    StoragePools pools = host.pools;
    pools.insert(pools_.begin(), pools_.end());
    return pools;
  }

  bool is_shared(const std::string& pool, const HostFiles& host) const {
    const auto mapped = map_.shared_storage.find(pool);
    if (mapped != map_.shared_storage.end()) return mapped->second;
    const StoragePools pools = pools_of(host);
    const auto found = pools.find(pool);
    if (found == pools.end()) return false;
    static const std::set<std::string> kSharedTypes{"netfs", "rbd", "gluster", "iscsi", "iscsi-direct", "sheepdog"};
    return kSharedTypes.contains(found->second.type);
  }

  // Where a disk is.
  enum class DiskPlace : std::uint8_t {
    Shared,      // all hosts reach it
    LocalPool,   // in a pool of the host
    OutsidePool  // a file or device of the host that is in no pool
  };

  // Returns where a disk at the path is, or one without a path: that is decided by the pool with the longest path that
  // the path begins with.
  DiskPlace place_of(const std::string& path, const HostFiles& host) const {
    if (path.empty()) return DiskPlace::Shared;  // only disks on the network have no path
    std::size_t longest = 0;
    bool shared = false;
    for (const auto& [name, pool] : pools_of(host)) {
      if (pool.path.size() > longest && path.starts_with(pool.path + "/")) {
        longest = pool.path.size();
        shared = is_shared(name, host);
      }
    }
    if (shared) return DiskPlace::Shared;
    return longest > 0 ? DiskPlace::LocalPool : DiskPlace::OutsidePool;
  }

  static bool runs(const DomainFields& fields) {
    const auto state = fields.find("state.state");
    return state != fields.end() && (state->second == "1" || state->second == "2" || state->second == "3" ||
                                     state->second == "4" || state->second == "7");
  }

  // True if domains of one name on two hosts may be one domain: their UUIDs do not differ.
  static bool may_be_one(const std::string& domain, const HostFiles& a, const HostFiles& b) {
    const auto of_a = a.uuids.find(domain), of_b = b.uuids.find(domain);
    return of_a == a.uuids.end() || of_b == b.uuids.end() || of_a->second == of_b->second;
  }

  // Drops what a migration has left behind: of the same domain on several hosts, one that runs stays, else the first.
  void keep_one_of_each_domain() {
    std::map<std::string, std::vector<std::string>> kept;  // by name of the domain: the hosts of those that stay
    for (const auto& [host, files] : hosts_) {
      for (const auto& [domain, fields] : files.domains) {
        std::vector<std::string>& hosts = kept[domain];
        const auto same = std::find_if(
            hosts.begin(), hosts.end(),
            [&, &name = domain, &here = files](const auto& other) { return may_be_one(name, here, hosts_.at(other)); });
        if (same == hosts.end()) {
          hosts.push_back(host);
        } else if (runs(fields) && !runs(hosts_.at(*same).domains.at(domain))) {
          *same = host;
        }
      }
    }
    for (auto& [host, files] : hosts_) {
      std::erase_if(files.domains, [&, &name = host](const auto& domain) {
        const std::vector<std::string>& hosts = kept.at(domain.first);
        if (std::find(hosts.begin(), hosts.end(), name) != hosts.end()) return false;
        if (runs(domain.second)) return false;  // another guest of the same name
        inventory_.notes.add("On several hosts; what does not run there is left out", domain.first);
        return true;
      });
    }
  }

  static std::int64_t field(const DomainFields& fields, const std::string& key) {
    const auto found = fields.find(key);
    return found == fields.end() ? 0 : amount_in(found->second);
  }

  // Adds the sizes of the disks, by whether all hosts reach them. If only some are local, tags say which: a migration
  // must not copy the others. Returns the size of those that are beside the pools of the host, in MiB.
  std::int64_t add_disks(PlatformGuest& guest, const DomainFields& fields, const HostFiles& files) {
    const auto found = files.removable.find(guest.name);
    const std::set<std::string> removable = found == files.removable.end() ? std::set<std::string>() : found->second;
    const std::int64_t count = std::min<std::int64_t>(field(fields, "block.count"), std::ssize(fields));
    std::vector<std::string> local_disks;
    std::set<std::string> names;
    std::int64_t beside_pools = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::string block = fmt::format("block.{}.", i);
      const auto name = fields.find(block + "name");
      if (name != fields.end() && removable.contains(name->second)) continue;
      if (name != fields.end() && !names.insert(name->second).second) continue;  // the image behind an overlay
      const auto path = fields.find(block + "path");
      const DiskPlace place = place_of(path == fields.end() ? std::string() : path->second, files);
      const bool shared = place == DiskPlace::Shared;
      if (!fields.contains(block + "capacity")) {
        inventory_.notes.add("The size of a disk is missing, as of domains that are off; taken as 0", guest.name);
      }
      const std::int64_t size = mib_of_bytes(field(fields, block + "capacity"));
      (shared ? guest.shared_disk : guest.local_disk) += size;
      if (place == DiskPlace::OutsidePool && !files.pool_bytes.empty()) {
        inventory_.notes.add("A disk is in no pool; taken to be local, beside the pools of its host", guest.name);
        beside_pools += size;
      }
      if (!shared && name != fields.end()) local_disks.push_back("libvirt:local-disk:" + escaped_for_tag(name->second));
    }
    if (guest.shared_disk > 0) guest.tags.insert(guest.tags.end(), local_disks.begin(), local_disks.end());
    return beside_pools;
  }

  // Returns the size of the disks that are beside the pools of the host, in MiB.
  std::int64_t add_guest(const std::string& host, const std::string& domain, const DomainFields& fields,
                         const HostFiles& files) {
    std::int64_t beside_pools = 0;
    PlatformGuest guest;
    guest.name = domain;
    guest.id = host;
    guest.host = host;
    try {
      guest.memory = std::min(field(fields, "balloon.maximum") >> 10, kMostMib);
      guest.cpus = std::min(field(fields, "vcpu.current"), kMostMib);
      guest.running = runs(fields);
      beside_pools = add_disks(guest, fields, files);
    } catch (const InputError& error) {
      throw error.annotated(fmt::format("domain {} of host {}: ", quote(domain), quote(host)));
    }
    if (files.passed_through.contains(domain)) {
      inventory_.notes.add("Devices of the host are passed through; these domains cannot move", domain);
      guest.pinned = true;
    }
    guest.tags.push_back("libvirt:domain:" + escaped_for_tag(domain));
    inventory_.guests.push_back(std::move(guest));
    return beside_pools;
  }

  const PlatformMap& map_;
  Inventory inventory_;
  std::map<std::string, HostFiles> hosts_;  // by name
  StoragePools pools_;                      // of all hosts; of several of one name, the first
};

}  // namespace

Inventory read_libvirt(const std::vector<ExportFile>& files, const PlatformMap& map) {
  LibvirtReader reader(map);
  for (const ExportFile& file : files) reader.add(file);
  return reader.make();
}

}  // namespace htools
