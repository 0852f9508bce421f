#include "apps/plans/goal_variants.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "apps/plans/emptied_nodes.h"
#include "apps/plans/worthwhile.h"
#include "cluster/members.h"
#include "goals/emptying.h"
#include "plan/plan.h"
#include "plan/schedule.h"
#include "search/wishes.h"
#include "trial/trial.h"

namespace htools {
namespace {

// The limits of the plans, as shares of what the plan of the goal needs, and of what balancing needs beyond it.
constexpr std::array kSharesOfGoal{0.8, 0.5};
constexpr std::array kSharesOfCopies{0.5, 0.0};
constexpr double kShareOfTime = 0.6;
constexpr std::array kSharesOfBalancing{0.5, 0.25, 0.1};

// What a plan costs.
struct Needs {
  std::int64_t steps = 0, copied = 0;  // MiB
  double seconds = 0.0;
};

std::int64_t share_of(std::int64_t amount, double share) {
  return static_cast<std::int64_t>(static_cast<double>(amount) * share);
}

class Variants {
 public:
  Variants(const Cluster& start, const HplanOptions& options, const std::vector<GroupIndex>& groups, MakePlan make)
      : start_(start), options_(options), groups_(groups), make_(make) {}

  std::vector<Made> all() {
    const std::optional<Needs> goal = add(options_);
    if (!goal) return std::move(plans_);
    keep_retired_nodes();
    for (const double share : kSharesOfGoal) add_with_steps(options_, share_of(goal->steps, share));
    for (const double share : kSharesOfCopies) add_with_copies(options_, share_of(goal->copied, share));
    HplanOptions quick = options_;
    quick.plan.max_duration = kShareOfTime * goal->seconds;
    add(quick);
    const bool takes_balancing = make_ == emptied || make_ == worthwhile;
    if (!takes_balancing || options_.plan.then_balance) return std::move(plans_);
    HplanOptions further = options_;
    further.plan.then_balance = true;
    const std::optional<Needs> most = add(further);
    for (const double share : kSharesOfBalancing) {
      if (!most) break;
      add_with_steps(further, goal->steps + share_of(most->steps - goal->steps, share));
      add_with_copies(further, goal->copied + share_of(most->copied - goal->copied, share));
    }
    return std::move(plans_);
  }

 private:
  // The nodes that were chosen for the first plan are those of the others.
  void keep_retired_nodes() {
    if (!options_.plan.retire || plans_.front().retired.empty()) return;
    options_.plan.retire.reset();
    for (const NodeIndex n : plans_.front().retired) options_.plan.empty.push_back(start_.node(n).facts->name);
    make_ = emptied;
  }

  void add_with_steps(HplanOptions options, std::int64_t steps) {
    options.balance.max_steps = steps;
    add(options);
  }
  void add_with_copies(HplanOptions options, std::int64_t copied) {
    options.plan.max_copied = copied;
    add(options);
  }

  // Makes a plan, and keeps it if it reaches the goal as far as the first one. Returns what it needs; nothing if no
  // further plans are wanted.
  std::optional<Needs> add(const HplanOptions& options) {
    if (!plans_.empty() && plans_.back().is_interrupted) return std::nullopt;
    Trial trial(start_);
    Made made = make_(trial, options, groups_);
    Wishes wishes = options.plan.wishes;
    wishes.emptied = made.emptied;
    double excess = 0.0;
    for (const GroupIndex g : groups_) excess += excess_of(trial.cluster(), members_of(start_, g), wishes);
    Needs needs{.steps = std::ssize(made.steps)};
    for (const BalanceStep& step : made.steps) needs.copied += cost_of(start_, step, options.copying).copied_mib;
    needs.seconds =
        schedule_steps(made.start ? *made.start : start_, made.steps, options.balance.moves, options.copying).seconds;
    if (plans_.empty()) excess_ = excess;
    if (!plans_.empty()) made.retired = plans_.front().retired;
    const bool reaches_goal =
        plans_.empty() || (excess <= excess_ + kShareTolerance && made.placed.size() == plans_.front().placed.size() &&
                           made.fitting.value_or(BeforeAndAfter<std::int64_t>()).after >=
                               plans_.front().fitting.value_or(BeforeAndAfter<std::int64_t>()).after);
    const bool is_interrupted = made.is_interrupted;
    if (reaches_goal) {
      plans_.push_back(std::move(made));
    } else if (is_interrupted) {
      plans_.back().is_interrupted = true;
    }
    return is_interrupted ? std::nullopt : std::optional(needs);
  }

  const Cluster& start_;
  HplanOptions options_;
  const std::vector<GroupIndex>& groups_;
  MakePlan make_;
  std::vector<Made> plans_;
  double excess_ = 0.0;  // of the first plan
};

}  // namespace

std::vector<Made> goal_variants(const Cluster& start, const HplanOptions& options,
                                const std::vector<GroupIndex>& groups, MakePlan make) {
  return Variants(start, options, groups, make).all();
}

}  // namespace htools
