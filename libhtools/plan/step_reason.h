// Says why a step of a plan is made: in a few words, and as a value for programs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/node.h"
#include "htools/balance.h"

namespace htools {

// What a step is made for.
enum class ServedKind : std::uint8_t {
  Offline,   // the instance leaves an offline node
  Empty,     // the instance leaves a node that the plan empties
  NPlusOne,  // a node becomes N+1 safe, by this step or by several
  Policy,    // a node comes nearer to a limit of its policy
  Limit,     // a node comes nearer to a limit of the plan
  Apart,     // instances of which the exclusion tags want no two on one node are separated
  Loads,     // the loads of instances are balanced; if none are given, their number
  Balance,   // the use of a resource is balanced
  Room,      // other instances find a place
  Step,      // a later step becomes possible
  Lost,      // the instance gets new disks, because its data is lost
  Rule       // a placement rule is kept again, or is broken less
};
inline constexpr std::array<std::string_view, 12> kServedKindNames{
    "offline", "empty", "n1", "policy", "limit", "apart", "loads", "balance", "room", "step", "lost", "rule"};

// What a step is made for, and the tag, resource, node or step that it is for, as far as there is one.
struct Served {
  ServedKind kind = ServedKind::Balance;
  std::string rule = {};      // the placement rule, or the exclusion tag that wants the instances apart
  std::string resource = {};  // memory, disk, cpus, reserved-memory or spindles
  NodeIndex node = NodeIndex::none();
  std::optional<std::size_t> step = {};  // its number, counted from 1
};

// Why a step is made.
struct StepReason {
  std::string text;  // "balance: memory of node5 80 -> 71 %"
  Served serves;
};

// A node that a step touches, before and after it.
struct TouchedNode {
  NodeIndex index;
  Node before;
  Node after;
};

// Returns the offline node that the instance leaves with the step: as its primary, if it is that. Returns none if it
// leaves no offline node. `cluster` may be any state; only offline nodes count.
NodeIndex evacuated_node(const Cluster& cluster, const BalanceStep& step);

// Returns the instances that a step takes apart: the one that moves, and those with an exclusion tag in common with it
// that its primary node has in `cluster`, the state before the step. Returns none if the primary node stays, or if no
// other instance has a common tag.
std::vector<InstanceIndex> separated_by(const Cluster& cluster, const BalanceStep& step);

// Returns the reason of a step after which the first rule of the instance that was broken is broken less; nothing if
// there is none. `cluster` is the state before the step.
std::optional<StepReason> rule_reason(const Cluster& cluster, const BalanceStep& step);

// Returns the reason of a step, by the nodes that it touches, the offline node that the instance leaves and the one
// that becomes N+1 safe by it and others (none if there is none), and the instances that it takes apart. It is the
// first of these that applies: the instance leaves an offline node, a node becomes N+1 safe, a node that is above a
// limit of its policy comes nearer to it ("policy: cpus of node2"), exclusion tags collide on fewer instances ("apart:
// web1, web2"), the step is made for the loads of instances ("balance: number of instances"), or the largest decrease
// of a node's use: "balance: memory of node5 80 -> 71 %". If nothing decreases by a whole per cent, it is "balance".
// `loads` is what plan/served_loads.h calls the loads if the step is made for them, otherwise empty. `cluster` may be
// any state.
StepReason step_reason(const Cluster& cluster, std::span<const TouchedNode> nodes, NodeIndex evacuated,
                       NodeIndex made_safe, const std::vector<InstanceIndex>& separated, std::string_view loads);

}  // namespace htools
