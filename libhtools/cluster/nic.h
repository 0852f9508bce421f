// Defines the network interfaces of an instance.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace htools {

// The ways in which an interface is connected to the network of its node.
enum class NicMode : std::uint8_t { Bridged, Routed, OpenVSwitch };
inline constexpr std::array<std::string_view, 3> kNicModeNames{"bridged", "routed", "openvswitch"};

// A network interface. Members are absent if the source does not state them.
struct Nic {
  std::optional<std::string> mac;
  std::optional<std::string> ip;
  std::optional<NicMode> mode;
  std::optional<std::string> link;
  std::optional<std::string> bridge;
  std::optional<std::string> network;  // UUID

  bool operator==(const Nic&) const = default;
};

}  // namespace htools
