// Names the states of a node, as documents and options do.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cluster/node.h"

namespace htools {

enum class NodeState : std::uint8_t {
  Online,
  Offline,      // down
  Maintenance,  // up, but to be emptied: it counts as offline, and moves off it obey all rules
  Cordoned      // keeps what it carries, and receives nothing more
};

// The names of the states, in the order of the enumeration.
inline constexpr std::array<std::string_view, 4> kNodeStateNames{"online", "offline", "maintenance", "cordoned"};
constexpr std::string_view name(NodeState state) { return kNodeStateNames[static_cast<std::size_t>(state)]; }

// Returns the state of the node. A cordoned node that is down or to be emptied has the state that says more about it.
inline NodeState state_of(const Node& node) {
  if (node.offline) return node.is_emptied ? NodeState::Maintenance : NodeState::Offline;
  return node.cordoned ? NodeState::Cordoned : NodeState::Online;
}

inline void set_state(Node& node, NodeState state) {
  node.offline = state == NodeState::Offline || state == NodeState::Maintenance;
  node.is_emptied = state == NodeState::Maintenance;
  node.cordoned = state == NodeState::Cordoned;
}

}  // namespace htools
