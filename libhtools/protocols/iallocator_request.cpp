#include "protocols/iallocator_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cluster/name_lookup.h"
#include "cluster/names.h"
#include "cluster/tags.h"
#include "protocols/iallocator_instance.h"

namespace htools {
namespace {

constexpr std::string_view kOwner = "invalid request dict";
// The names of the evacuation modes, in the order of EvacuationMode.
constexpr std::array<std::string_view, 3> kModeNames{"primary-only", "secondary-only", "all"};

// A table of elements by name. A name that stands for several elements cannot be looked up. The names must outlive the
// table.
template <class Index>
class Directory {
 public:
  // Adds an element under each of its names.
  template <class... Names>
  void add(std::size_t position, Names... names) {
    (enter(names, Index(position)), ...);
  }

  // Returns the element of that name. Throws InputError unless there is exactly one.
  Index find(std::string_view name) const {
    const auto entry = entries_.find(name);
    if (entry != entries_.end() && !entry->second.is_none()) return entry->second;
    throw InputError(ErrorCode::UnknownName, fmt::format("Wrong number of elems found with name {}", name));
  }
  std::vector<Index> find_all(const std::vector<std::string>& names) const {
    std::vector<Index> found;
    found.reserve(names.size());
    for (const std::string& name : names) found.push_back(find(name));
    return found;
  }

 private:
  void enter(std::string_view name, Index index) {
    const auto [entry, is_new] = entries_.emplace(name, index);
    if (!is_new && entry->second != index) entry->second = Index::none();
  }

  std::unordered_map<std::string_view, Index> entries_;  // none if the name stands for several elements
};

// Returns the directory of the elements by full name and by the name without the domain that all nodes and instances
// share.
template <class Index, class Element>
Directory<Index> directory_of(const std::vector<Element>& elements, const Cluster& cluster) {
  std::vector<std::string_view> names;
  names.reserve(cluster.nodes.size() + cluster.instances.size());
  for (const Node& node : cluster.nodes) names.push_back(node.facts->name);
  for (const Instance& instance : cluster.instances) names.push_back(instance.facts->name);
  const std::size_t suffix = common_suffix(names).size();
  Directory<Index> directory;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const std::string_view name = elements[i].facts->name;
    directory.add(i, name, name.substr(0, name.size() - suffix));
  }
  return directory;
}

std::vector<InstanceIndex> read_instances(const JsonObject& data, const Cluster& cluster) {
  const std::vector<std::string> names = data.get("instances", json_texts);
  return directory_of<InstanceIndex>(cluster.instances, cluster).find_all(names);
}

// Reads the name of an instance and returns the instance with that full name. Of several, it is the last one.
InstanceIndex read_instance(const JsonObject& data, const Cluster& cluster) {
  const std::string name = data.get("name", json_text);
  for (std::size_t i = cluster.instances.size(); i-- > 0;) {
    if (cluster.instances[i].facts->name == name) return InstanceIndex(i);
  }
  throw InputError(ErrorCode::UnknownName, fmt::format("Unknown instance '{}'", name));
}

// Reads one new instance. `data` is the object that describes it; `request` is the object that names the group. Nodes
// can be restricted only if `may_restrict` is set.
AllocationRequest read_allocation(const JsonObject& data, const JsonObject& request, bool may_restrict,
                                  const TagRules& rules) {
  AllocationRequest allocation;
  const std::string name = data.get("name", json_text);
  allocation.group = request.get_optional("group_name", json_text);
  if (may_restrict) allocation.allowed_nodes = request.get_optional("restrict-to-nodes", json_texts);
  allocation.required_nodes = data.get("required_nodes", json_int);
  Instance& instance = allocation.instance;
  instance = read_allocator_instance(data, name, NicDetail::All);
  instance.facts.edit().alias = name;
  instance.facts.edit().movable = facts(instance.facts->disk_template).movable;
  apply_tag_rules(instance, rules);
  return allocation;
}

AllocatorRequest read_single(const JsonObject& request, const JsonObject& data, const Cluster& cluster) {
  return read_allocation(data, request, true, read_tag_rules(cluster.tags, {}));
}

AllocatorRequest read_multiple(const JsonObject& request, const JsonObject& data, const Cluster& cluster) {
  const std::vector<JsonObject> instances =
      data.get("instances", [](JsonValue v) { return json_list(v, json_object); });
  const TagRules rules = read_tag_rules(cluster.tags, {});
  MultiAllocationRequest multiple;
  for (const JsonObject& instance : instances) {
    multiple.allocations.push_back(read_allocation(instance.named(kOwner), request, false, rules));
  }
  return multiple;
}

AllocatorRequest read_secondary(const JsonObject&, const JsonObject& data, const Cluster& cluster) {
  return SecondaryRequest{read_instance(data, cluster)};
}

AllocatorRequest read_relocation(const JsonObject&, const JsonObject& data, const Cluster& cluster) {
  RelocationRequest relocation;
  relocation.instance = read_instance(data, cluster);
  relocation.required_nodes = data.get("required_nodes", json_int);
  const std::vector<std::string> from = data.get("relocate_from", json_texts);
  relocation.from = directory_of<NodeIndex>(cluster.nodes, cluster).find_all(from);
  return relocation;
}

AllocatorRequest read_evacuation(const JsonObject&, const JsonObject& data, const Cluster& cluster) {
  EvacuationRequest evacuation;
  evacuation.instances = read_instances(data, cluster);
  evacuation.mode = data.get("evac_mode", [](JsonValue v) {
    return parse_name<EvacuationMode>(json_name(v, "EvacMode"), kModeNames, "EvacMode");
  });
  return evacuation;
}

AllocatorRequest read_group_change(const JsonObject&, const JsonObject& data, const Cluster& cluster) {
  GroupChangeRequest change;
  change.instances = read_instances(data, cluster);
  Directory<GroupIndex> groups;
  for (std::size_t g = 0; g < cluster.groups.size(); ++g) {
    groups.add(g, std::string_view(cluster.groups[g].name), std::string_view(cluster.groups[g].uuid));
  }
  change.targets = groups.find_all(data.get("target_groups", json_texts));
  return change;
}

// A type of requests: its name, and the function that reads them.
struct RequestType {
  std::string_view name;
  // `request` is the object of the request; `data` is the same object with the owner that most errors name.
  AllocatorRequest (*read)(const JsonObject& request, const JsonObject& data, const Cluster& cluster);
};
constexpr std::array kRequestTypes = std::to_array<RequestType>({
    {"allocate", read_single},
    {"multi-allocate", read_multiple},
    {"allocate-secondary", read_secondary},
    {"relocate", read_relocation},
    {"node-evacuate", read_evacuation},
    {"change-group", read_group_change},
});

}  // namespace

AllocatorRequest read_allocator_request(const JsonObject& request, const Cluster& cluster) {
  const JsonObject data = request.named(kOwner);
  const std::string name = data.get("type", json_text);
  const auto* type =
      std::find_if(kRequestTypes.begin(), kRequestTypes.end(), [&](const RequestType& t) { return t.name == name; });
  if (type == kRequestTypes.end())
    throw InputError(ErrorCode::InvalidValue, fmt::format("Invalid request type '{}'", name));
  return type->read(request, data, cluster);
}

}  // namespace htools
