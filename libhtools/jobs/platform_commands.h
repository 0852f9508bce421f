// Formats the commands that carry out a solution on other platforms than Ganeti, for clusters that himport has read.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "cluster/cluster.h"
#include "jobs/commands.h"

namespace htools {

// The platforms whose commands can be written, and their names in options.
enum class CommandPlatform : std::uint8_t { Ganeti, Proxmox, Openstack, Libvirt };
inline constexpr std::array<std::string_view, 4> kCommandPlatformNames{"ganeti", "proxmox", "openstack", "libvirt"};

// Returns the commands of all steps like job_commands(), for the platform. Guests that run migrate live, with their
// local disks; others are moved while they are stopped; those of a host with the tag kHostDownTag are started
// elsewhere. A move that no command makes is a line that asks the user to make it, for example that of a guest with the
// tag kPinnedTag. `leaving` is for Ganeti. What the platform needs to know of an instance or a node is in the tags that
// himport has set. Throws InputError if such a tag is missing, or if a step changes a secondary node, which these
// platforms do not have.
CommandLines platform_commands(const Cluster& cluster, JobSets sets, InstanceName name, CommandPlatform platform,
                               LeavingOffline leaving = LeavingOffline::Migrates);

// Returns the shell functions that these lines call, for command_script().
std::string_view script_functions(CommandPlatform platform);

}  // namespace htools
