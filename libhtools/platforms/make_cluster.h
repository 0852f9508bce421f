// Turns the inventory of another platform into a cluster.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "platforms/inventory.h"

namespace htools {

// What the user says about hosts and storage, because exports do not.
struct PlatformMap {
  std::map<std::string, std::int64_t> reserved_memory;  // by host, in MiB
  std::map<std::string, std::string> groups;            // by host
  std::map<std::string, bool> shared_storage;           // by name of the storage: shared, or local
  std::set<std::string> left_out;                       // hosts

  // A host or storage that a statement names, and the line of the statement.
  struct Mention {
    std::string name, line;
  };
  std::vector<Mention> hosts, storages;
};

// Reads a map: one statement per line, `#` begins a comment. Throws InputError with the line. The statements are
//   reserve HOST SIZE      memory that the host needs for itself
//   group HOST GROUP       the node group of the host
//   shared STORAGE         a storage that all hosts reach
//   local STORAGE          a storage of a single host
//   leave-out HOST         a host that is not imported, nor its guests
PlatformMap read_platform_map(std::string_view text, std::string_view source);

// What the user says about the whole import.
struct ImportRules {
  std::optional<std::int64_t> node_memory;  // MiB that each host needs for itself; absent: as exported, else 4096
  std::optional<double> cpu_ratio;          // vcpus per cpu; absent: as exported, else 4
  bool keep_stopped = true;                 // import guests that are stopped
  PlatformMap map;
};

// Returns a cluster with facts only, sorted by names, whose amounts add up. Adds what it assumes to the notes of the
// inventory. Throws InputError if there are no hosts, or the map names hosts or storage that the export does not have.
Cluster make_cluster(Inventory& inventory, const ImportRules& rules);

}  // namespace htools
