// Defines node groups.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/extra_field.h"
#include "cluster/names.h"
#include "htools/policy.h"

namespace htools {

// The allocation policy of a group: new instances may be placed in it, may be placed in it only if no preferred group
// can take them, or may not be placed in it.
enum class AllocPolicy : std::uint8_t { Preferred, LastResort, Unallocable };

inline constexpr std::array<std::string_view, 3> kAllocPolicyNames{"preferred", "last_resort", "unallocable"};
constexpr std::string_view name(AllocPolicy policy) { return kAllocPolicyNames[static_cast<std::size_t>(policy)]; }
inline AllocPolicy parse_alloc_policy(std::string_view text) {
  return parse_name<AllocPolicy>(text, kAllocPolicyNames, "AllocPolicy");
}

// A node group: a set of nodes that are near each other and are balanced together, with a policy for their instances.
struct Group {
  std::string name;
  std::string uuid;
  AllocPolicy alloc_policy = AllocPolicy::Preferred;
  std::vector<std::string> tags;
  std::vector<std::string> networks;  // UUIDs
  InstancePolicy policy;              // the built-in one unless the source supplies one
  ExtraFields extras = {};

  // True if new instances may be placed in the group.
  bool is_allocable() const { return alloc_policy != AllocPolicy::Unallocable; }
};

}  // namespace htools
