// Finds the best move of balancing as it is specified: by trying all moves, one after the other.
#pragma once

#include <optional>

#include "balance/move_generation.h"
#include "trial/trial.h"

namespace htools {

// A move of an instance, and the score that it leads to.
struct ScoredMove {
  InstanceIndex instance;
  Move move;
  double score;  // of the nodes of the group, after the move
};

// Returns the move with the lowest score below `score`; among equal scores, the first move of the first instance.
// Returns nothing if no allowed move leads below `score`. The result is correct for all scores, including NaN and
// infinity. It is slow, because each move takes a full evaluation of the score. The trial is as before when it returns.
std::optional<ScoredMove> plain_move_search(Trial& trial, const GroupMembers& members, const MoveRules& rules,
                                            double score);

}  // namespace htools
