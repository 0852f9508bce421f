#include "grow/growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>

#include "cluster/members.h"
#include "goals/defragmenting.h"
#include "grow/must_stay.h"
#include "grow/placing.h"
#include "grow/purchase.h"
#include "grow/scope.h"
#include "htools/cluster.h"
#include "htools/errors.h"
#include "plan/plan.h"
#include "search/search.h"
#include "simulate/capacity.h"
#include "trial/trial.h"

namespace htools {

namespace {

// The price of a plan.
struct PlanPrice {
  std::int64_t moves = 0, copied_mib = 0, migrated_mib = 0;
};

// The cluster as a plan for balance leaves it, and what the moves of each group cost.
struct BalancedCluster {
  Cluster cluster;
  std::vector<PlanPrice> price;  // by group
};

// If nothing says how many instances are to come, so many are counted, or kMostGrowthPercent if that is more.
constexpr std::int64_t kMostCounted = 100'000;

// Returns the number of instances that growth by so many per cent adds, rounded up.
std::int64_t count_of_percent(std::int64_t present, double percent) {
  constexpr double kRounding = 1e-9, kMost = 0x1p53;
  const double count = std::min(kMost, static_cast<double>(present) * percent / 100.0);
  return static_cast<std::int64_t>(std::ceil(count * (1.0 - kRounding)));
}

// Returns the number of instances that have come after so many months.
std::int64_t count_after(std::int64_t present, double percent, std::int64_t months) {
  const double factor = std::pow(1.0 + percent / 100.0, static_cast<double>(months));
  return count_of_percent(present, 100.0 * (factor - 1.0));
}

BalancedCluster balanced_cluster(const Cluster& cluster, const std::vector<GroupIndex>& groups,
                                 const GrowthOptions& options) {
  BalancedCluster result{{}, std::vector<PlanPrice>(cluster.groups.size())};
  Trial trial(cluster);
  SearchEffort effort;
  effort.seed = static_cast<std::uint64_t>(options.seed);
  effort.threads = options.threads;
  SearchWatch watch;
  if (options.on_plan_progress) watch.on_progress = [&](double, double share) { options.on_plan_progress(share); };
  const SearchRules rules{.balance = {.moves = {.dead_disks = false}}, .copying = {}};
  for (const GroupIndex group : groups) {
    PlanPrice& price = result.price[group.position()];
    const Ordering plan = search_plan(trial.cluster(), members_of(trial.cluster(), group), rules, {}, effort, watch);
    for (const OrderedStep& s : plan.steps) {
      const MoveCost cost = cost_of(trial.cluster(), s.step, rules.copying);
      trial.apply(s.step.instance, s.step.move);
      price.moves += 1;
      price.copied_mib += cost.copied_mib;
      price.migrated_mib += cost.migrated_mib;
    }
  }
  result.cluster = std::move(trial).take();
  return result;
}

// The question about one part of the cluster: a group, or all of them.
class PartAnswer {
 public:
  PartAnswer(const Cluster& part, std::optional<GroupIndex> group, const GrowthOptions& options)
      : part_(part), options_(options), settled_(settled_groups(part, options.capacity_checks)) {
    answer_.group = group;
    answer_.present = mix_count(part);
    answer_.nodes = std::count_if(part.nodes.begin(), part.nodes.end(), [](const Node& n) { return !n.offline; });
    answer_.offline_nodes = static_cast<std::int64_t>(part.nodes.size()) - answer_.nodes;
    for (std::size_t g = 0; g < part.groups.size(); ++g) {
      answer_.must_stay += nodes_that_must_stay(part, GroupIndex(g), options.capacity_checks);
    }
    answer_.unsafe_groups = settled_.unsafe;
  }

  // Finds out how much fits.
  GrowthAnswer& answer() {
    set_workload();
    place();
    answer_.bound = bounds_.anywhere;
    answer_.bound_as_placed = bounds_.as_placed;
    answer_.is_capped = !answer_.wanted && answer_.bound > 0 && std::cmp_equal(answer_.bound, workload_.order.size());
    answer_.bound_by_resource = bounds_.by_resource;
    if (!answer_.wanted) {  // what was counted to the end is no bound
      for (auto& bound : answer_.bound_by_resource) {
        if (bound && std::cmp_equal(*bound, workload_.order.size())) bound.reset();
      }
    }
    answer_.free = supply_of(part_, options_.capacity_checks);
    const std::size_t asked = answer_.wanted
                                  ? workload_.order.size()
                                  : std::min(workload_.order.size(), static_cast<std::size_t>(answer_.fits) + 1);
    answer_.needed = demand_of(workload_, asked);
    const auto by_size = placed_.by_size;
    const auto counts = workload_.counts();
    for (std::size_t s = 0; s < workload_.sizes.size(); ++s) {
      const auto wanted = answer_.wanted ? std::optional(counts[s]) : std::nullopt;
      answer_.sizes.push_back({workload_.sizes[s].instance, workload_.sizes[s].present, wanted, by_size[s]});
    }
    return answer_;
  }
  // Returns the first instance that finds no place; none if all do.
  const Instance* first_refused() const {
    return placed_.first_refused ? &workload_.sizes[workload_.order[*placed_.first_refused]].instance : nullptr;
  }

  // Returns the answer with all that was explained; the object is of no use afterwards.
  GrowthAnswer take() && { return std::move(answer_); }

  // Explains what stands in the way, by the indices of the whole cluster. Call after answer(), as all that follow.
  void explain(const Cluster& whole) {
    if (placed_.first_refused) {
      answer_.obstacle = find_obstacle(settled_.part, workload_, placed_, answer_.needed, answer_.free);
      if (auto& refusal = answer_.obstacle->refusal) refusal = refusal_of_part(whole, settled_.part, *refusal);
    } else if (!answer_.is_yes() || (!answer_.wanted && nothing_is_settled())) {
      if (const auto homeless = unsafe_node(part_)) {
        answer_.obstacle = unsafe_obstacle(refusal_of_part(whole, part_, {{}, *homeless}));
      }
    }
  }

  void forecast() {
    const double percent = options_.monthly.percent;
    Forecast result;
    result.percent = percent;
    const std::int64_t last = options_.monthly.months.value_or(kMostForecastMonths);
    for (std::int64_t month = 1; month <= last; ++month) {
      const std::int64_t wanted = count_after(answer_.present, percent, month);
      result.wanted.push_back(wanted);
      if (!options_.monthly.months && wanted > answer_.bound) break;
    }
    result.months = static_cast<std::int64_t>(result.wanted.size());
    const auto first_above = [&](std::int64_t count) -> std::optional<std::int64_t> {
      const auto at = std::upper_bound(result.wanted.begin(), result.wanted.end(), count);
      if (at == result.wanted.end()) return std::nullopt;
      return at - result.wanted.begin() + 1;
    };
    // What was not counted to its end says nothing about later months.
    const auto is_counted = [&](std::int64_t count) { return std::cmp_less(count, workload_.order.size()); };
    if (is_counted(answer_.fits)) result.full_in = first_above(answer_.fits);
    if (is_counted(answer_.bound)) result.full_bound = first_above(answer_.bound);
    for (std::size_t r = 0; r < kGrowthResourceCount; ++r) {
      const auto& bound = bounds_.by_resource[r];
      if (bound && is_counted(*bound)) result.bound_by_resource[r] = first_above(*bound);
    }
    const auto refused = first_refusals(static_cast<std::size_t>(result.wanted.back()));
    for (std::size_t r = 0; r < kGrowthResourceCount; ++r) {
      if (refused[r]) result.found_by_resource[r] = first_above(static_cast<std::int64_t>(*refused[r]));
    }
    answer_.forecast = std::move(result);
  }

  void distribute() {
    Workload reached = workload_;
    if (!answer_.wanted) reached.order.resize(std::min(reached.order.size(), most_useful()));
    answer_.distribution = run_randomly(settled_.part, reached, placing_rules(), *options_.runs,
                                        static_cast<std::uint64_t>(options_.seed), options_.threads);
  }

  // Looks for the fewest nodes to buy for one of the groups.
  void buy(const std::vector<GroupIndex>& groups) {
    const PurchaseRules rules{*options_.node, options_.node_options, options_.capacity_checks};
    const Workload workload = workload_to_house();
    for (const GroupIndex group : groups) {
      const NodesNeeded needed = fewest_nodes(part_, group, workload, rules);
      const bool is_better =
          !answer_.purchase || (needed.nodes && (!answer_.purchase->nodes || *needed.nodes < *answer_.purchase->nodes));
      if (!is_better) continue;
      const bool is_unsafe = std::ranges::find(answer_.unsafe_groups, group) != answer_.unsafe_groups.end();
      answer_.purchase = Purchase{
          group, *options_.node, needed.nodes, needed.bound, needed.bound_as_placed, needed.largest_first, is_unsafe};
    }
  }

 private:
  PlacingRules placing_rules() const {
    return {.capacity_checks = options_.capacity_checks, .stops_at_refusal = !answer_.wanted};
  }
  bool nothing_is_settled() const { return settled_.part.nodes.empty(); }
  // One instance more than can fit shows what stands in the way.
  std::size_t most_useful() const { return static_cast<std::size_t>(bounds_.as_placed) + 1; }

  void set_workload() {
    if (options_.question == GrowthQuestion::Listed) {
      workload_ = listed_workload(part_, options_.instances, options_.exclusion_tags);
    } else if (answer_.present > 0) {
      const std::int64_t most = std::min<std::int64_t>(
          kMostArrivals, options_.question == GrowthQuestion::Share
                             ? count_of_percent(answer_.present, options_.percent)
                             : std::max(kMostCounted, count_of_percent(answer_.present, kMostGrowthPercent)));
      if (options_.question == GrowthQuestion::Share) {
        workload_ = present_mix(part_, static_cast<std::size_t>(most));
      } else {
        set_unlimited_workload(static_cast<std::size_t>(most));
        return;
      }
    }
    answer_.wanted = static_cast<std::int64_t>(workload_.order.size());
    bounds_ = bounds_of_some(part_, settled_.part, workload_, options_.capacity_checks);
  }

  // Makes the workload so long that not all of it can fit, but not longer than `most`.
  void set_unlimited_workload(std::size_t most) {
    constexpr std::size_t kFirstLength = 1024;
    for (std::size_t length = kFirstLength;; length *= 4) {
      workload_ = present_mix(part_, std::min(most, length));
      bounds_ = bounds_of_first(part_, settled_.part, workload_, options_.capacity_checks);
      const bool is_long_enough =
          std::all_of(bounds_.by_resource.begin(), bounds_.by_resource.end(),
                      [&](const auto& b) { return !b || static_cast<std::size_t>(*b) < workload_.order.size(); });
      if (is_long_enough || length >= most) return;
    }
  }

  void place() {
    placed_.by_size.resize(workload_.sizes.size(), 0);
    if (nothing_is_settled()) return;
    std::span<const std::uint32_t> order = workload_.order;
    if (!answer_.wanted) order = order.first(std::min(order.size(), most_useful()));
    placed_ = place_workload(settled_.part, workload_.sizes, order, placing_rules());
    answer_.fits = placed_.total;
  }

  // Returns, by resource, the position of the first instance that was refused mainly for want of it. Goes on where one
  // does not fit.
  std::array<std::optional<std::size_t>, kGrowthResourceCount> first_refusals(std::size_t count) const {
    constexpr std::size_t kMostExplained = 16;
    std::array<std::optional<std::size_t>, kGrowthResourceCount> first;
    if (nothing_is_settled()) return first;
    const auto order = std::span<const std::uint32_t>(workload_.order).first(std::min(count, workload_.order.size()));
    const Placed placed =
        place_workload(settled_.part, workload_.sizes, order, {.capacity_checks = options_.capacity_checks});
    std::vector<bool> is_explained(workload_.sizes.size(), false);
    std::size_t explained = 0;
    for (std::size_t i = 0; i < placed.places.size() && explained < kMostExplained; ++i) {
      if (placed.places[i] || is_explained[order[i]]) continue;
      is_explained[order[i]] = true;
      ++explained;
      const Cluster state = with_placed(settled_.part, workload_.sizes, order, placed, i);
      const auto scarce = scarce_resource(state, workload_.sizes[order[i]].instance);
      if (scarce && !first[static_cast<std::size_t>(*scarce)]) first[static_cast<std::size_t>(*scarce)] = i;
    }
    return first;
  }

  // Returns all instances that nodes may have to be bought for.
  Workload workload_to_house() const {
    if (options_.question != GrowthQuestion::Monthly) return workload_;
    const std::int64_t last = answer_.forecast->wanted.back();
    if (std::cmp_greater(last, kMostArrivals)) {
      throw InputError(
          ErrorCode::InvalidValue,
          fmt::format("the last month of the forecast has {} further instances, more than {}", last, kMostArrivals), {},
          "Ask for fewer months.");
    }
    return present_mix(part_, static_cast<std::size_t>(last));
  }

  const Cluster& part_;
  const GrowthOptions& options_;
  SettledGroups settled_;
  Workload workload_;
  Bounds bounds_;
  Placed placed_;
  GrowthAnswer answer_;
};

// Returns the group alone. New instances may be placed in it, since somebody asks for it.
Cluster group_alone(const Cluster& cluster, GroupIndex group) {
  std::vector<bool> only(cluster.groups.size(), false);
  only[group.position()] = true;
  Cluster part = part_of(cluster, only);
  part.group(group).alloc_policy = AllocPolicy::Preferred;
  return part;
}

// Returns an amount of MiB as options have it: "200g", "1536m".
std::string option_size(std::int64_t mib) {
  constexpr std::int64_t kStep = 1024;
  std::string_view unit = "m";
  for (const std::string_view larger : {"g", "t"}) {
    if (mib == 0 || mib % kStep != 0) break;
    mib /= kStep;
    unit = larger;
  }
  return std::to_string(mib) + std::string(unit);
}

// Returns how many moves are looked for to make room: fewer on large clusters, where each takes long to find.
std::size_t most_moves(const Cluster& part) {
  constexpr std::size_t kMostAttempts = 100'000'000, kFewest = 10, kMovesOfMirrored = 4;
  const std::size_t attempts = std::max<std::size_t>(1, kMovesOfMirrored * part.nodes.size() * part.instances.size());
  return std::clamp(kMostAttempts / attempts, kFewest, DefragmentLimits{}.max_steps);
}

// Returns what fits after moves that let more instances like this one fit, and what they cost.
AfterPlan defragmented(const Cluster& part, std::optional<GroupIndex> group, const GrowthOptions& options,
                       const std::vector<GroupIndex>& groups, const Instance& instance) {
  const InstanceFacts& f = *instance.facts;
  const CopyRules copying;
  const DefragmentLimits limits{.max_steps = most_moves(part)};
  const auto fitting = [&](const Cluster& cluster) {
    return count_fitting(cluster, {.memory = f.memory, .disk = f.disk, .vcpus = f.vcpus}, f.disk_template);
  };
  const WantedSize size{.memory = f.memory, .disk = f.uses_local_storage() ? f.disk : 0, .vcpus = f.vcpus};
  const Defragmentation plan = defragment(part, groups, size, {}, copying, limits, fitting);
  AfterPlan result{.option = "--defragment=" + std::string(facts(f.disk_template).name) + "," + option_size(f.disk) +
                             "," + option_size(f.memory) + "," + std::to_string(f.vcpus)};
  const bool is_limited = plan.steps.size() + kDefragmentPatience >= limits.max_steps;
  if (is_limited) result.option += " --max-length=" + std::to_string(limits.max_steps);
  Trial trial(part);
  for (const BalanceStep& step : plan.steps) {
    const MoveCost cost = cost_of(trial.cluster(), step, copying);
    trial.apply(step.instance, step.move);
    result.moves += 1;
    result.copied_mib += cost.copied_mib;
    result.migrated_mib += cost.migrated_mib;
  }
  const GrowthAnswer there = PartAnswer(trial.cluster(), group, options).answer();
  result.fits = there.fits;
  result.bound = there.bound;
  return result;
}

GrowthAnswer answer_part(const Cluster& whole, const Cluster& part, std::optional<GroupIndex> group,
                         const GrowthOptions& options, const std::vector<GroupIndex>& groups) {
  PartAnswer question(part, group, options);
  GrowthAnswer& answer = question.answer();
  question.explain(whole);
  if (options.question == GrowthQuestion::Monthly && answer.present > 0) question.forecast();
  if (options.runs) question.distribute();
  if (const Instance* refused = question.first_refused(); refused != nullptr && options.after_plan) {
    answer.after_defragmenting = defragmented(part, group, options, groups, *refused);
  }
  if (options.node && (options.question != GrowthQuestion::Monthly || answer.forecast)) question.buy(groups);
  return std::move(question).take();
}

// Adds what fits after the plan. `groups` are those of the plan, `buyers` those that nodes may be bought for.
void add_after_plan(GrowthAnswer& answer, const Cluster& part, const GrowthOptions& options,
                    const std::vector<GroupIndex>& groups, const std::vector<GroupIndex>& buyers,
                    const BalancedCluster& after) {
  answer.after_plan = AfterPlan{.option = "--balance"};
  AfterPlan& result = *answer.after_plan;
  for (const GroupIndex group : groups) {
    const PlanPrice& price = after.price[group.position()];
    result.moves += price.moves;
    result.copied_mib += price.copied_mib;
    result.migrated_mib += price.migrated_mib;
  }
  PartAnswer question(part, answer.group, options);
  const GrowthAnswer& there = question.answer();
  result.fits = there.fits;
  result.bound = there.bound;
  if (!answer.purchase || result.moves == 0) return;
  if (options.question == GrowthQuestion::Monthly) question.forecast();  // says how many there are to be
  question.buy(buyers);
  result.purchase = there.purchase;
}

}  // namespace

GrowthAnswers answer_growth(const Cluster& cluster, const GrowthOptions& options) {
  const std::vector<GroupIndex> groups =
      options.group ? std::vector<GroupIndex>{*options.group} : groups_with_nodes(cluster);
  if (groups.empty()) throw InputError(ErrorCode::Unanswerable, "the cluster has no nodes");
  const auto group_count = [&](GroupIndex group) { return mix_count(group_alone(cluster, group)); };
  if (options.question != GrowthQuestion::Listed &&
      std::all_of(groups.begin(), groups.end(), [&](GroupIndex g) { return group_count(g) == 0; })) {
    throw InputError(ErrorCode::Unanswerable, "there is no instance whose sizes could be the mix that grows", {},
                     "Describe the instances to come with --instances or --wanted.");
  }
  std::optional<BalancedCluster> after;
  if (options.after_plan) after = balanced_cluster(cluster, groups, options);
  GrowthAnswers answers;
  for (const GroupIndex group : groups) {
    answers.groups.push_back(answer_part(cluster, group_alone(cluster, group), group, options, {group}));
    if (after) {
      add_after_plan(answers.groups.back(), group_alone(after->cluster, group), options, {group}, {group}, *after);
    }
  }
  if (groups.size() == 1) {
    answers.all = answers.groups.front();
    answers.all.group.reset();
    return answers;
  }
  std::vector<GroupIndex> allocable;
  std::copy_if(groups.begin(), groups.end(), std::back_inserter(allocable),
               [&](GroupIndex g) { return cluster.group(g).is_allocable(); });
  answers.all = answer_part(cluster, cluster, std::nullopt, options, allocable);
  if (after) add_after_plan(answers.all, after->cluster, options, groups, allocable, *after);
  return answers;
}

}  // namespace htools
