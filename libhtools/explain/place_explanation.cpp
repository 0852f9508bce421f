#include "explain/place_explanation.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "allocate/allocator.h"
#include "allocate/group_allocation.h"
#include "allocate/new_instance.h"
#include "cluster/group_lookup.h"
#include "cluster/members.h"
#include "cluster/tags.h"
#include "explain/place_search.h"
#include "htools/cluster.h"
#include "placement/candidates.h"
#include "placement/failure_counts.h"

namespace htools {
namespace {

// Returns what the group says, from its own answer.
GroupVerdict verdict_of(const Cluster& cluster, GroupIndex group, AllocationAnswer answer) {
  GroupVerdict verdict{.group = group, .is_allocable = cluster.group(group).is_allocable()};
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    const Node& node = cluster.nodes[n];
    if (node.facts->group != group || receives(node)) continue;
    (node.offline ? verdict.offline : verdict.cordoned).emplace_back(n);
  }
  auto& outcome = answer.trials.front().outcome;
  if (const auto* problem = std::get_if<GroupProblem>(&outcome)) {
    verdict.problem = *problem;
    return verdict;
  }
  auto& allocation = std::get<Allocation>(outcome);
  verdict.choice = allocation.choice;
  verdict.successes = allocation.successes;
  verdict.failures = allocation.failures;
  verdict.refused = group_refusals(allocation.refusals);
  return verdict;
}

Judge judge_of(const Cluster& cluster, const AllocationRequest& request) {
  return uses_lost_allocations(cluster, request) ? Judge::LostAllocations : Judge::Score;
}

}  // namespace

PlaceSearch::PlaceSearch(Trial& trial, const PlaceOptions& options)
    : trial_(trial),
      options_(options),
      groups_(options.group ? std::vector{*options.group} : groups_with_nodes(trial.cluster())) {}

AllocationRequest PlaceSearch::request_for(const NewInstance& instance) const {
  AllocationRequest request = request_place(trial_.cluster(), instance, options_.group);
  apply_tag_rules(request.instance, read_tag_rules(trial_.cluster().tags, options_.exclusion_tags));
  return request;
}

AllocationAnswer PlaceSearch::ask(const AllocationRequest& request) {
  const Cluster& cluster = trial_.cluster();
  const Arrival arrival{request.instance, InstanceIndex(cluster.instances.size())};
  const std::vector<NodeIndex> nodes = all_members(cluster).nodes;
  const Judge judge = judge_of(cluster, request);
  AllocationRules rules = options_.rules;
  rules.explain = false;
  return request.group ? allocate_in_group(trial_, nodes, arrival, request.required_nodes, rules, judge, *request.group)
                       : allocate_anywhere(trial_, nodes, arrival, request.required_nodes, rules, judge);
}

AllocationAnswer PlaceSearch::ask_group(const AllocationRequest& request, GroupIndex group, bool explain) {
  const Cluster& cluster = trial_.cluster();
  const Arrival arrival{request.instance, InstanceIndex(cluster.instances.size())};
  AllocationRules rules = options_.rules;
  rules.explain = explain;
  AllocationRequest of_group = request;
  of_group.group = unique_name(cluster, group);
  return allocate_in_group(trial_, members_of(cluster, group).nodes, arrival, request.required_nodes, rules,
                           judge_of(cluster, of_group), unique_name(cluster, group));
}

std::optional<PlacedInstance> PlaceSearch::find(const AllocationRequest& request) {
  if (groups_.size() > 1) {
    if (std::optional<PlacedInstance> placed = placed_by(ask(request), request)) return placed;
  }
  std::optional<PlacedInstance> best;
  for (const GroupIndex group : groups_) {
    if (!options_.group && !trial_.cluster().group(group).is_allocable()) continue;
    std::optional<PlacedInstance> placed = placed_by(ask_group(request, group, false), request);
    if (placed && (!best || (placed->score && best->score && *placed->score < *best->score))) best = std::move(placed);
  }
  if (best) best->needs_group = groups_.size() > 1;
  return best;
}

bool PlaceSearch::is_possible(const AllocationRequest& request) const {
  const Cluster& cluster = trial_.cluster();
  std::vector<bool> allocable(cluster.groups.size(), false);
  for (const GroupIndex g : groups_) allocable[g.position()] = options_.group || cluster.group(g).is_allocable();
  const Candidates candidates = find_candidates(cluster, allocable, request.instance.facts->disk_template);
  return count_outcomes(cluster, candidates, request.instance).successes > 0;
}

void PlaceSearch::carry_out(const AllocationRequest& request, const Placement& place) {
  const InstanceIndex index(trial_.cluster().instances.size());
  htools::carry_out(trial_, {request.instance, index}, place, index);
}

std::optional<PlacedInstance> placed_by(const AllocationAnswer& answer, const AllocationRequest& request) {
  const AllocationChoice* choice = answer.choice();
  if (choice == nullptr) return std::nullopt;
  const double* score = std::get_if<double>(&choice->score);
  return PlacedInstance{request.instance.facts->name, answer.trials[*answer.selected].group, choice->placement,
                        score == nullptr ? std::nullopt : std::optional(*score)};
}

PlaceExplanation explain_place(const Cluster& cluster, const std::vector<NewInstance>& instances,
                               const PlaceOptions& options) {
  Trial trial(cluster);
  PlaceSearch search(trial, options);
  PlaceExplanation explanation{.asked = instances.size()};
  for (const NewInstance& instance : instances) {
    explanation.instance = instance.name;
    const AllocationRequest request = search.request_for(instance);
    const bool is_last = explanation.placed.size() + 1 == instances.size();
    // If there is one group, its own answer is that of hail.
    std::optional<PlacedInstance> placed;
    const bool is_one_group = search.groups().size() == 1;
    if (!is_last || !is_one_group) placed = search.find(request);
    if (placed && placed->needs_group) explanation.in_named_group = std::exchange(placed, std::nullopt);
    if (!placed || is_last) {
      for (const GroupIndex group : search.groups()) {
        AllocationAnswer answer = search.ask_group(request, group, true);
        const bool is_open = options.group || cluster.group(group).is_allocable();
        if (!placed && is_one_group && is_open) placed = placed_by(answer, request);
        explanation.groups.push_back(verdict_of(cluster, group, std::move(answer)));
      }
    }
    if (!placed) {
      if (!explanation.in_named_group) {
        explanation.nearest = nearest_changes(trial, search, instance, explanation.groups, options);
      }
      break;
    }
    if (!is_last) search.carry_out(request, placed->place);
    explanation.placed.push_back(std::move(*placed));
  }
  return explanation;
}

}  // namespace htools
