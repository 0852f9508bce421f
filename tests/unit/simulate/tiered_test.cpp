#include "simulate/tiered.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/decimal.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "htools/refusal.h"
#include "simulate/capacity.h"
#include "simulate/shrink.h"
#include "tests/support/literal_placement.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::tiered_test {

namespace {

using htools::allocate_tiered;
using htools::CapacityOptions;
using htools::Cluster;
using htools::DiskTemplate;
using htools::FailCounts;
using htools::FailMode;
using htools::Instance;
using htools::PhaseResult;
using htools::SimulatedSize;
using htools::SimulationRules;
using htools::SimulationState;
using htools::testing::ClusterShape;
using htools::testing::Random;
using htools::testing::scaled;
using htools::testing::scaled_tally;
namespace literal = htools::testing::literal;
using Limit = std::optional<std::int64_t>;

// ---- The iterations, literally.

struct Result {
  Cluster cluster;
  FailCounts failures;
};

class Simulation {
 public:
  Simulation(const Cluster& initial, htools::SimulatedKind kind, bool checks)
      : initial_(initial.instances.size()), kind_(kind), checks_(checks) {}

  std::int64_t count(const Cluster& cluster) const {
    return static_cast<std::int64_t>(cluster.instances.size() - initial_);
  }
  Instance instance(const SimulatedSize& size) const { return htools::simulated_instance(kind_, size); }

  Result small(Cluster cluster, Limit limit, bool check, const SimulatedSize& size) const {
    const bool with_check = check && kind_.disk_template != DiskTemplate::Drbd;
    while (true) {
      const auto placed = literal::place(cluster, instance(size), good(cluster, size, with_check));
      if (!placed.solution || limit == 0) return {cluster, placed.failures};
      cluster = literal::applied(cluster, instance(size), *placed.solution);
      if (limit) limit = *limit - 1;
    }
  }

  Result fixed(const Cluster& cluster, Limit limit, const SimulatedSize& size) const {
    return checks_ ? iterate(cluster, limit, true, size) : small(cluster, limit, false, size);
  }

  Result iterate(const Cluster& cluster, Limit limit, bool huge, const SimulatedSize& size) const {
    std::int64_t step = 10;
    if (huge) {
      std::int64_t available = 0;
      for (const auto& node : cluster.nodes) available += node.available_memory();
      step = std::max<std::int64_t>(20, available / size.memory - static_cast<std::int64_t>(cluster.nodes.size()));
    }
    const Limit first = limit ? std::min(step, *limit) : step;
    const Limit rest = limit ? Limit(std::max<std::int64_t>(0, *limit - step)) : std::nullopt;
    const Result result = small(cluster, first, false, size);
    if (literal::redundant(result.cluster)) {
      if (rest == 0 || count(result.cluster) == count(cluster)) return result;
      return iterate(result.cluster, rest, huge, size);
    }
    if (huge) return iterate(cluster, limit, false, size);
    return small(cluster, limit, true, size);
  }

  Result tiered(const Cluster& cluster, Limit limit, const SimulatedSize& size) const {
    const Result result = fixed(cluster, limit, size);
    const std::int64_t c = count(result.cluster);
    Limit left;
    if (limit) {
      if (*limit <= c) return result;
      left = *limit - c;
    }
    std::vector<FailMode> order;
    for (std::size_t m = 0; m < htools::kFailModeCount; ++m) order.push_back(static_cast<FailMode>(m));
    std::stable_sort(order.begin(), order.end(),
                     [&](FailMode a, FailMode b) { return result.failures[a] < result.failures[b]; });
    std::reverse(order.begin(), order.end());
    if (const auto smaller = shrink(size, order.front())) {
      const Result inner = tiered(result.cluster, left, *smaller);
      if (count(inner.cluster) > c) return inner;
    }
    for (FailMode mode : order) {
      if (const auto found = probe(result.cluster, size, mode)) return tiered(result.cluster, left, *found);
    }
    return result;
  }

 private:
  literal::Good good(const Cluster& cluster, const SimulatedSize& size, bool check) const {
    return [this, &cluster, size, check](const literal::Solution& solution) {
      return !check || literal::redundant(literal::applied(cluster, instance(size), solution));
    };
  }

  static std::optional<SimulatedSize> shrink(SimulatedSize size, FailMode mode) {
    switch (mode) {
      case FailMode::Memory:
        size.memory -= 64;
        return size.memory < 64 ? std::nullopt : std::optional(size);
      case FailMode::Disk:
        size.disk -= 256;
        return size.disk < 256 ? std::nullopt : std::optional(size);
      case FailMode::Cpu:
        size.vcpus -= 1;
        return size.vcpus < 1 ? std::nullopt : std::optional(size);
      case FailMode::Spindles:
        size.spindles -= 1;
        return size.spindles < 1 ? std::nullopt : std::optional(size);
      default:
        return std::nullopt;
    }
  }

  std::optional<SimulatedSize> probe(const Cluster& cluster, SimulatedSize size, FailMode mode) const {
    while (const auto smaller = shrink(size, mode)) {
      const auto placed = literal::place(cluster, instance(size), good(cluster, size, checks_));
      if (placed.solution) return size;
      if (placed.failures[mode] == 0) return std::nullopt;
      size = *smaller;
    }
    return std::nullopt;
  }

  std::size_t initial_;
  htools::SimulatedKind kind_;
  bool checks_;
};

// ---- Comparisons.

SimulationRules rules_of(const Cluster& cluster, htools::SimulatedKind kind, bool checks) {
  std::vector<bool> allocable;
  for (const auto& group : cluster.groups) allocable.push_back(group.is_allocable());
  SimulationRules rules;
  rules.kind = kind;
  rules.capacity_checks = checks;
  rules.candidates = htools::find_candidates(cluster, allocable, kind.disk_template);
  return rules;
}

// Returns "memory,disk,vcpus,spindles on primary secondary" for each new instance, in the order of creation.
std::vector<std::string> placements(const Cluster& cluster, std::size_t initial) {
  std::vector<std::string> lines;
  for (std::size_t i = initial; i < cluster.instances.size(); ++i) {
    const Instance& x = cluster.instances[i];
    std::string line;
    for (std::int64_t amount :
         {x.facts->memory, x.facts->disk, x.facts->vcpus, x.facts->total_spindles().value_or(-1)}) {
      line += std::to_string(amount) + ",";
    }
    line += " on " + cluster.node(x.primary).facts->name;
    if (!x.secondary.is_none()) line += " " + cluster.node(x.secondary).facts->name;
    lines.push_back(line);
  }
  return lines;
}

void compare(const PhaseResult& result, const Result& expected) {
  REQUIRE(placements(*result.after, result.initial_count) == placements(expected.cluster, result.initial_count));
  REQUIRE(result.failures->count == expected.failures.count);
}

void compare(const SimulationState& state, const FailCounts& failures, const Result& expected) {
  REQUIRE(placements(state.cluster(), state.initial_count) == placements(expected.cluster, state.initial_count));
  REQUIRE(failures.count == expected.failures.count);
}

ClusterShape small_shape(Random& random) {
  ClusterShape shape = htools::testing::random_shape(random);
  shape.nodes = random.between(2, 4);
  shape.groups = random.chance(25) ? 2 : 1;
  shape.instances = random.between(0, 3);
  shape.largest_memory = 512;
  shape.migration_tagged = shape.crowded = 0;
  return shape;
}

// Returns small nodes, which a few instances fill.
Cluster small_cluster(Random& random) {
  Cluster cluster = htools::testing::random_facts(random, small_shape(random));
  for (auto& node : cluster.nodes) {
    node.facts.edit().node_memory = 0;
    const auto used = static_cast<std::int64_t>(node.facts->total_memory) - node.facts->free_memory;
    node.facts.edit().free_memory = random.between(200, 2600);
    node.facts.edit().total_memory = static_cast<double>(used + node.facts->free_memory);
    node.facts.edit().free_disk = random.between(600, 9000);
    node.facts.edit().total_cpus = static_cast<double>(random.between(1, 3));
  }
  for (auto& group : cluster.groups) {
    group.policy.vcpu_ratio = random.one_of(std::vector<double>{1.0, 2.0, 4.0});
    if (group.policy.minmax.empty() || random.chance(60)) group.policy.minmax = {{{64, 1, 256, 0, 0, 0}, {}}};
  }
  htools::prepare(cluster, {});
  return cluster;
}

SimulatedSize small_size(Random& random) {
  return {random.between(2, 16) * 64 + random.between(0, 63), random.between(1, 12) * 256 + random.between(0, 255),
          random.between(1, 3), random.between(1, 3)};
}

Limit random_limit(Random& random) { return random.chance(50) ? std::nullopt : Limit(random.between(1, 14)); }

void compare_tiered(std::uint64_t seed, int rounds, DiskTemplate disk_template, bool checks) {
  Random random(seed);
  std::int64_t added = 0;
  for (int round = 0; round < scaled(rounds); ++round) {
    CAPTURE(round);
    const Cluster cluster = small_cluster(random);
    const htools::SimulatedKind kind{disk_template, random.between(0, 2)};
    const SimulatedSize size = small_size(random);
    const Limit limit = random_limit(random);
    const auto rules = rules_of(cluster, kind, checks);
    if (rules.candidates.empty()) continue;
    SimulationState state(cluster);
    const FailCounts failures = allocate_tiered(state, size, limit, rules);
    compare(state, failures, Simulation(cluster, kind, checks).tiered(cluster, limit, size));
    added += state.added();
  }
  CHECK(added > scaled_tally(rounds / 2));
}

void compare_fixed_size(std::uint64_t seed, int rounds, DiskTemplate disk_template) {
  Random random(seed);
  for (int round = 0; round < scaled(rounds); ++round) {
    CAPTURE(round);
    const Cluster cluster = small_cluster(random);
    const htools::SimulatedKind kind{disk_template, random.between(0, 2)};
    SimulatedSize size = small_size(random);
    size.memory = random.between(30, 400);
    const Limit limit = random.chance(20) ? Limit(random.chance(50) ? 0 : -5) : random_limit(random);
    for (bool checks : {true, false}) {
      const auto rules = rules_of(cluster, kind, checks);
      if (rules.candidates.empty()) continue;
      const PhaseResult result = htools::simulate_fixed_size(cluster, size, {.rules = rules}, limit.value_or(-1));
      compare(result, Simulation(cluster, kind, checks).fixed(cluster, limit, size));
    }
  }
}

// ---- Example clusters.

const std::string kTail = "\n\n\n";
std::string policies(const std::string& rest) { return "|" + rest + "\nga|" + rest + "\n"; }

struct Run {
  std::string sizes;  // "memory,disk,vcpus,spindles=count ..."
  std::string failures;
  std::string score;
  bool operator==(const Run&) const = default;
};

Run described(const PhaseResult& result) {
  Run run;
  const auto& instances = result.after->instances;
  std::int64_t count = 0;
  for (std::size_t i = result.initial_count; i < instances.size(); ++i) {
    const auto text = [&](std::size_t at) {
      const Instance& x = instances[at];
      return std::to_string(x.facts->memory) + "," + std::to_string(x.facts->disk) + "," +
             std::to_string(x.facts->vcpus) + "," + std::to_string(*x.facts->total_spindles());
    };
    ++count;
    if (i + 1 < instances.size() && text(i + 1) == text(i)) continue;
    run.sizes += (run.sizes.empty() ? "" : " ") + text(i) + "=" + std::to_string(count);
    count = 0;
  }
  for (std::size_t m = 0; result.failures && m < htools::kFailModeCount; ++m) {
    const std::int64_t times = result.failures->count[m];
    if (times == 0) continue;
    run.failures +=
        (run.failures.empty() ? "" : " ") + std::string(htools::kFailModeNames[m]) + "=" + std::to_string(times);
  }
  run.score = htools::format_fixed(htools::score(result.after->nodes), 8);
  return run;
}

struct Options {
  bool capacity_checks = true;
  std::int64_t limit = -1;
  std::optional<DiskTemplate> disk_template = {};
  std::vector<std::string> offline = {};
  std::optional<SimulatedSize> size = {};
};

struct Both {
  Run tiered, standard;
};
Both simulate(const std::string& text, const Options& options = {}) {
  Cluster cluster = htools::read_text_cluster(text, "x.data");
  htools::prepare(cluster, {});
  htools::NodeOptions node_options;
  node_options.offline = options.offline;
  htools::apply_node_options(cluster, node_options);
  CapacityOptions capacity;
  capacity.kind = {options.disk_template.value_or(cluster.policy.disk_templates.front()),
                   cluster.policy.std.spindle_use};
  capacity.max_instances = options.limit;
  capacity.capacity_checks = options.capacity_checks;
  const auto size_of = [](const htools::InstanceSpec& spec) {
    return SimulatedSize{spec.memory, spec.disk_size, spec.vcpus, spec.spindle_use};
  };
  std::vector<SimulatedSize> sizes;
  for (const auto& pair : cluster.policy.minmax) sizes.push_back(size_of(pair.max));
  if (options.size) sizes = {*options.size};
  const auto plan = htools::plan_simulation(cluster, htools::check_health(cluster, capacity, false), capacity);
  const SimulatedSize standard = options.size ? *options.size : size_of(cluster.policy.std);
  return {described(htools::simulate_tiered(cluster, sizes, plan, options.limit)),
          described(htools::simulate_fixed_size(cluster, standard, plan, options.limit))};
}

const std::string kThreeEqual =
    "ga|ua|preferred||\n\n"
    "n1|4096|512|3584|20480|20480|4|N|ua|1||N|0|1|1.0\nn2|4096|512|3584|20480|20480|4|N|ua|1||N|0|1|1.0\n"
    "n3|4096|512|3584|20480|20480|4|N|ua|1||N|0|1|1.0\n" +
    kTail + policies("512,1,2048,1,1,1|256,1,1024,1,1,1;1024,2,4096,1,1,2|drbd,plain,rbd|4.0|32.0");

std::string two_weak(const std::string& more_nodes) {
  return "ga|ua|preferred||\n\n" + more_nodes +
         "a|800|0|800|20480|20480|8|N|ua|1||N|0|0|1.0\nb|8192|0|8192|5000|5000|8|N|ua|1||N|0|0|1.0\n" + kTail +
         policies("1024,4,8192,1,1,1|512,4,1024,1,1,1;1024,4,8192,1,1,1|plain|1.0|32.0");
}

const std::string kBigSteps =
    "ga|ua|preferred||\n\n"
    "n1|3000|0|2550|9000|9000|8|N|ua|1||N|0|0|1.0\nn2|3000|0|3000|9000|9000|8|N|ua|1||N|0|0|1.0\n"
    "n3|3000|0|2250|9000|9000|8|N|ua|1||N|0|0|1.0\n\n"
    "e1|450|0|1|running|Y|n1||rbd||1|-\ne2|450|0|1|running|Y|n3||rbd||1|-\ne3|300|0|1|running|Y|n3||rbd||1|-\n\n\n" +
    policies("150,1,0,1,1,1|0,1,0,1,1,1;150,1,0,1,1,1|rbd,plain|16.0|32.0");

}  // namespace

// Returns the next smaller size after a failure of this kind; nothing if there is none.
static std::optional<SimulatedSize> shrunk(const SimulatedSize& size, FailMode missing) {
  const auto resource = htools::shrinkable_resource(missing);
  return resource ? htools::reduced(size, *resource, 1) : std::nullopt;
}

TEST_CASE("a shrunk size is smaller by one unit of what was missing") {
  const SimulatedSize size{200, 600, 2, 2};
  CHECK(shrunk(size, FailMode::Memory) == SimulatedSize{136, 600, 2, 2});
  CHECK(shrunk(size, FailMode::Disk) == SimulatedSize{200, 344, 2, 2});
  CHECK(shrunk(size, FailMode::Cpu) == SimulatedSize{200, 600, 1, 2});
  CHECK(shrunk(size, FailMode::Spindles) == SimulatedSize{200, 600, 2, 1});
  for (FailMode mode : {FailMode::N1, FailMode::Tags, FailMode::Migration, FailMode::DiskCount, FailMode::Internal}) {
    CHECK_FALSE(shrunk(size, mode));
  }
  CHECK(shrunk({128, 512, 1, 1}, FailMode::Memory) == SimulatedSize{64, 512, 1, 1});
  CHECK_FALSE(shrunk({127, 512, 1, 1}, FailMode::Memory));
  CHECK(shrunk({128, 512, 1, 1}, FailMode::Disk) == SimulatedSize{128, 256, 1, 1});
  CHECK_FALSE(shrunk({128, 511, 1, 1}, FailMode::Disk));
  CHECK_FALSE(shrunk({128, 512, 1, 1}, FailMode::Cpu));
  CHECK_FALSE(shrunk({128, 512, 1, 1}, FailMode::Spindles));
}

TEST_CASE("reductions of a size") {
  const SimulatedSize size{200, 600, 4, 0};
  CHECK(htools::possible_reductions(size, 0) == 2);
  CHECK(htools::possible_reductions(size, 1) == 1);
  CHECK(htools::possible_reductions(size, 2) == 3);
  CHECK(htools::possible_reductions(size, 3) == 0);
  CHECK(htools::reduced(size, 0, 0) == size);
  CHECK(htools::reduced(size, 0, 2) == SimulatedSize{72, 600, 4, 0});
  CHECK_FALSE(htools::reduced(size, 0, 3));
  CHECK(htools::reduced(size, 2, 3) == SimulatedSize{200, 600, 1, 0});
  CHECK_FALSE(htools::reduced(size, 3, 1));
}

TEST_CASE("three equal nodes") {
  const Both unlimited = simulate(kThreeEqual);
  CHECK(unlimited.tiered.sizes == "1024,4096,2,2=6 448,3840,2,2=1");
  CHECK(unlimited.tiered.score == "2.54240357");
  CHECK(unlimited.standard.sizes == "512,2048,1,1=12");
  CHECK(unlimited.standard.score == "0.18750000");
  const Both unchecked = simulate(kThreeEqual, {.capacity_checks = false});
  CHECK(unchecked.tiered == unlimited.tiered);
  CHECK(unchecked.standard == unlimited.standard);

  const Both four = simulate(kThreeEqual, {.limit = 4});
  CHECK(four.tiered.score == "2.53568377");
  CHECK(four.standard.score == "2.21801662");
  const Both plain = simulate(kThreeEqual, {.limit = 4, .disk_template = DiskTemplate::Plain});
  CHECK(plain.tiered.score == "2.34818377");
  CHECK(plain.standard.score == "2.12426662");
  CHECK(simulate(kThreeEqual, {.limit = -5}).tiered.sizes.empty());
  CHECK(simulate(kThreeEqual, {.limit = -5}).standard.sizes == "512,2048,1,1=12");
  CHECK(simulate(kThreeEqual, {.limit = 0}).tiered.failures.empty());
}

TEST_CASE("offline nodes are a reserve") {
  const Both all = simulate(kThreeEqual, {.disk_template = DiskTemplate::Rbd});
  CHECK(all.tiered.sizes == "1024,4096,2,2=6");
  CHECK(all.tiered.failures == "FailN1=3");
  CHECK(all.standard.sizes == "512,2048,1,1=12");
  const Both reserve = simulate(kThreeEqual, {.disk_template = DiskTemplate::Rbd, .offline = {"n3"}});
  CHECK(reserve.tiered.sizes == "1024,4096,2,2=6 448,4096,2,2=2");
  CHECK(reserve.tiered.failures == "FailMem=2");
  CHECK(reserve.standard.sizes == "512,2048,1,1=12");
}

TEST_CASE("equal failure counts shrink the later resource, the deepest probe wins") {
  const Both result = simulate(two_weak(""), {.capacity_checks = false});
  CHECK(result.tiered.sizes == "1024,4864,4,1=1 768,1024,4,1=1");
  CHECK(result.standard.sizes.empty());
  CHECK(result.standard.failures == "FailMem=1 FailDisk=1");
}

TEST_CASE("probes try the most frequent reason first") {
  const Both result = simulate(two_weak("c1|8192|0|8192|20480|20480|2|N|ua|1||N|0|0|1.0\n"
                                        "c2|8192|0|8192|20480|20480|2|N|ua|1||N|0|0|1.0\n"),
                               {.capacity_checks = false});
  CHECK(result.tiered.sizes == "1024,4864,4,1=1 768,4864,4,1=1");
  CHECK(result.standard.failures == "FailMem=1 FailDisk=1 FailCPU=2");
}

TEST_CASE("big steps are kept although single steps would have stopped") {
  for (std::int64_t limit : {-1, 31}) {
    const Both result = simulate(kBigSteps, {.limit = limit});
    CHECK(result.tiered.sizes == "150,0,1,1=30");
    CHECK(result.standard.sizes == "150,0,1,1=30");
    CHECK(result.standard.failures == "FailN1=3");
    CHECK(result.standard.score == "0.06236096");
  }
  CHECK(simulate(kBigSteps, {.limit = 30}).standard == Run{"150,0,1,1=30", "", "0.06236096"});
  CHECK(simulate(kBigSteps, {.limit = 29}).standard.sizes == "150,0,1,1=28");
  CHECK(simulate(kBigSteps, {.limit = 29}).standard.failures == "FailN1=3");
  CHECK(simulate(kBigSteps, {.limit = 28}).standard.sizes == "150,0,1,1=28");
  CHECK(simulate(kBigSteps, {.limit = 28}).standard.failures.empty());
  const Both unchecked = simulate(kBigSteps, {.capacity_checks = false});
  CHECK(unchecked.tiered.sizes == "150,0,1,1=49 86,0,1,1=3");
  CHECK(unchecked.standard.sizes == "150,0,1,1=49");
  CHECK(unchecked.standard.failures == "FailMem=3");

  // The literal procedure has the same results.
  Cluster cluster = htools::read_text_cluster(kBigSteps, "x.data");
  htools::prepare(cluster, {});
  const Simulation simulation(cluster, {DiskTemplate::Rbd, 1}, true);
  const SimulatedSize size{150, 0, 1, 1};
  CHECK(simulation.count(simulation.fixed(cluster, std::nullopt, size).cluster) == 30);
  CHECK(simulation.count(simulation.fixed(cluster, 29, size).cluster) == 28);
  CHECK(simulation.count(simulation.small(cluster, std::nullopt, true, size).cluster) == 28);
}

TEST_CASE("limits in tiered allocation count what came before") {
  const std::string text =
      "ga|ua|preferred||\n\n"
      "n1|1600|0|1600|9000|9000|8|N|ua|1||N|0|0|1.0\nn2|260|0|260|9000|9000|8|N|ua|1||N|0|0|1.0\n"
      "n3|200|0|200|9000|9000|8|N|ua|1||N|0|0|1.0\nn4|200|0|200|9000|9000|8|N|ua|1||N|0|0|1.0\n"
      "n5|200|0|200|9000|9000|8|N|ua|1||N|0|0|1.0\n" +
      kTail + policies("300,1,1024,1,1,1|64,1,1024,1,1,1;300,1,1024,1,1,1|plain|4.0|32.0");
  const auto sizes = [&](std::int64_t limit) { return simulate(text, {.capacity_checks = false, .limit = limit}); };
  CHECK(sizes(-1).tiered.sizes == "300,1024,1,1=5 236,1024,1,1=1 172,1024,1,1=3");
  for (std::int64_t limit : {9, 8, 7, 6}) CHECK(sizes(limit).tiered.sizes == "300,1024,1,1=5 236,1024,1,1=1");
  CHECK(sizes(5).tiered.sizes == "300,1024,1,1=5");
  CHECK(sizes(4).tiered.sizes == "300,1024,1,1=4");
  CHECK(sizes(9).standard.sizes == "300,1024,1,1=5");
}

TEST_CASE("existing instances outside the policy block a node") {
  const auto text = [](const std::string& name, const std::string& disk) {
    return "ga|ua|preferred||\n\nn1|4096|512|3484|20480|" + disk +
           "|4|N|ua|1||N|0|1|1.0\n"
           "n2|4096|512|3584|20480|20480|4|N|ua|1||N|0|1|1.0\nn3|4096|512|3584|20480|20480|4|N|ua|1||N|0|1|1.0\n\n"
           "old|100|1024|1|running|Y|n1||" +
           name + "||1|-\n\n\n" +
           policies("512,1,2048,1,1,1|256,1,1024,1,1,1;1024,2,4096,1,1,2|drbd,plain,rbd|4.0|32.0");
  };
  for (DiskTemplate disk_template : {DiskTemplate::Plain, DiskTemplate::Rbd}) {
    const Both blocked = simulate(text("plain", "19456"), {.disk_template = disk_template});
    CHECK(blocked.tiered.sizes.empty());
    CHECK(blocked.standard.sizes.empty());
    CHECK(blocked.standard.failures == "FailN1=3");
    const Both movable = simulate(text("rbd", "20480"), {.disk_template = disk_template});
    CHECK(movable.tiered.sizes == "1024,4096,2,2=6");
    CHECK(movable.standard.sizes == "512,2048,1,1=12");
    CHECK(movable.standard.failures == "FailN1=3");
  }
}

TEST_CASE("probes check the capacity of drbd instances, steps do not") {
  const std::string text =
      "ga|ua|preferred||\n\n"
      "c1|8192|0|8192|20480|20480|2|N|ua|1||N|0|0|1.0\nc2|8192|0|8192|20480|20480|2|N|ua|1||N|0|0|1.0\n"
      "c3|8192|0|8192|20480|20480|2|N|ua|1||N|0|0|1.0\nb|8192|0|8064|5000|5000|8|N|ua|1||N|0|0|1.0\n\n"
      "old|128|0|1|running|Y|b||file||1|-\n\n\n" +
      policies("1024,4,8192,1,1,1|512,4,1024,1,1,1;1024,4,8192,1,1,1|drbd|1.0|32.0");
  CHECK(simulate(text).tiered.sizes.empty());
  CHECK(simulate(text).tiered.failures == "FailDisk=3 FailCPU=9");
  CHECK(simulate(text, {.capacity_checks = false}).tiered.sizes == "1024,4864,4,1=1");
  const Both given = simulate(text, {.size = SimulatedSize{1024, 4864, 4, 1}});
  CHECK(given.tiered.sizes == "1024,4864,4,1=1");
  CHECK(given.standard.sizes == "1024,4864,4,1=1");
}

TEST_CASE("exclusive storage") {
  const std::string text =
      "ga|uuid-1|preferred||\n\n"
      "e1|8192|0|8192|40960|40960|8|N|uuid-1|6||Y|6|0|1.0\ne2|8192|0|8192|40960|40960|8|N|uuid-1|6||Y|4|0|1.0\n"
      "e3|8192|0|8192|40960|40960|8|N|uuid-1|6||N|0|0|1.0\n" +
      kTail + policies("1024,1,4096,1,1,2|512,1,1024,1,1,1;2048,4,8192,1,1,4|plain,drbd|4.0|32.0");
  const Both result = simulate(text, {.capacity_checks = false});
  CHECK(result.tiered.sizes == "2048,8192,4,4=5 2048,8192,4,2=1 1984,8192,4,1=1");
  CHECK(result.tiered.score == "6.03473601");
  CHECK(result.standard.sizes == "1024,4096,1,2=12");
  CHECK(result.standard.score == "9.35684393");
}

TEST_CASE("several spec pairs start at their own maximum") {
  const std::string text =
      "ga|ua|preferred||\n\nn1|8192|0|8192|20480|20480|4|N|ua|1||N|0|0|1.0\n"
      "n2|8192|0|8192|20480|20480|4|N|ua|1||N|0|0|1.0\n" +
      kTail +
      policies(
          "512,1,1024,1,1,1|2048,4,4096,1,1,1;2048,4,4096,1,1,1;256,1,1024,1,1,1;1024,2,2048,1,1,1|plain|2.75|32.0");
  const Both result = simulate(text, {.capacity_checks = false});
  CHECK(result.tiered.sizes == "2048,4096,4,1=4 1024,2048,2,1=2 1024,2048,1,1=2");
  CHECK(result.standard.sizes == "512,1024,1,1=22");
}

TEST_CASE("fixed-size allocation is the literal procedure") {
  compare_fixed_size(81, 1000, DiskTemplate::Rbd);
  compare_fixed_size(82, 1000, DiskTemplate::Plain);
  compare_fixed_size(83, 1000, DiskTemplate::Drbd);
}

TEST_CASE("tiered allocation is the literal procedure: drbd") {
  compare_tiered(84, 1200, DiskTemplate::Drbd, false);
  compare_tiered(85, 1200, DiskTemplate::Drbd, true);
}

TEST_CASE("tiered allocation is the literal procedure: plain") {
  compare_tiered(86, 1200, DiskTemplate::Plain, false);
  compare_tiered(87, 1200, DiskTemplate::Plain, true);
}

TEST_CASE("tiered allocation is the literal procedure: rbd") {
  compare_tiered(88, 1200, DiskTemplate::Rbd, false);
  compare_tiered(89, 1200, DiskTemplate::Rbd, true);
}

TEST_CASE("an observer changes nothing, and is told how many instances there are") {
  const Cluster cluster = htools::read_text_cluster(
      "ga|ua|preferred||\n\nn1|4096|0|4096|100000|100000|4|N|ua|1\nn2|4096|0|4096|100000|100000|4|N|ua|1\n\n\n\n",
      "x.data");
  Cluster prepared = cluster;
  htools::prepare(prepared, {});
  const SimulatedSize size{1024, 1024, 1, 1};
  SimulationRules rules = rules_of(prepared, {DiskTemplate::Plain, 1}, true);
  SimulationState unobserved(prepared), observed(prepared);
  const FailCounts expected = allocate_tiered(unobserved, size, std::nullopt, rules);
  std::int64_t most = 0;
  rules.observer = [&](std::int64_t added, const SimulatedSize& tried) {
    CHECK(tried.memory <= size.memory);
    most = std::max(most, added);
  };
  CHECK(allocate_tiered(observed, size, std::nullopt, rules) == expected);
  CHECK(placements(observed.cluster(), 0) == placements(unobserved.cluster(), 0));
  CHECK(most >= observed.added());  // some are added only to try
  CHECK(observed.added() > 0);
}

TEST_CASE("a descent of thousands of levels") {
  Cluster cluster = htools::read_text_cluster(
      "ga|ua|preferred||\n\nn1|4096|0|4096|1000|1000|4|N|ua|1\nn2|4096|0|4096|1000|1000|4|N|ua|1\n\n\n\n", "x.data");
  cluster.groups[0].policy.minmax.clear();
  htools::prepare(cluster, {});
  SimulationState state(cluster);
  allocate_tiered(state, {1024, 4 * 1048576, 1, 1}, std::nullopt, rules_of(cluster, {DiskTemplate::Plain, 1}, false));
  REQUIRE(state.added() > 0);
  CHECK(state.cluster().instances.front().facts->disk == 768);
}

}  // namespace htools::tiered_test
