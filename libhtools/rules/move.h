// Moves of an instance: the six kinds, and what each of them does with the instance's nodes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/index.h"

namespace htools {

enum class MoveKind : std::uint8_t {
  Failover,            // primary and secondary change roles
  FailoverToAny,       // to the target; for templates whose disks every node reaches
  ReplacePrimary,      // the target becomes primary, the secondary stays
  ReplaceSecondary,    // the target becomes secondary, the primary stays
  ReplaceAndFailover,  // the target becomes primary, the old primary becomes secondary
  FailoverAndReplace   // the secondary becomes primary, the target becomes secondary
};

// What an administrator does to carry out a move, in order.
enum class MoveAction : std::uint8_t {
  Failover,         // to the secondary node (or a live migration)
  FailoverTo,       // to the target
  ReplaceSecondary  // the target becomes secondary
};

enum class MoveRole : std::uint8_t { OldPrimary, OldSecondary, Target };

// A row of the table of moves.
struct MoveKindFacts {
  MoveRole primary;    // who is primary afterwards
  MoveRole secondary;  // who is secondary afterwards
  std::size_t action_count;
  std::array<MoveAction, 3> action_list;

  constexpr std::span<const MoveAction> actions() const { return {action_list.data(), action_count}; }
};

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

// A move of some instance.
struct Move {
  MoveKind kind = MoveKind::Failover;
  NodeIndex target;  // none for Failover
  bool operator==(const Move&) const = default;
};

// The nodes of an instance.
struct Placement {
  NodeIndex primary;
  NodeIndex secondary;  // none if there is none
  bool operator==(const Placement&) const = default;
};

constexpr Placement placement_after(const Placement& before, const Move& move) {
  const auto node = [&](MoveRole role) {
    return role == MoveRole::OldPrimary ? before.primary : role == MoveRole::Target ? move.target : before.secondary;
  };
  return {node(facts(move.kind).primary), node(facts(move.kind).secondary)};
}

// A move as part of a solution.
struct BalanceStep {
  InstanceIndex instance;
  Move move;
  Placement before;
  Placement after;
  double score;  // of the nodes after the step
};

}  // namespace htools
