#include "protocols/rapi.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "formats/cluster_builder.h"
#include "json/json.h"
#include "protocols/facts_json.h"
#include "protocols/policy_json.h"

namespace htools {
namespace {

// The group of nodes that name none.
constexpr std::string_view kDefaultGroup = "00000000-0000-0000-0000-000000000000";

// Calls `read` with the root of a document and with a function that annotates errors with the owner; errors in the
// syntax of the document are annotated, too. Throws the failure of a document that is missing.
template <class Read>
void read_document(const RapiDocument& document, std::string_view owner, Read read) {
  if (document.failure) throw *document.failure;
  const auto annotated = [&](auto action) {
    try {
      return action();
    } catch (const InputError& error) {
      throw error.annotated(fmt::format("{}: ", owner));
    }
  };
  // The document must stay at its address, so it exists before anything refers to it.
  std::optional<JsonDocument> json;
  annotated([&] { json.emplace(document.text); });
  read(json->root(), annotated);
}

// Calls `read` for each object of an array. Checks first that all elements are objects.
template <class Read>
void read_objects(const RapiDocument& document, std::string_view owner, Read read) {
  read_document(document, owner, [&](JsonValue root, auto annotated) {
    const std::vector<JsonObject> objects = annotated([&] { return json_list(root, json_object); });
    for (const JsonObject& object : objects) read(object);
  });
}

// Returns a value that a live node must have (one that is vm_capable and not offline). For other nodes it is not known,
// and a default value is returned.
template <class Convert>
auto if_live(bool live, const JsonObject& object, std::string_view key, Convert convert) {
  return live ? object.get(key, convert) : decltype(object.get(key, convert)){};
}

// Returns a value that a live node may have, or a default value.
template <class Convert>
auto if_known(bool live, const JsonObject& object, std::string_view key, Convert convert) {
  return live ? object.get_optional(key, convert).value_or(decltype(object.get(key, convert)){})
              : decltype(object.get(key, convert)){};
}

void read_group(const JsonObject& object, ClusterBuilder& builder) {
  Group group;
  group.name = object.named("Parsing new group").get("name", json_text);
  const JsonObject data = object.named({"Group '", group.name, "'"});
  group.uuid = data.get("uuid", json_text);
  group.alloc_policy = data.get("alloc_policy", json_alloc_policy);
  group.policy = data.get("ipolicy", json_policy);
  group.tags = data.get("tags", json_texts);
  builder.add(std::move(group));
}

void read_node(const JsonObject& object, ClusterBuilder& builder) {
  Node node;
  NodeFacts& facts = node.facts.edit();
  facts.name = object.named("Parsing new node").get("name", json_text);
  const JsonOwner owner{"Node '", facts.name, "', error while parsing data"};
  const JsonObject data = object.named(owner);
  const bool offline = data.get("offline", json_bool);
  const bool drained = data.get("drained", json_bool);
  const bool live = data.get_optional("vm_capable", json_bool).value_or(true) && !offline;
  node.offline = !live || drained;
  const JsonObject parameters = require_object(data.get("ndparams", as_it_is)).named(owner);
  facts.exclusive_storage = parameters.get("exclusive_storage", json_bool);
  facts.group =
      builder.group(data.get_optional("group.uuid", json_text).value_or(std::string(kDefaultGroup)), facts.name);
  facts.spindles =
      facts.exclusive_storage ? if_live(live, data, "sptotal", json_int) : parameters.get("spindle_count", json_int);
  facts.free_spindles = if_known(live, object, "spfree", json_int);
  facts.total_memory = if_live(live, data, "mtotal", json_double);
  facts.node_memory = if_live(live, data, "mnode", json_int);
  facts.free_memory = if_live(live, data, "mfree", json_int);
  facts.total_disk = if_known(live, object, "dtotal", json_double);
  facts.free_disk = if_known(live, object, "dfree", json_int);
  facts.total_cpus = if_live(live, data, "ctotal", json_double);
  facts.node_cpus = if_live(live, data, "cnos", json_int);
  facts.tags = data.get("tags", json_tags);
  builder.add(std::move(node));
}

// Reads the disks. Errors in the spindles name the instance, but not the key.
std::vector<Disk> read_disks(const JsonObject& data, const JsonOwner& owner) {
  const std::vector<std::int64_t> sizes = data.get("disk.sizes", json_ints);
  const JsonValue spindles = data.get("disk.spindles", as_it_is);
  try {
    return pair_disks(sizes, json_spindles(spindles));
  } catch (const InputError& error) {
    throw error.annotated(fmt::format("{}: ", owner.text()));
  }
}

// Reads the memory of an instance in MiB: the measured amount or, if there is none, the configured one, which is in one
// of two parameters.
std::int64_t read_memory(const JsonObject& data, const JsonObject& parameters) {
  if (data.get("oper_ram", as_it_is).kind() == JsonKind::Number) return data.get("oper_ram", json_int);
  std::vector<std::string> errors;
  for (const std::string_view key : {"memory", "maxmem"}) {
    const std::optional<JsonValue> value = parameters.find(key);
    if (value && value->kind() == JsonKind::Number) return parameters.get(key, json_int);
    try {
      parameters.get(key, json_int);
    } catch (const InputError& error) {
      errors.emplace_back(error.message());
    }
  }
  throw InputError(ErrorCode::Syntax, join(errors, "; "));
}

NodeIndex read_secondary(JsonArray nodes, const ClusterBuilder& builder, std::string_view instance) {
  if (nodes.empty()) return NodeIndex::none();
  const JsonValue name = *nodes.begin();
  if (name.kind() != JsonKind::String) throw InputError(ErrorCode::Syntax, "Wrong JSON type");
  return builder.node(name.text(), instance);
}

void read_instance(const JsonObject& object, ClusterBuilder& builder) {
  Instance instance;
  InstanceFacts& facts = instance.facts.edit();
  facts.name = object.named("Parsing new instance").get("name", json_text);
  const JsonOwner owner{"Instance '", facts.name, "', error while parsing data"};
  const JsonObject data = object.named(owner);
  facts.disk = data.get("disk_usage", json_int);
  facts.disks = read_disks(data, owner);
  const JsonObject parameters = data.get("beparams", json_object).named(owner);
  facts.memory = read_memory(data, parameters);
  facts.vcpus = parameters.get("vcpus", json_int);
  instance.primary = builder.node(data.get("pnode", json_text), facts.name);
  instance.secondary = read_secondary(data.get("snodes", json_array), builder, facts.name);
  facts.status = data.get("status", json_instance_status);
  facts.tags = data.get("tags", json_tags);
  facts.auto_balance = parameters.get("auto_balance", json_bool);
  facts.disk_template = data.get("disk_template", json_disk_template);
  facts.spindle_use = parameters.get("spindle_use", json_int);
  const std::optional<JsonValue> forthcoming = object.find("forthcoming");
  facts.forthcoming = forthcoming && forthcoming->kind() == JsonKind::True;
  builder.add(std::move(instance));
}

void read_info(const JsonObject& object, ClusterBuilder& builder) {
  const JsonObject data = object.named("Parsing cluster data");
  Cluster& cluster = builder.cluster();
  const std::string master = data.get("master", json_text);
  cluster.tags = data.get("tags", json_texts);
  cluster.policy = data.get("ipolicy", json_policy);
  const Hypervisor hypervisor = data.get("default_hypervisor", json_hypervisor);
  cluster.ganeti_version = json_ganeti_version(data);
  builder.set_master(master);
  builder.set_hypervisor(hypervisor);
}

}  // namespace

Cluster read_rapi_cluster(const RapiDocuments& documents) {
  ClusterBuilder builder;
  read_objects(documents.groups, "Parsing group data", [&](const JsonObject& o) { read_group(o, builder); });
  read_objects(documents.nodes, "Parsing node data", [&](const JsonObject& o) { read_node(o, builder); });
  read_objects(documents.instances, "Parsing instance data", [&](const JsonObject& o) { read_instance(o, builder); });
  read_document(documents.info, "Parsing cluster info", [&](JsonValue root, auto annotated) {
    read_info(annotated([&] { return json_object(root); }), builder);
  });
  return std::move(builder.cluster());
}

}  // namespace htools
