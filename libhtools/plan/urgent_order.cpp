#include "plan/urgent_order.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "metric/statistics.h"
#include "plan/mended_nodes.h"
#include "plan/paths.h"
#include "plan/step_reason.h"
#include "trial/trial.h"

namespace htools {
namespace {

// The most that steps pass others in one round. Plans have their urgent steps in front already, or nearly so.
constexpr std::size_t kMostPasses = 100'000;

// The times that the steps of a plan are brought forward.
constexpr int kMostRounds = 16;

// Makes the steps of a plan one after the other, each in a level of its own, and lets them pass each other.
class Passing {
 public:
  Passing(const Cluster& start, std::span<const BalanceStep> steps, const std::vector<Urgency>& urgency, bool force)
      : trial_(start), steps_(steps), urgency_(urgency), force_(force) {}

  // Returns the new order of steps that are made in the given one. All are positions in the plan.
  std::vector<std::size_t> run(const std::vector<std::size_t>& given) {
    for (const std::size_t s : given) {
      make(s);
      if (std::ranges::any_of(order_, [&](std::size_t o) { return urgency_[o] > urgency_[s]; })) bring_forward();
    }
    return std::move(order_);
  }
  // True if steps may not have come as far forward as they can.
  bool is_exhausted() const { return passes_ >= kMostPasses; }

 private:
  void make(std::size_t s) {
    trial_.begin();
    trial_.apply(steps_[s].instance, steps_[s].move);
    order_.push_back(s);
  }
  void take_back() {
    trial_.undo();
    order_.pop_back();
  }
  bool is_allowed(std::size_t s) const { return htools::is_allowed(trial_.cluster(), steps_[s], force_); }
  // True if both are allowed in this order.
  bool can_be_made(std::size_t first, std::size_t second) {
    const Attempt attempt(trial_);
    if (!is_allowed(first)) return false;
    trial_.apply(steps_[first].instance, steps_[first].move);
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
  std::span<const BalanceStep> steps_;
  const std::vector<Urgency>& urgency_;  // by position in the plan
  bool force_;
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

// Returns what each step is for.
std::vector<Urgency> urgencies_of(const Cluster& start, std::span<const BalanceStep> steps) {
  std::vector<Urgency> urgencies;
  for (const BalanceStep& step : steps) {
    const bool mends_rule = !separated_by(start, step).empty() || rule_reason(start, step);
    const Urgency least = mends_rule ? Urgency::Rule : Urgency::Balance;
    urgencies.push_back(std::min(urgency_of(start, step), least));
  }
  for (const MendedNode& node : mended_nodes(start, steps)) {
    const Urgency urgency = node.kind == ServedKind::NPlusOne ? Urgency::AtRisk : Urgency::Rule;
    for (const std::size_t s : node.steps) urgencies[s] = std::min(urgencies[s], urgency);
  }
  return urgencies;
}

}  // namespace

UrgentOrder urgent_order(const Cluster& start, std::span<const BalanceStep> steps, bool force) {
  UrgentOrder result{.order = std::vector<std::size_t>(steps.size()), .urgency = urgencies_of(start, steps)};
  std::vector<std::size_t>& order = result.order;
  std::vector<Urgency>& urgency = result.urgency;
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto urgency_at = [&](std::size_t s) { return urgency[s]; };
  // What could not pass another step at first may do so once something else has come before both.
  for (int round = 0; round < kMostRounds && !std::ranges::is_sorted(order, {}, urgency_at); ++round) {
    Passing passing(start, steps, urgency, force);
    order = passing.run(order);
    if (passing.is_exhausted()) break;
    for (std::size_t i = 1; i < order.size(); ++i) {
      urgency[order[i - 1]] = std::min(urgency[order[i - 1]], urgency[order[i]]);
    }
  }
  return result;
}

Ordering most_urgent_first(const Cluster& start, const GroupMembers& members, const Ordering& plan,
                           const MoveRules& rules) {
  std::vector<BalanceStep> steps;
  for (const OrderedStep& s : plan.steps) steps.push_back(s.step);
  const std::vector<std::size_t> order = urgent_order(start, steps, rules.force).order;
  if (std::ranges::is_sorted(order)) return plan;
  return reordered(start, members, plan, order, rules.force).value_or(plan);
}

}  // namespace htools
