#include "plan/direct_order.h"

#include <set>
#include <utility>

#include "metric/statistics.h"
#include "plan/paths.h"
#include "rules/move_application.h"

namespace htools {
namespace {

// Goes through the orders, depth first.
class OrderSearch {
 public:
  OrderSearch(Trial& trial, const std::vector<WantedPlacement>& wanted, const MoveRules& rules, std::size_t most_states)
      : trial_(trial), wanted_(wanted), rules_(rules), states_left_(most_states) {}

  // Returns true if all instances can go on from here to their places; then steps() are the moves to there.
  bool reaches_all() {
    if (states_left_ == 0 || !seen_.insert(state()).second) return false;
    --states_left_;
    bool is_end = true;
    for (const WantedPlacement& w : wanted_) {
      const Placement before = placement_of(trial_.cluster().instance(w.instance));
      if (before == w.placement) continue;
      is_end = false;
      for (const Move& move : allowed_moves(w, before)) {
        const Attempt attempt(trial_);
        trial_.apply(w.instance, move);
        steps_.push_back({w.instance, move, before, placement_after(before, move), 0.0});
        if (reaches_all()) return true;
        steps_.pop_back();
      }
    }
    return is_end;
  }
  std::vector<BalanceStep> steps() && { return std::move(steps_); }

 private:
  // Where the instances are: what is possible from a state does not depend on the way to it.
  std::vector<std::pair<NodeIndex, NodeIndex>> state() const {
    std::vector<std::pair<NodeIndex, NodeIndex>> places;
    for (const WantedPlacement& w : wanted_) {
      const Placement now = placement_of(trial_.cluster().instance(w.instance));
      places.emplace_back(now.primary, now.secondary);
    }
    return places;
  }
  std::vector<Move> allowed_moves(const WantedPlacement& w, const Placement& now) const {
    const Cluster& cluster = trial_.cluster();
    const MoveTrials trials(cluster, w.instance, rules_.force);
    std::vector<Move> moves =
        possible_moves_towards(cluster, *cluster.instance(w.instance).facts, now, w.placement, rules_);
    std::erase_if(moves, [&](const Move& move) { return !std::holds_alternative<MoveEffect>(trials.attempt(move)); });
    return moves;
  }

  Trial& trial_;
  const std::vector<WantedPlacement>& wanted_;
  const MoveRules& rules_;
  std::size_t states_left_;
  std::set<std::vector<std::pair<NodeIndex, NodeIndex>>> seen_;
  std::vector<BalanceStep> steps_;
};

}  // namespace

std::optional<std::vector<BalanceStep>> direct_order(Trial& trial, const GroupMembers& members,
                                                     const std::vector<WantedPlacement>& wanted, const MoveRules& rules,
                                                     std::size_t most_states) {
  OrderSearch search(trial, wanted, rules, most_states);
  if (!search.reaches_all()) return std::nullopt;
  std::vector<BalanceStep> steps = std::move(search).steps();
  const Attempt attempt(trial);
  for (BalanceStep& step : steps) {
    trial.apply(step.instance, step.move);
    step.score = score(member_nodes(trial.cluster(), members));
  }
  return steps;
}

}  // namespace htools
