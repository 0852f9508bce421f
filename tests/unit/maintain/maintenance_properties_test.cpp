#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cluster/prepare.h"
#include "htools/errors.h"
#include "maintain/node_colouring.h"
#include "maintain/node_graph.h"
#include "maintain/reboot_groups.h"
#include "maintain/squeeze.h"
#include "tests/support/literal_placement.h"
#include "tests/support/property.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/witness.h"

namespace htools::maintenance_properties_test {

using htools::testing::ClusterShape;
using htools::testing::contains;
using htools::testing::for_each_seed;
using htools::testing::is_local;
using htools::testing::only_seed;
using htools::testing::Random;
using htools::testing::scaled;
using htools::testing::scaled_tally;
using htools::testing::Witness;
namespace literal = htools::testing::literal;

namespace {

using Nodes = std::vector<NodeIndex>;

// ---- Switching nodes off and on

Cluster squeezable_cluster(Random& random) {
  using enum DiskTemplate;
  ClusterShape shape = htools::testing::random_shape(random);
  shape.nodes = random.between(2, 6);
  shape.groups = random.between(1, 2);
  shape.instances = random.between(0, 8);
  shape.largest_memory = 1024;
  shape.offline = random.chance(60) ? 40 : 0;
  shape.exclusive = 0;
  shape.templates = random.one_of(std::vector<std::vector<DiskTemplate>>{
      {Ext}, {Ext, Rbd, SharedFile, Gluster}, {Ext, Ext, Drbd}, {Ext, Ext, Ext, Plain, Drbd}});
  Cluster cluster = htools::testing::random_facts(random, shape);
  for (Node& node : cluster.nodes) {
    node.facts.edit().master = random.chance(15);
    if (random.chance(70))
      node.facts.edit().tags.emplace_back(random.chance(50) ? "htools:standby:auto" : "htools:standby:me");
  }
  cluster.policy.std = {random.between(1, 8) * 128, random.between(0, 2), 1024, 1, 1, random.between(0, 2)};
  prepare(cluster, {});
  return cluster;
}

// True if every node, tried alone, takes `factor` standard instances, joined into one, as another primary within all
// limits.
bool has_room(const Witness& witness, const InstanceSpec& standard, double factor) {
  const auto scaled = [factor](std::int64_t amount) {
    return static_cast<std::int64_t>(std::floor(factor * static_cast<double>(amount)));
  };
  Instance load;
  load.facts.edit().memory = scaled(standard.memory);
  load.facts.edit().vcpus = scaled(standard.vcpus);
  load.facts.edit().disk_template = DiskTemplate::Ext;
  for (std::size_t n = 0; n < witness.hosts.size(); ++n) {
    Witness trial = witness;
    trial.instances.push_back(load);
    if (!trial.put_primary(trial.instances.size() - 1, NodeIndex(n), 0, true).empty()) return false;
  }
  return true;
}

bool may_be_switched_off(const Witness& witness, NodeIndex n) {
  const Witness::Host& host = witness.hosts[n.position()];
  const Witness::Account account = witness.account(n);
  const auto has_local_disks = [&](const Witness::Guest& guest) {
    const Instance& instance = witness.instances[guest.instance];
    return !instance.facts->forthcoming && is_local(instance);
  };
  return !host.facts.offline && !host.facts.facts->master && account.secondaries == 0 &&
         std::none_of(host.primaries.begin(), host.primaries.end(), has_local_disks);
}
bool is_standby(const Witness& witness, NodeIndex n) {
  const Node& node = witness.hosts[n.position()].facts;
  return node.offline && std::any_of(node.facts->tags.begin(), node.facts->tags.end(),
                                     [](const std::string& tag) { return tag.rfind("htools:standby:", 0) == 0; });
}

bool all_primaries_online(const Witness& witness) {
  return std::all_of(witness.instances.begin(), witness.instances.end(),
                     [&](const Instance& instance) { return !witness.offline(instance.primary); });
}

// ---- Reboots

struct Reboot {
  Cluster cluster;
  RebootOptions options;
  Nodes selected;
  std::vector<Nodes> classes;
};

std::optional<Reboot> random_reboot(Random& random) {
  using enum DiskTemplate;
  ClusterShape shape = htools::testing::random_shape(random);
  shape.nodes = random.between(3, 9);
  shape.instances = random.between(0, 14);
  shape.groups = random.between(1, 2);
  shape.largest_memory = random.one_of(std::vector<std::int64_t>{512, 2048});
  if (random.chance(70)) shape.templates = {Drbd, Drbd, Ext, Plain};
  Reboot reboot{htools::testing::random_cluster(random, shape), {}, {}, {}};
  reboot.options.skip_non_redundant = random.chance(20);
  reboot.options.ignore_non_redundant = random.chance(25);
  reboot.options.offline_maintenance = random.chance(30);
  reboot.options.full_evacuation = random.chance(50);
  if (random.chance(15)) reboot.options.node_tags = {"power:a", "rack:1"};
  reboot.selected = nodes_to_reboot(reboot.cluster, reboot.options, std::nullopt);
  if (reboot.selected.empty()) return std::nullopt;
  const NodeGraph graph(reboot.cluster, reboot.selected, reboot.options.offline_maintenance);
  reboot.classes = best_colouring(colour_nodes(graph)).classes;
  return reboot;
}

// Requires that the two nodes of an instance are not rebooted together. Unless instances are shut down, this also
// applies to two nodes whose instances would fail over to the same node.
void check_nodes_together(const Reboot& reboot, const Nodes& nodes) {
  std::vector<NodeIndex> failover_targets;
  std::set<std::pair<NodeIndex, NodeIndex>> seen;
  for (const Instance& instance : reboot.cluster.instances) {
    if (instance.facts->disk_template != DiskTemplate::Drbd) continue;
    const NodeIndex p = instance.primary, s = instance.secondary;
    REQUIRE_FALSE((contains(nodes, p) && contains(nodes, s)));
    if (reboot.options.offline_maintenance || instance.facts->forthcoming || !contains(nodes, p)) continue;
    if (seen.insert({p, s}).second) {
      REQUIRE_FALSE(contains(failover_targets, s));
      failover_targets.push_back(s);
    }
  }
}

// Checks the moves of a group, and requires that they clear its nodes as the options ask. `whole` are the nodes that
// are cleared of primaries together; full evacuation divides them into groups that can be cleared of secondaries, too.
void check_moves(const Reboot& reboot, const RebootGroup& group, const Nodes& whole) {
  const Cluster& cluster = reboot.cluster;
  const RebootOptions& options = reboot.options;
  Witness witness(cluster);
  std::set<NodeIndex> new_hosts, new_copies;
  std::vector<Placement> places;
  for (const Instance& instance : cluster.instances) {
    const bool pair = instance.facts->disk_template == DiskTemplate::Drbd;
    Placement place{instance.primary, instance.secondary};
    // With full evacuation, the nodes of an instance change roles at least.
    if (pair && options.full_evacuation && !instance.facts->forthcoming && contains(whole, place.primary))
      std::swap(place.primary, place.secondary);
    places.push_back(place);
  }
  for (const InstanceMove& move : group.moves) {
    const std::size_t i = move.instance.position();
    const Instance& instance = cluster.instance(move.instance);
    const bool pair = instance.facts->disk_template == DiskTemplate::Drbd;
    const auto group_of = [&](NodeIndex n) { return cluster.node(n).facts->group; };
    REQUIRE_FALSE(instance.facts->forthcoming);
    REQUIRE((!pair || options.full_evacuation));
    REQUIRE((pair || !options.ignore_non_redundant));
    if (pair) {
      REQUIRE(move.primary == places[i].primary);
      REQUIRE(move.primary != move.secondary);
      REQUIRE(move.secondary != places[i].secondary);
      REQUIRE(contains(group.nodes, places[i].secondary));
      REQUIRE(group_of(move.secondary) == group_of(places[i].secondary));
    } else {
      REQUIRE(contains(whole, instance.primary));
      REQUIRE(group_of(move.primary) == group_of(instance.primary));
    }
    const NodeIndex target = pair ? move.secondary : move.primary;
    REQUIRE_FALSE(cluster.node(target).offline);
    REQUIRE_FALSE(contains(pair ? group.nodes : whole, target));
    places[i] = {move.primary, pair ? move.secondary : instance.secondary};
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Instance& instance = cluster.instances[i];
    const Placement before{instance.primary, instance.secondary};
    const bool pair = instance.facts->disk_template == DiskTemplate::Drbd;
    if (!instance.facts->forthcoming && !pair && !options.ignore_non_redundant)
      REQUIRE_FALSE(contains(group.nodes, places[i].primary));
    // Nodes of `whole` that are not selected have no neighbours in the graph. Both nodes of an instance can therefore
    // be in `whole` and change roles.
    const auto is_phantom = [&](NodeIndex n) { return contains(whole, n) && !contains(reboot.selected, n); };
    const bool by_phantom = pair && (is_phantom(before.primary) || is_phantom(before.secondary));
    if (!instance.facts->forthcoming && pair && options.full_evacuation && !by_phantom) {
      REQUIRE_FALSE(contains(group.nodes, places[i].primary));
      REQUIRE_FALSE(contains(group.nodes, places[i].secondary));
    }
    if (places[i] == before) continue;
    witness.forget_places(i);
    witness.place_primary(i, places[i].primary, 0);
    if (pair) witness.place_secondary(i, places[i].secondary, places[i].primary);
    witness.instances[i].primary = places[i].primary;
    witness.instances[i].secondary = places[i].secondary;
    if (places[i].primary != before.primary) new_hosts.insert(places[i].primary);
    if (pair || is_local(instance)) new_copies.insert(pair ? places[i].secondary : places[i].primary);
  }
  // The new nodes of an instance must have enough memory and disk for it.
  for (NodeIndex n : new_hosts) REQUIRE(witness.broken_limits(n, false).count("memory") == 0);
  for (NodeIndex n : new_copies) REQUIRE(witness.broken_limits(n, false).count("disk") == 0);
}

}  // namespace

TEST_CASE("property: nodes are switched off only when everything has room elsewhere, by moves within all limits") {
  int off = 0, on = 0, moves = 0;
  for_each_seed(41, 2500, [&](Random& random) {
    const Cluster cluster = squeezable_cluster(random);
    const InstanceSpec& standard = cluster.policy.std;
    const SqueezeTargets targets{random.fraction() * 3, random.fraction() * 4};
    const SqueezePlan plan = plan_squeeze(cluster, targets);
    Witness witness(cluster);
    const bool needs_more = !has_room(witness, standard, targets.minimal);
    REQUIRE((plan.action == SqueezeAction::SwitchOn) == needs_more);
    if (plan.action == SqueezeAction::None) {
      REQUIRE(plan.steps.empty());
      REQUIRE(witness.disagreement((*plan.after)) == "");
      return;
    }
    for (NodeIndex n : plan.nodes) REQUIRE((needs_more ? is_standby(witness, n) : may_be_switched_off(witness, n)));
    if (!plan.sufficient) REQUIRE(plan.nodes == online_candidates(cluster));
    for (NodeIndex n : plan.nodes) witness.hosts[n.position()].facts.offline = !needs_more;
    double score = witness.score(literal::every_node(cluster));
    for (const BalanceStep& step : plan.steps) {
      const NodeIndex target = step.move.target;
      REQUIRE((target.is_none() || !witness.offline(target)));
      REQUIRE(witness.move(step.instance.position(), step.move.kind, target, false) == "");
      const double after = witness.score(literal::every_node(cluster));
      REQUIRE(after < score + 1e-9);
      REQUIRE(std::abs(after - step.score) < 1e-9 * (1 + std::abs(after)));
      score = after;
      ++moves;
    }
    REQUIRE(witness.disagreement((*plan.after)) == "");
    const double factor = needs_more ? targets.minimal : targets.target;
    REQUIRE(plan.sufficient == (all_primaries_online(witness) && has_room(witness, standard, factor)));
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
      REQUIRE((*plan.after).nodes[n].offline == witness.hosts[n].facts.offline);
    }
    if (!needs_more) {
      for (NodeIndex n : plan.nodes) REQUIRE(witness.account(n).primaries + witness.account(n).secondaries == 0);
    }
    (needs_more ? on : off) += 1;
  });
  if (only_seed() != nullptr) return;
  CHECK(off > scaled_tally(200));
  CHECK(on > scaled_tally(200));
  CHECK(moves > scaled_tally(500));
}

TEST_CASE("property: reboot groups have every node once, are independent, and their nodes are empty") {
  int groups_seen = 0, moves = 0, refused = 0;
  for_each_seed(42, 3000, [&](Random& random) {
    const std::optional<Reboot> reboot = random_reboot(random);
    if (!reboot) return;
    for (NodeIndex n : reboot->selected) REQUIRE_FALSE(reboot->cluster.node(n).offline);
    std::vector<RebootGroup> groups, wholes;
    RebootOptions only_primaries = reboot->options;
    only_primaries.full_evacuation = false;
    try {
      wholes = divide_into_reboot_groups(reboot->cluster, reboot->classes, only_primaries, true);
      groups = divide_into_reboot_groups(reboot->cluster, reboot->classes, reboot->options, true);
    } catch (const InputError&) {
      ++refused;
      return;
    }
    for (const RebootGroup& group : groups) {
      const auto whole = std::find_if(wholes.begin(), wholes.end(), [&](const RebootGroup& candidate) {
        return contains(candidate.nodes, group.nodes.at(0));
      });
      REQUIRE(whole != wholes.end());
      for (NodeIndex n : group.nodes) REQUIRE(contains(whole->nodes, n));
      check_moves(*reboot, group, whole->nodes);
      moves += static_cast<int>(group.moves.size());
    }
    Nodes seen;
    for (const RebootGroup& group : in_reboot_order(reboot->cluster, groups, reboot->selected)) {
      for (NodeIndex n : group.nodes) {
        REQUIRE(contains(reboot->selected, n));
        REQUIRE_FALSE(contains(seen, n));
        seen.push_back(n);
      }
      check_nodes_together(*reboot, group.nodes);
      ++groups_seen;
    }
    REQUIRE(seen.size() == reboot->selected.size());
  });
  if (only_seed() != nullptr) return;
  CHECK(groups_seen > scaled_tally(2000));
  CHECK(moves > scaled_tally(1000));
  CHECK(refused > scaled_tally(200));
}

}  // namespace htools::maintenance_properties_test
