// The node table: one line per node, with the fields that the user asks for.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/index.h"
#include "cluster/cluster.h"

namespace htools {

// A column that a node table can have.
struct NodeField {
  std::string_view name;  // as typed in a list of fields
  std::string_view header;
  bool numeric;
  std::string (*format)(const Cluster&, NodeIndex);
};

// All fields. Disk is shown in GiB, memory in MiB.
extern const std::array<NodeField, 32> kNodeFields;

// The names in a list of fields: of the default list for empty text, of the default list and more for "+MORE". They are
// separated by commas, may repeat, and may be unknown (see below).
std::vector<std::string> parse_node_fields(std::string_view list);

// A line for each field that does not exist but has nearly the name of one, for the first few of them.
std::string misspelt_fields_text(const std::vector<std::string>& fields);

// The table of some nodes, in the order given; its lines begin with one blank. A field that does not exist is a column
// that says so.
std::string format_node_table(const Cluster& cluster, std::span<const NodeIndex> nodes,
                              const std::vector<std::string>& fields);

// The table of all nodes in their order.
std::string format_node_table(const Cluster& cluster, const std::vector<std::string>& fields);

}  // namespace htools
