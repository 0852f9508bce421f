// Defines the hypervisors: the programs that run the instances of a node.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "cluster/names.h"

namespace htools {

// The hypervisors that Ganeti supports.
enum class Hypervisor : std::uint8_t { Kvm, XenPvm, Chroot, XenHvm, Lxc, Fake };

inline constexpr std::array<std::string_view, 6> kHypervisorNames{"kvm", "xen-pvm", "chroot", "xen-hvm", "lxc", "fake"};
// Returns the hypervisor of that name. Throws InputError if there is none.
inline Hypervisor parse_hypervisor(std::string_view text) {
  return parse_name<Hypervisor>(text, kHypervisorNames, "Hypervisor");
}

}  // namespace htools
