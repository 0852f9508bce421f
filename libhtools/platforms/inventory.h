// Defines what an export of another platform contains, in terms that all platforms have in common.
//
// Each reader of a platform fills an Inventory; make_cluster() (make_cluster.h) turns it into a cluster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "htools/disk_template.h"

namespace htools {

// The largest amount that an export may name, in MiB: 1 EiB. Sums of a billion such amounts stay in 64 bits.
inline constexpr std::int64_t kMostMib = std::int64_t{1} << 33;

// A host of the platform: a node. Amounts are in MiB.
struct PlatformHost {
  std::string name;
  std::string group;  // empty: the default group
  std::optional<std::int64_t> memory;
  std::optional<std::int64_t> reserved_memory;  // used by the host itself
  std::optional<std::int64_t> cpus;             // threads
  std::int64_t disk = 0;                        // local, for guests
  std::int64_t other_disk = 0;                  // local, used by what is not imported, such as templates
  bool offline = false;
  std::vector<std::string> tags;
};

// A guest of the platform: an instance. Amounts are in MiB.
struct PlatformGuest {
  std::string id;  // what the platform itself calls it; tells guests of one name apart
  std::string name;
  std::string host;
  std::string secondary;  // host of the mirror; empty if there is none
  std::int64_t memory = 0;
  std::int64_t cpus = 0;
  std::int64_t local_disk = 0;
  std::int64_t shared_disk = 0;
  DiskTemplate shared_template = DiskTemplate::Ext;  // what its shared storage is
  std::optional<DiskTemplate> disk_template;         // if the export itself says which
  bool running = true;
  bool pinned = false;  // cannot leave its host: plans leave it there
  std::vector<std::string> tags;
};

// A rule about the places of guests: of those that have the tag by which the inventory lists it.
struct PlatformRule {
  enum class Kind { RunOn, Apart, Together };
  Kind kind = Kind::RunOn;
  bool is_wish = false;         // a wish, which plans may miss, rather than a must
  std::set<std::string> hosts;  // RunOn: each guest runs on one of these
};

// The assumptions and remarks of an import: each sentence once, with the names that it is about.
class ImportNotes {
 public:
  void add(std::string_view sentence) { notes_[std::string(sentence)]; }
  void add(std::string_view sentence, std::string_view name) {
    notes_[std::string(sentence)].insert(std::string(name));
  }
  // Removes the names, and sentences that were only about them.
  void forget(const std::set<std::string>& names);
  // Returns "SENTENCE" or "SENTENCE: NAME, NAME and 3 more", in an order that does not depend on that of the export.
  std::vector<std::string> lines() const;

 private:
  std::map<std::string, std::set<std::string>> notes_;
};

// What the exports of a platform contain, in any order.
struct Inventory {
  std::vector<PlatformHost> hosts;
  std::vector<PlatformGuest> guests;
  std::set<std::string> storages;            // the names that PlatformMap::shared_storage may have
  std::set<std::string> exclusion_prefixes;  // guests that share a tag with this prefix stay apart
  // Guests that share an exclusion tag, but are more than there are hosts, are to be spread evenly.
  bool spreads_large_groups = false;
  std::map<std::string, PlatformRule> rules;  // by the tag of the guests
  std::optional<double> cpu_ratio;            // vcpus per cpu, if the platform says so
  ImportNotes notes;
};

// A file of an export.
struct ExportFile {
  std::string path;
  std::string directory;  // the last part of the path of its folder; libvirt has one for each host
  std::string content;
};

}  // namespace htools
