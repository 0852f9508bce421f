#include "balance/plain_move_search.h"

#include "metric/statistics.h"
#include "rules/move_application.h"

namespace htools {

std::optional<ScoredMove> plain_move_search(Trial& trial, const GroupMembers& members, const MoveRules& rules,
                                            double score) {
  const Cluster& cluster = trial.cluster();
  std::optional<ScoredMove> best;
  for (InstanceIndex i : candidate_instances(cluster, members, rules)) {
    for (const Move& move : generate_moves(cluster, members, cluster.instance(i), rules)) {
      if (std::holds_alternative<FailMode>(MoveTrials(cluster, i, rules.force).attempt(move))) continue;
      const Attempt attempt(trial);
      trial.apply(i, move);
      const double moved_score = htools::score(member_nodes(cluster, members));
      if ((best ? best->score : score) > moved_score) best = {i, move, moved_score};
    }
  }
  return best;
}

}  // namespace htools
