#include "balance/step_search.h"

#include <algorithm>

#include "metric/components.h"
#include "metric/node_values.h"

namespace htools {

StepSearch::StepSearch(Trial& trial, const GroupMembers& members, const MoveRules& rules)
    : trial_(trial), members_(members), rules_(rules) {
  start();
}

void StepSearch::start() {
  all_ = true;
  steps_of_search_ = 0;
  if (cost_of_offline_nodes() > 0) {
    search_.emplace(trial_, members_, rules_, Movers::OnOfflineNodes);
    all_ = search_->is_plain();
  }
  if (all_) search_.emplace(trial_, members_, rules_);
}

// Instances that have left the offline nodes take time in each further step of a search that began with them. So a new
// search, which finds the same moves, takes over when a quarter of them may have left. With few of them, that would not
// be worth its start.
void StepSearch::apply(const ScoredMove& move) {
  constexpr std::size_t kLeastSteps = 8;
  search_->apply(move);
  if (!all_ && ++steps_of_search_ > std::max(kLeastSteps, search_->mover_count() / 4)) start();
}

std::optional<ScoredMove> StepSearch::best(double score) {
  if (!all_) {
    // The difference that is required covers rounding, many times over.
    constexpr double kClearly = 1.0;
    const auto move = search_->best(score);
    if (move && move->score < cost_of_offline_nodes() - kClearly) return move;
    search_.emplace(trial_, members_, rules_);
    all_ = true;
  }
  return search_->best(score);
}

double StepSearch::cost_of_offline_nodes() const {
  double cost = 0.0;
  for (NodeIndex n : members_.nodes) {
    const Node& node = trial_.cluster().node(n);
    if (!node.offline) continue;
    const ComponentValues values = node_values(node);
    for (Component c : {Component::OfflineAll, Component::OfflinePrimaries}) {
      cost += kComponents[position(c)].weight * values[c];
    }
  }
  return cost;
}

}  // namespace htools
