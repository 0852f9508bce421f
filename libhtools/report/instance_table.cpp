#include "report/instance_table.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

#include "base/decimal.h"
#include "base/numbers.h"
#include "report/table.h"

namespace htools {
namespace {

struct InstanceField {
  std::string_view header;
  bool numeric;
  std::string (*format)(const Cluster&, const Instance&);
};

std::string node_name(const Cluster& cluster, NodeIndex node) {
  return node.is_none() ? std::string() : cluster.node(node).facts->name;
}

// clang-format off
constexpr std::array kFields = std::to_array<InstanceField>({
    {"F", false, [](const Cluster&, const Instance& i) { return std::string(i.facts->is_running() ? "R" : " "); }},
    {"Name", false, [](const Cluster&, const Instance& i) { return i.facts->name; }},
    {"Pri_node", false, [](const Cluster& c, const Instance& i) { return node_name(c, i.primary); }},
    {"Sec_node", false, [](const Cluster& c, const Instance& i) { return node_name(c, i.secondary); }},
    {"Auto_bal", false, [](const Cluster&, const Instance& i) { return std::string(i.facts->auto_balance ? "Y" : "N"); }},
    {"vcpu", true, [](const Cluster&, const Instance& i) { return fmt::format("{:3}", i.facts->vcpus); }},
    {"mem", true, [](const Cluster&, const Instance& i) { return fmt::format("{:5}", i.facts->memory); }},
    {"dsk", true, [](const Cluster&, const Instance& i) { return fmt::format("{:5}", floor_div(i.facts->disk, 1024)); }},
    {"lCpu", true, [](const Cluster&, const Instance& i) { return format_fixed(i.facts->utilisation.cpu, 5, 3); }},
    {"lMem", true, [](const Cluster&, const Instance& i) { return format_fixed(i.facts->utilisation.memory, 5, 3); }},
    {"lDsk", true, [](const Cluster&, const Instance& i) { return format_fixed(i.facts->utilisation.disk, 5, 3); }},
    {"lNet", true, [](const Cluster&, const Instance& i) { return format_fixed(i.facts->utilisation.network, 5, 3); }},
});
// clang-format on

}  // namespace

std::string format_instance_table(const Cluster& cluster, std::span<const InstanceIndex> instances) {
  std::vector<Column> columns;
  for (const InstanceField& field : kFields) columns.push_back({std::string(field.header), field.numeric});
  std::vector<TableRow> rows;
  rows.reserve(instances.size());
  for (InstanceIndex i : instances) {
    TableRow& row = rows.emplace_back();
    for (const InstanceField& field : kFields) row.push_back(field.format(cluster, cluster.instance(i)));
  }
  return format_table("", columns, rows);
}

}  // namespace htools
