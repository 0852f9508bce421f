// Says why an instance may not move, or not like this. The rules that decide are those of move_generation.h.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "cluster/cluster.h"
#include "htools/balance.h"

namespace htools {

// The reason why an instance may not move: something about itself, or an option of the user.
enum class Immovable : std::uint8_t {
  OnlyCopy,             // its disk template keeps the only copy of its data on its node
  DiskTemplate,         // its disk template is not moved by balancing
  NotSelected,          // --select-instances does not name it
  NotAutoBalanced,      // by its own setting
  NoSecondary,          // its disk template needs a secondary, which it has not
  SplitGroups,          // its two nodes are in different node groups
  Excluded,             // --exclude-instances names it
  NoOfflineNode,        // its nodes are online, and only what has an offline node may move (MoveRules::evacuation)
  NoDiskMoves,          // MoveRules::disk_moves forbids the moves that it would take
  NoInstanceMoves,      // MoveRules::instance_moves likewise
  RestrictedMigration,  // MoveRules::restricted_migration likewise
  SecondaryOffline,     // it would have to fail over to its secondary node, which is offline
  DeadDisks,            // MoveRules::dead_disks forbids the moves that it would take
  Stays                 // a placement rule says that it stays where it is
};
inline constexpr std::array<std::string_view, 14> kImmovableNames{
    "only-copy",  "disk-template", "not-selected",  "not-auto-balanced", "no-secondary",         "split-groups",
    "excluded",   "online-nodes",  "no-disk-moves", "no-instance-moves", "restricted-migration", "secondary-offline",
    "dead-disks", "stays"};

// Returns the option that forbids something: the first one without which `is_possible` is true; if it takes several,
// the first of those that are set. Returns nothing if no option is the reason.
std::optional<Immovable> forbidding_option(const MoveRules& rules,
                                           const std::function<bool(const MoveRules&)>& is_possible);

// Returns why the instance may make no move at all, to whatever node; nothing if there are kinds of moves for it.
std::optional<Immovable> immovable_reason(const Cluster& cluster, const Instance& instance, const MoveRules& rules);

}  // namespace htools
