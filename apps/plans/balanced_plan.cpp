#include "apps/plans/balanced_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include "apps/plans/watched_search.h"
#include "cluster/members.h"
#include "metric/statistics.h"
#include "plan/plan.h"
#include "search/cheapest.h"
#include "search/shared_limits.h"
#include "search/within_limits.h"

namespace htools {
namespace {

// Returns the online nodes that have a resource and what they use of it, the fullest first.
std::vector<std::pair<double, std::string>> shares_of(const Cluster& cluster, const GroupMembers& members,
                                                      std::size_t resource) {
  std::vector<std::pair<double, std::string>> shares;
  for (const NodeIndex n : members.nodes) {
    const Node& node = cluster.node(n);
    const double share = used_shares(node)[resource];  // not finite without any of the resource
    if (!node.offline && std::isfinite(share)) shares.emplace_back(100.0 * share, node.facts->alias);
  }
  std::ranges::stable_sort(shares, std::greater<>(), [](const auto& s) { return s.first; });
  return shares;
}

// Says what has become of the wishes, and which nodes miss them.
void tell_wishes(const Cluster& before, const Cluster& after, const GroupMembers& members, const Wishes& wishes,
                 int effort, const std::string& group, Made& made) {
  constexpr double kRounding = 1e-7;
  const auto tell = [&](std::string text) { made.remarks.push_back(std::move(text)); };
  for (std::size_t r = 0; r < kResourceCount; ++r) {
    if (!wishes.at_most[r] && !wishes.spread[r]) continue;
    const auto old = shares_of(before, members, r), now = shares_of(after, members, r);
    if (now.empty()) continue;
    const double spread = now.front().first - now.back().first;
    tell(fmt::format(
        "Use of {}{}: highest {:.1f} -> {:.1f} %, lowest {:.1f} -> {:.1f} %, spread {:.1f} -> {:.1f} points.",
        kWholeNames[r], group, old.front().first, now.front().first, old.back().first, now.back().first,
        old.front().first - old.back().first, spread));
    if (wishes.at_most[r]) {
      for (const auto& [share, node] : now) {
        if (share <= 100.0 * *wishes.at_most[r] + kRounding) break;
        made.is_no = true;
        tell(fmt::format(
            "No plan that meets --at-most was found (--effort={}): {} uses {:.1f} % of its {} (at most {:g} %).",
            effort, node, share, kWholeNames[r], 100.0 * *wishes.at_most[r]));
      }
    }
    if (wishes.spread[r] && spread > 100.0 * *wishes.spread[r] + kRounding) {
      made.is_no = true;
      tell(fmt::format(
          "No plan that meets --spread was found (--effort={}): {} and {} are {:.1f} points of {} apart (at most "
          "{:g}).",
          effort, now.front().second, now.back().second, spread, kWholeNames[r], 100.0 * *wishes.spread[r]));
    }
  }
  if (!wishes.has_factors()) return;
  tell(fmt::format("Score{} with the weights of --weigh: {:.8f} -> {:.8f}.", group,
                   wished_score(before, members, wishes), wished_score(after, members, wishes)));
}

std::vector<NodeIndex> offline_nodes(const Cluster& cluster, const GroupMembers& members) {
  std::vector<NodeIndex> nodes;
  std::ranges::copy_if(members.nodes, std::back_inserter(nodes), [&](NodeIndex n) { return cluster.node(n).offline; });
  return nodes;
}

// True if some node exceeds what --if-above says, or two are as far apart as --if-apart says; or if neither is given.
bool is_triggered(const Cluster& cluster, const GroupMembers& members, const Wishes& triggers) {
  return !triggers.has_limits() || excess_of(cluster, members, triggers) > kShareTolerance;
}

// Says that the triggers forbid voluntary moves.
void tell_untriggered(const Cluster& cluster, const GroupMembers& members, const Wishes& triggers,
                      const std::string& group, Made& made) {
  for (std::size_t r = 0; r < kResourceCount; ++r) {
    const auto shares = shares_of(cluster, members, r);
    if (shares.empty()) continue;
    if (triggers.at_most[r]) {
      made.remarks.push_back(
          fmt::format("--if-above: no node{} uses more than {:g} % of its {}; {} uses most, {:.1f} %.", group,
                      100.0 * *triggers.at_most[r], kWholeNames[r], shares.front().second, shares.front().first));
    }
    if (triggers.spread[r]) {
      made.remarks.push_back(
          fmt::format("--if-apart: no two nodes{} are more than {:g} points of {} apart; {} and {} are {:.1f}.", group,
                      100.0 * *triggers.spread[r], kWholeNames[r], shares.front().second, shares.back().second,
                      shares.front().first - shares.back().first));
    }
  }
  made.remarks.push_back(fmt::format("So there are no voluntary moves{}.", group));
}

bool is_emptying(const PlanChoice& choice) { return !choice.empty.empty() || choice.retire; }

// True if the plan is for limits on what nodes use, rather than for a score.
bool is_for_limits(const PlanChoice& choice) {
  return !is_emptying(choice) && choice.wishes.has_limits() && !choice.wishes.has_factors();
}

// True if the plan of a group ends with the lowest score, and not with what is wished or what triggers demand.
bool is_for_score(const PlanChoice& choice, bool has_trigger) {
  return has_trigger && !is_emptying(choice) && !is_for_limits(choice);
}

// Finds the plan of a group that is for something else than the score. What is wished comes first. If the plan ends
// with that, the price comes next: copied disk first where nodes are emptied or a score is to be reached, else the
// number of moves. Without triggers, only what is on offline nodes moves.
Ordering cheapest_of_group(const GroupSearch& s, const PlanChoice& choice, bool has_trigger) {
  SearchRules rules = s.rules;
  SearchLimits limits = s.limits;
  rules.wishes.emptied = offline_nodes(s.start, s.members);
  if (!has_trigger) {
    rules.wishes.at_most = rules.wishes.spread = {};
    limits.until_score.reset();
  }
  if (is_for_limits(choice) && !limits.until_score) limits.order = PriceOrder::Fewest;
  Ordering cheapest = search_cheapest(s.start, s.members, rules, limits, s.effort, s.watch);
  if (!has_trigger || !choice.then_balance) return cheapest;
  return search_within(s.start, s.members, s.rules, s.limits, s.effort, s.watch,
                       {.greedy = nullptr, .good = {&cheapest}});
}

}  // namespace

SearchLimits search_limits(const HplanOptions& options) {
  SearchLimits limits{.max_copied = options.plan.max_copied,
                      .max_seconds = options.plan.max_duration,
                      .until_score = options.plan.until_score,
                      .min_gain = options.balance.min_gain};
  if (options.balance.max_steps >= 0) limits.max_steps = options.balance.max_steps;
  return limits;
}

SearchEffort search_effort(const PlanChoice& choice) {
  return {.level = static_cast<std::size_t>(choice.effort),
          .seed = static_cast<std::uint64_t>(choice.seed),
          .threads = std::max(1U, std::thread::hardware_concurrency())};
}

Ordering plan_of_group(const GroupSearch& s, Made&) {
  return search_within(s.start, s.members, s.rules, s.limits, s.effort, s.watch);
}

Made balanced(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups, const FindPlan& find) {
  Made made;
  WatchedSearch watched(options.general);
  const SearchRules rules{.balance = options.balance, .copying = options.copying, .wishes = options.plan.wishes};
  const Wishes& triggers = options.plan.triggers;
  if (!options.plan.then_balance && is_emptying(options.plan)) made.purpose = "makes room for what leaves these nodes";
  if (!options.plan.then_balance && is_for_limits(options.plan)) made.purpose = "limit: makes room for other steps";
  SearchLimits limits = search_limits(options);
  const Cluster before = trial.cluster();
  std::vector<GroupMembers> group_members;
  for (const GroupIndex group : groups) group_members.push_back(members_of(before, group));
  const std::vector<LimitShare> shares = divided_limits(before, group_members, rules, limits);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const GroupIndex group = groups[g];
    const GroupMembers& members = group_members[g];
    const SearchLimits own = limits_without(limits, std::span(shares).subspan(g + 1));
    const bool has_trigger = is_triggered(before, members, triggers);
    const std::string of_group = groups.size() > 1 ? " in group " + before.group(group).name : "";
    const GroupSearch search{before, members, rules, own, search_effort(options.plan), watched.watch(), of_group};
    const Ordering found = is_for_score(options.plan, has_trigger)
                               ? find(search, made)
                               : cheapest_of_group(search, options.plan, has_trigger);
    for (const OrderedStep& s : found.steps) {
      trial.apply(s.step.instance, s.step.move);
      // What one group uses, the others have no more.
      limits.beside.push_back(s.step);
      if (limits.max_copied) *limits.max_copied -= cost_of(trial.cluster(), s.step, options.copying).copied_mib;
      if (limits.max_steps) --*limits.max_steps;
    }
    add(made, found);
    if (!has_trigger) {
      tell_untriggered(before, members, triggers, of_group, made);
      continue;
    }
    tell_wishes(before, trial.cluster(), members, rules.wishes, static_cast<int>(options.plan.effort), of_group, made);
    const double reached = wished_score(trial.cluster(), members, rules.wishes);
    if (limits.until_score && !(reached <= *limits.until_score)) {
      made.is_no = true;
      made.remarks.push_back(
          fmt::format("--until-score {} was not reached in group {}; the lowest score found is {:.8f}.",
                      *limits.until_score, before.group(group).name, reached));
    }
  }
  if (const auto sentence = watched.interruption("this is the best plan")) {
    made.remarks.push_back(*sentence);
    made.is_interrupted = true;
  }
  return made;
}

}  // namespace htools
