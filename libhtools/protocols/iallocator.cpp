#include "protocols/iallocator.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/cluster_builder.h"
#include "json/json.h"
#include "protocols/facts_json.h"
#include "protocols/iallocator_instance.h"
#include "protocols/iallocator_request.h"
#include "protocols/policy_json.h"

namespace htools {
namespace {

void read_group(std::string_view uuid, JsonValue value, ClusterBuilder& builder) {
  const JsonObject data = require_object(value).named({"invalid data for group '", uuid, "'"});
  Group group;
  group.uuid = uuid;
  group.name = data.get("name", json_text);
  group.alloc_policy = data.get("alloc_policy", json_alloc_policy);
  group.networks = data.get("networks", json_texts);
  group.policy = data.get("ipolicy", json_policy);
  group.tags = data.get("tags", json_texts);
  builder.add(std::move(group));
}

// Reads the resources of a node. Only a live node has them: one that is vm_capable and not offline.
void read_resources(const JsonObject& data, NodeFacts& node) {
  node.free_spindles = data.get("free_spindles", json_int);
  node.total_memory = data.get("total_memory", json_double);
  node.node_memory = data.get("reserved_memory", json_int);
  node.free_memory = data.get("free_memory", json_int);
  node.total_disk = data.get("total_disk", json_double);
  node.free_disk = data.get("free_disk", json_int);
  node.total_cpus = data.get("total_cpus", json_double);
  node.node_cpus = data.get("reserved_cpus", json_int);
}

void read_node(std::string_view name, JsonValue value, ClusterBuilder& builder) {
  const JsonOwner owner{"invalid data for node '", name, "'"};
  const JsonObject object = require_object(value);
  const JsonObject data = object.named(owner);
  Node node;
  NodeFacts& facts = node.facts.edit();
  facts.name = name;
  const bool offline = data.get("offline", json_bool);
  const bool drained = data.get("drained", json_bool);
  const std::string group = data.get("group", json_text);
  const bool live = data.get_optional("vm_capable", json_bool).value_or(true) && !offline;
  node.offline = !live || drained;
  facts.group = builder.group(group, name);
  const JsonObject parameters = require_object(data.get("ndparams", as_it_is)).named(owner);
  facts.tags = object.get_optional("tags", json_tags).value_or(TagList());
  facts.exclusive_storage = parameters.get("exclusive_storage", json_bool);
  if (!facts.exclusive_storage) {
    facts.spindles = parameters.get("spindle_count", json_int);
  } else {
    facts.spindles = live ? data.get("total_spindles", json_int) : 0;
  }
  facts.node_cpus = 0;
  if (live) read_resources(data, facts);
  builder.add(std::move(node));
}

// Sets the primary node of the instance and, if two nodes are given, its secondary node.
void read_places(const JsonObject& object, const ClusterBuilder& builder, Instance& instance) {
  const JsonArray nodes = object.get("nodes", json_array);
  if (nodes.empty())
    throw InputError(ErrorCode::Syntax, fmt::format("empty node list for instance {}", instance.facts->name));
  NodeIndex* places[] = {&instance.primary, &instance.secondary};
  auto node = nodes.begin();
  for (NodeIndex* place : places) {
    if (!(node != nodes.end())) break;
    if ((*node).kind() != JsonKind::String) throw InputError(ErrorCode::Syntax, "Wrong JSON type");
    *place = builder.node((*node).text(), instance.facts->name);
    ++node;
  }
}

void read_instance(std::string_view name, JsonValue value, NicDetail nics, ClusterBuilder& builder) {
  const JsonObject object = require_object(value);
  Instance instance = read_allocator_instance(object, name, nics);
  read_places(object, builder, instance);
  builder.add(std::move(instance));
}

Cluster read_cluster(const JsonObject& message, NicDetail nics) {
  ClusterBuilder builder;
  for (const JsonMember m : message.get("nodegroups", json_object)) read_group(m.key, m.value, builder);
  const JsonObject nodes = message.get("nodes", json_object);
  builder.expect_nodes(nodes.size());
  for (const JsonMember m : nodes) read_node(m.key, m.value, builder);
  const JsonObject instances = message.get("instances", json_object);
  builder.expect_instances(instances.size());
  for (const JsonMember m : instances) read_instance(m.key, m.value, nics, builder);
  Cluster& cluster = builder.cluster();
  cluster.tags = message.get("cluster_tags", json_texts);
  const auto hypervisors =
      message.get("enabled_hypervisors", [](JsonValue v) { return json_list(v, json_hypervisor); });
  if (!hypervisors.empty()) builder.set_hypervisor(hypervisors.front());
  return std::move(cluster);
}

}  // namespace

AllocatorDocument read_iallocator(std::string text, NicDetail nics) {
  std::optional<JsonDocument> document;
  std::optional<JsonObject> message;
  const bool seems_json = text.find_first_not_of(" \t\r\n") == text.find('{');
  try {
    document.emplace(std::move(text));
    message = json_object(document->root()).named("invalid iallocator message");
  } catch (const InputError& error) {
    const InputError whole = error.annotated("Parsing input IAllocator message: ");
    throw seems_json ? whole
                     : whole.advised("An allocator request is a JSON document. Read a text file with -t FILE instead.");
  }
  const JsonObject request = message->get("request", json_object);
  Cluster cluster = read_cluster(*message, nics);
  AllocatorRequest read = read_allocator_request(request, cluster);
  return {std::move(cluster), std::move(read)};
}

}  // namespace htools
