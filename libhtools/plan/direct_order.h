// Finds an order in which instances can go directly to wanted places, by trying one order after the other.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cluster/members.h"
#include "htools/balance.h"
#include "plan/ordering.h"
#include "trial/trial.h"

namespace htools {

// Returns allowed moves that lead to the places, with the score of the group after each. No instance makes more moves
// than lie between its places, and no other one moves. order_moves() tries a few orders, and then detours; this goes
// back from each dead end, as far as needed, until `most_states` states were looked at. Nothing if no order was found.
// The trial is as before in the end.
std::optional<std::vector<BalanceStep>> direct_order(Trial& trial, const GroupMembers& members,
                                                     const std::vector<WantedPlacement>& wanted, const MoveRules& rules,
                                                     std::size_t most_states);

}  // namespace htools
