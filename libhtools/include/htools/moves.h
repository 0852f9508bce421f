// Defines the moves of an instance: the six kinds, and how each of them changes the nodes of the instance.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "htools/index.h"

namespace htools {

// The kinds of moves. All but FailoverToAny are for instances with a secondary node (drbd). All but Failover have a
// target: a node that is neither the primary nor the secondary of the instance.
enum class MoveKind : std::uint8_t {
  Failover,            // primary and secondary change roles
  FailoverToAny,       // the target becomes primary; for disk templates whose storage every node can reach
  ReplacePrimary,      // the target becomes primary, the secondary stays
  ReplaceSecondary,    // the target becomes secondary, the primary stays
  ReplaceAndFailover,  // the target becomes primary, the old primary becomes secondary
  FailoverAndReplace   // the secondary becomes primary, the target becomes secondary
};

// The names of the kinds as programs see them, in the order of the enumeration.
inline constexpr std::array<std::string_view, 6> kMoveKindNames{
    "failover", "failover-to", "replace-primary", "replace-secondary", "replace-and-failover", "failover-and-replace"};

// The actions of an administrator that a move consists of.
enum class MoveAction : std::uint8_t {
  Failover,         // failover or live migration to the secondary node
  FailoverTo,       // failover or live migration to the target
  ReplaceSecondary  // replacement of the secondary; the target becomes secondary
};

// The part that a node has in a move.
enum class MoveRole : std::uint8_t { OldPrimary, OldSecondary, Target };

// A row of the table of moves.
struct MoveKindFacts {
  MoveRole primary;    // the node that is primary afterwards
  MoveRole secondary;  // the node that is secondary afterwards
  std::size_t action_count;
  std::array<MoveAction, 3> action_list;  // in the order of execution; the first `action_count` are valid

  constexpr std::span<const MoveAction> actions() const { return {action_list.data(), action_count}; }
};

// The table of moves, in the order of MoveKind.
inline constexpr std::array<MoveKindFacts, 6> kMoveKinds{{
    {MoveRole::OldSecondary, MoveRole::OldPrimary, 1, {MoveAction::Failover}},
    {MoveRole::Target, MoveRole::OldSecondary, 1, {MoveAction::FailoverTo}},
    {MoveRole::Target,
     MoveRole::OldSecondary,
     3,
     {MoveAction::Failover, MoveAction::ReplaceSecondary, MoveAction::Failover}},
    {MoveRole::OldPrimary, MoveRole::Target, 1, {MoveAction::ReplaceSecondary}},
    {MoveRole::Target, MoveRole::OldPrimary, 2, {MoveAction::ReplaceSecondary, MoveAction::Failover}},
    {MoveRole::OldSecondary, MoveRole::Target, 2, {MoveAction::Failover, MoveAction::ReplaceSecondary}},
}};

constexpr const MoveKindFacts& facts(MoveKind kind) { return kMoveKinds[static_cast<std::size_t>(kind)]; }

// A move, without the instance that it is for.
struct Move {
  MoveKind kind = MoveKind::Failover;
  NodeIndex target;  // none for Failover
  bool operator==(const Move&) const = default;
};

// The nodes that an instance is on.
struct Placement {
  NodeIndex primary;
  NodeIndex secondary;  // none if the instance has no secondary
  bool operator==(const Placement&) const = default;
};

// Returns the nodes of the instance after the move.
constexpr Placement placement_after(const Placement& before, const Move& move) {
  const auto node = [&](MoveRole role) {
    return role == MoveRole::OldPrimary ? before.primary : role == MoveRole::Target ? move.target : before.secondary;
  };
  return {node(facts(move.kind).primary), node(facts(move.kind).secondary)};
}

// Returns the kind of move that consists of this action alone.
constexpr MoveKind kind_of(MoveAction action) {
  constexpr std::array kKinds{MoveKind::Failover, MoveKind::FailoverToAny, MoveKind::ReplaceSecondary};
  return kKinds[static_cast<std::size_t>(action)];
}

// One step of the solution that balancing finds: a move of an instance.
struct BalanceStep {
  InstanceIndex instance;
  Move move;
  Placement before;
  Placement after;
  double score;  // of the balanced nodes, after the step
};

}  // namespace htools
