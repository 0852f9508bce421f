#include "platforms/make_cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "base/strings.h"
#include "base/suggestions.h"
#include "cluster/disk_template.h"
#include "cluster/ratios.h"
#include "cluster/rule_tags.h"
#include "cluster/tags.h"
#include "formats/cluster_builder.h"
#include "htools/errors.h"
#include "platforms/guest_rules.h"

namespace htools {
namespace {

constexpr std::int64_t kDefaultNodeMemory = 4096;
constexpr std::string_view kDefaultGroup = "default";
constexpr std::size_t kMostNames = 10;  // that a sentence lists

TagList tag_list(const std::vector<std::string>& tags) {
  std::set<std::string> sorted;
  for (const std::string& tag : tags) {
    if (!tag.empty()) sorted.insert(plain_name(tag, true));
  }
  TagList list;
  for (const std::string& tag : sorted) list.push_back(tag);
  return list;
}

DiskTemplate template_of(const PlatformGuest& guest) {
  if (guest.disk_template) return *guest.disk_template;
  if (guest.local_disk > 0) return DiskTemplate::Plain;
  return guest.shared_disk > 0 ? guest.shared_template : DiskTemplate::Diskless;
}

std::int64_t disk_of(const PlatformGuest& guest) {
  return facts(template_of(guest)).local_storage ? guest.local_disk : guest.local_disk + guest.shared_disk;
}

// Makes a cluster of an inventory, part by part.
class ClusterOfInventory {
 public:
  ClusterOfInventory(Inventory& inventory, const ImportRules& rules) : inventory_(inventory), rules_(rules) {}

  Cluster make() {
    require_known_names();
    leave_out();
    choose_hosts();
    choose_guests();
    builder_.cluster().tags = apply_guest_rules(inventory_);
    add_groups();
    for (const PlatformHost& host : inventory_.hosts) add_node(host);
    for (const PlatformGuest& guest : inventory_.guests) add_instance(guest);
    set_policies();
    return std::move(builder_.cluster());
  }

 private:
  ImportNotes& notes() { return inventory_.notes; }

  // Throws InputError if the map names something that is not there.
  void require_known_names() {
    std::set<std::string> hosts;
    for (const PlatformHost& host : inventory_.hosts) hosts.insert(host.name);
    const auto require = [](const std::vector<PlatformMap::Mention>& mentions, const std::set<std::string>& known,
                            std::string_view what) {
      const std::vector<std::string_view> names(known.begin(), known.end());
      for (const PlatformMap::Mention& m : mentions) {
        if (known.contains(m.name)) continue;
        const std::string similar = did_you_mean(m.name, names);
        throw InputError(ErrorCode::UnknownName, fmt::format("the export has no {} {}", what, quote(m.name)), m.line,
                         !similar.empty() ? similar
                         : known.empty()  ? fmt::format("It names no {}.", what)
                                          : "It has: " + join_first({known.begin(), known.end()}, kMostNames) + ".");
      }
    };
    if (!hosts.empty()) require(rules_.map.hosts, hosts, "host");
    require(rules_.map.storages, inventory_.storages, "storage");
  }

  // Drops the hosts that the user does not want, and their guests. What the reader has said about these guests goes,
  // too.
  void leave_out() {
    std::set<std::string> gone, kept;
    std::erase_if(inventory_.hosts, [&](const PlatformHost& host) {
      const bool is_left_out = rules_.map.left_out.contains(host.name);
      (is_left_out ? gone : kept).insert(host.name);
      return is_left_out;
    });
    const std::set<std::string> hosts = gone;
    for (PlatformGuest& guest : inventory_.guests) {
      if (guest.name.empty()) guest.name = guest.id;
      (hosts.contains(guest.host) ? gone : kept).insert(guest.name);
    }
    for (const std::string& name : kept) gone.erase(name);
    notes().forget(gone);
    for (const std::string& name : hosts) notes().add("Hosts that are left out (leave-out HOST in --map)", name);
    std::erase_if(inventory_.guests, [&](const PlatformGuest& guest) {
      if (!hosts.contains(guest.host)) return false;
      notes().add("Left out, because their hosts are", guest.name);
      return true;
    });
  }

  void choose_hosts() {
    auto& hosts = inventory_.hosts;
    if (hosts.empty()) {
      throw InputError(ErrorCode::InvalidInput, "the export names no hosts", {},
                       "Give all files that himport(1) names for the platform.");
    }
    std::sort(hosts.begin(), hosts.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    std::unordered_map<std::string, std::string> names;  // in the cluster
    for (PlatformHost& host : hosts) {
      if (host.name.empty()) throw InputError(ErrorCode::InvalidValue, "a host of the export has no name");
      const auto group = rules_.map.groups.find(host.name);
      if (group != rules_.map.groups.end()) host.group = group->second;
      if (host.group.empty()) host.group = kDefaultGroup;
      if (!hosts_.emplace(host.name, &host).second) {
        throw InputError(ErrorCode::InvalidValue, fmt::format("the export has two hosts named {}", quote(host.name)),
                         {}, "Give each file once, and keep the exports of several clusters apart.");
      }
      const auto [other, is_new] = names.emplace(plain_name(host.name, false), host.name);
      if (!is_new) {
        throw InputError(ErrorCode::InvalidValue,
                         fmt::format("the hosts {} and {} would have one name, because cluster files separate fields "
                                     "with |",
                                     quote(other->second), quote(host.name)),
                         {}, "Rename one of them in the export, or leave it out (leave-out HOST in --map).");
      }
    }
  }

  // Drops the guests that have no place, gives the others unique names, and adds up what they use.
  void choose_guests() {
    auto& guests = inventory_.guests;
    for (PlatformGuest& guest : guests) forget_lost_mirror(guest);
    std::erase_if(guests, [&](const PlatformGuest& guest) { return !is_wanted(guest); });
    std::sort(guests.begin(), guests.end(), [](const auto& a, const auto& b) {
      const auto key = [](const PlatformGuest& g) {
        return std::tie(g.name, g.id, g.host, g.secondary, g.memory, g.cpus, g.local_disk, g.shared_disk,
                        g.shared_template, g.disk_template, g.running, g.pinned, g.tags);
      };
      return key(a) < key(b);
    });
    std::unordered_map<std::string, int> counts;
    for (PlatformGuest& guest : guests) ++counts[guest.name = plain_name(guest.name, false)];
    std::set<std::string> names;
    for (PlatformGuest& guest : guests) {
      if (counts[guest.name] > 1) {
        notes().add("Several guests have one name; their ids are appended", guest.name);
        guest.name += "-" + plain_name(guest.id, false);
      }
      while (!names.insert(guest.name).second) guest.name += "-2";
      if (guest.running) used_memory_[guest.host] += guest.memory;
      for_each_local_copy(guest, [&](const std::string& host) { used_disk_[host] += guest.local_disk; });
    }
  }

  // Calls `take(host)` for each host that has the guest's local disks.
  template <class Take>
  static void for_each_local_copy(const PlatformGuest& guest, Take take) {
    if (!facts(template_of(guest)).local_storage) return;
    take(guest.host);
    if (!guest.secondary.empty()) take(guest.secondary);
  }

  // A mirror on a host that is not imported cannot be shown; what the guest uses on its own host must be.
  void forget_lost_mirror(PlatformGuest& guest) {
    if (guest.secondary.empty() || hosts_.contains(guest.secondary)) return;
    notes().add("Mirrored to hosts that are not imported; they count as on local disks", guest.name);
    guest.secondary.clear();
    guest.disk_template = DiskTemplate::Plain;
  }

  bool is_wanted(const PlatformGuest& guest) {
    if (!hosts_.contains(guest.host)) {
      notes().add("Left out, because they are on no host of the export", guest.name);
      return false;
    }
    if (guest.running) return true;
    if (!rules_.keep_stopped) {
      for_each_local_copy(guest, [&](const std::string& host) { hosts_.at(host)->other_disk += guest.local_disk; });
      notes().add("Left out, because they are stopped (--stopped=drop)", guest.name);
      return false;
    }
    notes().add("Stopped guests are ADMIN_down: no memory is kept for them (--stopped=drop leaves them out)",
                guest.name);
    return true;
  }

  void add_groups() {
    std::set<std::string> names;
    for (const PlatformHost& host : inventory_.hosts) names.insert(plain_name(host.group, true));
    for (const std::string& name : names) {
      Group group;
      group.name = name;
      group.uuid = "uuid-" + name;
      builder_.add(std::move(group));
    }
  }

  std::int64_t node_memory_of(const PlatformHost& host) {
    const auto mapped = rules_.map.reserved_memory.find(host.name);
    if (mapped != rules_.map.reserved_memory.end()) return mapped->second;
    if (rules_.node_memory) return *rules_.node_memory;
    if (host.reserved_memory) return *host.reserved_memory;
    notes().add(
        fmt::format("Each host is taken to need {} MiB of memory for itself (--node-memory=SIZE, or reserve HOST SIZE "
                    "in --map)",
                    kDefaultNodeMemory));
    return kDefaultNodeMemory;
  }

  void add_node(const PlatformHost& host) {
    Node node;
    NodeFacts& facts = node.facts.edit();
    facts.name = plain_name(host.name, false);
    facts.group = builder_.group("uuid-" + plain_name(host.group, true), facts.name);
    facts.tags = tag_list(host.tags);
    node.offline = host.offline;
    if (!host.memory || !host.cpus) {
      notes().add("Offline, because the export does not say how much memory and cpus they have", host.name);
      node.offline = true;
    } else if (host.offline) {
      notes().add("Offline, because they are down or in maintenance", host.name);
    }
    facts.node_memory = std::min(node_memory_of(host), host.memory.value_or(0));
    facts.total_memory = static_cast<double>(host.memory.value_or(0));
    facts.total_cpus = static_cast<double>(host.cpus.value_or(0));
    facts.node_cpus = 0;
    facts.free_memory = host.memory.value_or(0) - facts.node_memory - used_memory_[host.name];
    if (facts.free_memory < 0 && !node.offline) {
      notes().add("More memory is configured for the running guests than these hosts have", host.name);
    }
    // What is not imported counts neither as disk nor as used, so that used and free add up to the total.
    const std::int64_t disk = std::max<std::int64_t>(0, host.disk - host.other_disk);
    facts.total_disk = static_cast<double>(disk);
    facts.free_disk = disk - used_disk_[host.name];
    if (facts.free_disk < 0) {
      notes().add(
          "The guests' local disks are larger than the local storage of these hosts (thin disks); no disk is "
          "free there",
          host.name);
      facts.free_disk = 0;
    }
    builder_.add(std::move(node));
  }

  void add_instance(const PlatformGuest& guest) {
    InstanceFacts facts;
    facts.name = guest.name;
    facts.memory = guest.memory;
    facts.vcpus = guest.cpus;
    facts.disk_template = template_of(guest);
    facts.disk = disk_of(guest);
    if (facts.disk > 0) facts.disks.push_back({.size = facts.disk, .spindles = std::nullopt});
    facts.status = guest.running ? InstanceStatus::Running : InstanceStatus::AdminDown;
    std::vector<std::string> tags = guest.tags;
    if (guest.pinned) {
      tags.emplace_back(kPinnedTag);
      tags.emplace_back(kStayTag);
      notes().add("Pinned to their hosts; plans leave them where they are (tag htools:stay)", guest.name);
    }
    facts.tags = tag_list(tags);
    if (facts.disk_template == DiskTemplate::Plain) {
      notes().add("On local disks (template plain): they stay unless a plan allows such moves", guest.name);
      if (guest.shared_disk > 0) notes().add("On local and shared disks; only the local ones count", guest.name);
    }
    largest_.memory = std::max(largest_.memory, guest.memory);
    largest_.vcpus = std::max(largest_.vcpus, guest.cpus);
    largest_.disk_size = std::max(largest_.disk_size, facts.disk);
    smallest_.memory = std::min(smallest_.memory, guest.memory);
    smallest_.vcpus = std::min(smallest_.vcpus, guest.cpus);
    smallest_.disk_size = std::min(smallest_.disk_size, facts.disk);
    templates_.insert(facts.disk_template);
    Instance instance(std::move(facts));
    instance.primary = builder_.node(plain_name(guest.host, false), guest.name);
    if (!guest.secondary.empty()) instance.secondary = builder_.node(plain_name(guest.secondary, false), guest.name);
    builder_.add(std::move(instance));
  }

  // No platform limits the size of a guest to less than a host has.
  void allow_what_hosts_hold() {
    for (const Node& node : builder_.cluster().nodes) {
      const NodeFacts& facts = *node.facts;
      largest_.memory = std::max(largest_.memory, truncate_to_int(facts.total_memory) - facts.node_memory);
      largest_.vcpus = std::max(largest_.vcpus, truncate_to_int(facts.total_cpus));
      largest_.disk_size = std::max(largest_.disk_size, truncate_to_int(facts.total_disk));
    }
  }

  void set_policies() {
    allow_what_hosts_hold();
    InstancePolicy policy;
    policy.minmax.front() = {.min = smallest_, .max = largest_};
    // The first template is the default of new instances, so those that are in use come first.
    std::stable_sort(policy.disk_templates.begin(), policy.disk_templates.end(),
                     [&](DiskTemplate a, DiskTemplate b) { return templates_.contains(a) > templates_.contains(b); });
    policy.given = true;
    policy.spindle_ratio = kNoRatio;  // no other platform counts spindles
    if (rules_.cpu_ratio) {
      policy.vcpu_ratio = *rules_.cpu_ratio;
    } else if (inventory_.cpu_ratio) {
      policy.vcpu_ratio = *inventory_.cpu_ratio;
    } else {
      notes().add(fmt::format("A cpu thread may carry {} vcpus (--cpu-ratio=RATIO)", policy.vcpu_ratio));
    }
    builder_.cluster().policy = policy;
    for (Group& group : builder_.cluster().groups) group.policy = policy;
  }

  Inventory& inventory_;
  const ImportRules& rules_;
  ClusterBuilder builder_;
  std::unordered_map<std::string, PlatformHost*> hosts_;
  std::unordered_map<std::string, std::int64_t> used_memory_;  // by host
  std::unordered_map<std::string, std::int64_t> used_disk_;    // by host
  InstanceSpec smallest_;
  InstanceSpec largest_ = MinMaxSpecs{}.max;
  std::set<DiskTemplate> templates_;
};

}  // namespace

Cluster make_cluster(Inventory& inventory, const ImportRules& rules) {
  return ClusterOfInventory(inventory, rules).make();
}

void ImportNotes::forget(const std::set<std::string>& names) {
  for (auto note = notes_.begin(); note != notes_.end();) {
    const auto forgotten = std::erase_if(note->second, [&](const std::string& name) { return names.contains(name); });
    note = forgotten > 0 && note->second.empty() ? notes_.erase(note) : std::next(note);
  }
}

std::vector<std::string> ImportNotes::lines() const {
  std::vector<std::string> lines;
  for (const auto& [sentence, names] : notes_) {
    if (names.empty()) {
      lines.push_back(sentence + ".");
    } else {
      lines.push_back(fmt::format("{}: {}.", sentence, join_first({names.begin(), names.end()}, kMostNames)));
    }
  }
  return lines;
}

}  // namespace htools
