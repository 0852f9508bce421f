#include "goals/defragmenting.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "balance/move_generation.h"
#include "cluster/bookkeeping.h"
#include "metric/statistics.h"
#include "plan/paths.h"
#include "plan/plan.h"
#include "rules/move_application.h"
#include "trial/trial.h"

namespace htools {
namespace {

// Returns how many instances of the size a node has room for, one resource at a time; parts count, too, but little:
// so moves are preferred that bring free amounts together.
double room_of(const Node& node, const NodeBooks& books, const WantedSize& size) {
  constexpr double kAny = 1e9;
  const auto times = [](std::int64_t free, std::int64_t needed) {
    return needed > 0 ? static_cast<double>(std::max<std::int64_t>(0, free)) / static_cast<double>(needed) : kAny;
  };
  const double most = std::min(
      {times(node.unallocated_memory(books) - books.reserved_memory - 1, size.memory),
       times(books.real.free_disk - node.facts->min_free_disk, size.disk),
       node.facts->has_vcpu_limit() ? times(node.facts->max_vcpus - books.real.used_vcpus, size.vcpus) : kAny});
  const double whole = static_cast<double>(static_cast<std::int64_t>(most));
  constexpr double kWorthOfParts = 1e-3;
  return whole + kWorthOfParts * (most - whole) * (most - whole);
}

// A move, what it gains, and what it costs.
struct Gain {
  BalanceStep step;
  double room = 0.0;
  MoveCost cost;
};

// What gains are compared by: that of a better one is less.
std::tuple<std::int64_t, std::int64_t, double, std::int64_t> rank_of(double room, const MoveCost& cost) {
  return {-static_cast<std::int64_t>(room), cost.copied_mib, -room, cost.migrated_mib};
}

class Defragmenter {
 public:
  // The cluster may change between calls.
  Defragmenter(const Cluster& cluster, const WantedSize& size, const MoveRules& rules, const CopyRules& copying)
      : cluster_(cluster), size_(size), rules_(rules), copying_(copying) {}

  // Returns the move of an instance of the group that gains most; nothing if none gains anything. A move gains at most
  // what its nodes have more room for without the instance, so most moves need not be tried.
  std::optional<Gain> best_move(const GroupMembers& members, std::optional<std::int64_t> copies_left) const {
    constexpr double kLeastGain = 1e-6;
    std::optional<Gain> best;
    const auto can_be_better = [&](double most, const MoveCost& cost) {
      return !best || rank_of(most, cost) < rank_of(best->room, best->cost);
    };
    for (const InstanceIndex i : candidate_instances(cluster_, members, rules_)) {
      const Instance& instance = cluster_.instance(i);
      const double most = room_without(instance);
      if (most < kLeastGain || !can_be_better(most, {})) continue;
      const MoveTrials trials(cluster_, i, rules_.force);
      const Placement before = placement_of(instance);
      for (const Move& move : generate_moves(cluster_, members, instance, rules_)) {
        Gain gain{{i, move, before, placement_after(before, move), 0.0}, 0.0, {}};
        gain.cost = cost_of(cluster_, gain.step, copying_);
        if (!can_be_better(most, gain.cost) || (copies_left && gain.cost.copied_mib > *copies_left)) continue;
        const MoveTrials::Outcome outcome = trials.attempt(move);
        const auto* effect = std::get_if<MoveEffect>(&outcome);
        if (effect == nullptr) continue;
        gain.room = gained(*effect);
        if (gain.room >= kLeastGain && can_be_better(gain.room, gain.cost)) best = gain;
      }
    }
    return best;
  }

 private:
  // Returns how much more room the instance's nodes have without it. Rounding does not make it too small.
  double room_without(const Instance& instance) const {
    constexpr double kRounding = 1e-9;
    const auto more = [&](const Node& node, const NodeBooks& without) {
      return !receives(node) ? 0.0 : room_of(node, without, size_) - room_of(node, node.books, size_);
    };
    const Node& primary = cluster_.node(instance.primary);
    double room = more(primary, books_without_primary(primary, instance));
    if (!instance.secondary.is_none()) {
      const Node& secondary = cluster_.node(instance.secondary);
      room += more(secondary, books_without_secondary(secondary, instance, instance.primary));
    }
    return room + kRounding;
  }
  double gained(const MoveEffect& effect) const {
    double room = 0.0;
    for (const NodeChange& change : effect.changes()) {
      const Node& node = cluster_.node(change.node);
      if (receives(node)) room += room_of(node, change.books, size_) - room_of(node, node.books, size_);
    }
    return room;
  }

  const Cluster& cluster_;
  const WantedSize& size_;
  const MoveRules& rules_;
  const CopyRules& copying_;
};

}  // namespace

Defragmentation defragment(const Cluster& start, const std::vector<GroupIndex>& groups, const WantedSize& size,
                           const MoveRules& rules, const CopyRules& copying, const DefragmentLimits& limits,
                           const std::function<std::int64_t(const Cluster&)>& fitting) {
  Defragmentation result;
  result.before = result.after = fitting(start);
  Trial trial(start);
  const Defragmenter defragmenter(trial.cluster(), size, rules, copying);
  std::int64_t copied = 0;  // by the moves in the result
  for (const GroupIndex group : groups) {
    const GroupMembers members = members_of(start, group);
    std::vector<BalanceStep> tried;  // since the count was last larger
    std::int64_t tried_copies = 0;
    trial.begin();
    while (tried.size() < kDefragmentPatience && result.steps.size() + tried.size() < limits.max_steps) {
      std::optional<std::int64_t> copies_left = limits.max_copied;
      if (copies_left) *copies_left -= copied + tried_copies;
      std::optional<Gain> move = defragmenter.best_move(members, copies_left);
      if (!move) break;
      trial.apply(move->step.instance, move->step.move);
      move->step.score = score(member_nodes(trial.cluster(), members));
      tried.push_back(move->step);
      tried_copies += move->cost.copied_mib;
      const std::int64_t count = fitting(trial.cluster());
      if (count <= result.after) continue;
      result.after = count;
      result.steps.insert(result.steps.end(), tried.begin(), tried.end());
      copied += std::exchange(tried_copies, 0);
      tried.clear();
      trial.keep();
      trial.begin();
    }
    trial.undo();
  }
  return result;
}

}  // namespace htools
