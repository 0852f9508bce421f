// Reads the CSV files of RVTools, which lists what a VMware vCenter knows: the tabs vInfo, vHost, vDisk and vDatastore.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "cluster/tags.h"
#include "htools/errors.h"
#include "platforms/readers.h"
#include "platforms/table.h"

namespace htools {
namespace {

// Spreadsheets translate truth values when they save a table.
bool is_true(const Table& table, std::size_t row, std::optional<std::size_t> column) {
  static const std::set<std::string> kTrue{"true",      "yes",  "1",          "wahr", "vrai",
                                           "verdadero", "vero", "verdadeiro", "waar"};
  static const std::set<std::string> kFalse{"false", "no", "0", "falsch", "faux", "falso", "onwaar"};
  const std::string& text = table.field(row, column);
  const std::string plain = plain_header(text);
  if (kTrue.contains(plain)) return true;
  if (text.empty() || kFalse.contains(plain)) return false;
  throw InputError(ErrorCode::InvalidValue, fmt::format("{} is neither True nor False", quote(text)),
                   fmt::format("{}, column {}", table.place(row), quote(table.headers()[*column])));
}

std::optional<std::int64_t> known_whole(const Table& table, std::size_t row, std::optional<std::size_t> column) {
  const auto value = table.whole_number(row, column);
  if (!value) return std::nullopt;
  return static_cast<std::int64_t>(std::min(std::floor(*value), static_cast<double>(kMostMib)));
}

std::int64_t whole(const Table& table, std::size_t row, std::optional<std::size_t> column) {
  return known_whole(table, row, column).value_or(0);
}

// Returns the memory of a host in MiB. Tables with the names of database columns can have it in bytes.
std::optional<std::int64_t> host_memory(const Table& table, std::size_t row, std::optional<std::size_t> column) {
  constexpr double kMostOfHost = 1e8;
  const auto amount = table.whole_number(row, column);
  if (!amount || *amount <= kMostOfHost) return known_whole(table, row, column);
  return mib_of_bytes(static_cast<std::int64_t>(*amount));
}

// The disks of a guest, in MiB.
struct GuestDisks {
  std::int64_t local = 0;
  std::int64_t shared = 0;
  bool is_raw = false;  // one of them is a device (RDM)
};

// Collects the tables of all files, and makes the inventory of them.
class RvtoolsReader {
 public:
  explicit RvtoolsReader(const PlatformMap& map) : map_(map) {}

  void add(const ExportFile& file) {
    Table table(file.content, file.path, {"vInfo", "vHost", "vDisk", "vDatastore", "vCluster"});
    if (table.column({"Powerstate"}) && table.column({"CPUs"})) {
      infos_.push_back(std::move(table));
    } else if (table.column({"# Memory", "Memory size"})) {
      hosts_.push_back(std::move(table));
    } else if (table.column({"Disk Mode"}) && table.column({"VM", "VM Name"})) {
      disks_.push_back(std::move(table));
    } else if (table.column({"# Hosts"}) && table.column({"Capacity MiB", "Capacity MB"})) {
      datastores_.push_back(std::move(table));
    } else if (!table.column({"NumHosts"})) {
      note_unknown_file(inventory_, file);
    }
  }

  Inventory make() {
    for (const Table& table : hosts_) add_hosts(table);
    for (const Table& table : datastores_) add_datastores(table);
    for (const Table& table : disks_) add_disks(table);
    for (const Table& table : infos_) add_guests(table);
    tell_clusters_apart();
    for (PlatformHost& host : inventory_.hosts) {
      host.disk = local_disk_[host.name];
      host.other_disk = other_disk_[host.name];
    }
    keep_one_of_each_guest();
    return std::move(inventory_);
  }

 private:
  // Clusters of one name in several datacentres or vCenters are several groups: guests do not move between them.
  void tell_clusters_apart() {
    std::map<std::string, std::set<std::string>> datacentres, centres;  // by cluster
    for (const PlatformHost& host : inventory_.hosts) {
      datacentres[host.group].insert(datacentre_of_[host.name]);
      centres[host.group].insert(centre_of_host_[host.name]);
    }
    for (PlatformHost& host : inventory_.hosts) {
      std::string group = host.group;
      if (datacentres[host.group].size() > 1) group.insert(0, datacentre_of_[host.name] + ":");
      if (centres[host.group].size() > 1) group.insert(0, centre_of_host_[host.name].substr(0, 8) + ":");
      if (group != host.group) {
        inventory_.notes.add("Clusters of one name in several datacentres or vCenters are groups of their own", group);
      }
      host.group = std::move(group);
    }
  }

  // Drops guests that are listed twice; one that runs stays.
  void keep_one_of_each_guest() {
    auto& guests = inventory_.guests;
    std::sort(guests.begin(), guests.end(), [](const PlatformGuest& a, const PlatformGuest& b) {
      return std::tie(a.id, b.running, a.host, a.name, a.memory, a.cpus) <
             std::tie(b.id, a.running, b.host, b.name, b.memory, b.cpus);
    });
    const auto end = std::unique(guests.begin(), guests.end(), [&](const PlatformGuest& a, const PlatformGuest& b) {
      if (a.id == b.id) inventory_.notes.add("Listed twice; counted once", b.name);
      return a.id == b.id;
    });
    guests.erase(end, guests.end());
  }

  void add_hosts(const Table& table) {
    const auto name = table.column({"Host", "Name"}), cluster = table.column({"Cluster"});
    const auto cores = table.column({"# Cores", "Num CPU Cores"}), threads = table.column({"HT Active"});
    const auto memory = table.column({"# Memory", "Memory size"});
    const auto maintenance = table.column({"in Maintenance Mode"});
    const auto datacentre = table.column({"Datacenter"}), centre = table.column({"VI SDK UUID"});
    for (std::size_t row = 0; row < table.size(); ++row) {
      const auto [known, is_new] = centre_of_host_.emplace(table.field(row, name), table.field(row, centre));
      if (!is_new && known->second != table.field(row, centre)) {
        throw InputError(ErrorCode::InvalidValue, fmt::format("two vCenters have a host {}", quote(known->first)),
                         table.place(row), "Import the files of each vCenter by themselves.");
      }
      if (!is_new) continue;
      PlatformHost host;
      host.name = table.field(row, name);
      host.group = table.field(row, cluster);
      datacentre_of_[host.name] = table.field(row, datacentre);
      host.memory = host_memory(table, row, memory);
      host.cpus = known_whole(table, row, cores);
      if (host.cpus && is_true(table, row, threads)) *host.cpus *= 2;
      host.offline = is_true(table, row, maintenance);
      if (host.offline) host.tags.emplace_back(kMaintenanceTag);
      inventory_.notes.add("The cpus of a host are its threads: cores, times two with hyper-threading");
      inventory_.hosts.push_back(std::move(host));
    }
  }

  void add_datastores(const Table& table) {
    const auto name = table.column({"Name"}), count = table.column({"# Hosts"}), hosts = table.column({"Hosts"});
    const auto capacity = table.column({"Capacity MiB", "Capacity MB"});
    for (std::size_t row = 0; row < table.size(); ++row) {
      const std::string& store = table.field(row, name);
      inventory_.storages.insert(store);
      const auto mapped = map_.shared_storage.find(store);
      const bool is_local = mapped != map_.shared_storage.end() ? !mapped->second : whole(table, row, count) == 1;
      is_local_[store] |= is_local;
      if (!is_local || !datastore_keys_.insert(store + "\n" + table.field(row, hosts)).second) continue;
      inventory_.notes.add("Datastores of one host are taken to be local (shared STORAGE in --map says otherwise)",
                           store);
      local_disk_[table.field(row, hosts)] += whole(table, row, capacity);
    }
  }

  void add_disks(const Table& table) {
    const auto uuid = table.column({"VM UUID", "UUID"}), disk = table.column({"Disk Key", "Key", "Disk", "Name"}),
               vm = table.column({"VM", "VM Name"});
    const auto path = table.column({"Path", "Disk Path"}), raw = table.column({"Raw"});
    const auto capacity = table.column({"Capacity MiB", "Capacity MB"});
    for (std::size_t row = 0; row < table.size(); ++row) {
      const std::string& id = table.field(row, uuid).empty() ? table.field(row, vm) : table.field(row, uuid);
      if (!disk_keys_.insert(id + "\n" + table.field(row, disk)).second) continue;
      const std::string& place = table.field(row, path);
      const std::size_t end = place.find(']');
      const auto store =
          is_local_.find(place.starts_with('[') && end != std::string::npos ? place.substr(1, end - 1) : std::string());
      const bool is_local = store != is_local_.end() && store->second;
      GuestDisks& disks = disks_of_[id];
      (is_local ? disks.local : disks.shared) += whole(table, row, capacity);
      disks.is_raw |= is_true(table, row, raw);
      if (store == is_local_.end()) {
        inventory_.notes.add("Disks are on datastores that the export does not list; taken as shared",
                             table.field(row, vm));
      }
    }
  }

  void add_guests(const Table& table) {
    const auto name = table.column({"VM", "VM Name"}), uuid = table.column({"VM UUID", "UUID"});
    const auto power = table.column({"Powerstate"}), host = table.column({"Host"});
    const auto cpus = table.column({"CPUs"}), memory = table.column({"Memory"});
    const auto total = table.column({"Total disk capacity MiB", "Provisioned MiB", "Provisioned MB", "Provisioned"});
    const auto is_template = table.column({"Template"}), srm = table.column({"SRM Placeholder"});
    const auto state = table.column({"Connection state"}), rules = table.column({"Cluster rule name(s)"});
    for (std::size_t row = 0; row < table.size(); ++row) {
      PlatformGuest guest;
      guest.name = table.field(row, name);
      guest.id = table.field(row, uuid).empty() ? guest.name : table.field(row, uuid);
      guest.host = table.field(row, host);
      guest.cpus = whole(table, row, cpus);
      guest.memory = whole(table, row, memory);
      guest.running = table.field(row, power) == "poweredOn";
      set_disks(guest, whole(table, row, total));
      if (is_true(table, row, srm)) {
        inventory_.notes.add("Placeholders of Site Recovery Manager are left out", guest.name);
        continue;
      }
      if (is_true(table, row, is_template)) {
        inventory_.notes.add("Templates are left out; their local disks stay in use", guest.name);
        other_disk_[guest.host] += guest.local_disk;
        continue;
      }
      if (!table.field(row, state).empty() && table.field(row, state) != "connected") {
        inventory_.notes.add("Not connected; what is known of them may be old", guest.name);
      }
      if (guest.name.starts_with("vCLS")) guest.pinned = true;
      for (const std::string& rule : split(table.field(row, rules), ',')) guest.tags.push_back("vmware:rule:" + rule);
      inventory_.guests.push_back(std::move(guest));
    }
    inventory_.notes.add(
        "Rules of DRS are not in the export, or tags only; give guests that must not move to "
        "--exclude-instances");
  }

  void set_disks(PlatformGuest& guest, std::int64_t total) {
    const auto found = disks_of_.find(guest.id);
    if (found == disks_of_.end()) {
      guest.shared_disk = total;
      if (total > 0) inventory_.notes.add("Disks are not in the tab vDisk; taken as shared", guest.name);
      return;
    }
    guest.local_disk = found->second.local;
    guest.shared_disk = found->second.shared;
    if (found->second.is_raw) {
      inventory_.notes.add("Raw devices are mapped; these guests are pinned", guest.name);
      guest.pinned = true;
    }
  }

  const PlatformMap& map_;
  Inventory inventory_;
  std::vector<Table> infos_, hosts_, disks_, datastores_;
  std::set<std::string> disk_keys_, datastore_keys_;
  std::map<std::string, std::string> centre_of_host_, datacentre_of_;  // by host: its vCenter and datacentre
  std::map<std::string, bool> is_local_;                               // by datastore
  std::unordered_map<std::string, GuestDisks> disks_of_;               // by UUID of the guest
  std::map<std::string, std::int64_t> local_disk_, other_disk_;        // by host
};

}  // namespace

Inventory read_rvtools(const std::vector<ExportFile>& files, const PlatformMap& map) {
  RvtoolsReader reader(map);
  for (const ExportFile& file : files) reader.add(file);
  return reader.make();
}

}  // namespace htools
