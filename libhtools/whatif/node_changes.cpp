#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "base/size_units.h"
#include "base/strings.h"
#include "cluster/new_node.h"
#include "cluster/node_state.h"
#include "formats/item_reader.h"
#include "htools/errors.h"
#include "whatif/change_makers.h"

namespace htools {
namespace {

constexpr std::string_view kNodesForm = "COUNT*NAME,GROUP,DISK,MEMORY,CPUS[,SPINDLES], e.g. 4*new,default,2t,128g,32";
constexpr std::int64_t kMostNewNodes = 100000;

// Nodes to be, as a change describes them.
struct NewNodes {
  std::vector<std::string> names;
  std::string group;
  InstanceSpec size;
};

std::int64_t within(std::int64_t number, std::int64_t least, std::int64_t most, std::string_view what) {
  if (number >= least && number <= most) return number;
  throw InputError(ErrorCode::InvalidValue, fmt::format("{} {} (expected {} to {})", what, number, least, most));
}

NewNodes read_new_nodes(const std::string& value) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int32_t>::max();
  const std::vector<std::string> parts = split(value, ',');
  if (parts.size() < 5 || parts.size() > 6) {
    throw InputError(ErrorCode::InvalidValue,
                     fmt::format("it has {}, not 5 or 6 (expected {})", counted(parts.size(), "part"), kNodesForm));
  }
  NewNodes nodes;
  nodes.group = parts[1];
  nodes.size.disk_size = within(parse_size(parts[2]), 0, std::numeric_limits<std::int64_t>::max() / 1024, "disk");
  nodes.size.memory = within(parse_size(parts[3]), 1, std::numeric_limits<std::int64_t>::max() / 1024, "memory");
  nodes.size.vcpus = within(parse_int(parts[4], "cpus"), 1, kLargest, "cpus");
  nodes.size.spindle_use = parts.size() == 6 ? within(parse_int(parts[5], "spindles"), 0, kLargest, "spindles") : 1;
  const std::size_t star = parts[0].find('*');
  if (star == std::string::npos) {
    nodes.names = {parts[0]};
  } else {
    const std::int64_t count = within(parse_int(parts[0].substr(0, star), "count"), 1, kMostNewNodes, "count");
    const std::string name = parts[0].substr(star + 1);
    for (std::int64_t i = 1; i <= count; ++i) nodes.names.push_back(numbered_name(name, static_cast<std::size_t>(i)));
    require_plain(name, "name");
  }
  require_plain(nodes.names.front(), "name");
  return nodes;
}

// Returns what a node of this state is.
std::string_view words(NodeState state) { return state == NodeState::Maintenance ? "in maintenance" : name(state); }

// Gives the nodes this state.
ChangeOutcome set_states(Workspace& workspace, const std::string& value, NodeState state) {
  const bool is_used = state == NodeState::Online || state == NodeState::Cordoned;
  std::vector<std::string> names;
  for (const std::string& name : read_list(value)) {
    Node& node = workspace.cluster.node(workspace.node(name));
    if (state_of(node) == state) {
      throw InputError(ErrorCode::InvalidValue, fmt::format("node {} is {} already", node.facts->name, words(state)));
    }
    if (is_used && node.facts->total_memory == 0) {
      throw InputError(ErrorCode::InvalidValue,
                       fmt::format("the source does not say what node {} has; it cannot be used", node.facts->name), {},
                       "Add a node of the same size with --add-nodes instead.");
    }
    set_state(node, state);
    names.push_back(node.facts->name);
  }
  workspace.settle();
  return {.change = {},
          .summary = fmt::format("{} now {}: {}", counted(names.size(), "node"), words(state), some_names(names))};
}

constexpr std::string_view kStateForm = "NODE:STATE";

// Returns the state that stands behind the name of the node.
NodeState state_in(const std::string& value) {
  const std::string word = split_at_colon(value, kStateForm).second;
  const auto* const found = std::ranges::find(kNodeStateNames, word);
  if (found == kNodeStateNames.end()) {
    throw InputError(ErrorCode::InvalidValue, fmt::format("there is no state '{}'", word), {},
                     "The states are online, offline, maintenance and cordoned.");
  }
  return static_cast<NodeState>(found - kNodeStateNames.begin());
}

}  // namespace

void check_new_nodes(const std::string& value) { read_new_nodes(value); }

ChangeOutcome add_nodes(Workspace& workspace, const std::string& value) {
  const NewNodes wanted = read_new_nodes(value);
  Cluster& cluster = workspace.cluster;
  NodeFacts facts = facts_of_new_node(cluster, workspace.group(wanted.group), wanted.size);
  std::unordered_set<std::string> taken;
  for (const Node& node : cluster.nodes) taken.insert(node.facts->name);
  for (const std::string& name : wanted.names) {
    if (!taken.insert(name).second)
      throw InputError(ErrorCode::InvalidValue, fmt::format("there is a node '{}' already", name));
    facts.name = name;
    Node node;
    node.facts = Shared<NodeFacts>(facts);
    reset_books(node);
    cluster.nodes.push_back(std::move(node));
  }
  workspace.settle();
  return {.change = {},
          .summary = fmt::format("{} added to group {}: {}", counted(wanted.names.size(), "node"),
                                 cluster.group(facts.group).name, some_names(wanted.names))};
}

ChangeOutcome remove_nodes(Workspace& workspace, const std::string& value) {
  Cluster& cluster = workspace.cluster;
  std::vector<bool> marked(cluster.nodes.size());
  std::vector<std::string> names;
  for (const std::string& name : read_list(value)) {
    const NodeIndex n = workspace.node(name);
    if (marked[n.position()]) throw InputError(ErrorCode::InvalidValue, fmt::format("'{}' is named twice", name));
    marked[n.position()] = true;
    names.push_back(cluster.node(n).facts->name);
  }
  for (const Instance& i : cluster.instances) {
    for (const NodeIndex n : {i.primary, i.secondary}) {
      if (n.is_none() || !marked[n.position()]) continue;
      throw InputError(
          ErrorCode::InvalidValue,
          fmt::format("node {} is not empty: instance {} is on it", cluster.node(n).facts->name, i.facts->name), {},
          "Empty it first, with --move, --remove-instances or a plan.");
    }
  }
  workspace.erase_nodes(marked);
  workspace.settle();
  return {.change = {}, .summary = fmt::format("{} removed: {}", counted(names.size(), "node"), some_names(names))};
}

ChangeOutcome set_offline(Workspace& workspace, const std::string& value) {
  return set_states(workspace, value, NodeState::Offline);
}
void check_state(const std::string& value) { state_in(value); }

ChangeOutcome set_state(Workspace& workspace, const std::string& value) {
  return set_states(workspace, split_at_colon(value, kStateForm).first, state_in(value));
}
ChangeOutcome set_online(Workspace& workspace, const std::string& value) {
  return set_states(workspace, value, NodeState::Online);
}
ChangeOutcome set_maintenance(Workspace& workspace, const std::string& value) {
  return set_states(workspace, value, NodeState::Maintenance);
}
ChangeOutcome set_cordoned(Workspace& workspace, const std::string& value) {
  return set_states(workspace, value, NodeState::Cordoned);
}

}  // namespace htools
