// Says what an instance is on another platform than Ganeti, by the tags that himport sets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "cluster/tag_list.h"

namespace htools {

// The kinds of guests that commands can move. Names in tags and commands are those of the platforms.
enum class GuestKind : std::uint8_t { ProxmoxContainer, ProxmoxMachine, OpenstackServer, LibvirtDomain };

// What a guest of each kind is like, in the order of GuestKind.
struct GuestKindFacts {
  std::string_view tag_prefix;  // of the tag that says what the platform calls the guest
  bool live;                    // a guest that runs migrates live, with its local disks; otherwise it restarts
};
inline constexpr std::array<GuestKindFacts, 4> kGuestKindFacts{
    {{"proxmox:lxc:", false}, {"proxmox:qemu:", true}, {"openstack:server:", true}, {"libvirt:domain:", true}}};
constexpr const GuestKindFacts& facts(GuestKind kind) { return kGuestKindFacts[static_cast<std::size_t>(kind)]; }

// Returns the kind of an instance with these tags; nothing if it is of Ganeti, or of a platform without commands.
inline std::optional<GuestKind> guest_kind(const TagList& tags) {
  for (std::size_t kind = 0; kind < kGuestKindFacts.size(); ++kind) {
    for (const std::string_view tag : tags) {
      if (tag.starts_with(kGuestKindFacts[kind].tag_prefix)) return static_cast<GuestKind>(kind);
    }
  }
  return std::nullopt;
}

}  // namespace htools
