#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "allocate/allocator.h"
#include "allocate/request.h"
#include "htools/moves.h"
#include "tests/support/cluster_difference.h"
#include "tests/support/literal_placement.h"
#include "tests/support/property.h"
#include "tests/support/random.h"
#include "tests/support/random_allocation.h"
#include "tests/support/witness.h"

namespace htools::allocator_properties_test {

using htools::testing::contains;
using htools::testing::difference;
using htools::testing::for_each_seed;
using htools::testing::only_seed;
using htools::testing::Random;
using htools::testing::scaled_tally;
using htools::testing::within_policy;
using htools::testing::Witness;
namespace literal = htools::testing::literal;

namespace {

using Nodes = std::vector<NodeIndex>;

// A cluster with its states before and after a request.
struct Question {
  Cluster before, after;
  Witness witness;
  AllocationRules rules;

  explicit Question(Random& random, std::int64_t exclusive = 0)
      : before(cluster(random, exclusive)), after(before), witness(before) {
    rules.force = random.chance(20);
    rules.capacity_checks = random.chance(60);
    if (random.chance(15)) rules.allowed_nodes = std::set<std::string>{"n0", "n1", "n2", "n3"};
  }

  // Answers the request. Returns nothing if the cluster cannot be judged, because a drbd instance has no secondary.
  std::optional<AllocatorResult> ask(const AllocatorRequest& request) {
    AllocatorState state{Trial(after), literal::every_node(after), {}};
    for (std::size_t i = 0; i < after.instances.size(); ++i) state.instances.push_back(InstanceIndex(i));
    try {
      AllocatorResult result = answer_request(state, request, rules);
      after = state.cluster();
      return result;
    } catch (const InputError&) {
      return std::nullopt;
    }
  }

  // Returns a random cluster in which no instance names one node twice. By the rules, such an instance is not on that
  // node, but leaves it all the same.
  static Cluster cluster(Random& random, std::int64_t exclusive) {
    Cluster cluster = htools::testing::random_allocation_cluster(random, exclusive);
    const auto names_one_twice = [](const Instance& i) { return i.primary == i.secondary; };
    const auto& instances = cluster.instances;
    if (std::any_of(instances.begin(), instances.end(), names_one_twice)) return Question::cluster(random, exclusive);
    return cluster;
  }

  GroupIndex group_of(NodeIndex n) const { return before.node(n).facts->group; }
  Nodes nodes_of(GroupIndex group) const {
    Nodes nodes;
    for (NodeIndex n : literal::every_node(before)) {
      if (group_of(n) == group) nodes.push_back(n);
    }
    return nodes;
  }
};

// ---- New instances

// Follows one allocation. If it has failed, requires that there is no place.
void check_allocation(Question& question, Witness& witness, const AllocationRequest& request,
                      const AllocationAnswer* answer, const std::optional<Placement>& choice, bool by_loss,
                      bool own_restriction) {
  const Cluster& cluster = question.before;
  std::optional<GroupIndex> named;
  for (std::size_t g = 0; request.group && g < cluster.groups.size(); ++g) {
    if (cluster.groups[g].name == *request.group) named = GroupIndex(g);
  }
  const Nodes universe = named ? question.nodes_of(*named) : literal::every_node(cluster);
  std::optional<std::set<std::string>> allowed = question.rules.allowed_nodes;
  if (!allowed && own_restriction && request.allowed_nodes) {
    allowed = std::set<std::string>(request.allowed_nodes->begin(), request.allowed_nodes->end());
  }
  const auto is_candidate = [&](NodeIndex n) {
    const Group& group = cluster.group(question.group_of(n));
    const auto& nics = request.instance.facts->nics;
    return contains(universe, n) && !cluster.node(n).offline && (named || group.is_allocable()) &&
           (!allowed || allowed->count(cluster.node(n).facts->name) == 1) &&
           std::all_of(nics.begin(), nics.end(),
                       [&](const auto& nic) { return contains(group.networks, *nic.network); });
  };
  const bool pair = request.required_nodes == 2;
  const auto is_place = [&](const Placement& place) {
    if (!is_candidate(place.primary) || pair == place.secondary.is_none()) return false;
    return !pair || (place.primary != place.secondary && is_candidate(place.secondary) &&
                     question.group_of(place.primary) == question.group_of(place.secondary));
  };
  const auto why_not = [&](Witness& w, const Placement& place) -> std::string {
    const std::string broken = w.add(request.instance, place.primary, place.secondary, cluster, !question.rules.force);
    if (!broken.empty() || by_loss || !question.rules.capacity_checks) return broken;
    return w.can_lose_any(universe, universe, cluster) ? "" : "loss of a node";
  };
  if (choice) {
    REQUIRE(is_place(*choice));
    REQUIRE(why_not(witness, *choice) == "");
    return;
  }
  for (NodeIndex p : literal::every_node(cluster)) {
    for (NodeIndex s : pair ? literal::every_node(cluster) : Nodes{NodeIndex::none()}) {
      Witness trial = witness;
      if (is_place({p, s})) REQUIRE(why_not(trial, {p, s}) != "");
    }
  }
  if (answer == nullptr || !answer->group_known) return;
  for (const GroupTrial& trial : answer->trials) {
    const Allocation* allocation = std::get_if<Allocation>(&trial.outcome);
    if (allocation != nullptr)
      REQUIRE((allocation->choice.has_value() ? !answer->selected : allocation->successes == 0));
  }
}

AllocationRequest random_allocation(Random& random, const Cluster& cluster) {
  AllocationRequest request;
  request.required_nodes = random.between(1, 2);
  request.instance = htools::testing::random_newcomer(random, cluster, request.required_nodes);
  if (random.chance(40)) request.group = cluster.groups[random.index(cluster.groups.size())].name;
  if (random.chance(15)) request.allowed_nodes = {"n0", "n2", "n4"};
  return request;
}

// ---- Instances that leave their nodes

MoveKind kind_of(const EvacuationStep& step) {
  switch (step.action) {
    case MoveAction::Failover:
      return MoveKind::Failover;
    case MoveAction::FailoverTo:
      return MoveKind::FailoverToAny;
    case MoveAction::ReplaceSecondary:
      break;
  }
  return MoveKind::ReplaceSecondary;
}

// Follows the steps of one instance. All of its new nodes must be among `targets`.
void check_steps(Witness& witness, const InstanceOutcome& outcome, const Evacuated& evacuated, const Nodes& targets,
                 bool force) {
  const std::size_t i = outcome.instance.position();
  REQUIRE(!evacuated.steps.empty());
  for (const EvacuationStep& step : evacuated.steps) {
    if (step.action != MoveAction::Failover) REQUIRE(contains(targets, step.target));
    REQUIRE(witness.move(i, kind_of(step), step.target, force) == "");
  }
  const Instance& instance = witness.instances[i];
  const bool pair = instance.facts->disk_template == DiskTemplate::Drbd;
  REQUIRE(evacuated.after == Placement{instance.primary, pair ? instance.secondary : NodeIndex::none()});
  if (pair) REQUIRE(instance.primary != instance.secondary);
}

// Requires that the move is refused for each of the targets.
void check_no_target(const Witness& witness, std::size_t i, MoveKind kind, const Nodes& targets, bool force) {
  for (NodeIndex t : targets) {
    Witness trial = witness;
    REQUIRE(trial.move(i, kind, t, force) != "");
  }
}

std::vector<InstanceIndex> some_instances(Random& random, const Cluster& cluster, std::int64_t most) {
  std::vector<InstanceIndex> instances;
  for (std::int64_t more = random.between(1, most); more > 0; --more) {
    const InstanceIndex i(random.index(cluster.instances.size()));
    if (!contains(instances, i)) instances.push_back(i);
  }
  return instances;
}

}  // namespace

TEST_CASE("property: an allocation keeps all limits, and fails only if there is no place") {
  int placed = 0, failed = 0, by_loss_placed = 0;
  for_each_seed(31, 2500, [&](Random& random) {
    Question question(random, random.chance(30) ? 100 : random.chance(20) ? 40 : 0);
    const AllocationRequest request = random_allocation(random, question.before);
    const bool by_loss = uses_lost_allocations(question.before, request);
    const auto result = question.ask(request);
    if (!result) return;
    const AllocationAnswer& answer = std::get<AllocationAnswer>(*result);
    std::optional<Placement> choice;
    if (answer.choice() != nullptr) choice = answer.choice()->placement;
    check_allocation(question, question.witness, request, &answer, choice, by_loss, true);
    REQUIRE(question.witness.disagreement(question.after) == "");
    if (!choice) REQUIRE(difference(question.after, question.before) == "");
    (choice ? placed : failed) += 1;
    if (choice && by_loss) ++by_loss_placed;
  });
  if (only_seed() != nullptr) return;
  CHECK(placed > scaled_tally(500));
  CHECK(failed > scaled_tally(500));
  CHECK(by_loss_placed > scaled_tally(100));
}

TEST_CASE("property: several allocations keep all limits one after the other") {
  int placed = 0, left = 0;
  for_each_seed(32, 800, [&](Random& random) {
    Question question(random);
    MultiAllocationRequest request;
    const std::optional<std::string> group =
        random.chance(40) ? std::optional(question.before.groups[0].name) : std::nullopt;
    for (std::int64_t more = random.between(1, 4); more > 0; --more) {
      request.allocations.push_back(random_allocation(random, question.before));
      request.allocations.back().group = group;
      request.allocations.back().instance.facts.edit().name += std::to_string(more);
    }
    if (uses_lost_allocations(question.before, request)) return;
    const auto result = question.ask(request);
    if (!result) return;
    const auto& answer = std::get<MultiAllocationResult>(*result);
    if (answer.failure) {
      REQUIRE(difference(question.after, question.before) == "");
      ++left;
      return;
    }
    REQUIRE(answer.items.size() == request.allocations.size());
    for (std::size_t k = 0; k < answer.items.size(); ++k) {
      std::optional<Placement> choice;
      if (const auto* place = std::get_if<Placement>(&answer.items[k].outcome)) choice = *place;
      check_allocation(question, question.witness, request.allocations[k], nullptr, choice, false, false);
      (choice ? placed : left) += 1;
    }
    REQUIRE(question.witness.disagreement(question.after) == "");
  });
  if (only_seed() != nullptr) return;
  CHECK(placed > scaled_tally(150));
  CHECK(left > scaled_tally(150));
}

TEST_CASE("property: a new secondary keeps all limits") {
  int placed = 0;
  for_each_seed(33, 800, [&](Random& random) {
    Question question(random);
    if (question.before.instances.empty()) return;
    const InstanceIndex index(random.index(question.before.instances.size()));
    const auto result = question.ask(SecondaryRequest{index});
    if (!result) return;
    const auto& answer = std::get<SecondaryResult>(*result);
    if (answer.has_secondary || !answer.allocation.choice) {
      REQUIRE(difference(question.after, question.before) == "");
      return;
    }
    const std::size_t i = index.position();
    Witness& witness = question.witness;
    Instance& instance = witness.instances[i];
    const Placement place = answer.allocation.choice->placement;
    REQUIRE(place.primary == instance.primary);
    REQUIRE(place.primary != place.secondary);
    REQUIRE(question.group_of(place.primary) == question.group_of(place.secondary));
    witness.take_primary(i, place.primary);
    instance.facts.edit().disk_template = DiskTemplate::Drbd;
    instance.secondary = place.secondary;
    const Node& node = question.before.node(place.primary);
    REQUIRE(within_policy(instance, question.before.group(node.facts->group).policy, node.facts->exclusive_storage));
    REQUIRE(witness.put_primary(i, place.primary, witness.common_locations(place.primary, place.secondary),
                                !question.rules.force) == "");
    REQUIRE(witness.put_secondary(i, place.secondary, place.primary, true) == "");
    REQUIRE(witness.disagreement(question.after) == "");
    ++placed;
  });
  if (only_seed() == nullptr) CHECK(placed > scaled_tally(60));
}

TEST_CASE("property: evacuated instances have left, by moves within the limits, and the others stay") {
  int moved = 0, stayed = 0;
  for_each_seed(34, 3000, [&](Random& random) {
    Question question(random);
    if (question.before.instances.empty()) return;
    const EvacuationRequest request{some_instances(random, question.before, 5),
                                    static_cast<EvacuationMode>(random.between(0, 2))};
    const auto result = question.ask(request);
    if (!result) return;
    const bool force = question.rules.force;
    const bool of_primaries = request.mode != EvacuationMode::SecondaryOnly;
    const bool of_secondaries = request.mode != EvacuationMode::PrimaryOnly;
    Witness& witness = question.witness;
    Nodes excluded;
    for (InstanceIndex i : request.instances) {
      const Instance& instance = question.before.instance(i);
      if (of_primaries) excluded.push_back(instance.primary);
      if (of_secondaries && instance.facts->disk_template == DiskTemplate::Drbd) excluded.push_back(instance.secondary);
    }
    const auto& outcomes = std::get<std::vector<InstanceOutcome>>(*result);
    REQUIRE(outcomes.size() == request.instances.size());
    for (std::size_t k = 0; k < outcomes.size(); ++k) {
      REQUIRE(outcomes[k].instance == request.instances[k]);
      const std::size_t i = outcomes[k].instance.position();
      const Instance before = witness.instances[i];
      const bool pair = before.facts->disk_template == DiskTemplate::Drbd;
      const bool fixed =
          before.facts->disk_template == DiskTemplate::Plain || before.facts->disk_template == DiskTemplate::File;
      Nodes targets;
      for (NodeIndex n : question.nodes_of(question.group_of(before.primary))) {
        if (!witness.offline(n) && !contains(excluded, n) && n != before.primary) targets.push_back(n);
      }
      const bool fails_over = pair && request.mode == EvacuationMode::PrimaryOnly;
      if (const auto* evacuated = std::get_if<Evacuated>(&outcomes[k].outcome)) {
        REQUIRE_FALSE(fixed);
        REQUIRE((pair || of_primaries));
        check_steps(witness, outcomes[k], *evacuated, targets, force);
        if (of_primaries && !fails_over) REQUIRE_FALSE(contains(excluded, evacuated->after.primary));
        if (of_primaries) REQUIRE(evacuated->after.primary != before.primary);
        if (pair && of_secondaries) REQUIRE_FALSE(contains(excluded, evacuated->after.secondary));
        ++moved;
        continue;
      }
      ++stayed;
      if (fixed || (!pair && !of_primaries)) continue;
      if (fails_over) check_no_target(witness, i, MoveKind::Failover, {NodeIndex::none()}, force);
      if (!pair) check_no_target(witness, i, MoveKind::FailoverToAny, targets, force);
      if (pair && !of_primaries) check_no_target(witness, i, MoveKind::ReplaceSecondary, targets, force);
    }
    REQUIRE(witness.disagreement(question.after) == "");
  });
  if (only_seed() != nullptr) return;
  CHECK(moved > scaled_tally(800));
  CHECK(stayed > scaled_tally(800));
}

TEST_CASE("property: a relocated instance has left one node, the right one") {
  int moved = 0;
  for_each_seed(35, 800, [&](Random& random) {
    Question question(random);
    if (question.before.instances.empty()) return;
    const InstanceIndex index(random.index(question.before.instances.size()));
    const Instance& before = question.before.instance(index);
    const bool pair = before.facts->disk_template == DiskTemplate::Drbd;
    const NodeIndex from = pair ? before.secondary : before.primary;
    const auto result = question.ask(RelocationRequest{index, 1, {from}});
    if (!result) return;
    const auto* target = std::get_if<NodeIndex>(&std::get<RelocationResult>(*result).outcome);
    if (target == nullptr) {
      REQUIRE(difference(question.after, question.before) == "");
      return;
    }
    Witness& witness = question.witness;
    REQUIRE(*target != before.primary);
    REQUIRE((!pair || *target != before.secondary));
    REQUIRE_FALSE(witness.offline(*target));
    REQUIRE(question.group_of(*target) == question.group_of(before.primary));
    REQUIRE(witness.move(index.position(), pair ? MoveKind::ReplaceSecondary : MoveKind::FailoverToAny, *target,
                         question.rules.force) == "");
    REQUIRE(witness.disagreement(question.after) == "");
    ++moved;
  });
  if (only_seed() == nullptr) CHECK(moved > scaled_tally(150));
}

TEST_CASE("property: instances that change groups are in another one, by moves within all limits") {
  int moved = 0, stayed = 0;
  for_each_seed(36, 4000, [&](Random& random) {
    Question question(random);
    if (question.before.instances.empty()) return;
    GroupChangeRequest request{some_instances(random, question.before, 3), {}};
    std::vector<GroupIndex> left, targets;
    for (InstanceIndex i : request.instances) left.push_back(question.group_of(question.before.instance(i).primary));
    for (std::size_t g = 0; g < question.before.groups.size(); ++g) {
      if (random.chance(30)) request.targets.push_back(GroupIndex(g));
    }
    for (std::size_t g = 0; g < question.before.groups.size(); ++g) {
      const bool wanted = request.targets.empty() || contains(request.targets, GroupIndex(g));
      if (wanted && !contains(left, GroupIndex(g))) targets.push_back(GroupIndex(g));
    }
    const auto result = question.ask(request);
    if (!result) return;
    Witness& witness = question.witness;
    for (const InstanceOutcome& outcome : std::get<std::vector<InstanceOutcome>>(*result)) {
      const auto* evacuated = std::get_if<Evacuated>(&outcome.outcome);
      if (evacuated == nullptr) {
        ++stayed;
        continue;
      }
      const GroupIndex group = question.group_of(evacuated->after.primary);
      REQUIRE(contains(targets, group));
      REQUIRE(question.before.group(group).is_allocable());
      if (!evacuated->after.secondary.is_none()) REQUIRE(question.group_of(evacuated->after.secondary) == group);
      for (const htools::Nic& nic : question.before.instance(outcome.instance).facts->nics) {
        REQUIRE(contains(question.before.group(group).networks, *nic.network));
      }
      Nodes nodes = question.nodes_of(group);
      std::erase_if(nodes, [&](NodeIndex n) { return witness.offline(n); });
      check_steps(witness, outcome, *evacuated, nodes, false);
      ++moved;
    }
    REQUIRE(witness.disagreement(question.after) == "");
  });
  if (only_seed() != nullptr) return;
  CHECK(moved > scaled_tally(150));
  CHECK(stayed > scaled_tally(500));
}

}  // namespace htools::allocator_properties_test
