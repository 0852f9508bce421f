// Formats the commands that carry out a solution on other platforms than Ganeti, for clusters that himport has read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "jobs/commands.h"

namespace htools {

// The platforms whose commands can be written, and their names in options. Ansible runs the commands of the platform
// that the cluster is from.
enum class CommandPlatform : std::uint8_t { Ganeti, Proxmox, Openstack, Libvirt, Ansible };
inline constexpr std::array<std::string_view, 5> kCommandPlatformNames{"ganeti", "proxmox", "openstack", "libvirt",
                                                                       "ansible"};
inline constexpr std::size_t kPlatformsWithCommands = 4;  // all but Ansible

// Returns the platform whose commands move the instances; for Ansible, the one that the tags of the instances are of.
CommandPlatform commanded_platform(const Cluster& cluster, CommandPlatform platform);

// Returns the commands of all steps like job_commands(), for the platform. Guests that run migrate live or restart, as
// cluster/mobility.h says, with their local disks; others are moved while they are off; those of a host that is down
// are started elsewhere: of one with the tag kHostDownTag, and, with LeavingOffline::FailsOver, of each that is_down()
// and not in maintenance. A move that no command makes is a line that asks the user to make it, for example that of a
// guest with the tag kPinnedTag. What the platform needs to know of an instance or a node is in the tags that himport
// has set. Throws InputError if such a tag is missing, or if a step changes a secondary node, which these platforms do
// not have.
CommandLines platform_commands(const Cluster& cluster, JobSets sets, InstanceName name, CommandPlatform platform,
                               LeavingOffline leaving = LeavingOffline::Migrates);

// The place of an instance of which no host that answers knows.
inline constexpr std::string_view kNowhere = "nowhere";

// The commands that make one step, and how a script finds out whether they are done.
struct StepCommands {
  std::string instance;  // its full name
  std::string key;       // the name of the instance among the places that the platform tells
  std::string before;    // its place before the step
  std::vector<Leg> legs;
  std::string starting = {};      // if not empty: words after which the instance has to be started where it arrives
  bool leaves_by_itself = false;  // the platform restarts the instance, wherever it likes, before the step

  const std::string& after() const { return legs.back().place; }
  bool is_by_hand() const;  // true if the user has to do a part of it
};
// Returns the commands of one step, like platform_commands().
StepCommands step_commands(const Cluster& cluster, const BalanceStep& step, InstanceName name, CommandPlatform platform,
                           LeavingOffline leaving);

}  // namespace htools
