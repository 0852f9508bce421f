// Formats the node table: one line per node, with the fields that the user asks for.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "htools/index.h"

namespace htools {

// A column that a node table can have.
struct NodeField {
  std::string_view name;  // the name in a list of fields
  std::string_view header;
  bool numeric;
  std::string (*format)(const Cluster&, NodeIndex);
};

// The table of all fields. Disk is shown in GiB, memory in MiB.
extern const std::array<NodeField, 32> kNodeFields;

// Returns the names in a comma-separated list of fields. An empty list stands for the default fields, "+MORE" for the
// default fields and MORE. Names may repeat and may be unknown; format_node_table() shows an unknown field as such.
std::vector<std::string> parse_node_fields(std::string_view list);

// Returns a line with a suggestion for each unknown field whose name resembles that of a field, for the first few of
// them.
std::string misspelt_fields_text(const std::vector<std::string>& fields);

// Returns the table of some nodes in the given order. Its lines begin with one blank. Each unknown field is a column
// that says so.
std::string format_node_table(const Cluster& cluster, std::span<const NodeIndex> nodes,
                              const std::vector<std::string>& fields);

// Returns the table of all nodes in index order.
std::string format_node_table(const Cluster& cluster, const std::vector<std::string>& fields);

}  // namespace htools
