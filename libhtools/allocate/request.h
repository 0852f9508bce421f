// The requests to an instance allocator.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cluster/instance.h"
#include "htools/index.h"

namespace htools {

// Asks for a place for an instance that does not exist yet.
struct AllocationRequest {
  Instance instance;  // the prepared instance, without nodes
  std::int64_t required_nodes = 1;
  std::optional<std::string> group;                       // name or UUID; absent: any group
  std::optional<std::vector<std::string>> allowed_nodes;  // full names; absent: all
};

// Asks for places for several instances, one after the other.
struct MultiAllocationRequest {
  std::vector<AllocationRequest> allocations;
};

// Asks for a secondary node for an instance that is to become a drbd instance.
struct SecondaryRequest {
  InstanceIndex instance;
};

// Asks for a new secondary node (drbd) or primary node (externally mirrored disks) in place of `from`.
struct RelocationRequest {
  InstanceIndex instance;
  std::int64_t required_nodes = 1;
  std::vector<NodeIndex> from;
};
// True if the request asks for one node; other numbers are refused for any instance.
inline bool is_supported(const RelocationRequest& request) { return request.required_nodes == 1; }

// The nodes that instances leave.
enum class EvacuationMode : std::uint8_t { PrimaryOnly, SecondaryOnly, All };

// Asks for the instances to leave their primary nodes, their secondary nodes or both.
struct EvacuationRequest {
  std::vector<InstanceIndex> instances;
  EvacuationMode mode = EvacuationMode::All;
};

// Asks for the instances to leave their node groups.
struct GroupChangeRequest {
  std::vector<InstanceIndex> instances;
  std::vector<GroupIndex> targets;  // the allowed groups; empty: any other group
};

using AllocatorRequest = std::variant<AllocationRequest, MultiAllocationRequest, SecondaryRequest, RelocationRequest,
                                      EvacuationRequest, GroupChangeRequest>;

}  // namespace htools
