#include "plan/urgency.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "metric/statistics.h"
#include "plan/paths.h"
#include "plan/step_reason.h"
#include "trial/trial.h"

namespace htools {
namespace {

// The most that steps of one plan pass others in all. Plans have their urgent steps in front already, or nearly so.
constexpr std::size_t kMostPasses = 100'000;

// The times that the steps of a plan are brought forward.
constexpr int kMostRounds = 8;

// Returns the nodes that the instance leaves, or no longer runs on.
std::vector<NodeIndex> nodes_left(const BalanceStep& step) {
  std::vector<NodeIndex> nodes = nodes_of(step.before);
  std::erase_if(nodes, [&](NodeIndex n) {
    return n == step.after.primary || (n == step.after.secondary && n != step.before.primary);
  });
  return nodes;
}

bool breaks_rule(const Node& node) {
  return node.books.n1_failed || node.books.real.used_vcpus > node.facts->max_vcpus ||
         node.books.real.instance_spindles > node.facts->max_instance_spindles;
}

// Makes the steps of a plan one after the other, each in a level of its own, and lets them pass each other.
class Passing {
 public:
  Passing(const Cluster& start, const std::vector<OrderedStep>& steps, bool force)
      : trial_(start), steps_(steps), force_(force) {
    for (const OrderedStep& s : steps) urgency_.push_back(urgency_of(start, s.step));
  }

  // Returns the new order of the steps, as positions in the plan.
  std::vector<std::size_t> run() && {
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      make(s);
      if (std::ranges::any_of(order_, [&](std::size_t o) { return urgency_[o] > urgency_[s]; })) bring_forward();
    }
    return std::move(order_);
  }

 private:
  void make(std::size_t s) {
    trial_.begin();
    trial_.apply(steps_[s].step.instance, steps_[s].step.move);
    order_.push_back(s);
  }
  void take_back() {
    trial_.undo();
    order_.pop_back();
  }
  bool is_allowed(std::size_t s) const { return htools::is_allowed(trial_.cluster(), steps_[s].step, force_); }
  // True if both are allowed in this order.
  bool can_be_made(std::size_t first, std::size_t second) {
    const Attempt attempt(trial_);
    if (!is_allowed(first)) return false;
    trial_.apply(steps_[first].step.instance, steps_[first].step.move);
    return is_allowed(second);
  }
  // Lets the last step pass those before it. It stays before the first of the less urgent ones that it has passed.
  void bring_forward() {
    const std::size_t s = order_.back();
    take_back();
    std::vector<std::size_t> passed;  // from the last one
    std::size_t kept = 0;             // so many of them are passed
    while (!order_.empty() && urgency_[order_.back()] >= urgency_[s] && passes_ < kMostPasses) {
      const std::size_t other = order_.back();
      take_back();
      passed.push_back(other);
      ++passes_;
      if (!can_be_made(s, other)) break;
      if (urgency_[other] > urgency_[s]) kept = passed.size();
    }
    while (passed.size() > kept) {
      make(passed.back());
      passed.pop_back();
    }
    make(s);
    for (; !passed.empty(); passed.pop_back()) make(passed.back());
  }

  Trial trial_;
  const std::vector<OrderedStep>& steps_;
  bool force_;
  std::vector<Urgency> urgency_;    // by position in the plan
  std::vector<std::size_t> order_;  // of the steps that are made
  std::size_t passes_ = 0;
};

// Returns the steps in this order, with their scores; nothing if one of them is refused.
std::optional<Ordering> reordered(const Cluster& start, const GroupMembers& members, const Ordering& plan,
                                  const std::vector<std::size_t>& order, bool force) {
  Ordering result{.steps = {}, .unreached = plan.unreached};
  std::vector<std::size_t> new_position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) new_position[order[i]] = i;
  Trial trial(start);
  for (const std::size_t s : order) {
    OrderedStep& step = result.steps.emplace_back(plan.steps[s]);
    if (!is_allowed(trial.cluster(), step.step, force)) return std::nullopt;
    trial.apply(step.step.instance, step.step.move);
    step.step.score = score(member_nodes(trial.cluster(), members));
    if (step.enables) step.enables = new_position[*step.enables];
  }
  return result;
}

}  // namespace

Urgency urgency_of(const Cluster& start, const BalanceStep& step) {
  if (is_down(start.node(step.before.primary)) && !is_down(start.node(step.after.primary))) return Urgency::Start;
  const NodeIndex evacuated = evacuated_node(start, step);
  if (!evacuated.is_none() && is_down(start.node(evacuated))) return Urgency::Departure;
  const auto breaks_rule_now = [&](NodeIndex n) { return breaks_rule(start.node(n)); };
  if (std::ranges::any_of(nodes_left(step), breaks_rule_now) || !separated_by(start, step).empty())
    return Urgency::Rule;
  return evacuated.is_none() ? Urgency::Balance : Urgency::Goal;
}

Stranded stranded(const Cluster& cluster, const GroupMembers& members) {
  Stranded result;
  const auto is_on_down = [&](NodeIndex n) { return !n.is_none() && is_down(cluster.node(n)); };
  for (const InstanceIndex i : members.instances) {
    const Placement placement = placement_of(cluster.instance(i));
    result.down += is_on_down(placement.primary) ? 1 : 0;
    result.unpaired += is_on_down(placement.secondary) ? 1 : 0;
  }
  return result;
}

Ordering most_urgent_first(const Cluster& start, const GroupMembers& members, const Ordering& plan,
                           const MoveRules& rules) {
  const auto urgency = [&](const OrderedStep& s) { return urgency_of(start, s.step); };
  Ordering best = plan;
  // What could not pass another step at first may do so once something else has come before both.
  for (int round = 0; round < kMostRounds && !std::ranges::is_sorted(best.steps, {}, urgency); ++round) {
    const std::vector<std::size_t> order = Passing(start, best.steps, rules.force).run();
    if (std::ranges::is_sorted(order)) break;
    std::optional<Ordering> next = reordered(start, members, best, order, rules.force);
    if (!next) break;
    best = std::move(*next);
  }
  return best;
}

}  // namespace htools
