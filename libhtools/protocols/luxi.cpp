#include "protocols/luxi.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "formats/cluster_builder.h"
#include "htools/errors.h"
#include "json/json.h"
#include "protocols/facts_json.h"
#include "protocols/luxi_reply.h"
#include "protocols/policy_json.h"

namespace htools {
namespace {

// A cell of a table; `status` says whether it has a value.
struct Cell {
  JsonValue status;
  JsonValue value;
};

// The errors that the statuses of cells stand for. Status 0 is no error.
constexpr std::array<std::string_view, 5> kStatusErrors{"", "Unknown field", "No data for a field",
                                                        "Ganeti reports unavailable data",
                                                        "Ganeti reports resource as offline"};

// Returns the status as a position in kStatusErrors.
std::size_t read_field_status(JsonValue value) {
  std::int64_t status = 0;
  try {
    status = json_int(value);
  } catch (const InputError& error) {
    throw error.annotated("Can't parse value for 'ResultStatus': ");
  }
  if (status >= 0 && status < static_cast<std::int64_t>(kStatusErrors.size())) return static_cast<std::size_t>(status);
  throw InputError(ErrorCode::Unreachable, fmt::format("Invalid string value for type ResultStatus: {}", status));
}

// Returns the value of a cell. Throws InputError if the cell has none.
JsonValue present(const Cell& cell) {
  const std::size_t status = json_converted(cell.status, read_field_status);
  if (status != 0) throw InputError(ErrorCode::Unreachable, std::string(kStatusErrors[status]));
  return cell.value;
}

// The kind of things that a table lists, as errors name it: in a sentence and at its beginning.
struct Kind {
  std::string_view noun;
  std::string_view at_beginning;
};
constexpr Kind kGroupKind{"group", "Group"};
constexpr Kind kNodeKind{"node", "Node"};
constexpr Kind kInstanceKind{"instance", "Instance"};

// The position of a field among the requested ones. It is found by name at compile time.
template <const auto& kFields>
class FieldPosition {
 public:
  consteval FieldPosition(const char* name) : index_(0) {  // NOLINT(google-explicit-constructor): fields are names
    while (kFields[index_].name != name) ++index_;
  }
  std::size_t index() const { return index_; }

 private:
  std::size_t index_;
};

// A row of a table: one node, instance or group. The cells must outlive it.
template <const Kind& kKind, const auto& kFields>
class Row {
 public:
  explicit Row(const std::vector<Cell>& cells) : cells_(cells) {
    if (cells.size() != kFields.size()) {
      throw InputError(ErrorCode::Unreachable, fmt::format("Invalid {} query result: {} fields where {} were asked for",
                                                           kKind.noun, cells.size(), kFields.size()));
    }
    try {
      name_ = json_converted(present(cell("name")), json_text);
    } catch (const InputError& error) {
      throw error.annotated(fmt::format("Parsing new {}: ", kKind.noun));
    }
  }

  const std::string& name() const { return name_; }
  const Cell& cell(FieldPosition<kFields> field) const { return cells_[field.index()]; }

  template <class Convert>
  // Returns the converted value of the field.
  auto get(FieldPosition<kFields> field, Convert convert) const {
    return annotated(field, [&] { return json_converted(present(cell(field)), convert); });
  }

  // Calls `read`; its errors are reported as errors of the field.
  template <class Read>
  auto annotated(FieldPosition<kFields> field, Read read) const {
    try {
      return read();
    } catch (const InputError& error) {
      throw error.annotated(fmt::format("{} '{}', error while reading attribute '{}': ", kKind.at_beginning, name_,
                                        kFields[field.index()].in_errors));
    }
  }

 private:
  const std::vector<Cell>& cells_;
  std::string name_;
};

// The rows of the three tables.
using GroupRow = Row<kGroupKind, kLuxiGroupFields>;
using NodeRow = Row<kNodeKind, kLuxiNodeFields>;
using InstanceRow = Row<kInstanceKind, kLuxiInstanceFields>;

JsonArray require_array(JsonValue value, std::string_view what) {
  if (value.kind() == JsonKind::Array) return JsonArray(value);
  throw InputError(ErrorCode::Unreachable,
                   fmt::format("Invalid {}, expected array but got {}", what, show_json(value)));
}

Cell read_cell(JsonValue value) {
  if (value.kind() != JsonKind::Array || JsonArray(value).size() != 2) {
    throw InputError(ErrorCode::Unreachable,
                     fmt::format("Invalid query field, expected (status, value) but got {}", show_json(value)));
  }
  auto part = JsonArray(value).begin();
  const JsonValue status = *part;
  return {status, *++part};
}

void read_cells(JsonValue row, std::vector<Cell>& cells) {
  cells.clear();
  for (const JsonValue cell : require_array(row, "query row result")) cells.push_back(read_cell(cell));
}

JsonArray table_of(JsonValue result) {
  if (result.kind() != JsonKind::Object) {
    throw InputError(ErrorCode::Unreachable,
                     fmt::format("Invalid input, expected dict entry but got {}", show_json(result)));
  }
  return require_array(JsonObject(result).get("data", as_it_is), "query result");
}

// Calls `read` for each row of the table in a reply. Checks first that all rows consist of cells.
template <class Read>
void read_rows(std::string reply_text, Read read) {
  const LuxiReply reply(std::move(reply_text));
  const JsonArray rows = table_of(reply.result());
  std::vector<Cell> cells;
  for (const JsonValue row : rows) read_cells(row, cells);
  for (const JsonValue row : rows) {
    read_cells(row, cells);
    read(cells);
  }
}

void read_group(const GroupRow& row, ClusterBuilder& builder) {
  Group group;
  group.name = row.name();
  group.uuid = row.get("uuid", json_text);
  group.alloc_policy = row.get("alloc_policy", json_alloc_policy);
  group.policy = row.get("ipolicy", json_policy);
  group.tags = row.get("tags", json_texts);
  builder.add(std::move(group));
}

// Returns the value of a cell that a live node need not have, or a default value if it is missing or cannot be read.
template <class Convert>
auto if_known(const Cell& cell, Convert convert) -> decltype(convert(cell.value)) try {
  return convert(present(cell));
} catch (const InputError&) {
  return {};
}

// Reads the resources of a node. Only a live node has them: one that is vm_capable and not offline.
void read_resources(const NodeRow& row, NodeFacts& node) {
  if (node.exclusive_storage) node.spindles = row.get("sptotal", json_int);
  node.free_spindles = if_known(row.cell("spfree"), json_int);
  node.total_memory = row.get("mtotal", json_double);
  node.node_memory = row.get("mnode", json_int);
  node.free_memory = row.get("mfree", json_int);
  node.total_disk = if_known(row.cell("dtotal"), json_double);
  node.free_disk = if_known(row.cell("dfree"), json_int);
  node.total_cpus = row.get("ctotal", json_double);
  node.node_cpus = row.get("cnos", json_int);
}

void read_node(const NodeRow& row, ClusterBuilder& builder) {
  Node node;
  NodeFacts& facts = node.facts.edit();
  facts.name = row.name();
  const bool offline = row.get("offline", json_bool);
  const bool drained = row.get("drained", json_bool);
  const bool live = row.get("vm_capable", json_bool) && !offline;
  node.offline = !live || drained;
  facts.group = builder.group(row.get("group.uuid", json_text), facts.name);
  facts.tags = row.get("tags", json_tags);
  facts.exclusive_storage = row.get("ndp/exclusive_storage", json_bool);
  facts.cpu_speed = row.get("ndp/cpu_speed", json_double);
  facts.spindles = facts.exclusive_storage ? 0 : row.get("ndp/spindle_count", json_int);
  facts.node_cpus = 0;
  if (live) read_resources(row, facts);
  builder.add(std::move(node));
}

// Reads the disks. If the cell of the spindles has no value, the error does not name the instance.
std::vector<Disk> read_disks(const InstanceRow& row) {
  const std::vector<std::int64_t> sizes = row.get("disk.sizes", json_ints);
  const JsonValue spindles = present(row.cell("disk.spindles"));
  return pair_disks(sizes, row.annotated("disk.spindles", [&] { return json_spindles(spindles); }));
}

void read_instance(const InstanceRow& row, ClusterBuilder& builder) {
  Instance instance;
  InstanceFacts& facts = instance.facts.edit();
  facts.name = row.name();
  facts.disk = row.get("disk_usage", json_int);
  facts.memory = row.get("be/memory", json_int);
  facts.vcpus = row.get("be/vcpus", json_int);
  instance.primary = builder.node(row.get("pnode", json_text), facts.name);
  const std::vector<std::string> secondaries = row.get("snodes", json_texts);
  if (!secondaries.empty()) instance.secondary = builder.node(secondaries.front(), facts.name);
  facts.status = row.get("status", json_instance_status);
  facts.tags = row.get("tags", json_tags);
  facts.auto_balance = row.get("be/auto_balance", json_bool);
  facts.disk_template = row.get("disk_template", json_disk_template);
  facts.spindle_use = row.get("be/spindle_use", json_int);
  facts.disks = read_disks(row);
  facts.forthcoming = row.get("forthcoming", json_bool);
  builder.add(std::move(instance));
}

void read_info(std::string reply_text, ClusterBuilder& builder) {
  const LuxiReply reply(std::move(reply_text));
  if (reply.result().kind() != JsonKind::Object) {
    throw InputError(ErrorCode::Unreachable, "Cannot parse cluster info, not a JSON record");
  }
  const JsonObject data = JsonObject(reply.result()).named("Parsing cluster info");
  builder.cluster().tags = data.get("tags", json_texts);
  builder.cluster().policy = data.get("ipolicy", json_policy);
  const std::string master = data.get("master", json_text);
  const Hypervisor hypervisor = data.get("default_hypervisor", json_hypervisor);
  builder.cluster().ganeti_version = json_ganeti_version(data);
  builder.set_master(master);
  builder.set_hypervisor(hypervisor);
}

}  // namespace

Cluster read_luxi_cluster(LuxiAnswers answers) {
  ClusterBuilder builder;
  read_rows(std::move(answers.groups), [&](const auto& cells) { read_group(GroupRow(cells), builder); });
  read_rows(std::move(answers.nodes), [&](const auto& cells) { read_node(NodeRow(cells), builder); });
  read_rows(std::move(answers.instances), [&](const auto& cells) { read_instance(InstanceRow(cells), builder); });
  read_info(std::move(answers.cluster_info), builder);
  return std::move(builder.cluster());
}

}  // namespace htools
