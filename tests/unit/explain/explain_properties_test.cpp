#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "balance/immovable.h"
#include "balance/move_generation.h"
#include "base/numbers.h"
#include "cluster/members.h"
#include "explain/diagnosis.h"
#include "explain/drill.h"
#include "explain/instance_explanation.h"
#include "explain/place_explanation.h"
#include "explain/policy_settings.h"
#include "explain/problems.h"
#include "explain/score_explanation.h"
#include "htools/allocate.h"
#include "htools/errors.h"
#include "metric/statistics.h"
#include "placement/candidates.h"
#include "placement/failure_counts.h"
#include "plan/paths.h"
#include "rules/move_application.h"
#include "rules/refusal.h"
#include "tests/support/property.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "trial/trial.h"

namespace htools::explain_properties_test {

using htools::testing::ClusterShape;
using htools::testing::for_each_seed;
using htools::testing::only_seed;
using htools::testing::Random;
using htools::testing::random_cluster;
using htools::testing::scaled_tally;

namespace {

// Returns a cluster with many kinds of trouble.
Cluster troubled_cluster(Random& random) {
  ClusterShape shape = htools::testing::random_shape(random);
  shape.nodes = random.between(2, 8);
  shape.instances = random.between(1, 16);
  shape.offline = random.chance(50) ? 15 : 0;
  shape.crowded = random.chance(50) ? 60 : 10;
  return random_cluster(random, shape);
}

bool has_problem(const std::vector<Finding>& findings, const Finding& problem) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& f) { return is_same_problem(f, problem); });
}

std::vector<Finding> problems_in(const Cluster& cluster, GroupIndex group) {
  Trial trial(cluster);
  return problems_of(trial, group, members_of(cluster, group), true);
}

// Makes the settings of a policy in the cluster. Returns false if one of them is of another kind.
bool make_settings(Cluster& cluster, const Finding& finding) {
  for (const Setting& setting : finding.cure->settings) {
    if (setting.group.is_none()) return false;
    const auto set_ratio = [&](auto set) {
      for (Node& node : cluster.nodes) {
        if (node.facts->group == setting.group) set(node.facts.edit(), parse_double(setting.value, "ratio"));
      }
    };
    if (setting.name == "vcpu-ratio") {
      set_ratio([](NodeFacts& f, double ratio) { f.vcpu_ratio_limit = ratio; });
    } else if (setting.name == "spindle-ratio") {
      set_ratio([](NodeFacts& f, double ratio) { f.max_instance_spindles = ratio * static_cast<double>(f.spindles); });
    } else {
      InstancePolicy& policy = cluster.group(setting.group).policy;
      std::vector<Setting> made;
      for (const InstanceIndex i : finding.instances) {
        const Instance& instance = cluster.instance(i);
        CHECK(widen(policy, setting.group, instance, cluster.node(instance.primary).facts->exclusive_storage, made));
      }
    }
  }
  return true;
}

}  // namespace

namespace {

// Makes the moves on the cluster, but one of them. Returns false if a rule forbids one of the others.
bool make_all_but(Cluster& cluster, const std::vector<PlannedStep>& steps, std::size_t left_out) {
  for (std::size_t s = 0; s < steps.size(); ++s) {
    if (s == left_out) continue;
    if (!is_allowed(cluster, steps[s].step, false)) return false;
    apply_move(cluster, steps[s].step.instance, steps[s].step.move);
  }
  return true;
}

}  // namespace

TEST_CASE("each cure, when carried out by the rules, removes what it cures, and has no move too many") {
  std::int64_t by_moves = 0, by_settings = 0, nothing = 0, long_ways = 0;
  for_each_seed(91, 4000, [&](Random& random) {
    const Cluster cluster = troubled_cluster(random);
    const DiagnosisOptions options;
    for (const Finding& finding : diagnose(cluster, groups_with_nodes(cluster), options).findings) {
      CAPTURE(facts(finding.kind).name);
      REQUIRE(finding.cure.has_value());
      if (finding.cure->kind == CureKind::Nothing) ++nothing;
      Cluster after = cluster;
      if (finding.cure->kind == CureKind::Moves) {
        ++by_moves;
        const std::vector<PlannedStep>& steps = finding.cure->steps;
        REQUIRE(make_all_but(after, steps, steps.size()));
        // (Two instances on one node of the location would be another problem, no cure.)
        const bool is_comparable = steps.size() > 1 && finding.kind != FindingKind::LocationExclusion;
        for (std::size_t s = 0; is_comparable && s < steps.size(); ++s) {
          Cluster fewer = cluster;
          if (!make_all_but(fewer, steps, s)) continue;
          ++long_ways;
          CHECK(has_problem(problems_in(fewer, finding.group), finding));
        }
      } else if (finding.cure->kind == CureKind::Setting && make_settings(after, finding)) {
        ++by_settings;
      } else {
        continue;
      }
      CHECK_FALSE(has_problem(problems_in(after, finding.group), finding));
    }
  });
  if (only_seed() != nullptr) return;
  CHECK(by_moves > scaled_tally(500));
  CHECK(by_settings > scaled_tally(100));
  CHECK(nothing > scaled_tally(500));
  CHECK(long_ways > scaled_tally(100));
}

TEST_CASE("no problem is overlooked that the health check counts") {
  for_each_seed(92, 3000, [&](Random& random) {
    const Cluster cluster = troubled_cluster(random);
    DiagnosisOptions options;
    options.cures = false;
    const Diagnosis diagnosis = diagnose(cluster, groups_with_nodes(cluster), options);
    for (const GroupStatistics& group : diagnosis.check.initial) {
      const auto count = [&](FindingKind kind) {
        return std::count_if(diagnosis.findings.begin(), diagnosis.findings.end(),
                             [&](const Finding& f) { return f.kind == kind && f.group == group.group; });
      };
      CHECK(count(FindingKind::NotN1) == group.counts[0]);
      CHECK((count(FindingKind::ExclusionTags) > 0) == (group.counts[1] > 0));
    }
  });
}

namespace {

NewInstance random_item(Random& random) {
  NewInstance item;
  item.name = "newcomer";
  item.disk_template = random.one_of(std::vector<DiskTemplate>{
      DiskTemplate::Drbd, DiskTemplate::Drbd, DiskTemplate::Plain, DiskTemplate::Rbd, DiskTemplate::Diskless});
  item.memory_mib = random.between(64, 6000);
  item.disk_mib = random.between(64, 20000);
  item.vcpus = random.between(1, 10);
  if (random.chance(30)) item.spindles = random.between(0, 3);
  if (random.chance(30)) item.tags = {"svc:" + std::to_string(random.between(0, 2))};
  return item;
}

// Returns the explanation, or nothing if the cluster cannot be judged.
std::optional<PlaceExplanation> explained(const Cluster& cluster, const NewInstance& item,
                                          const PlaceOptions& options) {
  try {
    return explain_place(cluster, {item}, options);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

TEST_CASE("a place is found where hail finds one, and refused for the same reasons") {
  std::int64_t yes = 0, no = 0, nearest = 0, several_moves = 0;
  for_each_seed(93, 4000, [&](Random& random) {
    ClusterShape shape = htools::testing::random_shape(random);
    shape.groups = random.between(1, 2);
    const Cluster cluster = random_cluster(random, shape);
    const NewInstance item = random_item(random);
    PlaceOptions options;
    options.rules.capacity_checks = random.chance(60);
    options.rules.force = random.chance(10);
    const auto explanation = explained(cluster, item, options);
    if (!explanation) return;
    const AllocationOptions same{
        .group = {}, .force = options.rules.force, .capacity_checks = options.rules.capacity_checks};
    const AllocationAnswer hail = find_place(cluster, item, same);
    if (hail.choice() != nullptr) {
      REQUIRE(explanation->is_yes());
      CHECK(explanation->placed.front().place == hail.choice()->placement);
      CHECK_FALSE(explanation->in_named_group);
    } else {
      CHECK_FALSE(explanation->is_yes());
    }
    (explanation->is_yes() ? yes : no) += 1;
    for (const GroupVerdict& verdict : explanation->groups) {
      AllocationOptions of_group = same;
      of_group.group = verdict.group;
      const AllocationAnswer answer = find_place(cluster, item, of_group);
      CHECK((answer.choice() != nullptr) == verdict.choice.has_value());
      const auto* allocation = std::get_if<Allocation>(&answer.trials.front().outcome);
      CHECK((allocation == nullptr) == verdict.problem.has_value());
      if (allocation != nullptr) CHECK(allocation->failures == verdict.failures);
      // Each class of refusals that is counted is explained.
      for (std::size_t m = 0; m < kFailModeCount; ++m) {
        if (verdict.failures.count[m] == 0) continue;
        CHECK(std::any_of(verdict.refused.begin(), verdict.refused.end(), [m](const RefusalGroup& group) {
          return mode_of(group.nearest()) == static_cast<FailMode>(m);
        }));
      }
    }
    for (const NearestYes& change : explanation->nearest) {
      ++nearest;
      if (change.kind == ChangeKind::Moves) {
        Trial trial(cluster);
        for (const PlannedStep& step : change.steps) {
          REQUIRE(is_allowed(trial.cluster(), step.step, options.balance.moves.force));
          trial.apply(step.step.instance, step.step.move);
        }
        AllocationOptions of_group = same;
        of_group.group = change.placed.group;
        CHECK(find_place(trial.cluster(), item, of_group).choice()->placement == change.placed.place);
        several_moves += change.steps.size() > 1 ? 1 : 0;
      }
      if (change.kind != ChangeKind::Size) continue;
      NewInstance smaller = item;
      (change.resource == "memory" ? smaller.memory_mib
       : change.resource == "disk" ? smaller.disk_mib
                                   : smaller.vcpus) = change.to;
      CHECK(change.to < change.from);
      const PlaceExplanation of_smaller = explain_place(cluster, {smaller}, options);
      CHECK(of_smaller.is_yes() == !change.placed.needs_group);
      CHECK(of_smaller.in_named_group.has_value() == change.placed.needs_group);
    }
  });
  if (only_seed() != nullptr) return;
  CHECK(yes > scaled_tally(500));
  CHECK(no > scaled_tally(500));
  CHECK(nearest > scaled_tally(200));
  CHECK(several_moves > 0);
}

TEST_CASE("refused places are counted as hspace counts them") {
  for_each_seed(94, 2000, [&](Random& random) {
    ClusterShape shape = htools::testing::random_shape(random);
    shape.groups = 1;
    shape.exclusive = 0;
    const Cluster cluster = random_cluster(random, shape);
    const NewInstance item = random_item(random);
    PlaceOptions options;
    options.rules.capacity_checks = false;
    const auto explanation = explained(cluster, item, options);
    if (!explanation || explanation->groups.empty() || explanation->groups.front().problem) return;
    const GroupVerdict& verdict = explanation->groups.front();
    AllocationOptions same;
    same.capacity_checks = false;
    const Candidates candidates =
        find_candidates(cluster, std::vector<bool>(cluster.groups.size(), true), item.disk_template);
    Instance instance;
    instance.facts.edit().name = item.name;
    instance.facts.edit().memory = item.memory_mib;
    instance.facts.edit().disk = item.disk_mib;
    instance.facts.edit().vcpus = item.vcpus;
    instance.facts.edit().disk_template = item.disk_template;
    if (item.disk_template != DiskTemplate::Diskless)
      instance.facts.edit().disks = {Disk{item.disk_mib, item.spindles}};
    if (!item.tags.empty()) return;
    const OutcomeCounts counts = count_outcomes(cluster, candidates, instance);
    CHECK(counts.failures == verdict.failures);
    CHECK(counts.successes == verdict.successes);
  });
}

namespace {

// Tries all ways to start the instances from position `next` on, on any nodes.
bool all_can_start(Trial& trial, const std::vector<InstanceIndex>& instances, std::size_t next) {
  if (next == instances.size()) return true;
  const InstanceIndex i = instances[next];
  const Cluster& cluster = trial.cluster();
  const Instance& instance = cluster.instance(i);
  std::vector<Move> moves;
  if (instance.facts->has_secondary()) {
    moves.push_back({MoveKind::Failover, NodeIndex::none()});
  } else {
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
      const Node& node = cluster.nodes[n];
      if (!node.offline && node.facts->group == cluster.node(instance.primary).facts->group)
        moves.push_back({MoveKind::FailoverToAny, NodeIndex(n)});
    }
  }
  for (const Move& move : moves) {
    if (!std::holds_alternative<MoveEffect>(MoveTrials(cluster, i, false).attempt(move))) continue;
    const Attempt attempt(trial);
    trial.apply(i, move);
    if (all_can_start(trial, instances, next + 1)) return true;
  }
  return false;
}

Cluster shared_cluster(Random& random) {
  ClusterShape shape;
  shape.nodes = random.between(2, 5);
  shape.groups = random.between(1, 2);
  shape.instances = random.between(2, 12);
  shape.crowded = random.between(0, 40);
  shape.offline = random.chance(30) ? 20 : 0;
  shape.migration_tagged = random.chance(30) ? 40 : 0;
  shape.templates = random.chance(50) ? std::vector{DiskTemplate::Rbd}
                                      : std::vector{DiskTemplate::Rbd, DiskTemplate::Drbd, DiskTemplate::Plain};
  shape.largest_memory = random.between(512, 4096);
  return random_cluster(random, shape);
}

}  // namespace

TEST_CASE("a drill leaves nobody without room if there is any way to start all") {
  std::int64_t homeless = 0, packed = 0, survived = 0;
  for_each_seed(95, 6000, [&](Random& random) {
    const Cluster cluster = shared_cluster(random);
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
      if (cluster.nodes[n].offline) continue;
      const Drill drill = rehearse_loss(cluster, {NodeIndex(n)});
      if (drill.homeless.empty()) {
        ++survived;
        packed += drill.is_packed ? 1 : 0;
        continue;
      }
      ++homeless;
      Trial trial(cluster);
      trial.change(NodeIndex(n)).offline = true;
      std::vector<InstanceIndex> all;
      for (const InstanceIndex i : cluster.nodes[n].primaries) {
        const Instance& instance = cluster.instance(i);
        const MirrorType mirror = facts(instance.facts->disk_template).mirror;
        if (mirror == MirrorType::None) continue;
        if (mirror == MirrorType::Internal &&
            (instance.secondary.is_none() || trial.cluster().node(instance.secondary).offline))
          continue;
        all.push_back(i);
      }
      CHECK_FALSE(all_can_start(trial, all, 0));
    }
  });
  if (only_seed() != nullptr) return;
  CHECK(homeless > scaled_tally(500));
  CHECK(survived > scaled_tally(500));
  CHECK(packed > scaled_tally(5));
  MESSAGE("survived only by packing: ", packed, " of ", survived, "; not survived: ", homeless);
}

namespace {

// Returns how many instances have their last copy on the node, since their primary nodes are offline.
std::size_t last_copies_on(const Cluster& cluster, NodeIndex n) {
  if (cluster.node(n).offline) return 0;
  return static_cast<std::size_t>(
      std::count_if(cluster.instances.begin(), cluster.instances.end(), [&](const Instance& instance) {
        return !instance.facts->forthcoming && facts(instance.facts->disk_template).mirror == MirrorType::Internal &&
               instance.secondary == n && instance.primary != n && cluster.node(instance.primary).offline;
      }));
}

}  // namespace

TEST_CASE("each instance of a lost node is told about once") {
  std::int64_t with_last_copies = 0;
  for_each_seed(96, 3000, [&](Random& random) {
    const Cluster cluster = random.chance(50) ? shared_cluster(random) : troubled_cluster(random);
    const NodeIndex lost(
        static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(cluster.nodes.size()) - 1)));
    const Drill drill = rehearse_loss(cluster, {lost});
    const std::size_t told = drill.restarts.size() + drill.homeless.size() + drill.data_lost.size();
    const std::size_t last_copies = last_copies_on(cluster, lost);
    with_last_copies += last_copies > 0 ? 1 : 0;
    CHECK(told == cluster.node(lost).primaries.size() + last_copies);
    for (const Restart& restart : drill.restarts) {
      CHECK(restart.from == lost);
      CHECK(restart.to != lost);
      CHECK_FALSE(cluster.node(restart.to).offline);
    }
  });
  if (only_seed() == nullptr) CHECK(with_last_copies > scaled_tally(20));
}

TEST_CASE("pairs are judged as if each were rehearsed") {
  std::int64_t bad = 0, good = 0, offline = 0;
  for_each_seed(97, 2000, [&](Random& random) {
    const Cluster cluster = random.chance(50) ? shared_cluster(random) : troubled_cluster(random);
    const bool with_offline_nodes = random.chance(50);
    std::vector<NodeIndex> nodes;
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
      if (with_offline_nodes || !cluster.nodes[n].offline) nodes.emplace_back(n);
      offline += with_offline_nodes && cluster.nodes[n].offline ? 1 : 0;
    }
    std::vector<LossScenario> pairs;
    for (std::size_t a = 0; a < nodes.size(); ++a) {
      for (std::size_t b = a + 1; b < nodes.size(); ++b) pairs.push_back({"", {nodes[a], nodes[b]}});
    }
    const DrillTable each = rehearse_each(cluster, pairs);
    const DrillTable table = rehearse_pairs(cluster, nodes, 100);
    for (std::size_t row = 1; row < table.rows.size(); ++row) {
      CHECK(table.rows[row - 1].data_lost.size() >= table.rows[row].data_lost.size());
    }
    CHECK(table.drills == each.drills);
    CHECK(table.survived == each.survived);
    CHECK(table.with_homeless == each.with_homeless);
    CHECK(table.with_data_lost == each.with_data_lost);
    bad += each.drills - each.survived;
    good += each.survived;
  });
  if (only_seed() != nullptr) return;
  CHECK(offline > scaled_tally(100));
  CHECK(bad > scaled_tally(1000));
  CHECK(good > scaled_tally(1000));
}

TEST_CASE("the shares of the nodes add up to the score") {
  for_each_seed(98, 2000, [&](Random& random) {
    const Cluster cluster = troubled_cluster(random);
    for (const GroupIndex group : groups_with_nodes(cluster)) {
      ScoreExplanation explanation;
      try {
        explanation = explain_score(cluster, group, {});
      } catch (const InputError&) {
        return;
      }
      double total = 0.0;
      for (const NodeShare& share : explanation.nodes) total += share.total;
      const double score = score_of(cluster, group).value;
      if (std::isfinite(score)) CHECK(total == doctest::Approx(score).epsilon(1e-9));
      double gain_before = INFINITY;
      for (const InstanceShare& share : explanation.instances) {
        CHECK(share.gain <= gain_before);
        gain_before = share.gain;
      }
    }
  });
}

TEST_CASE("every move of an instance is either allowed, with its score, or forbidden") {
  for_each_seed(99, 2000, [&](Random& random) {
    const Cluster cluster = troubled_cluster(random);
    if (cluster.instances.empty()) return;
    const InstanceIndex i(
        static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(cluster.instances.size()) - 1)));
    const InstanceExplanation explanation = explain_instance(cluster, i, {});
    const GroupIndex group = cluster.node(cluster.instance(i).primary).facts->group;
    const bool is_movable = is_candidate(cluster, cluster.instance(i), {});
    CHECK(is_movable == !explanation.immovable.has_value());
    if (!is_movable) return;
    std::size_t forbidden = 0;
    for (const ForbiddenMoves& moves : explanation.forbidden) {
      CHECK(moves.moves.size() == moves.reason.refusals.size());
      forbidden += moves.moves.size();
    }
    const auto all = generate_moves(cluster, members_of(cluster, group), cluster.instance(i), {});
    CHECK(all.size() == explanation.allowed.size() + forbidden);
    for (const PossibleMove& move : explanation.allowed) {
      Cluster after = cluster;
      apply_move(after, i, move.step.move);
      const double score = score_of(after, group).value;
      if (std::isfinite(score)) CHECK(score == move.step.score);
    }
  });
}

TEST_CASE("a reason is named whenever an instance may not move") {
  std::array<std::int64_t, kImmovableNames.size()> named{};
  for_each_seed(100, 4000, [&](Random& random) {
    const Cluster cluster = troubled_cluster(random);
    MoveRules rules;
    rules.evacuation = random.chance(20);
    rules.disk_moves = !random.chance(30);
    rules.instance_moves = !random.chance(30);
    rules.restricted_migration = random.chance(30);
    for (const Instance& instance : cluster.instances) {
      const auto reason = immovable_reason(cluster, instance, rules);
      if (reason) ++named[static_cast<std::size_t>(*reason)];
      if (!is_candidate(cluster, instance, rules)) {
        CHECK(reason.has_value());
        continue;
      }
      const MoveKinds kinds = move_kinds(cluster, instance, rules);
      CHECK(reason.has_value() == (!kinds.failover && kinds.per_target.empty()));
    }
  });
  if (only_seed() != nullptr) return;
  for (const Immovable reason : {Immovable::OnlyCopy, Immovable::NotAutoBalanced, Immovable::NoOfflineNode,
                                 Immovable::NoDiskMoves, Immovable::NoInstanceMoves}) {
    CAPTURE(kImmovableNames[static_cast<std::size_t>(reason)]);
    CHECK(named[static_cast<std::size_t>(reason)] > scaled_tally(100));
  }
}

}  // namespace htools::explain_properties_test
