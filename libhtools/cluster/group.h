// Node groups.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/names.h"
#include "cluster/policy.h"

namespace htools {

enum class AllocPolicy : std::uint8_t { Preferred, LastResort, Unallocable };

inline constexpr std::array<std::string_view, 3> kAllocPolicyNames{"preferred", "last_resort", "unallocable"};
constexpr std::string_view name(AllocPolicy policy) { return kAllocPolicyNames[static_cast<std::size_t>(policy)]; }
inline AllocPolicy parse_alloc_policy(std::string_view text) {
  return parse_name<AllocPolicy>(text, kAllocPolicyNames, "AllocPolicy");
}

// A node group: nodes that are near each other, balanced as one, with a policy for their instances.
struct Group {
  std::string name;
  std::string uuid;
  AllocPolicy alloc_policy = AllocPolicy::Preferred;
  std::vector<std::string> tags;
  std::vector<std::string> networks;  // UUIDs
  InstancePolicy policy;              // the built-in one unless the source supplies one

  bool is_allocable() const { return alloc_policy != AllocPolicy::Unallocable; }
};

}  // namespace htools
