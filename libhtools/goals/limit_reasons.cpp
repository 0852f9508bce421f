#include "goals/limit_reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cluster/members.h"
#include "plan/paths.h"
#include "trial/trial.h"

namespace htools {
namespace {

// What a step takes off a node.
struct Decrease {
  NodeIndex node;
  std::size_t resource;
  double before, after;  // shares
  double amount() const { return before - after; }
};

// Returns the resources of which the node uses too much.
std::vector<std::size_t> missed_limits(const Cluster& cluster, NodeIndex n, const Wishes& wishes) {
  std::vector<std::size_t> missed;
  for (std::size_t r = 0; r < kResourceCount; ++r) {
    const bool is_above = wishes.at_most[r] && used_shares(cluster.node(n))[r] > *wishes.at_most[r] + kShareTolerance;
    const bool is_apart = wishes.spread[r] && spread_of(cluster, members_of(cluster, cluster.node(n).facts->group), r) >
                                                  *wishes.spread[r] + kShareTolerance;
    if (is_above || is_apart) missed.push_back(r);
  }
  return missed;
}

// Makes the step, and returns the largest decrease of what a node uses too much of.
std::optional<Decrease> largest_decrease(Trial& trial, const BalanceStep& step, const Wishes& wishes) {
  std::vector<Decrease> decreases;
  for (const NodeIndex n : nodes_of(step.before)) {
    if (trial.cluster().node(n).offline) continue;
    for (const std::size_t r : missed_limits(trial.cluster(), n, wishes)) {
      decreases.push_back({n, r, used_shares(trial.cluster().node(n))[r], 0.0});
    }
  }
  trial.apply(step.instance, step.move);
  for (Decrease& d : decreases) d.after = used_shares(trial.cluster().node(d.node))[d.resource];
  const auto largest = std::ranges::max_element(decreases, {}, &Decrease::amount);
  if (largest == decreases.end() || !(largest->amount() > kShareTolerance)) return std::nullopt;
  return *largest;
}

std::string text_of(const Cluster& cluster, const Decrease& d) {
  const std::string node = cluster.node(d.node).facts->alias;
  const std::string before = fmt::format("{:.0f}", 100.0 * d.before), after = fmt::format("{:.0f}", 100.0 * d.after);
  if (before != after) return fmt::format("limit: {} of {} {} -> {} %", kWholeNames[d.resource], node, before, after);
  return fmt::format("limit: {} of {} {:.2f} -> {:.2f} %", kWholeNames[d.resource], node, 100.0 * d.before,
                     100.0 * d.after);
}

}  // namespace

void name_limits(Plan& plan, const Cluster& start, const Wishes& wishes) {
  if (!wishes.has_limits()) return;
  Trial trial(start);
  for (PlannedStep& planned : plan.steps) {
    const std::optional<Decrease> decrease = largest_decrease(trial, planned.step, wishes);
    if (!decrease || !planned.reason.starts_with("balance")) continue;
    planned.reason = text_of(start, *decrease);
    planned.serves = {
        .kind = ServedKind::Limit, .resource = std::string(kResourceNames[decrease->resource]), .node = decrease->node};
  }
}

}  // namespace htools
