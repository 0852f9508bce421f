// Reads what `kubectl get ... -o json` prints: nodes, pods, virtual machines of KubeVirt, claims and volumes.
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
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "base/strings.h"
#include "htools/errors.h"
#include "platforms/json_values.h"
#include "platforms/pod_rules.h"
#include "platforms/readers.h"

namespace htools {
namespace {

// The suffixes of quantities, and what they stand for. Longer ones come first.
struct QuantitySuffix {
  std::string_view text;
  double factor;
};
constexpr std::array kQuantitySuffixes = std::to_array<QuantitySuffix>({{"Ki", 0x1p10},
                                                                        {"Mi", 0x1p20},
                                                                        {"Gi", 0x1p30},
                                                                        {"Ti", 0x1p40},
                                                                        {"Pi", 0x1p50},
                                                                        {"Ei", 0x1p60},
                                                                        {"m", 1e-3},
                                                                        {"k", 1e3},
                                                                        {"M", 1e6},
                                                                        {"G", 1e9},
                                                                        {"T", 1e12},
                                                                        {"P", 1e15},
                                                                        {"E", 1e18}});

// Returns a quantity of Kubernetes ("250m", "8Gi", "129e6") as a number; nothing if it is missing.
std::optional<double> known_quantity(const std::optional<JsonObject>& object, std::string_view key) {
  const std::string given = object ? text_of(*object, key) : std::string();
  if (given.empty()) return std::nullopt;
  std::string text = given;
  double factor = 1.0;
  for (const QuantitySuffix& suffix : kQuantitySuffixes) {
    if (!text.ends_with(suffix.text)) continue;
    factor = suffix.factor;
    text.resize(text.size() - suffix.text.size());
    break;
  }
  double value = -1.0;
  try {
    value = parse_double(text, key) * factor;
  } catch (const InputError&) {  // the error below names the key
  }
  if (value >= 0.0 && value <= 0x1p62) return value;
  throw InputError(ErrorCode::InvalidValue, fmt::format("key '{}': {} is not a quantity", key, quote(given)), {},
                   "Expected: a number from 0 to 2^62, with a suffix such as m, Ki or M.");
}

double quantity_of(const std::optional<JsonObject>& object, std::string_view key) {
  return known_quantity(object, key).value_or(0.0);
}

std::int64_t mib(double bytes) { return mib_of_bytes(static_cast<std::int64_t>(std::min(bytes, 0x1p62))); }
std::int64_t whole_cpus(double cpus) {
  return static_cast<std::int64_t>(std::min(std::ceil(cpus - 1e-9), static_cast<double>(kMostMib)));
}

// Returns "namespace/name", which is unique.
std::string full_name(const JsonObject& item) {
  return text_in(item, {"metadata"}, "namespace") + "/" + text_in(item, {"metadata"}, "name");
}

std::string owner_kind(const JsonObject& item) {
  const auto owners = objects_in(item, {"metadata"}, "ownerReferences");
  return owners.empty() ? std::string() : text_of(owners.front(), "kind");
}

// Returns what the containers of a pod request: the larger of their sum and the largest one that runs before them, with
// the sidecars that run then.
double request_of(const JsonObject& spec, std::string_view resource) {
  const auto request = [&](const JsonObject& container) {
    return quantity_of(inside(container, {"resources", "requests"}), resource);
  };
  double sidecars = 0.0, largest = 0.0, sum = 0.0;
  for (const JsonObject& c : objects_of(spec, "initContainers")) {
    if (text_of(c, "restartPolicy") == "Always") {
      sidecars += request(c);
    } else {
      largest = std::max(largest, sidecars + request(c));
    }
  }
  for (const JsonObject& c : objects_of(spec, "containers")) sum += request(c);
  return quantity_of(object_of(spec, "overhead"), resource) + std::max(sum + sidecars, largest);
}

// Collects the items of all files, and makes the inventory of them.
class KubernetesReader {
 public:
  void add(const ExportFile& file) {
    const JsonDocument& document = documents_.emplace_back(file.content);
    const std::vector<JsonObject> items = records_of(document);
    const std::string kind_of_list = kind_of_items(document);
    bool is_known = items.empty();
    for (const JsonObject& item : items) {
      const std::string own_kind = text_of(item, "kind"), kind = own_kind.empty() ? kind_of_list : own_kind;
      is_known |= !kind.empty();
      if (kind == "PersistentVolumeClaim") {
        claims_.insert_or_assign(full_name(item), ExportRecord{item, file.path});
      } else if (kind == "PersistentVolume") {
        volumes_.insert_or_assign(text_in(item, {"metadata"}, "name"), item);
      } else {
        items_[kind].push_back({item, file.path});
      }
    }
    if (!is_known) note_unknown_file(inventory_, file);
  }

  Inventory make() {
    inventory_.cpu_ratio = 1.0;
    inventory_.notes.add("A cpu carries one cpu of requests, as for the scheduler (--cpu-ratio=RATIO)");
    inventory_.notes.add("Local disks of hosts are not in the export; they have what their guests use");
    for (const auto& vmi : items_["VirtualMachineInstance"]) vmis_.insert_or_assign(full_name(vmi.object), vmi);
    for_each("Node", [&](const JsonObject& node) {
      nodes_.push_back({text_in(node, {"metadata"}, "name"), inside(node, {"metadata", "labels"})});
    });
    for_each("Pod", [&](const JsonObject& pod) { add_pod(pod); });
    for_each("Node", [&](const JsonObject& node) { add_node(node); });
    for (const auto& [vm, path] : items_["VirtualMachine"]) {
      if (!vmis_.contains(full_name(vm))) {
        inventory_.notes.add("Left out, because they are stopped, and so on no host", full_name(vm));
      }
    }
    return std::move(inventory_);
  }

 private:
  // Returns the kind of the items of a list as the API itself sends it ("NodeList"): they do not say it. Empty if the
  // document is no such list.
  static std::string kind_of_items(const JsonDocument& document) {
    constexpr std::string_view kSuffix = "List";
    if (document.root().kind() != JsonKind::Object) return {};
    std::string kind = text_of(JsonObject(document.root()), "kind");
    if (!kind.ends_with(kSuffix)) return {};
    kind.resize(kind.size() - kSuffix.size());
    return kind;
  }

  // Returns what the action makes of the item. Errors name the item and its file.
  template <class Action>
  static auto read_item(std::string_view kind, const ExportRecord& item, Action action) {
    try {
      return action(item.object);
    } catch (const InputError& error) {
      throw error.annotated(fmt::format("{} {}: ", kind, quote(full_name(item.object)))).at(std::string(item.path));
    }
  }
  template <class Action>
  void for_each(const std::string& kind, Action action) {
    for (const ExportRecord& item : items_[kind]) read_item(kind, item, action);
  }

  void add_node(const JsonObject& node) {
    PlatformHost host;
    host.name = text_in(node, {"metadata"}, "name");
    host.group = text_in(node, {"metadata", "labels"}, "topology.kubernetes.io/zone");
    const auto capacity = inside(node, {"status", "capacity"}), allocatable = inside(node, {"status", "allocatable"});
    const auto memory = known_quantity(capacity, "memory"), cpus = known_quantity(capacity, "cpu");
    const auto for_pods = known_quantity(allocatable, "memory");
    if (known_quantity(allocatable, "pods")) {
      inventory_.notes.add("The number of pods that a host takes is left out: less may fit than capacity says");
    }
    if (memory) host.memory = mib(*memory);
    if (cpus) host.cpus = static_cast<std::int64_t>(std::min(*cpus, 0x1p32));
    if (memory && for_pods) {
      host.reserved_memory = std::max<std::int64_t>(0, mib(*memory) - mib(*for_pods)) + system_memory_[host.name];
    }
    host.disk = local_disk_[host.name];
    host.offline = is_not_schedulable(node);
    if (const std::string taints = taints_of(node); !taints.empty()) {
      inventory_.notes.add(
          "Hosts with taints are node groups of their own, for not all pods may go there (group HOST GROUP in --map)",
          host.name);
      host.group += (host.group.empty() ? "" : ":") + taints;
    }
    inventory_.hosts.push_back(std::move(host));
  }

  // Returns the taints that keep pods away, "KEY=VALUE+KEY=VALUE" in order; not those that Kubernetes sets for the
  // state of a host.
  static std::string taints_of(const JsonObject& node) {
    std::set<std::string> taints;
    for (const JsonObject& taint : objects_in(node, {"spec"}, "taints")) {
      const std::string key = text_of(taint, "key"), value = text_of(taint, "value");
      if (text_of(taint, "effect") == "PreferNoSchedule" || key.starts_with("node.kubernetes.io/")) continue;
      taints.insert(value.empty() ? key : fmt::format("{}={}", key, value));
    }
    return join({taints.begin(), taints.end()}, "+");
  }

  static bool is_not_schedulable(const JsonObject& node) {
    if (const auto spec = object_of(node, "spec"); spec && is_set(*spec, "unschedulable")) return true;
    const auto conditions = objects_in(node, {"status"}, "conditions");
    return std::any_of(conditions.begin(), conditions.end(), [](const JsonObject& c) {
      return text_of(c, "type") == "Ready" && text_of(c, "status") != "True";
    });
  }

  void add_pod(const JsonObject& pod) {
    const auto spec = object_of(pod, "spec");
    const std::string phase = text_in(pod, {"status"}, "phase");
    if (!spec || text_of(*spec, "nodeName").empty() || (phase != "Running" && phase != "Pending")) return;
    const std::int64_t memory = mib(request_of(*spec, "memory"));
    const std::string owner = owner_kind(pod);
    if (owner == "DaemonSet" || owner == "Node") {
      system_memory_[text_of(*spec, "nodeName")] += memory;
      return;
    }
    PlatformGuest guest;
    guest.name = full_name(pod);
    guest.host = text_of(*spec, "nodeName");
    guest.id = text_in(pod, {"metadata"}, "uid");
    guest.memory = memory;
    guest.cpus = whole_cpus(request_of(*spec, "cpu"));
    inventory_.notes.add("Requests of cpu are rounded up to whole vcpus");
    if (owner == "VirtualMachineInstance" && !take_machine(pod, guest)) return;
    add_rules(pod, *spec, guest);
    pin_by_spec(*spec, guest);
    add_claims(pod, *spec, guest);
    if (request_of(*spec, "memory") == 0.0)
      inventory_.notes.add("Nothing is requested; they count as if they needed no memory", guest.name);
    inventory_.guests.push_back(std::move(guest));
  }

  // Makes the guest the virtual machine that runs in the pod. Its memory includes the pod's overhead. Returns false if
  // the machine runs in another pod.
  bool take_machine(const JsonObject& pod, PlatformGuest& guest) {
    const std::string name = text_in(pod, {"metadata", "labels"}, "vm.kubevirt.io/name");
    if (!name.empty()) guest.name = text_in(pod, {"metadata"}, "namespace") + "/" + name;
    const auto vmi = vmis_.find(guest.name);
    if (vmi == vmis_.end()) return true;
    const JsonObject& machine = vmi->second.object;
    const std::string place = text_in(machine, {"status"}, "nodeName");
    if (!place.empty() && place != guest.host) {
      inventory_.notes.add("Being migrated; they count where their machine is, not where it goes to", guest.name);
      return false;
    }
    if (const auto cpu = inside(machine, {"spec", "domain", "cpu"})) {
      guest.cpus = read_item("VirtualMachineInstance", vmi->second, [&](const JsonObject&) {
        double cpus = 1.0;
        for (const std::string_view key : {"cores", "sockets", "threads"}) cpus *= std::max(1.0, quantity_of(cpu, key));
        return whole_cpus(cpus);
      });
    }
    for (const JsonObject& c : objects_in(machine, {"status"}, "conditions")) {
      if (text_of(c, "type") != "LiveMigratable" || text_of(c, "status") == "True") continue;
      inventory_.notes.add("Not live-migratable, as KubeVirt says; these machines are pinned", guest.name);
      guest.pinned = true;
    }
    return true;
  }

  // A rule that keeps pods of one kind apart from each other becomes a tag, the same one for each pod that has it.
  void add_rules(const JsonObject& pod, const JsonObject& spec, PlatformGuest& guest) {
    const auto rules =
        objects_in(spec, {"affinity", "podAntiAffinity"}, "requiredDuringSchedulingIgnoredDuringExecution");
    for (const JsonObject& rule : rules) {
      if (text_of(rule, "topologyKey") != "kubernetes.io/hostname") continue;
      const std::set<std::string> demands = demands_of(rule);
      const auto labels = inside(pod, {"metadata", "labels"});
      if (demands.empty() || (labels && !fulfils(*labels, rule))) {
        inventory_.notes.add("Rules that keep them away from other pods have no counterpart; left out", guest.name);
        continue;
      }
      guest.tags.push_back(fmt::format("kubernetes:apart:{}:{}", guest.name.substr(0, guest.name.find('/')),
                                       join({demands.begin(), demands.end()}, "+")));
      inventory_.exclusion_prefixes.insert("kubernetes:apart");
    }
  }

  void pin_by_spec(const JsonObject& spec, PlatformGuest& guest) {
    for (const JsonObject& container : objects_of(spec, "containers")) {
      const auto requests = inside(container, {"resources", "requests"});
      if (!requests) continue;
      for (const JsonMember request : *requests) {
        // Extended resources are named DOMAIN/NAME; each host that runs machines has those of KubeVirt.
        if (request.key.find('/') == std::string_view::npos ||
            request.key.find("kubevirt.io/") != std::string_view::npos)
          continue;
        inventory_.notes.add("Devices of the host are requested; these guests are pinned", guest.name);
        guest.pinned = true;
      }
    }
    const NodeChoice choice = choice_of_nodes(spec, nodes_);
    if (choice.demands.empty()) return;
    if (choice.nodes.empty()) {
      inventory_.notes.add(choice.is_known ? "No node is what their selector of nodes demands; these guests are pinned"
                                           : "A selector of nodes restricts where they run; these guests are pinned",
                           guest.name);
      guest.pinned = true;
      return;
    }
    guest.tags.push_back("kubernetes:on:" + choice.demands);
    inventory_.rules[guest.tags.back()] = {.kind = PlatformRule::Kind::RunOn, .is_wish = false, .hosts = choice.nodes};
  }

  void add_claims(const JsonObject& pod, const JsonObject& spec, PlatformGuest& guest) {
    for (const JsonObject& volume : objects_of(spec, "volumes")) {
      const std::string claim_name = text_in(volume, {"persistentVolumeClaim"}, "claimName");
      const auto claim = claims_.find(text_in(pod, {"metadata"}, "namespace") + "/" + claim_name);
      if (claim_name.empty()) continue;
      if (claim == claims_.end()) {
        inventory_.notes.add("Claims are not in the export; their disks do not count", guest.name);
        continue;
      }
      const std::int64_t size = read_item("PersistentVolumeClaim", claim->second, [](const JsonObject& item) {
        const auto status = inside(item, {"status", "capacity"});
        return mib(quantity_of(status ? status : inside(item, {"spec", "resources", "requests"}), "storage"));
      });
      const auto pv = volumes_.find(text_in(claim->second.object, {"spec"}, "volumeName"));
      const bool is_on_host = pv != volumes_.end() && is_on_one_host(pv->second);
      (is_on_host ? guest.local_disk : guest.shared_disk) += size;
      if (is_on_host) local_disk_[guest.host] += size;
    }
  }

  Inventory inventory_;
  std::list<JsonDocument> documents_;                       // stay where they are, because values point to them
  std::map<std::string, std::vector<ExportRecord>> items_;  // by kind
  std::map<std::string, ExportRecord> claims_, vmis_;       // by full name
  std::map<std::string, JsonObject> volumes_;               // by name
  std::vector<LabelledNode> nodes_;
  std::map<std::string, std::int64_t> system_memory_, local_disk_;  // by host, in MiB
};

}  // namespace

Inventory read_kubernetes(const std::vector<ExportFile>& files, const PlatformMap& /*map*/) {
  KubernetesReader reader;
  for_each_file(files, [&](const ExportFile& file) { reader.add(file); });
  return reader.make();
}

}  // namespace htools
