#include "report/node_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/decimal.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "base/suggestions.h"
#include "report/table.h"

namespace htools {
namespace {

constexpr std::string_view kDefaultFields =
    "status,name,tmem,nmem,imem,xmem,fmem,umem,rmem,tdsk,fdsk,tcpu,ucpu,pcnt,scnt,pfmem,pfdsk,rcpu,cload,mload,dload,"
    "nload";

constexpr std::string_view kUnknownField = "<unknown field>";

std::string integer(std::int64_t value, int width) { return fmt::format("{:{}}", value, width); }

std::string status(const Node& node) {
  if (node.offline) return "-";
  if (node.books.n1_failed) return "*";
  return node.cordoned ? "|" : " ";
}

// Returns the list of instances, newest first. -1 stands for an instance that an allocator has just placed.
std::string instance_list(const std::vector<InstanceIndex>& oldest_first) {
  std::vector<std::string> numbers;
  for (auto i = oldest_first.rbegin(); i != oldest_first.rend(); ++i) {
    numbers.push_back(i->is_none() ? "-1" : fmt::to_string(i->position()));
  }
  return "[" + join(numbers, ",") + "]";
}

std::string tag_list(const TagCounts& tags) {
  std::vector<std::string> texts;
  for (const auto& [tag, count] : tags) texts.push_back(fmt::format("{}={}", tag, count));
  return join(texts, ",");
}

std::string peer_list(const Cluster& cluster, const PeerMap& peers) {
  std::vector<std::string> pairs;
  for (const PeerMap::Entry& e : peers.entries()) {
    pairs.push_back(fmt::format("({},{})", cluster.number(e.primary), e.memory));
  }
  return "[" + join(pairs, ",") + "]";
}

// Adapts a function of a node to the signature of NodeField::format.
template <auto text_of>
std::string of_node(const Cluster& cluster, NodeIndex i) {
  return text_of(cluster.node(i));
}

const NodeField* find_field(std::string_view name) {
  const auto* field =
      std::find_if(kNodeFields.begin(), kNodeFields.end(), [&](const NodeField& f) { return f.name == name; });
  return field == kNodeFields.end() ? nullptr : field;
}

}  // namespace

// clang-format off
constexpr std::array<NodeField, 32> kNodeFields{{
    {"idx", "Index", true, [](const Cluster& c, NodeIndex i) { return integer(c.number(i), 4); }},
    {"name", "Name", false, of_node<[](const Node& n) { return n.facts->alias; }>},
    {"fqdn", "Name", false, of_node<[](const Node& n) { return n.facts->name; }>},
    {"status", "F", false, of_node<status>},
    {"tmem", "t_mem", true, of_node<[](const Node& n) { return format_fixed(n.facts->total_memory, 5, 0); }>},
    {"nmem", "n_mem", true, of_node<[](const Node& n) { return integer(n.facts->node_memory, 5); }>},
    {"imem", "i_mem", true, of_node<[](const Node& n) { return integer(n.books.instance_memory, 5); }>},
    {"xmem", "x_mem", true, of_node<[](const Node& n) { return integer(n.facts->missing_memory, 5); }>},
    {"fmem", "f_mem", true, of_node<[](const Node& n) { return integer(n.facts->free_memory, 5); }>},
    {"umem", "u_mem", true, of_node<[](const Node& n) { return integer(n.unallocated_memory(), 5); }>},
    {"rmem", "r_mem", true, of_node<[](const Node& n) { return integer(n.books.reserved_memory, 5); }>},
    {"amem", "a_mem", true, of_node<[](const Node& n) { return integer(n.available_memory(), 5); }>},
    {"tdsk", "t_dsk", true, of_node<[](const Node& n) { return format_fixed(n.facts->total_disk / 1024, 5, 0); }>},
    {"fdsk", "f_dsk", true, of_node<[](const Node& n) { return integer(floor_div(n.books.real.free_disk, 1024), 5); }>},
    {"tcpu", "pcpu", true, of_node<[](const Node& n) { return format_fixed(n.facts->total_cpus, 4, 0); }>},
    {"ucpu", "vcpu", true, of_node<[](const Node& n) { return integer(n.books.real.used_vcpus, 4); }>},
    {"pcnt", "pcnt", true, of_node<[](const Node& n) { return integer(std::ssize(n.primaries), 3); }>},
    {"scnt", "scnt", true, of_node<[](const Node& n) { return integer(std::ssize(n.secondaries), 3); }>},
    {"plist", "primaries", true, of_node<[](const Node& n) { return instance_list(n.primaries); }>},
    {"slist", "secondaries", true, of_node<[](const Node& n) { return instance_list(n.secondaries); }>},
    {"pfmem", "p_fmem", true, of_node<[](const Node& n) { return format_fixed(n.books.real.memory_ratio, 6, 4); }>},
    {"pfdsk", "p_fdsk", true, of_node<[](const Node& n) { return format_fixed(n.books.real.disk_ratio, 6, 4); }>},
    {"rcpu", "r_cpu", true, of_node<[](const Node& n) { return format_fixed(n.books.real.vcpu_ratio, 5, 2); }>},
    {"cload", "lCpu", true, of_node<[](const Node& n) { return format_fixed(n.books.load.cpu, 5, 3); }>},
    {"mload", "lMem", true, of_node<[](const Node& n) { return format_fixed(n.books.load.memory, 5, 3); }>},
    {"dload", "lDsk", true, of_node<[](const Node& n) { return format_fixed(n.books.load.disk, 5, 3); }>},
    {"nload", "lNet", true, of_node<[](const Node& n) { return format_fixed(n.books.load.network, 5, 3); }>},
    {"ptags", "PrimaryTags", false, of_node<[](const Node& n) { return tag_list(n.primary_tags); }>},
    {"peermap", "PeerMap", false, [](const Cluster& c, NodeIndex i) { return peer_list(c, c.node(i).peers); }},
    {"spindle_count", "NodeSpindles", true, of_node<[](const Node& n) { return integer(n.facts->spindles, 0); }>},
    {"hi_spindles", "MaxSpindles", true, of_node<[](const Node& n) { return format_show(n.facts->max_instance_spindles); }>},
    {"inst_spindles", "InstSpindles", true,
     of_node<[](const Node& n) { return format_show(n.books.real.instance_spindles); }>},
}};
// clang-format on

std::vector<std::string> parse_node_fields(std::string_view list) {
  if (list.empty()) return split(kDefaultFields, ',');
  if (list.front() != '+') return split(list, ',');
  std::vector<std::string> fields = split(kDefaultFields, ',');
  for (std::string& field : split(list.substr(1), ',')) fields.push_back(std::move(field));
  return fields;
}

std::string misspelt_fields_text(const std::vector<std::string>& fields) {
  constexpr int kMostLines = 3;
  std::vector<std::string_view> names;
  for (const NodeField& field : kNodeFields) names.push_back(field.name);
  std::string text;
  int lines = 0;
  for (const std::string& field : fields) {
    if (find_field(field) != nullptr) continue;
    const std::string suggestion = did_you_mean(field, names);
    if (suggestion.empty()) continue;
    text += fmt::format("Unknown node field '{}'. {}\n", field, suggestion);
    if (++lines == kMostLines) break;
  }
  return text;
}

std::string format_node_table(const Cluster& cluster, std::span<const NodeIndex> nodes,
                              const std::vector<std::string>& fields) {
  std::vector<Column> columns;
  std::vector<TableRow> rows(nodes.size());
  for (const std::string& name : fields) {
    const NodeField* field = find_field(name);
    columns.push_back(field ? Column{std::string(field->header), field->numeric} : Column{std::string(kUnknownField)});
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].push_back(field ? field->format(cluster, nodes[i]) : std::string(kUnknownField));
    }
  }
  return format_table("", columns, rows);
}

std::string format_node_table(const Cluster& cluster, const std::vector<std::string>& fields) {
  std::vector<NodeIndex> nodes;
  for (std::size_t i = 0; i < cluster.nodes.size(); ++i) nodes.push_back(NodeIndex(i));
  return format_node_table(cluster, nodes, fields);
}

}  // namespace htools
