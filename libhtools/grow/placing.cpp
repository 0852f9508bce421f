#include "grow/placing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "allocate/allocation.h"
#include "allocate/allocator.h"
#include "allocate/group_allocation.h"
#include "allocate/request.h"
#include "placement/candidates.h"
#include "placement/pair_search.h"
#include "placement/single_search.h"
#include "survival/capacity_check.h"
#include "trial/trial.h"

namespace htools {

namespace {

constexpr std::size_t kFirstSeries = 64, kShortSeries = 8;

std::vector<NodeIndex> every_node(const Cluster& cluster) {
  std::vector<NodeIndex> nodes;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) nodes.push_back(NodeIndex(n));
  return nodes;
}

// Puts an instance of this size, with a name of its own, on the nodes.
void settle_instance(Trial& trial, const Instance& instance, const Placement& place) {
  Instance named = instance;
  const std::size_t index = trial.cluster().instances.size();
  named.facts.edit().name = named.facts.edit().alias = fmt::format("further-{}", index);
  carry_out(trial, {std::move(named), InstanceIndex(index)}, place, InstanceIndex(index));
}

// The search for places for one size among the groups with one allocation policy. It is brought up to date when it is
// used.
class SizeSearch {
 public:
  SizeSearch(const Cluster& cluster, AllocPolicy policy, const Instance& instance, std::size_t changes)
      : seen_(changes) {
    std::vector<bool> allocable;
    for (const Group& group : cluster.groups) allocable.push_back(group.alloc_policy == policy);
    const Candidates candidates = find_candidates(cluster, allocable, instance.facts->disk_template);
    if (candidates.empty()) return;
    if (candidates.pairs) {
      search_.emplace<PairSearch>(cluster, candidates, instance);
    } else {
      search_.emplace<SingleSearch>(cluster, candidates, instance);
    }
  }

  // Returns the best place. `changes` has all nodes that have changed so far.
  std::optional<Placement> best(const std::vector<NodeIndex>& changes) {
    std::vector<NodeIndex> news(changes.begin() + static_cast<std::ptrdiff_t>(seen_), changes.end());
    seen_ = changes.size();
    std::sort(news.begin(), news.end());
    news.erase(std::unique(news.begin(), news.end()), news.end());
    if (auto* pairs = std::get_if<PairSearch>(&search_)) {
      for (NodeIndex n : news) pairs->changed(n);
      const auto pair = pairs->best();
      return pair ? std::optional(Placement{pair->primary, pair->secondary}) : std::nullopt;
    }
    if (auto* single = std::get_if<SingleSearch>(&search_)) {
      for (NodeIndex n : news) single->changed(n);
      const auto node = single->best();
      return node ? std::optional(Placement{*node, NodeIndex::none()}) : std::nullopt;
    }
    return std::nullopt;
  }

 private:
  std::variant<std::monostate, PairSearch, SingleSearch> search_;
  std::size_t seen_;
};

// One run through a workload.
class PlacingRun {
 public:
  PlacingRun(const Cluster& cluster, const std::vector<WorkloadSize>& sizes, std::span<const std::uint32_t> order,
             const PlacingRules& rules)
      : sizes_(sizes),
        order_(order),
        rules_(rules),
        trial_(cluster),
        nodes_(every_node(cluster)),
        check_(trial_, nodes_, {}),
        searches_(sizes.size()),
        refused_(sizes.size(), false) {
    result_.by_size.resize(sizes.size(), 0);
    for (const WorkloadSize& size : sizes) {
      is_by_loss_.push_back(uses_lost_allocations(cluster, AllocationRequest{size.instance, 1, {}, {}}));
      is_slow_.push_back(size.has_tags || is_by_loss_.back());
    }
  }

  Placed run() {
    std::size_t length = kFirstSeries;
    while (!is_done()) {
      const std::size_t start = result_.places.size();
      if (is_slow_[order_[start]] || refused_[order_[start]]) {
        place_by_allocator();
        continue;
      }
      const bool kept = place_series(length);
      if (!kept && !is_done()) place_by_allocator();
      length = kept ? 2 * length : kShortSeries;
    }
    return std::move(result_);
  }

 private:
  // An instance of a series that has found a place by score and admission.
  struct Step {
    std::size_t size;
    std::optional<Placement> place;
  };

  bool is_done() const {
    return result_.places.size() == order_.size() || (rules_.stops_at_refusal && result_.first_refused) ||
           std::find(refused_.begin(), refused_.end(), false) == refused_.end();
  }

  // Places up to `length` instances. Returns false if one of them fails the capacity check; then only those before it
  // are placed.
  bool place_series(std::size_t length) {
    const std::vector<bool> refused_before = refused_;
    const std::size_t changes_before = changes_.size();
    std::vector<Step> steps;
    std::size_t kept = 0;
    bool all_kept = true;
    std::vector<NodeIndex> uncertain;
    {
      Attempt attempt(trial_);
      steps = fill(length);
      if (rules_.capacity_checks) uncertain = check_.uncertain(check_.all());
      if (uncertain.empty()) attempt.keep(), kept = steps.size();
    }
    if (!uncertain.empty()) {
      kept = advance(steps, uncertain);
      all_kept = kept == steps.size();
      if (!all_kept) {
        refused_ = refused_before;
        changes_.resize(changes_before);
        for (auto& of_size : searches_) of_size[0].reset(), of_size[1].reset();
      }
    }
    for (std::size_t i = 0; i < kept; ++i) record(steps[i].size, steps[i].place);
    return all_kept;
  }

  // Places instances by score and admission until one needs the allocator.
  std::vector<Step> fill(std::size_t length) {
    std::vector<Step> steps;
    const std::size_t start = result_.places.size(), end = std::min(order_.size(), start + length);
    for (std::size_t i = start; i < end && !is_slow_[order_[i]]; ++i) {
      const std::size_t size = order_[i];
      const auto place = refused_[size] ? std::nullopt : best_place(size);
      steps.push_back({size, place});
      if (place) {
        enter_step(steps.back());
        note_changes(*place);
      } else {
        refused_[size] = true;
        if (rules_.stops_at_refusal) break;
      }
    }
    return steps;
  }

  void enter_step(const Step& step) {
    if (step.place) settle_instance(trial_, sizes_[step.size].instance, *step.place);
  }

  // Makes the longest part of the steps that halving finds to pass the check, and returns its length. All nodes but
  // `nodes` are certain to be vacatable after all steps.
  std::size_t advance(std::span<const Step> steps, const std::vector<NodeIndex>& nodes) {
    const auto survives = [&](std::size_t count) {
      const Attempt attempt(trial_);
      for (const Step& step : steps.first(count)) enter_step(step);
      return check_.survives(check_.uncertain(nodes));
    };
    std::size_t made = steps.size();
    if (!survives(made)) {
      std::size_t failing = std::exchange(made, 0);
      while (failing - made > 1) {
        const std::size_t middle = made + (failing - made) / 2;
        (survives(middle) ? made : failing) = middle;
      }
    }
    for (const Step& step : steps.first(made)) enter_step(step);
    return made;
  }

  std::optional<Placement> best_place(std::size_t size) {
    constexpr std::array kInOrder{AllocPolicy::Preferred, AllocPolicy::LastResort};
    for (std::size_t p = 0; p < kInOrder.size(); ++p) {
      auto& search = searches_[size][p];
      if (!search) search.emplace(trial_.cluster(), kInOrder[p], sizes_[size].instance, changes_.size());
      if (const auto place = search->best(changes_)) return place;
    }
    return std::nullopt;
  }

  // Places the next instance by the allocator. A size that is refused once is not tried again: there will never be more
  // capacity.
  void place_by_allocator() {
    const std::size_t size = order_[result_.places.size()];
    if (refused_[size]) return record(size, std::nullopt);
    std::optional<Placement> place;
    if (is_by_loss_[size]) place = allocated(size, Judge::LostAllocations);
    if (!place) place = allocated(size, Judge::Score);
    if (place) note_changes(*place);
    record(size, place);
  }

  // Places an instance of this size by the allocator. Places that it judges by lost allocations it does not check; they
  // do not count if the check fails.
  std::optional<Placement> allocated(std::size_t size, Judge judge) {
    const Instance& instance = sizes_[size].instance;
    AllocationRules rules;
    rules.capacity_checks = rules_.capacity_checks;
    const AllocationAnswer answer =
        allocate_anywhere(trial_, nodes_, {instance, InstanceIndex(trial_.cluster().instances.size())},
                          instance.facts->has_secondary() ? 2 : 1, rules, judge);
    const AllocationChoice* choice = answer.choice();
    if (choice == nullptr) return std::nullopt;
    Attempt attempt(trial_);
    settle_instance(trial_, instance, choice->placement);
    const bool is_unchecked = judge == Judge::LostAllocations && rules_.capacity_checks;
    if (is_unchecked && !check_.survives()) return std::nullopt;
    attempt.keep();
    return choice->placement;
  }

  void note_changes(const Placement& place) {
    changes_.push_back(place.primary);
    if (!place.secondary.is_none()) changes_.push_back(place.secondary);
  }

  void record(std::size_t size, const std::optional<Placement>& place) {
    if (!place && !result_.first_refused) result_.first_refused = result_.places.size();
    result_.places.push_back(place);
    if (!place) {
      refused_[size] = true;
      return;
    }
    ++result_.by_size[size];
    ++result_.total;
  }

  const std::vector<WorkloadSize>& sizes_;
  std::span<const std::uint32_t> order_;
  PlacingRules rules_;
  Trial trial_;
  std::vector<NodeIndex> nodes_;
  CapacityCheck check_;
  std::vector<std::array<std::optional<SizeSearch>, 2>> searches_;  // by size and allocation policy
  std::vector<NodeIndex> changes_;                                  // nodes that have taken instances
  std::vector<bool> is_by_loss_;                                    // by size: places are judged by lost allocations
  std::vector<bool> is_slow_;                                       // by size: the allocator places it
  std::vector<bool> refused_;                                       // by size: there is no place for it any more
  Placed result_;
};

}  // namespace

Placed place_workload(const Cluster& cluster, const std::vector<WorkloadSize>& sizes,
                      std::span<const std::uint32_t> order, const PlacingRules& rules) {
  return PlacingRun(cluster, sizes, order, rules).run();
}

Cluster with_placed(const Cluster& cluster, const std::vector<WorkloadSize>& sizes,
                    std::span<const std::uint32_t> order, const Placed& placed, std::size_t count) {
  Trial trial(cluster);
  for (std::size_t i = 0; i < std::min(count, placed.places.size()); ++i) {
    if (placed.places[i]) settle_instance(trial, sizes[order[i]].instance, *placed.places[i]);
  }
  return std::move(trial).take();
}

}  // namespace htools
