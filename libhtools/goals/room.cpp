#include "goals/room.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <variant>

#include "allocate/allocator.h"
#include "allocate/new_instance.h"
#include "cluster/bookkeeping.h"
#include "cluster/members.h"
#include "metric/statistics.h"
#include "plan/cheapest_way.h"
#include "plan/paths.h"
#include "rules/admission.h"
#include "rules/answers.h"
#include "rules/refusal.h"

namespace htools {
namespace {

// Up to this number of moves of all instances, all sequences of moves are looked at: first those of few steps, as there
// are too many that copy nothing.
constexpr std::size_t kFewMoves = 60;
constexpr std::size_t kFewSteps = 2;
// Otherwise: the number of moves of each kind, of nodes that are cleared one at a time, and of those that are cleared
// two at a time.
constexpr std::size_t kTargets = 3;
constexpr std::size_t kSingleNodes = 40;
constexpr std::size_t kPairedNodes = 5;

// A single group is named; of several, the allocator chooses.
AllocationRequest request_within(const std::vector<GroupIndex>& groups, const Cluster& cluster,
                                 const NewInstance& instance) {
  return request_place(cluster, instance, groups.size() == 1 ? std::optional(groups.front()) : std::nullopt);
}

// Asks the allocator about a copy of the cluster.
AllocationAnswer answer_about(const Cluster& cluster, const AllocationRequest& request, const AllocationRules& rules) {
  GroupMembers all = all_members(cluster);
  AllocatorState state{Trial(cluster), std::move(all.nodes), std::move(all.instances)};
  return std::get<AllocationAnswer>(answer_request(state, request, rules));
}

// Puts the new instance there, behind all others.
void put(Trial& trial, const AllocationRequest& request, const Placement& place) {
  const InstanceIndex index(trial.cluster().instances.size());
  carry_out(trial, {request.instance, index}, place, index);
}

// Returns the refusals by the policy, one for each node, if no node group allows the size of the instance.
std::vector<Refusal> policy_refusals(const Cluster& cluster, const std::vector<GroupIndex>& groups,
                                     const Instance& instance) {
  std::vector<Refusal> refusals;
  for (const GroupIndex g : groups) {
    for (const NodeIndex n : members_of(cluster, g).nodes) {
      const auto shortage =
          policy_shortage(instance, cluster.group(g).policy, cluster.node(n).facts->exclusive_storage);
      if (!shortage) return {};
      refusals.push_back(*ReasonAnswer::refusal({n, NodeIndex::none()}, cluster, n, shortage));
    }
  }
  return refusals;
}

// Returns the refusals of all groups that the allocator has tried.
std::vector<Refusal> refusals_in(const AllocationAnswer& answer) {
  std::vector<Refusal> all;
  for (const GroupTrial& group : answer.trials) {
    const auto* allocation = std::get_if<Allocation>(&group.outcome);
    if (allocation != nullptr) all.insert(all.end(), allocation->refusals.begin(), allocation->refusals.end());
  }
  return all;
}

// Finds ways to one new instance after the other.
class RoomMaker {
 public:
  RoomMaker(const Cluster& start, const std::vector<GroupIndex>& groups, const MoveRules& rules,
            const RoomOptions& options)
      : groups_(groups), rules_(rules), options_(options), all_(all_members(start)), trial_(start) {}

  // Makes room for the instance, and places it. Returns false if no way was found.
  bool add(const NewInstance& instance, RoomPlan& plan) {
    if (place(instance)) return true;
    if (!policy_refusals(trial_.cluster(), groups_, request_of(trial_.cluster(), instance).instance).empty()) {
      return false;
    }
    const std::optional<Way> way = find_way(instance);
    if (!way) return false;
    for (const BalanceStep& step : way->steps) trial_.apply(step.instance, step.move);
    plan.steps.insert(plan.steps.end(), way->steps.begin(), way->steps.end());
    spent_ += way->price;
    return place(instance);
  }

 private:
  // Asks the allocator. Returns the place of the instance.
  std::optional<Placement> ask(const Cluster& cluster, const NewInstance& instance) const {
    const AllocationAnswer answer = answer_about(cluster, request_of(cluster, instance), options_.allocation);
    const AllocationChoice* choice = answer.choice();
    return choice != nullptr ? std::optional(choice->placement) : std::nullopt;
  }
  AllocationRequest request_of(const Cluster& cluster, const NewInstance& instance) const {
    return request_within(groups_, cluster, instance);
  }
  bool place(const NewInstance& instance) {
    const std::optional<Placement> place = ask(trial_.cluster(), instance);
    if (place) put(trial_, request_of(trial_.cluster(), instance), *place);
    return place.has_value();
  }

  // True if the nodes of some group take the instance; whether the loss of each node can be borne then is not asked.
  bool may_fit(const Cluster& cluster, const Instance& instance) const {
    return std::ranges::any_of(groups_, [&](GroupIndex g) {
      const std::vector<NodeIndex> nodes = members_of(cluster, g).nodes;
      return std::ranges::any_of(nodes, [&](NodeIndex p) {
        const Node& primary = cluster.node(p);
        if (!receives(primary) || check_primary(primary, books_with_primary(primary, instance), instance)) return false;
        if (!instance.facts->has_secondary()) return true;
        return std::ranges::any_of(nodes, [&](NodeIndex s) {
          const Node& secondary = cluster.node(s);
          return s != p && receives(secondary) &&
                 !check_secondary(secondary, books_with_secondary(secondary, instance, p), instance);
        });
      });
    });
  }

  // Returns how much a node lacks for the instance: 0 if it takes it, up to 1.
  static double lacking(const Node& node, const Instance& instance) {
    const auto shortage = primary_shortage(node, node.books, books_with_primary(node, instance), instance);
    return shortage ? htools::lacking(*shortage) : 0.0;
  }

  // Looks for a way within one group.
  void search_group(GroupIndex group, const NewInstance& instance, std::optional<Way>& best) {
    const GroupMembers members = members_of(trial_.cluster(), group);
    std::vector<InstanceIndex> movers;
    std::ranges::copy_if(members.instances, std::back_inserter(movers),
                         [&](InstanceIndex i) { return i.position() < all_.instances.size(); });
    const Instance wanted = request_of(trial_.cluster(), instance).instance;
    const std::size_t most_steps = steps_left();
    const auto search = [&](const std::vector<InstanceIndex>& some, std::size_t states, std::size_t targets,
                            std::size_t steps = std::numeric_limits<std::size_t>::max()) {
      const WaySearch what{.members = members,
                           .movers = some,
                           .rules = rules_,
                           .most_states = states,
                           .most_targets = targets,
                           .most_steps = std::min(steps, most_steps),
                           .below = below(best)};
      std::optional<Way> way = cheapest_way(trial_, what, [&](Trial& trial) {
        return may_fit(trial.cluster(), wanted) && ask(trial.cluster(), instance);
      });
      if (way) best = std::move(way);
    };
    if (movers.size() * members.nodes.size() <= kFewMoves) {
      search(movers, options_.states, members.nodes.size(), kFewSteps);
      search(movers, options_.states, members.nodes.size());
      return;
    }
    std::vector<NodeIndex> nodes;
    for (const NodeIndex n : members.nodes) {
      if (receives(trial_.cluster().node(n))) nodes.push_back(n);
    }
    std::ranges::stable_sort(nodes, {}, [&](NodeIndex n) { return lacking(trial_.cluster().node(n), wanted); });
    const std::size_t singles = std::min(nodes.size(), kSingleNodes), pairs = std::min(nodes.size(), kPairedNodes);
    const std::size_t share = std::max<std::size_t>(1, options_.states / (singles + pairs * pairs / 2));
    for (std::size_t n = 0; n < singles; ++n) search(residents({&nodes[n], 1}), share, kTargets);
    for (std::size_t a = 0; a < pairs; ++a) {
      for (std::size_t b = a + 1; b < pairs; ++b) {
        const std::array both{nodes[a], nodes[b]};
        search(residents(both), share, kTargets);
      }
    }
  }

  // Returns the instances of the start that are on the nodes.
  std::vector<InstanceIndex> residents(std::span<const NodeIndex> nodes) const {
    std::vector<InstanceIndex> there;
    for (const NodeIndex n : nodes) {
      const Node& node = trial_.cluster().node(n);
      for (const auto& list : {node.primaries, node.secondaries}) {
        std::ranges::copy_if(list, std::back_inserter(there),
                             [&](InstanceIndex i) { return i.position() < all_.instances.size(); });
      }
    }
    std::ranges::sort(there);
    there.erase(std::unique(there.begin(), there.end()), there.end());
    return there;
  }

  // Returns the price that further ways must stay below: that of the best one, and what the limits leave.
  std::optional<WayPrice> below(const std::optional<Way>& best) const {
    std::optional<WayPrice> price;
    const auto lower = [&](const WayPrice& other) {
      if (!price || other < *price) price = other;
    };
    if (best) lower(best->price);
    if (options_.max_copied) lower({*options_.max_copied - spent_.copied + 1, 0, 0});
    return price;
  }

  // Returns how many moves the limit leaves.
  std::size_t steps_left() const {
    if (!options_.max_steps) return std::numeric_limits<std::size_t>::max();
    return static_cast<std::size_t>(std::max<std::int64_t>(0, *options_.max_steps - spent_.steps));
  }

  std::optional<Way> find_way(const NewInstance& instance) {
    std::optional<Way> best;
    for (const GroupIndex g : groups_) search_group(g, instance, best);
    return best;
  }

  const std::vector<GroupIndex>& groups_;
  const MoveRules& rules_;
  const RoomOptions& options_;
  GroupMembers all_;  // of the start
  Trial trial_;       // after the moves so far, with the instances that were placed
  WayPrice spent_;
};

}  // namespace

RoomPlan make_room(const Cluster& start, const std::vector<GroupIndex>& groups,
                   const std::vector<NewInstance>& instances, const MoveRules& rules, const RoomOptions& options) {
  RoomPlan plan;
  RoomMaker maker(start, groups, rules, options);
  for (std::size_t i = 0; i < instances.size() && maker.add(instances[i], plan); ++i) continue;
  // All moves come first; then the allocator places all instances.
  Trial moved(start);
  for (std::size_t s = 0; s < plan.steps.size(); ++s) {
    BalanceStep& step = plan.steps[s];
    if (!is_allowed(moved.cluster(), step, rules.force)) {  // it was, beside an instance that was placed before it
      plan.steps.resize(s);
      break;
    }
    const GroupIndex group = start.node(step.before.primary).facts->group;
    moved.apply(step.instance, step.move);
    step.score = score(member_nodes(moved.cluster(), members_of(moved.cluster(), group)));
  }
  AllocationRules explained = options.allocation;
  explained.explain = true;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const AllocationRequest request = request_within(groups, moved.cluster(), instances[i]);
    const AllocationAnswer answer = answer_about(moved.cluster(), request, explained);
    const AllocationChoice* choice = answer.choice();
    if (choice == nullptr) {
      plan.homeless = i;
      std::vector<Refusal> refusals = policy_refusals(moved.cluster(), groups, request.instance);
      plan.is_outside_policy = !refusals.empty();
      if (refusals.empty()) refusals = refusals_in(answer);
      plan.nearest = nearest_refusal(refusals);
      break;
    }
    put(moved, request, choice->placement);
    plan.placed.push_back({i, choice->placement});
  }
  return plan;
}

}  // namespace htools
