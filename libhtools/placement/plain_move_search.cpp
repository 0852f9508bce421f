#include "placement/plain_move_search.h"

#include "metric/statistics.h"
#include "placement/move_application.h"

namespace htools {

std::optional<ScoredMove> plain_move_search(const Cluster& cluster, const GroupMembers& members, const MoveRules& rules,
                                            double score) {
  std::optional<ScoredMove> best;
  for (InstanceIndex i : candidate_instances(cluster, members, rules)) {
    for (const Move& move : generate_moves(cluster, members, cluster.instance(i), rules)) {
      if (std::holds_alternative<FailMode>(MoveTrials(cluster, i, rules.force).attempt(move))) continue;
      Cluster moved = cluster;
      apply_move(moved, i, move);
      const double moved_score = htools::score(member_nodes(moved, members));
      if ((best ? best->score : score) > moved_score) best = {i, move, moved_score};
    }
  }
  return best;
}

}  // namespace htools
