// Hypervisors: what runs the instances of a node.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "cluster/names.h"

namespace htools {

enum class Hypervisor : std::uint8_t { Kvm, XenPvm, Chroot, XenHvm, Lxc, Fake };

inline constexpr std::array<std::string_view, 6> kHypervisorNames{"kvm", "xen-pvm", "chroot", "xen-hvm", "lxc", "fake"};
inline Hypervisor parse_hypervisor(std::string_view text) {
  return parse_name<Hypervisor>(text, kHypervisorNames, "Hypervisor");
}

}  // namespace htools
