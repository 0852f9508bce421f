// Reads hosts.csv and vms.csv, which people write for clusters of any kind.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "cluster/disk_template.h"
#include "cluster/tags.h"
#include "htools/errors.h"
#include "platforms/readers.h"
#include "platforms/table.h"

namespace htools {
namespace {

// The units that a column of amounts may have in its name, and how many bytes they are.
struct ColumnUnit {
  std::string_view suffix;
  double bytes;
};
constexpr std::array kColumnUnits = std::to_array<ColumnUnit>({{"mib", 0x1p20},
                                                               {"gib", 0x1p30},
                                                               {"tib", 0x1p40},
                                                               {"kib", 0x1p10},
                                                               {"bytes", 1.0},
                                                               {"kb", 1e3},
                                                               {"mb", 1e6},
                                                               {"gb", 1e9},
                                                               {"tb", 1e12}});

// A table of hosts or guests, with the columns that have been used.
class Columns {
 public:
  explicit Columns(const Table& table) : table_(table) {}

  std::optional<std::size_t> find(std::initializer_list<std::string_view> names) {
    const auto column = table_.column(names);
    if (column) used_.insert(*column);
    return column;
  }
  std::size_t require(std::initializer_list<std::string_view> names) {
    if (const auto column = find(names)) return *column;
    throw InputError(ErrorCode::Syntax, fmt::format("there is no column {}", quote(*names.begin())),
                     table_.place(table_.size()), "himport(1) lists the columns.");
  }
  // Throws InputError unless there is a column of amounts `name`, with any unit.
  void require_amount(const std::string& name) {
    const auto has_unit = [&](const ColumnUnit& unit) { return find({name + std::string(unit.suffix)}).has_value(); };
    if (std::none_of(kColumnUnits.begin(), kColumnUnits.end(), has_unit) && !find({name})) require({name + "_mib"});
  }
  // Returns the amount of a row in MiB, from the column `name` with any unit.
  std::optional<std::int64_t> mib(std::size_t row, const std::string& name) {
    for (const ColumnUnit& unit : kColumnUnits) {
      const auto column = find({name + std::string(unit.suffix)});
      if (!column) continue;
      const auto value = unit.bytes > 0x1p20 ? table_.number(row, column) : table_.whole_number(row, column);
      if (!value) return std::nullopt;
      return static_cast<std::int64_t>(
          std::min(std::floor(*value * unit.bytes / 0x1p20), static_cast<double>(kMostMib)));
    }
    if (find({name})) {
      throw InputError(ErrorCode::Syntax, fmt::format("the column {} has no unit", quote(name)), table_.place(row),
                       fmt::format("Name it {0}_mib, {0}_gib, {0}_tib, {0}_bytes, {0}_mb, {0}_gb or {0}_tb.", name));
    }
    return std::nullopt;
  }
  void note_unused(Inventory& inventory) const {
    for (std::size_t i = 0; i < table_.headers().size(); ++i) {
      if (!used_.contains(i)) inventory.notes.add("Columns that are not used", table_.headers()[i]);
    }
  }

 private:
  const Table& table_;
  std::set<std::size_t> used_;
};

std::vector<std::string> tags_of(std::string text) {
  std::replace(text.begin(), text.end(), ' ', ';');
  return split(text, ';');
}

// Returns the number of cpus of the host or guest `name`, rounded down.
std::optional<std::int64_t> cpus_of(const Table& table, std::size_t row, std::size_t column, const std::string& name,
                                    Inventory& inventory) {
  const auto number = table.number(row, column);
  if (!number) return std::nullopt;
  if (*number != std::floor(*number)) inventory.notes.add("Fractions of cpus are rounded down", name);
  return static_cast<std::int64_t>(std::min(*number, static_cast<double>(kMostMib)));
}

InputError unknown_state(const std::string& text, const std::string& place, std::string_view expected) {
  return InputError(ErrorCode::InvalidValue, fmt::format("unknown state {}", quote(text)), place,
                    fmt::format("Expected: {}.", expected));
}

// True if the state of a guest, without blanks and capitals, means that it holds memory.
bool runs(const std::string& text, const std::string& place) {
  static const std::set<std::string> kRunning{"", "running", "poweredon", "on", "paused"};
  static const std::set<std::string> kStopped{"stopped", "poweredoff", "off", "shutoff", "down", "suspended"};
  const std::string state = plain_header(text);
  if (kRunning.contains(state)) return true;
  if (kStopped.contains(state)) return false;
  throw unknown_state(text, place, "running or stopped");
}

void add_hosts(const Table& table, Inventory& inventory) {
  Columns columns(table);
  const auto name = columns.require({"name", "host", "hostname", "servername", "node", "esxhost", "hypervisor"});
  const auto cpus = columns.require({"cpus", "cpu", "cores", "vcpus", "numcpu", "threads"});
  columns.require_amount("memory");
  const auto group = columns.find({"group", "cluster", "datacenter"});
  const auto state = columns.find({"state", "status", "powerstate"});
  const auto tags = columns.find({"tags"});
  for (std::size_t row = 0; row < table.size(); ++row) {
    PlatformHost host;
    host.name = table.field(row, name);
    host.group = table.field(row, group);
    host.cpus = cpus_of(table, row, cpus, host.name, inventory);
    host.memory = columns.mib(row, "memory");
    host.reserved_memory = columns.mib(row, "reservedmemory");
    host.disk = columns.mib(row, "disk").value_or(0);
    const std::string& text = table.field(row, state);
    const std::string plain_state = plain_header(text);
    host.offline = plain_state == "offline" || plain_state == "maintenance";
    if (!host.offline && !plain_state.empty() && plain_state != "online") {
      throw unknown_state(text, table.place(row), "online, offline or maintenance");
    }
    host.tags = tags_of(table.field(row, tags));
    if (plain_state == "maintenance") host.tags.emplace_back(kMaintenanceTag);
    inventory.hosts.push_back(std::move(host));
  }
  columns.note_unused(inventory);
}

// Sets where the disks of a guest are.
void set_storage(PlatformGuest& guest, const std::string& storage, std::int64_t disk, const std::string& place) {
  const bool is_shared = storage == "shared";
  (is_shared ? guest.shared_disk : guest.local_disk) = disk;
  if (is_shared || storage.empty() || storage == "local") return;
  if (storage == "mirrored") {
    guest.disk_template = DiskTemplate::Drbd;
  } else if (storage == "none") {
    guest.disk_template = DiskTemplate::Diskless;
  } else {
    try {
      guest.disk_template = parse_disk_template(storage);
    } catch (const InputError& error) {
      throw error.at(place).advised("Expected: local, shared, mirrored, none, or a disk template.");
    }
    if (!facts(*guest.disk_template).local_storage) std::swap(guest.local_disk, guest.shared_disk);
  }
}

// Only mirrored disks are on a second host.
void set_secondary(PlatformGuest& guest, const std::string& secondary, const std::string& place, Inventory& inventory) {
  if (guest.disk_template != DiskTemplate::Drbd) {
    if (!secondary.empty()) inventory.notes.add("Not mirrored, so their second host is left out", guest.name);
    return;
  }
  if (secondary.empty() || secondary == guest.host) {
    throw InputError(ErrorCode::InvalidValue, fmt::format("{} is mirrored, but not on a second host", guest.name),
                     place, "Put the other host into a column secondary.");
  }
  guest.secondary = secondary;
}

void add_guests(const Table& table, Inventory& inventory) {
  Columns columns(table);
  const auto name = columns.require({"name", "vm", "vmname", "servername"});
  const auto host = columns.require({"host", "node", "esxhost", "hypervisor"});
  const auto cpus = columns.require({"cpus", "cpu", "vcpus", "vcpu", "cores", "numcpu"});
  const auto storage = columns.find({"storage"}), secondary = columns.find({"secondary"});
  const auto state = columns.find({"state", "powerstate", "status"}), tags = columns.find({"tags"});
  bool has_disk = false;
  for (std::size_t row = 0; row < table.size(); ++row) {
    PlatformGuest guest;
    guest.id = table.field(row, host);
    guest.name = table.field(row, name);
    if (guest.name.empty()) throw InputError(ErrorCode::InvalidValue, "the name is missing", table.place(row));
    guest.host = table.field(row, host);
    const auto count = cpus_of(table, row, cpus, guest.name, inventory);
    if (!count) throw InputError(ErrorCode::InvalidValue, "the number of cpus is missing", table.place(row));
    guest.cpus = *count;
    const auto memory = columns.mib(row, "memory");
    if (!memory) {
      throw InputError(ErrorCode::InvalidValue, "the memory is missing", table.place(row), "Use a column memory_mib.");
    }
    guest.memory = *memory;
    const auto disk = columns.mib(row, "disk");
    has_disk = has_disk || disk;
    set_storage(guest, table.field(row, storage), disk.value_or(0), table.place(row));
    if (!disk && guest.disk_template != DiskTemplate::Diskless) {
      inventory.notes.add(
          "The size of their disks is missing; taken as 0, and plans move them as if their storage were shared",
          guest.name);
    }
    set_secondary(guest, table.field(row, secondary), table.place(row), inventory);
    guest.running = runs(table.field(row, state), table.place(row));
    guest.tags = tags_of(table.field(row, tags));
    for (const std::string& tag : guest.tags) {
      if (tag.starts_with("apart:")) inventory.exclusion_prefixes.insert("apart");
      guest.pinned |= tag == kPinnedTag;
    }
    inventory.guests.push_back(std::move(guest));
  }
  if (!storage && has_disk) inventory.notes.add("Disks are taken to be local, because there is no column storage");
  columns.note_unused(inventory);
}

}  // namespace

Inventory read_plain_csv(const std::vector<ExportFile>& files, const PlatformMap& /*map*/) {
  Inventory inventory;
  for (const ExportFile& file : files) {
    if (file.path.ends_with(".data")) {  // an earlier result of himport
      note_unknown_file(inventory, file);
      continue;
    }
    const Table table(file.content, file.path);
    const bool has_host = table.column({"host", "node", "esxhost", "hypervisor"}).has_value();
    const bool has_name = table.column({"name", "vm", "vmname", "servername"}).has_value();
    // Without a host, they are refused as guests.
    const bool has_more = table.column({"vm", "vmname", "storage", "secondary", "osname"}).has_value() ||
                          file.path.substr(file.path.find_last_of('/') + 1).starts_with("vms");
    if (has_name && (has_host || has_more)) {
      add_guests(table, inventory);
    } else {
      add_hosts(table, inventory);
    }
  }
  return inventory;
}

}  // namespace htools
