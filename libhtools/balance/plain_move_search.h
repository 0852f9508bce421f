// The best move by trying all of them, one after the other, as balancing is specified.
#pragma once

#include <optional>

#include "balance/move_generation.h"
#include "trial/trial.h"

namespace htools {

// A move, and the score that it leads to.
struct ScoredMove {
  InstanceIndex instance;
  Move move;
  double score;  // of the nodes after the move
};

// The move with the lowest score below `score`; among equal ones the first of the first instance. Right for all scores,
// also those that are not numbers, and slow: each move takes a full evaluation. Leaves the trial as it is.
std::optional<ScoredMove> plain_move_search(Trial& trial, const GroupMembers& members, const MoveRules& rules,
                                            double score);

}  // namespace htools
