#include "balance/balancer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "balance/move_generation.h"
#include "balance/plain_move_search.h"
#include "base/decimal.h"
#include "cluster/members.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "htools/refusal.h"
#include "metric/statistics.h"
#include "tests/support/literal_moves.h"
#include "tests/support/literal_score.h"
#include "tests/support/on_trial.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::balancer_test {

namespace {

using htools::balance;
using htools::BalanceOptions;
using htools::BalanceResult;
using htools::BalanceStep;
using htools::Cluster;
using htools::DiskTemplate;
using htools::FailMode;
using htools::GroupIndex;
using htools::GroupMembers;
using htools::Instance;
using htools::InstanceIndex;
using htools::Load;
using htools::Move;
using htools::Node;
using htools::NodeIndex;
using htools::NodeRefs;
using htools::Placement;
using htools::PrepareOptions;
using htools::Trial;
using htools::testing::ClusterShape;
using htools::testing::NodeMix;
using htools::testing::on_trial;
using htools::testing::Random;
using htools::testing::same_bits;
using htools::testing::same_score;
using htools::testing::scaled;
using htools::testing::scaled_tally;
namespace literal = htools::testing::literal;
using Lines = std::vector<std::string>;

// The number of random clusters of each family.
constexpr std::uint64_t kRandomClusters = 30;

// ---- Example clusters

Cluster load(const std::string& text, const std::vector<std::string>& offline = {},
             const PrepareOptions& options = {}) {
  Cluster cluster = htools::read_text_cluster(text, "x.data");
  htools::prepare(cluster, options);
  htools::NodeOptions node_options;
  node_options.offline = offline;
  htools::apply_node_options(cluster, node_options);
  return cluster;
}

std::string placement_text(const Cluster& cluster, const Placement& placement) {
  std::string text = cluster.node(placement.primary).facts->alias;
  if (!placement.secondary.is_none()) text += ":" + cluster.node(placement.secondary).facts->alias;
  return text;
}

// Returns a step as text, for example "i1 n1:n2 => n3:n2 3.83302642 f r:n3 f".
std::string text_of(const Cluster& cluster, const BalanceStep& step) {
  std::string text = cluster.instance(step.instance).facts->alias + " " + placement_text(cluster, step.before) +
                     " => " + placement_text(cluster, step.after) + " " + htools::format_fixed(step.score, 8);
  const std::array<std::string, 3> actions{"f", "fa:", "r:"};
  for (htools::MoveAction action : htools::facts(step.move.kind).actions()) {
    text += " " + actions[static_cast<std::size_t>(action)];
    if (action != htools::MoveAction::Failover) text += cluster.node(step.move.target).facts->alias;
  }
  return text;
}

GroupMembers group(const Cluster& cluster, std::size_t g) { return htools::members_of(cluster, GroupIndex(g)); }

std::vector<BalanceStep> balanced(Cluster& cluster, const GroupMembers& members, const BalanceOptions& options) {
  return on_trial(cluster, [&](Trial& trial) { return balance(trial, members, options); }).steps;
}

Lines steps_of(Cluster& cluster, const BalanceOptions& options = {}) {
  Lines lines;
  for (const BalanceStep& step : balanced(cluster, group(cluster, 0), options)) lines.push_back(text_of(cluster, step));
  return lines;
}
Lines steps_of(Cluster&& cluster, const BalanceOptions& options = {}) { return steps_of(cluster, options); }

const BalanceOptions kDefault;

template <class Change>
BalanceOptions with(Change change) {
  BalanceOptions options;
  change(options);
  return options;
}
BalanceOptions at_most(std::int64_t steps) {
  return with([=](BalanceOptions& o) { o.max_steps = steps; });
}

const std::string kThreeNodes =
    "g1|uuid-g1|preferred||\n\n"
    "n1.x.org|16384|1024|9216|409600|348160|8|N|uuid-g1|2\n"
    "n2.x.org|16384|1024|15360|409600|348160|8|N|uuid-g1|2\n"
    "n3.x.org|16384|1024|15360|409600|409600|8|N|uuid-g1|2\n\n"
    "i1.x.org|2048|20480|2|running|Y|n1.x.org|n2.x.org|drbd||1\n"
    "i2.x.org|2048|20480|2|ADMIN_down|Y|n1.x.org|n2.x.org|drbd||1\n"
    "i3.x.org|2048|20480|2|running|Y|n1.x.org|n2.x.org|drbd||1\n\n\n";

const std::string kSixNodes =
    "g1|uuid-g1|preferred||\n\n"
    "n1|16384|0|11264|102400|102400|8|N|uuid-g1|1\n"
    "n2|16384|0|15360|102400|102400|8|N|uuid-g1|1\n"
    "n3|16384|0|11264|102400|102400|8|N|uuid-g1|1\n"
    "n4|16384|0|16384|102400|102400|8|N|uuid-g1|1\n"
    "n5|16384|0|16384|102400|102400|8|N|uuid-g1|1\n"
    "n6|16384|0|16384|102400|102400|8|N|uuid-g1|1\n\n"
    "i1|2048|1024|1|running|Y|n3||ext||1\n"
    "i2|1024|1024|1|running|Y|n2||ext||1\n"
    "i3|3072|1024|1|running|Y|n1||ext||1\n"
    "i4|2048|1024|1|running|Y|n1||ext||1\n"
    "i5|2048|1024|1|running|Y|n3||ext||1\n"
    "i6|1024|1024|1|running|Y|n3||ext||1\n\n\n";
const Lines kSixNodesSteps{"i1 n3 => n4 3.47877908 fa:n4", "i3 n1 => n5 2.44826907 fa:n5",
                           "i5 n3 => n6 0.04294902 fa:n6"};

Lines first_of(const Lines& lines, std::ptrdiff_t count) { return {lines.begin(), lines.begin() + count}; }

// Returns the text of a cluster of four nodes. `spindles_of_last` are the spindles of the fourth node.
std::string four_nodes(const std::string& spindles_of_last = "2", const std::string& more_groups = "") {
  return "g1|uuid-g1|preferred||\n" + more_groups +
         "\n"
         "n1|16384|0|12288|102400|92160|8|N|uuid-g1|2\n"
         "n2|16384|0|16384|102400|92160|8|N|uuid-g1|2\n"
         "n3|16384|0|16384|102400|102400|8|N|uuid-g1|2\n"
         "n4|16384|0|16384|102400|102400|8|N|uuid-g1|" +
         spindles_of_last +
         "\n\n"
         "i1|2048|5120|1|running|Y|n1|n2|drbd||1\n"
         "i2|2048|5120|1|running|Y|n1|n2|drbd||1\n\n\n";
}

double score_of(const Cluster& cluster, const GroupMembers& members) {
  return htools::score(htools::member_nodes(cluster, members));
}

// ---- The search as it is written down.

NodeRefs nodes_after(const Cluster& cluster, const GroupMembers& members, const literal::Moved& moved) {
  NodeRefs nodes;
  for (NodeIndex n : members.nodes) {
    const Node* node = &cluster.node(n);
    for (const auto& [index, changed] : moved.nodes) {
      if (index == n) node = &changed;
    }
    nodes.push_back(*node);
  }
  return nodes;
}

double literal_lower_bound(const Cluster& cluster, const GroupMembers& members) {
  if (members.nodes.size() <= 1) return 0.0;
  double total = 0.0, largest = -std::numeric_limits<double>::infinity();
  std::int64_t reserved = 0;
  for (NodeIndex n : members.nodes) {
    const Node& node = cluster.node(n);
    total = total + node.facts->total_memory;
    largest = std::max(largest, node.facts->total_memory);
    for (const auto& entry : node.peers.entries()) reserved += entry.memory;
  }
  const double rest = total - largest;
  if (!(rest > 0)) return 0.0;
  return 0.25 * (static_cast<double>(reserved) / rest - static_cast<double>(reserved) / total);
}

struct Found {
  double score;
  InstanceIndex instance;
  Move move;
  std::optional<literal::Moved> moved;  // nothing for the state at the start
};

// Returns the best state among `current` and those after each move of the instance. Every move starts from the initial
// state, and its result is scored as a whole.
Found best_of_instance(const Cluster& cluster, const GroupMembers& members, const htools::MoveRules& rules,
                       const Found& current, InstanceIndex i) {
  Found best = current;
  for (const Move& move : literal::moves_of(cluster, members, cluster.instance(i), rules)) {
    auto outcome = literal::moved(cluster, i, move, rules.force);
    if (std::holds_alternative<FailMode>(outcome)) continue;
    auto& moved = std::get<literal::Moved>(outcome);
    const double score = htools::score(nodes_after(cluster, members, moved));
    if (best.score > score) best = {score, i, move, std::move(moved)};
  }
  return best;
}

Found best_of_all(const Cluster& cluster, const GroupMembers& members, const htools::MoveRules& rules, double score) {
  const Found current{score, {}, {}, {}};
  Found best = current;
  for (InstanceIndex i : literal::movable_instances(cluster, members, rules)) {
    Found found = best_of_instance(cluster, members, rules, current, i);
    if (best.score > found.score) best = std::move(found);
  }
  return best;
}

std::vector<BalanceStep> literal_balance(Cluster& cluster, const GroupMembers& members, const BalanceOptions& options) {
  double score = score_of(cluster, members);
  const double stop = literal_lower_bound(cluster, members) + options.min_score;
  std::vector<BalanceStep> steps;
  while ((options.max_steps < 0 || static_cast<std::int64_t>(steps.size()) < options.max_steps) && score > stop) {
    const Found best = best_of_all(cluster, members, options.moves, score);
    if (!best.moved) break;
    const bool gains = score > options.min_gain_limit || score - best.score >= options.min_gain;
    if (!(best.score < score && gains)) break;
    const Instance& before = cluster.instance(best.instance);
    const Instance& after = best.moved->instance;
    steps.push_back(
        {best.instance, best.move, {before.primary, before.secondary}, {after.primary, after.secondary}, best.score});
    literal::apply(cluster, best.instance, *best.moved);
    score = best.score;
  }
  return steps;
}

// ---- Random clusters, in families that are difficult in different ways.

struct Problem {
  Cluster cluster;
  BalanceOptions options;
};

double one_of(Random& random, const std::vector<double>& values) { return random.one_of(values); }

htools::MoveRules random_rules(Random& random) {
  return {.disk_moves = random.chance(85),
          .instance_moves = random.chance(85),
          .restricted_migration = random.chance(15),
          .evacuation = random.chance(15),
          .force = random.chance(20)};
}

BalanceOptions random_options(Random& random) {
  BalanceOptions options;
  options.moves = random_rules(random);
  if (random.chance(10)) options.max_steps = random.between(0, 3);
  if (random.chance(10)) options.min_score = one_of(random, {-1.0, 0.0, 0.5, 3.0});
  if (random.chance(20)) options.min_gain = one_of(random, {-1.0, 0.0, 1e-12, 0.1, 1.0});
  if (random.chance(20)) options.min_gain_limit = one_of(random, {-1.0, 0.0, 1.0, 5.0, 1e9});
  return options;
}

void set_node_options(Cluster& cluster, Random& random) {
  htools::NodeOptions options;
  options.min_disk_ratio = one_of(random, {0.0, 0.0, 0.0, 0.05, 0.3});
  if (random.chance(10)) options.max_vcpu_ratio = random.fraction() * 4;
  htools::apply_node_options(cluster, options);
}

// A function that returns the values from which the loads of an instance are drawn.
using LoadsOf = std::function<const std::vector<double>&(const Instance&)>;

Cluster prepared(Cluster facts, Random& random, const LoadsOf& loads_of) {
  PrepareOptions options;
  const auto draw = [&](const std::vector<double>& loads) {
    return Load{random.one_of(loads), random.one_of(loads), random.one_of(loads), random.one_of(loads)};
  };
  const bool alike = random.chance(20);
  std::optional<Load> last;
  for (const Instance& instance : facts.instances) {
    if (!last || !alike) last = draw(loads_of(instance));
    options.utilisation.emplace_back(instance.facts->name, *last);
  }
  options.ignore_utilisation = random.chance(10);
  options.rules = random.chance(40) ? GanetiRelease::V31 : GanetiRelease::V30;
  htools::prepare(facts, options);
  set_node_options(facts, random);
  return facts;
}

Cluster prepared(const Cluster& facts, Random& random, const std::vector<double>& loads) {
  return prepared(facts, random, [&](const Instance&) -> const std::vector<double>& { return loads; });
}

const std::vector<double> kOrdinaryLoads{1.0};
const std::vector<double> kFractions{0.1, 0.2, 0.3, 0.6, 0.7, 1.1, 1.0 / 3.0, 0.0};

// Returns a shape whose instances crowd on few nodes, as far as their capacity allows.
ClusterShape small_shape(Random& random) {
  ClusterShape shape = htools::testing::random_shape(random);
  shape.groups = random.chance(80) ? 1 : 2;
  shape.nodes = random.between(2, 7);
  shape.instances = random.between(1, 12);
  shape.templates = {DiskTemplate::Drbd, DiskTemplate::Drbd, DiskTemplate::Drbd, DiskTemplate::Ext};
  if (random.chance(30)) shape.templates = ClusterShape{}.templates;
  shape.largest_memory = random.one_of(std::vector<std::int64_t>{512, 2048});
  return shape;
}

Problem anything(Random& random) {
  Cluster facts = htools::testing::random_facts(random, small_shape(random));
  return {prepared(facts, random, random.chance(50) ? kOrdinaryLoads : kFractions), random_options(random)};
}

Instance random_kind(Random& random, std::int64_t tagged) {
  Instance kind;
  kind.facts.edit().memory = random.one_of(std::vector<std::int64_t>{0, 128, 100, 333});
  kind.facts.edit().disk = random.one_of(std::vector<std::int64_t>{128, 100, 333});
  kind.facts.edit().vcpus = random.between(0, 2);
  kind.facts.edit().disks = {{kind.facts->disk, 1}};
  kind.facts.edit().disk_template = random.chance(75) ? DiskTemplate::Drbd : DiskTemplate::Ext;
  kind.facts.edit().spindle_use = random.between(0, 2);
  if (random.chance(10)) kind.facts.edit().status = htools::InstanceStatus::AdminDown;
  for (const char* tag : {"svc:a", "svc:b", "power:a"}) {
    if (random.chance(tagged / 2)) kind.facts.edit().tags.emplace_back(tag);
  }
  return kind;
}

// Returns equal nodes and instances of a few kinds, so that most moves have an equal one.
Cluster equal_facts(Random& random, std::int64_t node_count, std::int64_t instance_count, std::int64_t kind_count) {
  ClusterShape shape;
  shape.mix = random.chance(80) ? NodeMix::Same : NodeMix::TwoKinds;
  shape.nodes = node_count;
  shape.instances = 0;
  shape.offline = random.chance(20) ? 20 : 0;
  shape.tagged = random.chance(30) ? 60 : 0;
  Cluster facts = htools::testing::random_facts(random, shape);
  std::vector<Instance> kinds;
  for (std::int64_t k = 0; k < kind_count; ++k) kinds.push_back(random_kind(random, shape.tagged));
  // The first nodes get most of the instances.
  const std::size_t crowded = random.index(facts.nodes.size()) + 1;
  const auto some_node = [&] { return random.index(random.chance(80) ? crowded : facts.nodes.size()); };
  for (std::int64_t i = 0; i < instance_count; ++i) {
    Instance instance = random.one_of(kinds);
    instance.facts.edit().name = "i" + std::to_string(i);
    const std::size_t p = some_node();
    std::size_t s = some_node();
    if (s == p) s = (p + 1) % facts.nodes.size();
    instance.primary = NodeIndex(p);
    if (instance.facts->has_secondary()) instance.secondary = NodeIndex(s);
    facts.nodes[p].facts.edit().free_memory -= instance.facts->used_memory();
    if (instance.facts->has_secondary())
      facts.nodes[p].facts.edit().free_disk -= instance.facts->disk,
          facts.nodes[s].facts.edit().free_disk -= instance.facts->disk;
    facts.instances.push_back(instance);
  }
  return facts;
}

Problem equals(Random& random) {
  const Cluster facts = equal_facts(random, random.between(2, 8), random.between(1, 14), random.between(1, 2));
  return {prepared(facts, random, random.chance(70) ? kOrdinaryLoads : kFractions), random_options(random)};
}

Problem tags(Random& random) {
  ClusterShape shape = small_shape(random);
  shape.tagged = 80;
  shape.migration_tagged = random.chance(30) ? 40 : 0;
  return {prepared(htools::testing::random_facts(random, shape), random, kOrdinaryLoads), random_options(random)};
}

Problem evacuation(Random& random) {
  ClusterShape shape = small_shape(random);
  shape.offline = 40;
  Problem problem{prepared(htools::testing::random_facts(random, shape), random, kOrdinaryLoads),
                  random_options(random)};
  problem.options.moves.evacuation = random.chance(70);
  return problem;
}

Problem odd_loads(Random& random) {
  const std::vector<std::vector<double>> loads{{0.1, -0.1, 0.3, -0.7, 0.0}, {-1.0, -2.0},       {0.0, 1.0},
                                               {1e8, 1e8 + 1, -1e8, 0.1},   {1e16, 1.0, 1e-16}, {1e-9, 3e-9, 1e-300},
                                               {12345.678, 12345.679, 0.1}};
  Cluster facts = random.chance(50)
                      ? equal_facts(random, random.between(2, 6), random.between(1, 10), random.between(1, 2))
                      : htools::testing::random_facts(random, small_shape(random));
  return {prepared(facts, random, random.one_of(loads)), random_options(random)};
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Returns nodes that lack a resource, so that most scores are NaN.
Problem bare_nodes(Random& random) {
  ClusterShape shape = small_shape(random);
  shape.offline = 25;
  shape.no_spindles = random.chance(30) ? 20 : 0;
  Cluster facts = htools::testing::random_facts(random, shape);
  for (Node& node : facts.nodes) {
    if (!node.offline && !random.chance(5)) continue;
    if (random.chance(30)) node.facts.edit().total_cpus = 0;
    if (random.chance(30)) node.facts.edit().total_memory = 0, node.facts.edit().free_memory = 0;
    if (random.chance(30)) node.facts.edit().spindles = 0;
    if (random.chance(30)) node.facts.edit().total_disk = 0, node.facts.edit().free_disk = 0;
    if (random.chance(10)) node.facts.edit().cpu_speed = 0;
  }
  return {prepared(facts, random, kOrdinaryLoads), random_options(random)};
}

// Returns loads whose squares overflow or that cancel each other. Some moves change an infinite score to a finite one,
// others a finite score to an infinite one.
Problem infinite_scores(Random& random) {
  const std::vector<std::vector<double>> loads{
      {1.0, 7e153, -7e153}, {1.0, 1e153, 5e153}, {1.0, 1e200, -1e200}, {1.0, kInfinity}, {1.0, kInfinity, -kInfinity}};
  Cluster facts = equal_facts(random, random.between(2, 6), random.between(1, 6), random.between(1, 2));
  return {prepared(facts, random, random.one_of(loads)), random_options(random)};
}

// Returns a cluster in which only instances on offline nodes have infinite loads or NaN, so that the initial score is
// finite.
Problem infinite_loads_offline(Random& random) {
  const std::vector<double> ordinary{1.0, 0.5}, few{1.0, 1e200, kInfinity, std::nan("")};
  ClusterShape shape = small_shape(random);
  shape.offline = 40;
  const Cluster facts = htools::testing::random_facts(random, shape);
  const auto is_offline = [&](NodeIndex n) { return n.is_none() || facts.node(n).offline; };
  const auto loads_of = [&](const Instance& instance) -> const std::vector<double>& {
    return is_offline(instance.primary) && is_offline(instance.secondary) ? few : ordinary;
  };
  return {prepared(facts, random, loads_of), random_options(random)};
}

// Returns nodes whose ratios are far larger or smaller than 1.
Problem lopsided(Random& random) {
  Cluster facts = random.chance(50)
                      ? equal_facts(random, random.between(2, 6), random.between(1, 10), random.between(1, 2))
                      : htools::testing::random_facts(random, small_shape(random));
  for (Node& node : facts.nodes) {
    if (random.chance(30))
      node.facts.edit().total_memory = one_of(random, {0.001, 100.0, 1e15}), node.facts.edit().free_memory = 100;
    if (random.chance(30)) node.facts.edit().total_disk = one_of(random, {0.001, 1e15});
    if (random.chance(30)) node.facts.edit().total_cpus = one_of(random, {1e-6, 0.1, 1e9});
    if (random.chance(30)) node.facts.edit().cpu_speed = one_of(random, {1e-9, -1.0, 1e9});
    if (random.chance(30)) node.facts.edit().node_memory = -1'000'000'000;
  }
  Problem problem{prepared(facts, random, kOrdinaryLoads), random_options(random)};
  problem.options.moves.force = random.chance(80);
  return problem;
}

Problem storage(Random& random) {
  ClusterShape shape = small_shape(random);
  shape.exclusive = random.one_of(std::vector<std::int64_t>{0, 50, 100});
  shape.forthcoming = 30;
  shape.second_node = 50;
  shape.stopped = 40;
  shape.odd = 30;
  shape.crowded = random.chance(50) ? 20 : 0;
  shape.templates = {DiskTemplate::Drbd, DiskTemplate::Ext, DiskTemplate::Plain};
  return {
      prepared(htools::testing::random_facts(random, shape), random, random.chance(70) ? kOrdinaryLoads : kFractions),
      random_options(random)};
}

// Returns a problem with many nodes and a few steps.
Problem wide(Random& random) {
  const std::int64_t nodes = random.between(10, 20);
  ClusterShape shape = small_shape(random);
  shape.groups = 1;
  shape.nodes = nodes;
  shape.instances = 25;
  Cluster facts = random.chance(50) ? equal_facts(random, nodes, 20, random.between(1, 3))
                                    : htools::testing::random_facts(random, shape);
  Problem problem{prepared(facts, random, random.chance(50) ? kOrdinaryLoads : kFractions), random_options(random)};
  problem.options.max_steps = 2;
  return problem;
}

// Returns a problem with so many nodes that targets form blocks, and with enough steps to put them together anew
// (move_bounds_blocks.cpp).
Problem in_blocks(Random& random) {
  const std::int64_t nodes = random.between(64, 100);
  ClusterShape shape = small_shape(random);
  shape.groups = 1;
  shape.nodes = nodes;
  shape.instances = 16;
  shape.offline = random.chance(50) ? 10 : 0;
  Cluster facts = random.chance(20) ? equal_facts(random, nodes, 12, random.between(1, 3))
                                    : htools::testing::random_facts(random, shape);
  Problem problem{prepared(facts, random, random.chance(50) ? kOrdinaryLoads : kFractions), random_options(random)};
  problem.options.max_steps = 10;
  return problem;
}

// Returns a crowded cluster that needs many steps to become balanced.
Problem many_steps(Random& random) {
  ClusterShape shape = small_shape(random);
  shape.groups = 1;
  shape.nodes = random.between(4, 9);
  shape.instances = 25;
  Cluster facts = random.chance(40) ? htools::testing::random_facts(random, shape)
                                    : equal_facts(random, shape.nodes, random.between(12, 20), random.between(1, 5));
  if (random.chance(50)) {
    for (Node& node : facts.nodes)
      node.facts.edit().node_memory += random.between(0, 3) * 17, node.facts.edit().cpu_speed += random.fraction();
  }
  Problem problem{prepared(facts, random, random.chance(50) ? kOrdinaryLoads : kFractions), BalanceOptions{}};
  if (random.chance(40)) problem.options.moves = random_rules(random);
  return problem;
}

// Returns a problem whose first steps move many instances off offline nodes. Rarely it has more targets than are common
// targets (move_search.h).
Problem many_offline(Random& random) {
  const bool large = random.chance(5);
  ClusterShape shape = small_shape(random);
  shape.groups = 1;
  shape.nodes = large ? 70 : random.between(6, 12);
  shape.instances = large ? 40 : 25;
  shape.offline = large ? 40 : 60;
  shape.templates = {DiskTemplate::Ext, DiskTemplate::Ext, DiskTemplate::Drbd};
  const Cluster facts = htools::testing::random_facts(random, shape);
  Problem problem{prepared(facts, random, random.chance(50) ? kOrdinaryLoads : kFractions), random_options(random)};
  problem.options.max_steps = large ? 4 : 20;
  return problem;
}

// Returns a problem in which so many instances leave offline nodes that the search starts anew on the way, and goes on
// with the others (step_search.h).
Problem all_off_offline(Random& random) {
  ClusterShape shape;
  shape.nodes = random.between(4, 8);
  shape.instances = 60;
  shape.offline = 60;
  shape.largest_memory = 64;
  shape.templates = {DiskTemplate::Ext, DiskTemplate::Rbd, DiskTemplate::Ext, DiskTemplate::Drbd};
  const Cluster facts = htools::testing::random_facts(random, shape);
  Problem problem{prepared(facts, random, random.chance(50) ? kOrdinaryLoads : kFractions), BalanceOptions{}};
  problem.options.moves.force = random.chance(50);
  problem.options.max_steps = 60;
  return problem;
}

// Returns a problem in which most or all moves are failovers.
Problem failovers(Random& random) {
  const bool only = random.chance(80);
  const std::int64_t nodes = random.between(3, only ? 12 : 6), instances = random.between(8, only ? 40 : 12);
  const Cluster facts = equal_facts(random, nodes, instances, random.between(1, 6));
  Problem problem{prepared(facts, random, random.chance(50) ? kOrdinaryLoads : kFractions), BalanceOptions{}};
  problem.options.moves.disk_moves = !only;
  problem.options.moves.restricted_migration = true;
  problem.options.moves.force = random.chance(70);
  return problem;
}

void check_same_books(const Cluster& a, const Cluster& b, const GroupMembers& members) {
  for (NodeIndex n : members.nodes) {
    REQUIRE(a.node(n).primaries == b.node(n).primaries);
    REQUIRE(a.node(n).secondaries == b.node(n).secondaries);
    const auto x = literal::node_values(a.node(n)), y = literal::node_values(b.node(n));
    REQUIRE(std::equal(x.begin(), x.end(), y.begin(), same_score));
  }
}

std::size_t compare(const Problem& problem, GroupIndex g) {
  const GroupMembers members = htools::members_of(problem.cluster, g);
  Cluster expected_cluster = problem.cluster;
  Trial trial(problem.cluster);
  const Cluster& cluster = trial.cluster();
  const auto expected = literal_balance(expected_cluster, members, problem.options);
  std::size_t told = 0;
  const BalanceResult result = balance(trial, members, problem.options, [&](const BalanceStep& step) {
    REQUIRE(told < expected.size());
    REQUIRE(same_bits(step.score, expected[told].score));
    REQUIRE(same_score(score_of(cluster, members), step.score));
    ++told;
  });
  const std::vector<BalanceStep>& steps = result.steps;
  REQUIRE(told == steps.size());
  for (std::size_t n = 0; n < std::min(expected.size(), steps.size()); ++n) {
    CAPTURE(n);
    CAPTURE(text_of(cluster, expected[n]));
    CAPTURE(text_of(cluster, steps[n]));
    REQUIRE(steps[n].instance == expected[n].instance);
    REQUIRE(steps[n].move == expected[n].move);
    REQUIRE(steps[n].before == expected[n].before);
    REQUIRE(steps[n].after == expected[n].after);
    REQUIRE(same_bits(steps[n].score, expected[n].score));
  }
  REQUIRE(steps.size() == expected.size());
  check_same_books(cluster, expected_cluster, members);
  if (!steps.empty()) REQUIRE(same_score(literal::score(htools::member_nodes(cluster, members)), steps.back().score));
  return steps.size();
}

void compare_plain_search(const Problem& problem, GroupIndex g) {
  const GroupMembers members = htools::members_of(problem.cluster, g);
  const double score = score_of(problem.cluster, members);
  const auto expected = best_of_all(problem.cluster, members, problem.options.moves, score);
  Trial trial(problem.cluster);
  const auto found = htools::plain_move_search(trial, members, problem.options.moves, score);
  check_same_books(trial.cluster(), problem.cluster, members);
  REQUIRE(found.has_value() == expected.moved.has_value());
  if (!found) return;
  REQUIRE(found->instance == expected.instance);
  REQUIRE(found->move == expected.move);
  REQUIRE(same_bits(found->score, expected.score));
}

// Compares plans of random problems with the literal search. Returns the number of compared steps.
std::size_t compare_family(Problem (*family)(Random&), std::uint64_t clusters) {
  constexpr std::uint64_t kFewest = 3;  // fewer clusters may have no step at all
  std::size_t steps = 0;
  for (std::uint64_t seed = 1; seed <= std::max(kFewest, scaled(clusters)); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Problem problem = family(random);
    for (std::size_t g = 0; g < problem.cluster.groups.size(); ++g) {
      steps += compare(problem, GroupIndex(g));
      if (seed % 8 == 0) compare_plain_search(problem, GroupIndex(g));
    }
  }
  return steps;
}

}  // namespace

TEST_CASE("three nodes: every kind of move") {
  Cluster cluster = load(kThreeNodes);
  CHECK(steps_of(cluster) == Lines{"i1 n1:n2 => n3:n2 3.83302642 f r:n3 f", "i3 n1:n2 => n2:n1 1.02096752 f",
                                   "i2 n1:n2 => n1:n3 0.12321278 r:n3"});
  CHECK(cluster.instances[1].primary == NodeIndex(0));
  CHECK(cluster.instances[1].secondary == NodeIndex(2));
  for (const Node& node : cluster.nodes) {
    CHECK(node.unallocated_memory() == 13312);
    CHECK(node.books.reserved_memory == 2048);
    CHECK(node.books.load.cpu == 1.0);
    CHECK(node.books.load.disk == 2.0);
  }
  CHECK(steps_of(load(kThreeNodes), with([](BalanceOptions& o) { o.moves.restricted_migration = true; })) ==
        Lines{"i1 n1:n2 => n2:n1 4.48542952 f", "i2 n1:n2 => n1:n3 3.74642529 r:n3", "i2 n1:n3 => n3:n1 1.07199855 f",
              "i1 n2:n1 => n2:n3 0.17424382 r:n3"});
  CHECK(steps_of(load(kThreeNodes), with([](BalanceOptions& o) { o.moves.instance_moves = false; })) ==
        Lines{"i1 n1:n2 => n1:n3 5.86832480 r:n3"});
  CHECK(steps_of(load(kThreeNodes, {"n1.x.org"})) == Lines{"i2 n1:n2 => n2:n3 42.87812500 f r:n3",
                                                           "i1 n1:n2 => n3:n2 20.62656250 f r:n3 f",
                                                           "i3 n1:n2 => n2:n3 1.81250000 f r:n3"});
  CHECK(steps_of(load(kThreeNodes, {"n2.x.org"}), with([](BalanceOptions& o) { o.moves.evacuation = true; })) ==
        Lines{"i1 n1:n2 => n3:n1 10.87812500 r:n3 f", "i2 n1:n2 => n1:n3 6.31406250 r:n3",
              "i3 n1:n2 => n3:n1 1.81250000 r:n3 f"});
}

TEST_CASE("when balancing stops") {
  CHECK(steps_of(load(kSixNodes)) == kSixNodesSteps);
  SUBCASE("after so many steps") {
    CHECK(steps_of(load(kSixNodes), at_most(0)).empty());
    CHECK(steps_of(load(kSixNodes), at_most(2)) == first_of(kSixNodesSteps, 2));
    CHECK(steps_of(load(kSixNodes), at_most(3)) == kSixNodesSteps);
    CHECK(steps_of(load(kSixNodes), at_most(4)) == kSixNodesSteps);
    CHECK(steps_of(load(kSixNodes), at_most(-7)) == kSixNodesSteps);
  }
  SUBCASE("when a step gains too little at a score that is low enough") {
    const auto gain = [](double min_gain, double limit) {
      return with([=](BalanceOptions& o) { o.min_gain = min_gain, o.min_gain_limit = limit; });
    };
    // The steps gain 1.43, 1.03 and 2.41.
    CHECK(steps_of(load(kSixNodes), gain(2.5, 3)) == first_of(kSixNodesSteps, 2));
    CHECK(steps_of(load(kSixNodes), gain(2.5, 4)) == first_of(kSixNodesSteps, 1));
    CHECK(steps_of(load(kSixNodes), gain(2.5, 5)).empty());
    CHECK(steps_of(load(kSixNodes), gain(2.4, 3)) == kSixNodesSteps);
    CHECK(steps_of(load(kSixNodes), gain(1.03, 10)) == kSixNodesSteps);
    CHECK(steps_of(load(kSixNodes), gain(1.04, 10)) == first_of(kSixNodesSteps, 1));
  }
  SUBCASE("exactly at the limits") {
    const Cluster cluster = load(kSixNodes);
    const double before = score_of(cluster, group(cluster, 0));
    Cluster moved = cluster;
    const double after = balanced(moved, group(moved, 0), at_most(1)).at(0).score;
    const auto limited = [&](double limit, double min_gain) {
      return steps_of(load(kSixNodes), with([=](BalanceOptions& o) {
                        o.max_steps = 1, o.min_gain_limit = limit, o.min_gain = min_gain;
                      }))
          .size();
    };
    CHECK(limited(before, before - after) == 1);
    CHECK(limited(before, std::nextafter(before - after, 10.0)) == 0);
    CHECK(limited(std::nextafter(before, 0.0), 10.0) == 1);
    // Without reservations, the lower bound is 0, so the distance from it is the score.
    const auto distant = [&](double min_score) {
      return steps_of(load(kSixNodes), with([=](BalanceOptions& o) { o.min_score = min_score; })).size();
    };
    CHECK(distant(before) == 0);
    CHECK(distant(std::nextafter(before, 0.0)) == 1);
  }
  SUBCASE("near the lower bound") {
    const auto distance = [](double d) { return with([=](BalanceOptions& o) { o.min_score = d; }); };
    CHECK(steps_of(load(kSixNodes), distance(5)).empty());
    CHECK(steps_of(load(kSixNodes), distance(3)) == first_of(kSixNodesSteps, 2));
    // The lower bound is that of the initial state: 4096 MiB are reserved, and the largest node has 16384 of 65536 MiB.
    const Cluster four = load(four_nodes());
    const double bound = htools::balance_lower_bound(four, group(four, 0));
    CHECK(bound == 0.25 * (4096.0 / 49152.0 - 4096.0 / 65536.0));
    const double last = 1.75;
    CHECK(steps_of(load(four_nodes()), distance(2.0)).size() == 2);
    CHECK(steps_of(load(four_nodes()), distance(2.46388725 - bound)).size() == 2);
    CHECK(steps_of(load(four_nodes()), distance(2.46388726 - bound)).size() == 1);
    CHECK(steps_of(load(four_nodes()), distance(last - bound)).size() == 2);
  }
}

TEST_CASE("is_balanced compares the distance with the limit") {
  const BalanceOptions options = with([](BalanceOptions& o) { o.min_score = 5; });
  CHECK(htools::is_balanced(4.90482171, 0.0, options));
  CHECK(htools::is_balanced(5.5, 1.0, options));
  CHECK_FALSE(htools::is_balanced(6.0, 1.0, options));
  CHECK_FALSE(htools::is_balanced(std::nan(""), 0.0, options));
  CHECK(htools::is_balanced(0.0, 5.208333e-3, kDefault));
  CHECK_FALSE(htools::is_balanced(0.0, 0.0, with([](BalanceOptions& o) { o.min_score = -1; })));
}

TEST_CASE("a full primary keeps its instances' secondaries in place") {
  const auto full = [](const std::string& memory, const std::string& free) {
    return "g1|uuid-g1|preferred||\n\nn1|" + memory + "|0|" + free +
           "|102400|61440|4|N|uuid-g1|1\n"
           "n2|8192|0|8192|102400|61440|4|N|uuid-g1|1\n"
           "n3|8192|0|8192|102400|102400|4|N|uuid-g1|1\n\n"
           "i1|4096|20480|1|running|Y|n1|n2|drbd||1\n"
           "i2|4096|20480|1|running|Y|n1|n2|drbd||1\n\n\n";
  };
  BalanceOptions options;
  options.moves.instance_moves = false;
  CHECK(steps_of(load(full("8193", "1")), options) == Lines{"i1 n1:n2 => n1:n3 4.60159545 r:n3"});
  CHECK(steps_of(load(full("8192", "0")), options).empty());
  options.moves.force = true;
  CHECK(steps_of(load(full("8192", "0")), options).empty());
}

TEST_CASE("off a node without data") {
  CHECK(steps_of(load("g1|uuid-g1|preferred||\n\n"
                      "n1|?|?|?|?|?|?|Y|uuid-g1|1\n"
                      "n2|8192|0|3000|102400|81920|4|N|uuid-g1|1\n\n"
                      "i1|4096|20480|1|running|Y|n1|n2|drbd||1\n"
                      "i2|2048|20480|20|ERROR_nodeoffline|Y|n1|n2|drbd||1\n\n\n")) ==
        Lines{"i2 n1:n2 => n2:n1 26.12500000 f"});
}

TEST_CASE("tags of every kind decide") {
  Cluster cluster = load(
      "g1|uuid-g1|preferred||\n\n"
      "n1|8192|0|4096|102400|81920|4|N|uuid-g1|1|power:a,hv:1\n"
      "n2|8192|0|8192|102400|81920|4|N|uuid-g1|1|power:a,hv:1\n"
      "n3|8192|0|8192|102400|102400|4|N|uuid-g1|1|power:b,hv:2\n"
      "n4|8192|0|8192|102400|102400|4|N|uuid-g1|1|power:b,hv:1\n\n"
      "i1|1024|10240|1|running|Y|n1|n2|drbd|svc:a,power:b|1\n"
      "i2|1024|10240|1|running|Y|n1|n2|drbd|svc:a|1\n"
      "i3|1024|10240|1|running|Y|n1|n3|drbd||1\n"
      "i4|1024|10240|1|running|Y|n4|n2|drbd|svc:a|1\n\n"
      "htools:iextags:svc\nhtools:nlocation:power\nhtools:desiredlocation:power\nhtools:migration:hv\n\n");
  CHECK(steps_of(cluster) == Lines{"i1 n1:n2 => n2:n3 6.36766594 f r:n3", "i2 n1:n2 => n1:n4 4.59062798 r:n4"});
}

TEST_CASE("of equal moves the first instance's first one is made") {
  CHECK(steps_of(load(four_nodes())) ==
        Lines{"i1 n1:n2 => n3:n2 2.46388725 f r:n3 f", "i1 n3:n2 => n3:n4 1.75000000 r:n4"});
  PrepareOptions second;
  second.selected_instances = {"i2"};
  CHECK(steps_of(load(four_nodes(), {}, second), at_most(1)) == Lines{"i2 n1:n2 => n3:n2 2.46388725 f r:n3 f"});
  CHECK(steps_of(load(four_nodes()), with([](BalanceOptions& o) { o.moves.evacuation = true; })).empty());
}

TEST_CASE("no steps without a proper score") {
  Cluster offline = load(four_nodes(), {"n1", "n2", "n3", "n4"});
  CHECK(score_of(offline, group(offline, 0)) == 0.0);
  CHECK(steps_of(offline).empty());
  Cluster no_spindles = load(four_nodes("0"));
  CHECK(std::isnan(score_of(no_spindles, group(no_spindles, 0))));
  CHECK(steps_of(no_spindles).empty());
  CHECK(steps_of(no_spindles, with([](BalanceOptions& o) { o.min_gain = -1, o.min_score = -1; })).empty());
  Cluster empty_group = load(four_nodes("2", "g2|uuid-g2|preferred||\n"));
  CHECK(balanced(empty_group, group(empty_group, 1), with([](BalanceOptions& o) { o.min_score = -1; })).empty());
}

TEST_CASE("no steps where nothing can move") {
  const auto cluster = [](const std::string& disk_template, const std::string& tags) {
    return load("g|u|preferred||\n\nn1|8192|0|6144|9000|8000|4|N|u|1|" + tags +
                "\nn2|8192|0|8192|9000|9000|4|N|u|1\n\n"
                "i1|1024|500|1|running|Y|n1||" +
                disk_template + "||1\ni2|1024|500|1|running|Y|n1||" + disk_template +
                "||1\n\nhtools:nlocation:power\n\n");
  };
  CHECK(steps_of(cluster("plain", "")).empty());
  CHECK(steps_of(cluster("plain", "power:a")).empty());
  CHECK(steps_of(cluster("ext", "power:a")).size() == 1);
  CHECK(steps_of(load("g|u|preferred||\n\nn1|8192|0|6144|9000|8000|4|N|u|1\n\n\n\n")).empty());
}

TEST_CASE("accumulated loads are part of the score") {
  PrepareOptions options;
  options.utilisation = {{"i1", {0.6, 1, 1, 1}}, {"i2", {0.3, 1, 1, 1}}, {"i3", {0.1, 1, 1, 1}}};
  Cluster cluster = load(
      "g1|uuid-g1|preferred||\n\n"
      "n1|16384|0|13312|102400|102400|8|N|uuid-g1|2\n"
      "n2|16384|0|16384|102400|102400|8|N|uuid-g1|2\n"
      "n3|16384|0|16384|102400|102400|8|N|uuid-g1|2\n\n"
      "i1|1024|1024|1|running|Y|n1||ext||1\n"
      "i2|1024|1024|1|running|Y|n1||ext||1\n"
      "i3|1024|1024|1|running|Y|n1||ext||1\n\n\n",
      {"n1"}, options);
  CHECK(steps_of(cluster) == Lines{"i3 n1 => n2 41.64375000 fa:n2", "i2 n1 => n3 20.10000000 fa:n3",
                                   "i1 n1 => n2 1.79375000 fa:n2", "i3 n2 => n3 1.69375000 fa:n3"});
  CHECK(same_bits(cluster.nodes[0].books.load.cpu, ((((0.6 + 0.3) + 0.1) - 0.1) - 0.3) - 0.6));
  CHECK(cluster.nodes[0].books.load.cpu < 0);
}

TEST_CASE("stopped instances and those that are not balanced reserve, too") {
  std::string text = "g1|uuid-1|preferred||\n\n";
  for (const char* name : {"na", "nb", "nc", "nd"}) text += std::string(name) + "|4096|0|4096|20480|20480|4|N|uuid-1\n";
  Cluster cluster = load(text +
                             "\n"
                             "i1|256|1024|1|ADMIN_down|N|na|nb|drbd||1\n"
                             "i2|128|1024|1|ADMIN_down|Y|na|nb|drbd||1\n"
                             "i3|128|1024|1|ADMIN_down|Y|nc|nb|drbd||1\n"
                             "i4|256|1024|1|ADMIN_down|Y|nc|nb|drbd||1\n"
                             "i5|384|1024|1|ADMIN_down|Y|nd|nb|drbd||1\n"
                             "i6|0|1024|1|ADMIN_down|N|na|nb|drbd||1\n\n\n",
                         {"nb"});
  CHECK(steps_of(cluster, with([](BalanceOptions& o) { o.moves.instance_moves = false; })) ==
        Lines{"i2 na:nb => na:nd 23.18586392 r:nd", "i3 nc:nb => nc:nd 19.20943414 r:nd",
              "i5 nd:nb => nd:nc 14.76466431 r:nc", "i4 nc:nb => nc:na 11.23571054 r:na"});
  using List = std::vector<InstanceIndex>;
  CHECK(cluster.nodes[0].primaries == List{InstanceIndex(0), InstanceIndex(5), InstanceIndex(1)});
  CHECK(cluster.nodes[3].secondaries == List{InstanceIndex(1), InstanceIndex(2)});
  const auto& peers = cluster.nodes[3].peers.entries();
  REQUIRE(peers.size() == 2);
  CHECK(peers[0].primary == NodeIndex(2));
  CHECK(peers[0].memory == 128);
  CHECK(peers[1].primary == NodeIndex(0));
}

TEST_CASE("a forthcoming instance moves as if it were there") {
  CHECK(steps_of(load("g1|uuid-1|preferred||\n\n"
                      "na|4096|0|2048|20480|16384|4|N|uuid-1\n"
                      "nb|4096|0|4096|20480|20480|4|N|uuid-1\n"
                      "nc|4096|0|4096|20480|20480|4|N|uuid-1|8||Y|6\n\n"
                      "i1|1024|2048|1|running|Y|na|nb|drbd|s:1|2|-|Y\n"
                      "i2|512|2048|2|running|Y|na||plain|s:1|4|-|Y\n"
                      "i3|256|1024|1|running|Y|na||plain|s:1|1\n"
                      "i4|128|1024|1|ADMIN_down|Y|na||plain||1\n"
                      "i5|128|1024|1|ADMIN_offline|Y|na||plain||1\n"
                      "i6|128|1024|1|ADMIN_offline|Y|nc||plain||1|2\n"
                      "i7|128|1024|1|ADMIN_offline|Y|nc||plain||1|2|Y\n"
                      "i8|128|1024|1|ADMIN_offline|Y|nc||rbd||1|-|Y\n\n"
                      "htools:iextags:s\n\n"),
                 at_most(1)) == Lines{"i1 na:nb => nb:na 7.91422020 f"});
}

TEST_CASE("a failover is worth more after a step elsewhere") {
  // An instance; its other properties have no effect on the score.
  struct Small {
    std::string memory, primary, secondary;
    double load;
  };
  const auto small_cluster = [](const std::vector<std::string>& free_memory, const std::vector<Small>& instances) {
    std::string text = "g|u|preferred||\n\n";
    for (std::size_t n = 0; n < free_memory.size(); ++n) {
      text += "n" + std::to_string(n) + "|8192|0|" + free_memory[n] + "|8192|8192|16|N|u|1||N|0|0|1\n";
    }
    text += "\n";
    PrepareOptions options;
    for (std::size_t i = 0; i < instances.size(); ++i) {
      const Small& small = instances[i];
      const std::string name = "i" + std::to_string(i);
      text += name + "|" + small.memory + "|0|0|running|Y|" + small.primary + "|" + small.secondary + "|drbd||0\n";
      options.utilisation.emplace_back(name, Load{small.load, 0, 0, 0});
    }
    return load(text + "\n\n", {}, options);
  };
  BalanceOptions options;
  options.moves.disk_moves = false;
  CHECK(steps_of(
            small_cluster({"8192", "7168", "8192", "8192"},
                          {{"0", "n0", "n3", 1}, {"0", "n1", "n2", 1}, {"0", "n0", "n2", 1}, {"1024", "n1", "n2", 1}}),
            options) == Lines{"i0 n0:n3 => n3:n0 0.84660996 f", "i1 n1:n2 => n2:n1 0.13950318 f"});
  options.moves.force = true;
  CHECK(steps_of(small_cluster({"5120", "6144", "8192", "8192", "8192"}, {{"1024", "n0", "n3", 3},
                                                                          {"0", "n3", "n2", 1},
                                                                          {"1024", "n0", "n3", 1},
                                                                          {"1024", "n1", "n4", 0},
                                                                          {"0", "n1", "n0", 1},
                                                                          {"0", "n1", "n3", 3},
                                                                          {"0", "n1", "n3", 1},
                                                                          {"1024", "n0", "n2", 3}}),
                 options) == Lines{"i7 n0:n2 => n2:n0 2.18506853 f", "i5 n1:n3 => n3:n1 1.82700779 f",
                                   "i3 n1:n4 => n4:n1 1.79426133 f", "i2 n0:n3 => n3:n0 1.77979492 f",
                                   "i1 n3:n2 => n2:n3 1.65165020 f"});
}

TEST_CASE("only the group is balanced") {
  Cluster cluster = load(
      "g1|uuid-g1|preferred||\ng2|uuid-g2|preferred||\n\n"
      "n1.ab.org|16384|0|11264|102400|87040|8|N|uuid-g1|2\n"
      "n1.cd.org|16384|0|16384|102400|92160|8|N|uuid-g1|2\n"
      "n2.ab.org|16384|0|16384|102400|97280|8|N|uuid-g2|2\n"
      "n.ab.org|16384|0|16384|102400|102400|8|N|uuid-g1|2\n\n"
      "i1.org|2048|5120|1|running|Y|n1.ab.org|n1.cd.org|drbd||1\n"
      "i2.org|2048|5120|1|running|Y|n1.ab.org|n1.cd.org|drbd||1\n"
      "i3.org|1024|5120|1|running|Y|n1.ab.org|n2.ab.org|drbd||1\n\n\n");
  CHECK(steps_of(cluster, at_most(1)) == Lines{"i1 n1.ab:n1.cd => n.ab:n1.cd 3.22201902 f r:n.ab f"});
  CHECK(balanced(cluster, group(cluster, 1), kDefault).empty());
}

TEST_CASE("steps on random clusters are those of the literal search, to the last bit") {
  SUBCASE("anything") { CHECK(compare_family(anything, 4 * kRandomClusters) > scaled_tally(kRandomClusters)); }
  SUBCASE("equal nodes and instances") {
    CHECK(compare_family(equals, 3 * kRandomClusters) > scaled_tally(kRandomClusters));
  }
  SUBCASE("tags") { CHECK(compare_family(tags, 2 * kRandomClusters) > scaled_tally(kRandomClusters)); }
  SUBCASE("evacuation") { CHECK(compare_family(evacuation, 2 * kRandomClusters) > scaled_tally(kRandomClusters)); }
  SUBCASE("odd loads") { CHECK(compare_family(odd_loads, 3 * kRandomClusters) > scaled_tally(kRandomClusters)); }
  SUBCASE("bare nodes") { CHECK(compare_family(bare_nodes, 2 * kRandomClusters) > scaled_tally(kRandomClusters / 4)); }
  SUBCASE("infinite scores") {
    CHECK(compare_family(infinite_scores, 3 * kRandomClusters) > scaled_tally(kRandomClusters / 4));
  }
  SUBCASE("infinite loads on offline nodes") {
    CHECK(compare_family(infinite_loads_offline, 2 * kRandomClusters) > scaled_tally(kRandomClusters / 4));
  }
  SUBCASE("ratios of all sizes") {
    CHECK(compare_family(lopsided, 3 * kRandomClusters) > scaled_tally(kRandomClusters / 4));
  }
  SUBCASE("storage of all sorts") {
    CHECK(compare_family(storage, 3 * kRandomClusters) > scaled_tally(kRandomClusters));
  }
  SUBCASE("many nodes") { CHECK(compare_family(wide, kRandomClusters / 4) > scaled_tally(kRandomClusters / 4)); }
  SUBCASE("blocks of nodes") {
    CHECK(compare_family(in_blocks, kRandomClusters / 2) > scaled_tally(kRandomClusters / 2));
  }
  SUBCASE("many offline nodes") {
    CHECK(compare_family(many_offline, kRandomClusters / 2) > scaled_tally(kRandomClusters / 2));
  }
  SUBCASE("all instances off offline nodes") {
    CHECK(compare_family(all_off_offline, kRandomClusters / 2) > scaled_tally(kRandomClusters / 2));
  }
  SUBCASE("failovers only") { CHECK(compare_family(failovers, 2 * kRandomClusters) > scaled_tally(kRandomClusters)); }
  SUBCASE("many steps") { CHECK(compare_family(many_steps, kRandomClusters / 4) > scaled_tally(kRandomClusters)); }
}

}  // namespace htools::balancer_test
