// What an instance allocator is asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/index.h"
#include "cluster/instance.h"

namespace htools {

// A place for an instance that does not exist yet.
struct AllocationRequest {
  Instance instance;  // prepared, without nodes
  std::int64_t required_nodes = 1;
  std::optional<std::string> group;                       // name or UUID; the whole cluster if absent
  std::optional<std::vector<std::string>> allowed_nodes;  // full names; absent: all
};

// Places for several instances, one after the other.
struct MultiAllocationRequest {
  std::vector<AllocationRequest> allocations;
};

// A secondary node for an instance that is to become a drbd one.
struct SecondaryRequest {
  InstanceIndex instance;
};

// A new secondary node (drbd) or primary node (externally mirrored) in place of `from`.
struct RelocationRequest {
  InstanceIndex instance;
  std::int64_t required_nodes = 1;
  std::vector<NodeIndex> from;
};
// Others are refused whatever the instance is.
inline bool is_supported(const RelocationRequest& request) { return request.required_nodes == 1; }

enum class EvacuationMode : std::uint8_t { PrimaryOnly, SecondaryOnly, All };

// The instances leave their primary nodes, secondary nodes or both.
struct EvacuationRequest {
  std::vector<InstanceIndex> instances;
  EvacuationMode mode = EvacuationMode::All;
};

// The instances leave their node groups.
struct GroupChangeRequest {
  std::vector<InstanceIndex> instances;
  std::vector<GroupIndex> targets;  // empty: any other group
};

using AllocatorRequest = std::variant<AllocationRequest, MultiAllocationRequest, SecondaryRequest, RelocationRequest,
                                      EvacuationRequest, GroupChangeRequest>;

}  // namespace htools
