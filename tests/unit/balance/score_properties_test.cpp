#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <variant>
#include <vector>

#include "balance/move_bounds.h"
#include "balance/move_generation.h"
#include "cluster/members.h"
#include "htools/moves.h"
#include "metric/changed_scores.h"
#include "metric/node_values.h"
#include "metric/statistics.h"
#include "rules/move_application.h"
#include "tests/support/property.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/witness.h"

namespace htools::score_properties_test {

using htools::testing::ClusterShape;
using htools::testing::contains;
using htools::testing::for_each_seed;
using htools::testing::only_seed;
using htools::testing::Random;
using htools::testing::same_score;
using htools::testing::scaled_tally;
using htools::testing::Witness;
namespace literal = htools::testing::literal;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Cluster scored_cluster(Random& random) {
  ClusterShape shape = htools::testing::random_shape(random);
  shape.nodes = random.between(2, 9);
  shape.groups = random.between(1, 2);
  shape.instances = random.between(2, 14);
  using enum DiskTemplate;
  shape.templates = random.one_of(std::vector<std::vector<DiskTemplate>>{{Drbd}, {Ext}, {Drbd, Drbd, Ext, Plain}});
  return htools::testing::random_cluster(random, shape);
}

struct Possible {
  InstanceIndex instance;
  Move move;
  MoveEffect effect;
};

// Returns all moves that pass the checks.
std::vector<Possible> possible_moves(const Cluster& cluster, const GroupMembers& members,
                                     const std::vector<InstanceIndex>& instances, const MoveRules& rules) {
  std::vector<Possible> possible;
  for (InstanceIndex i : instances) {
    const MoveTrials trials(cluster, i, rules.force);
    for (const Move& move : generate_moves(cluster, members, cluster.instance(i), rules)) {
      const MoveTrials::Outcome outcome = trials.attempt(move);
      if (const auto* effect = std::get_if<MoveEffect>(&outcome)) possible.push_back({i, move, *effect});
    }
  }
  return possible;
}

Cluster moved(Cluster cluster, const Possible& possible) {
  apply_move(cluster, possible.instance, possible.move);
  return cluster;
}

double full_score(const Cluster& cluster, const GroupMembers& members) {
  return Statistics::evaluate(member_nodes(cluster, members)).score();
}

std::vector<NodeIndex> nodes_of(const Possible& possible) {
  std::vector<NodeIndex> nodes;
  for (const NodeChange& change : possible.effect.changes()) nodes.push_back(change.node);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}
}  // namespace

TEST_CASE("property: scores after a change are those of the changed nodes, between their bounds") {
  int compared = 0;
  for_each_seed(51, 600, [&](Random& random) {
    Cluster cluster = scored_cluster(random);
    const GroupMembers members = members_of(cluster, GroupIndex(random.index(cluster.groups.size())));
    ChangedScores scores(member_nodes(cluster, members));
    const auto position = [&](NodeIndex n) {
      return static_cast<std::size_t>(std::find(members.nodes.begin(), members.nodes.end(), n) - members.nodes.begin());
    };
    for (int step = 0; step < 3; ++step) {
      std::vector<Possible> possible =
          possible_moves(cluster, members, candidate_instances(cluster, members, {}), MoveRules{.force = true});
      if (possible.empty()) return;
      std::vector<ChangedScores::Candidate> candidates;
      std::vector<double> expected;
      for (const Possible& p : possible) {
        const Cluster after = moved(cluster, p);
        ChangedScores::Candidate candidate{{}, pair_collisions(member_nodes(after, members))};
        for (const NodeChange& change : p.effect.changes()) {
          candidate.changes.push_back({position(change.node), node_values(cluster.node(change.node), change.books)});
        }
        candidates.push_back(candidate);
        expected.push_back(full_score(after, members));
      }
      std::vector<const ChangedScores::Candidate*> pointers;
      for (const auto& candidate : candidates) pointers.push_back(&candidate);
      const std::vector<double> found = scores.exact(pointers);
      for (std::size_t c = 0; c < found.size(); ++c) {
        REQUIRE(same_score(found[c], expected[c]));
        if (!scores.is_finite(candidates[c])) continue;
        const auto bounds = scores.bounds(candidates[c]);
        REQUIRE(bounds.low <= expected[c]);
        REQUIRE(expected[c] <= bounds.high);
        ++compared;
      }
      const std::size_t chosen = random.index(possible.size());
      cluster = moved(cluster, possible[chosen]);
      scores.apply(candidates[chosen]);
    }
  });
  if (only_seed() == nullptr) CHECK(compared > scaled_tally(5000));
}

TEST_CASE("property: updated statistics are the full ones but for rounding") {
  int compared = 0;
  for_each_seed(52, 1500, [&](Random& random) {
    Cluster cluster = scored_cluster(random);
    const NodeRefs nodes = all_nodes(cluster.nodes);
    Statistics updated = Statistics::evaluate(nodes);
    if (!std::isfinite(updated.score())) return;
    for (int step = 0; step < 5; ++step) {
      const auto possible =
          possible_moves(cluster, all_members(cluster), candidate_instances(cluster, all_members(cluster), {}),
                         MoveRules{.force = true});
      if (possible.empty()) return;
      const Possible& p = random.one_of(possible);
      std::vector<std::pair<NodeIndex, ComponentValues>> before;
      for (NodeIndex n : nodes_of(p)) before.emplace_back(n, node_values(cluster.node(n)));
      apply_move(cluster, p.instance, p.move);
      for (const auto& [n, values] : before) {
        updated.update(values, node_values(cluster.node(n)), cluster.node(n).offline);
      }
      updated.set_pair_collisions(pair_collisions(nodes));
      const Statistics full = Statistics::evaluate(nodes);
      for (std::size_t k = 0; k < kComponentCount; ++k) {
        CAPTURE(k);
        const double size = 1 + std::abs(full.sums()[k]) + std::abs(full.sums()[k] * full.sums()[k]);
        REQUIRE(std::abs(updated.sums()[k] - full.sums()[k]) <= 1e-12 * size);
        if (kComponents[k].aggregation == Aggregation::Deviation)
          REQUIRE(std::abs(updated.variances()[k] - full.variances()[k]) <= 1e-12 * size);
      }
      // If a variance consists of rounding errors only, its root is large compared with them.
      REQUIRE(std::abs(updated.score() - full.score()) <= 1e-5 * (1 + full.score()));
      ++compared;
    }
  });
  if (only_seed() == nullptr) CHECK(compared > scaled_tally(1000));
}

// The search relies on this: no move is better than its bound, and while other nodes change, a bound decreases by the
// drift at most.
TEST_CASE("property: no move is better than its bound, nor than an older bound less the drift") {
  int compared = 0, drifted = 0, tight = 0, left_out = 0, failovers = 0, tight_failovers = 0;
  for_each_seed(53, 600, [&](Random& random) {
    Cluster cluster = scored_cluster(random);
    const GroupMembers members = members_of(cluster, GroupIndex(random.index(cluster.groups.size())));
    MoveRules rules;
    rules.force = random.chance(50);
    rules.restricted_migration = random.chance(15);
    rules.instance_moves = !random.chance(10);
    const bool exclusive = std::any_of(members.nodes.begin(), members.nodes.end(),
                                       [&](NodeIndex n) { return cluster.node(n).facts->exclusive_storage; });
    std::vector<InstanceIndex> movers = candidate_instances(cluster, members, rules);
    const bool forthcoming = std::any_of(movers.begin(), movers.end(),
                                         [&](InstanceIndex i) { return cluster.instance(i).facts->forthcoming; });
    std::erase_if(movers, [&](InstanceIndex i) { return !MoveBounds::describes(cluster.instance(i), exclusive); });
    LocationTerms locations(cluster, members);
    const Eigen::Index block = random.chance(50) ? MoveBounds::kBlock : random.between(1, 3);
    MoveBounds bounds(cluster, members, rules, locations, movers, forthcoming, block);
    if (!bounds.usable() || movers.empty()) return;
    const auto class_of = [&](NodeIndex n) {
      return cluster.node(n).offline ? LocationTerms::kNoClass : locations.class_of(n);
    };
    using ByKind = std::array<double, MoveBounds::kKindCount>;
    ByKind unknown;
    unknown.fill(-kInfinity);
    std::vector<ByKind> older(movers.size(), unknown);
    std::vector<NodeIndex> changed;
    for (int step = 0; step < 5; ++step) {
      CAPTURE(step);
      const double now = full_score(cluster, members);
      if (!std::isfinite(now)) return;
      const std::vector<Possible> possible = possible_moves(cluster, members, movers, rules);
      for (std::size_t m = 0; m < movers.size(); ++m) {
        CAPTURE(m);
        ByKind best_case, lowest;
        std::array<MoveBounds::Array, MoveBounds::kKindCount> by_target;
        std::array<MoveBounds::TargetBounds, MoveBounds::kKindCount> limited;
        for (std::size_t kind = 0; kind < MoveBounds::kKindCount; ++kind) {
          best_case[kind] = lowest[kind] = bounds.best_case(m, MoveBounds::kind_at(kind));
          if (MoveBounds::kind_at(kind) == MoveKind::Failover) continue;
          const MoveBounds::TargetBounds& all = bounds.to_targets(m, MoveBounds::kind_at(kind), kInfinity);
          by_target[kind] = all.bounds;
          lowest[kind] = all.lowest;
          const double limit = all.bounds[static_cast<Eigen::Index>(random.index(bounds.targets().size()))];
          limited[kind] = bounds.to_targets(m, MoveBounds::kind_at(kind), limit);
          REQUIRE(limited[kind].rest >= std::min(limit, all.lowest));
        }
        for (const Possible& p : possible) {
          if (p.instance != movers[m]) continue;
          CAPTURE(static_cast<int>(p.move.kind));
          const double change = full_score(moved(cluster, p), members) - now;
          if (!std::isfinite(change)) continue;
          const std::size_t kind = MoveBounds::number(p.move.kind);
          REQUIRE(best_case[kind] <= change);
          double bound = lowest[kind];
          if (p.move.kind != MoveKind::Failover) {
            const auto t = std::find(bounds.targets().begin(), bounds.targets().end(), p.move.target);
            REQUIRE(t != bounds.targets().end());
            bound = by_target[kind][t - bounds.targets().begin()];
            const auto in_run = [row = t - bounds.targets().begin()](auto run) {
              return run.begin <= row && row < run.end;
            };
            const MoveBounds::TargetBounds& some = limited[kind];
            if (std::any_of(some.runs.begin(), some.runs.end(), in_run)) {
              REQUIRE(some.bounds[t - bounds.targets().begin()] == bound);
            } else {
              REQUIRE(some.rest <= change);
              ++left_out;
            }
            REQUIRE(bounds.from_all_movers({&p.move.target, 1}, p.move.kind)[static_cast<Eigen::Index>(m)] <= change);
          }
          REQUIRE(bound <= change);
          ++compared;
          if (change - bound < 1e-5) ++tight;
          if (p.move.kind == MoveKind::Failover) {
            ++failovers;
            if (change - bound < 1e-5) ++tight_failovers;
          }
          const std::vector<NodeIndex> touched = nodes_of(p);
          if (std::any_of(touched.begin(), touched.end(), [&](NodeIndex n) { return contains(changed, n); })) continue;
          REQUIRE(older[m][kind] <= change);
          if (older[m][kind] > -kInfinity) ++drifted;
        }
        older[m] = lowest;
      }
      if (possible.empty()) return;
      const Possible& p = random.one_of(possible);
      const NodeIndex from = cluster.instance(p.instance).primary;
      const bool has_pairs = locations.has_pairs(p.instance);
      const Cluster after = moved(cluster, p);
      if (!locations.empty()) {
        locations.move(p.instance, class_of(from), class_of(after.instance(p.instance).primary));
      }
      cluster = after;
      changed = nodes_of(p);
      for (std::size_t m : bounds.update(changed)) older[m] = unknown;
      for (std::size_t m = 0; m < movers.size(); ++m) {
        for (std::size_t kind = 0; kind < MoveBounds::kKindCount; ++kind) {
          older[m][kind] -= bounds.drift(m, MoveBounds::kind_at(kind));
        }
        if (has_pairs && locations.share_exclusion_tag(p.instance, movers[m])) older[m] = unknown;
      }
    }
  });
  if (only_seed() != nullptr) return;
  CHECK(compared > scaled_tally(10000));
  CHECK(drifted > scaled_tally(1000));
  CHECK(left_out > scaled_tally(1000));
  CHECK(tight > compared / 2);
  CHECK(tight_failovers > failovers / 2);
}

// The search relies on this: no move to a changed node is better than the bounds of moves to both of its substitutes.
TEST_CASE("property: no move to a node that has substitutes is better than the bounds of moves to these") {
  int substituted = 0, excepted = 0;
  for_each_seed(59, 800, [&](Random& random) {
    ClusterShape shape = htools::testing::random_shape(random);
    shape.nodes = random.between(6, 60);
    shape.groups = 1;
    shape.instances = random.between(40, 150);
    shape.exclusive = 0;
    shape.crowded = random.chance(50) ? 40 : 0;
    shape.largest_memory = random.chance(50) ? 2048 : 8192;
    shape.stopped = random.chance(50) ? 70 : 10;  // many leave little memory if all ran
    using enum DiskTemplate;
    shape.templates = random.one_of(std::vector<std::vector<DiskTemplate>>{{Drbd}, {Ext}, {Drbd, Drbd, Ext, Plain}});
    Cluster cluster = htools::testing::random_cluster(random, shape);
    const GroupMembers members = members_of(cluster, GroupIndex(0));
    const MoveRules rules;
    std::vector<InstanceIndex> movers = candidate_instances(cluster, members, rules);
    std::erase_if(movers, [&](InstanceIndex i) { return cluster.instance(i).facts->forthcoming; });
    LocationTerms locations(cluster, members);
    MoveBounds bounds(cluster, members, rules, locations, movers, false);
    if (!bounds.usable()) return;
    const auto class_of = [&](NodeIndex n) {
      return cluster.node(n).offline ? LocationTerms::kNoClass : locations.class_of(n);
    };
    for (int step = 0; step < 4; ++step) {
      CAPTURE(step);
      const std::vector<Possible> possible = possible_moves(cluster, members, {random.one_of(movers)}, rules);
      if (possible.empty()) continue;
      const Possible& p = random.one_of(possible);
      const NodeIndex from = cluster.instance(p.instance).primary;
      cluster = moved(cluster, p);
      if (!locations.empty()) {
        locations.move(p.instance, class_of(from), class_of(cluster.instance(p.instance).primary));
      }
      const std::vector<NodeIndex> changed = nodes_of(p);
      bounds.update(changed);
      const double now = full_score(cluster, members);
      if (!std::isfinite(now)) return;
      const std::size_t exception = random.index(movers.size());
      for (std::size_t kind = 0; kind < MoveBounds::kKindCount; ++kind) {
        for (std::size_t t = 0; t < bounds.targets().size(); ++t) {
          bounds.note_exception(exception, MoveBounds::kind_at(kind), static_cast<Eigen::Index>(t));
        }
      }
      for (int sample = 0; sample < 100; ++sample) {
        const NodeIndex target = random.one_of(changed);
        const MoveKind kind = MoveBounds::kind_at(1 + random.index(MoveBounds::kKindCount - 1));
        if (cluster.node(target).offline) continue;
        const auto substitutes = bounds.substitutes_of(target, kind, changed);
        if (!substitutes) continue;
        const std::vector<std::size_t>& others = substitutes->others;
        REQUIRE(contains(others, exception));
        const std::size_t m = random.chance(10) ? random.one_of(others) : random.index(movers.size());
        CAPTURE(m);
        CAPTURE(static_cast<int>(kind));
        for (const Possible& q : possible_moves(cluster, members, {movers[m]}, rules)) {
          if (q.move.kind != kind || q.move.target != target) continue;
          const double change = full_score(moved(cluster, q), members) - now;
          const auto at = std::lower_bound(others.begin(), others.end(), m);
          if (at != others.end() && *at == m) {
            REQUIRE(bounds.from_movers(target, kind, others)[at - others.begin()] <= change);
            ++excepted;
            continue;
          }
          const MoveBounds::Array& to = bounds.to_targets(m, kind, kInfinity).bounds;
          double lowest = kInfinity;
          for (std::size_t t = 0; t < bounds.targets().size(); ++t) {
            if (!contains(substitutes->targets, bounds.targets()[t])) continue;
            lowest = std::min(lowest, to[static_cast<Eigen::Index>(t)]);
          }
          REQUIRE(lowest <= change);
          ++substituted;
        }
      }
    }
  });
  if (only_seed() != nullptr) return;
  CHECK(substituted > scaled_tally(1000));
  CHECK(excepted > scaled_tally(500));
}

}  // namespace htools::score_properties_test
