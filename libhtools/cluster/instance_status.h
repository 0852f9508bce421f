// Defines the run states of an instance and what each implies for its resources.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "cluster/names.h"

namespace htools {

// The run states that Ganeti reports: as the administrator or the user wants them, or an error.
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

// The properties that an instance has because of its status.
struct InstanceStatusFacts {
  std::string_view name;
  bool running;
  bool offline;      // its vcpus do not count, and it reserves nothing on its secondary node
  bool uses_memory;  // it uses memory on its primary node
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

// Returns the status of that name. Throws InputError if there is none.
inline InstanceStatus parse_instance_status(std::string_view text) {
  std::array<std::string_view, kInstanceStatuses.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kInstanceStatuses[i].name;
  return parse_name<InstanceStatus>(text, names, "InstanceStatus");
}

}  // namespace htools
