// Run states of an instance and what each implies for its resources.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "cluster/names.h"

namespace htools {

enum class InstanceStatus : std::uint8_t {
  AdminDown,
  AdminOffline,
  ErrorDown,
  ErrorUp,
  ErrorNodeDown,
  ErrorNodeOffline,
  Running,
  UserDown,
  ErrorWrongNode
};

// What follows from an instance's status.
struct InstanceStatusFacts {
  std::string_view name;
  bool running;
  bool offline;      // its vcpus are not counted and it reserves nothing on a secondary
  bool uses_memory;  // on its primary node
};

inline constexpr std::array<InstanceStatusFacts, 9> kInstanceStatuses{{
    {"ADMIN_down", false, false, false},
    {"ADMIN_offline", false, true, false},
    {"ERROR_down", false, false, false},
    {"ERROR_up", true, false, true},
    {"ERROR_nodedown", false, false, true},
    {"ERROR_nodeoffline", false, false, true},
    {"running", true, false, true},
    {"USER_down", false, false, false},
    {"ERROR_wrongnode", false, false, true},
}};

constexpr const InstanceStatusFacts& facts(InstanceStatus s) { return kInstanceStatuses[static_cast<std::size_t>(s)]; }

inline InstanceStatus parse_instance_status(std::string_view text) {
  std::array<std::string_view, kInstanceStatuses.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kInstanceStatuses[i].name;
  return parse_name<InstanceStatus>(text, names, "InstanceStatus");
}

}  // namespace htools
