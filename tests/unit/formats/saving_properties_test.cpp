#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "balance/balancer.h"
#include "cluster/members.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "formats/text_writer.h"
#include "tests/support/cluster_difference.h"
#include "tests/support/on_trial.h"
#include "tests/support/property.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/witness.h"

namespace htools::saving_properties_test {

using htools::testing::ClusterShape;
using htools::testing::difference;
using htools::testing::for_each_seed;
using htools::testing::only_seed;
using htools::testing::Random;
using htools::testing::same_bits;
using htools::testing::scaled_tally;
using htools::testing::Witness;

namespace {

double random_number(Random& random) {
  switch (random.between(0, 4)) {
    case 0:
      return static_cast<double>(random.between(0, 100));
    case 1:
      return random.fraction();
    case 2:
      return static_cast<double>(random.between(1, 9'999'999)) / static_cast<double>(random.between(1, 9'999'999));
    case 3:
      return std::ldexp(random.fraction(), static_cast<int>(random.between(-200, 200)));
    default:
      return static_cast<double>(random.between(1, 1'000'000)) * 1e4;
  }
}

InstanceSpec random_spec(Random& random) {
  return {random.between(0, 9999), random.between(0, 99), random.between(0, 9999),
          random.between(0, 99),   random.between(0, 99), random.between(0, 99)};
}

// Returns facts with all values that a file can contain.
Cluster savable_facts(Random& random) {
  ClusterShape shape = htools::testing::random_shape(random);
  shape.odd = 0;  // fractions of totals are not written
  shape.second_node = random.chance(20) ? 40 : 0;
  shape.stopped = random.chance(50) ? 60 : 10;
  Cluster cluster = htools::testing::random_facts(random, shape);
  const std::string domain = random.chance(50) ? ".example.org" : "";
  for (Group& group : cluster.groups) {
    group.alloc_policy = static_cast<AllocPolicy>(random.between(0, 2));
    if (random.chance(30)) group.tags = {"a", "ä b", "x:y"};
    if (random.chance(30)) group.networks = {"net1", "net2"};
    if (random.chance(50)) group.policy = htools::testing::random_policy(random);
    group.policy.std = random_spec(random);
    group.policy.vcpu_ratio = random_number(random);
    group.policy.spindle_ratio = random_number(random);
  }
  cluster.policy = htools::testing::random_policy(random);
  cluster.policy.spindle_ratio = random_number(random);
  for (Node& node : cluster.nodes) {
    node.facts.edit().name += domain;
    node.facts.edit().master = !node.offline && random.chance(20);  // a file has only one of these roles
    node.facts.edit().cpu_speed = random.chance(50) ? 1.0 : random_number(random);
    if (random.chance(20)) node.facts.edit().tags.emplace_back("htools:standby:auto");
  }
  for (Instance& instance : cluster.instances) {
    instance.facts.edit().name += domain;
    if (!random.chance(50)) continue;
    instance.facts.edit().disk += 1;
    instance.facts.edit().disks.at(0).size = instance.facts->disk;
  }
  return cluster;
}

Cluster reloaded(const std::string& text) {
  Cluster cluster = read_text_cluster(text, "saved.data");
  prepare(cluster, {});
  return cluster;
}

// Returns the first facts that differ; empty if none do. difference() compares the books.
std::string different_facts(const Cluster& a, const Cluster& b) {
  if (a.groups.size() != b.groups.size() || a.tags != b.tags) return "groups or tags";
  const auto same_policy = [](const InstancePolicy& p, const InstancePolicy& q) {
    const auto same_pair = [](const MinMaxSpecs& x, const MinMaxSpecs& y) { return x.min == y.min && x.max == y.max; };
    return p.std == q.std && p.disk_templates == q.disk_templates && same_bits(p.vcpu_ratio, q.vcpu_ratio) &&
           same_bits(p.spindle_ratio, q.spindle_ratio) &&
           std::equal(p.minmax.begin(), p.minmax.end(), q.minmax.begin(), q.minmax.end(), same_pair);
  };
  if (!same_policy(a.policy, b.policy)) return "policy of the cluster";
  for (std::size_t g = 0; g < a.groups.size(); ++g) {
    const Group &x = a.groups[g], &y = b.groups[g];
    if (x.name != y.name || x.uuid != y.uuid || x.alloc_policy != y.alloc_policy || x.tags != y.tags ||
        x.networks != y.networks)
      return x.name;
    if (!same_policy(x.policy, y.policy)) return x.name + ": policy";
  }
  for (std::size_t n = 0; n < a.nodes.size(); ++n) {
    const Node &x = a.nodes[n], &y = b.nodes.at(n);
    if (x.facts->name != y.facts->name || x.facts->group != y.facts->group || x.facts->tags != y.facts->tags ||
        x.facts->alias != y.facts->alias)
      return x.facts->name + ": names";
    if (x.facts->total_memory != y.facts->total_memory || x.facts->node_memory != y.facts->node_memory ||
        x.facts->free_memory != y.facts->free_memory || x.facts->total_disk != y.facts->total_disk ||
        x.facts->free_disk != y.facts->free_disk)
      return x.facts->name + ": amounts";
    if (x.facts->total_cpus != y.facts->total_cpus || x.facts->node_cpus != y.facts->node_cpus ||
        !same_bits(x.facts->cpu_speed, y.facts->cpu_speed))
      return x.facts->name + ": cpus";
    if (x.facts->spindles != y.facts->spindles || x.facts->free_spindles != y.facts->free_spindles ||
        x.facts->exclusive_storage != y.facts->exclusive_storage)
      return x.facts->name + ": spindles";
    if (x.offline != y.offline || x.facts->master != y.facts->master) return x.facts->name + ": role";
    if (x.facts->missing_memory != y.facts->missing_memory) return x.facts->name + ": missing memory";
  }
  for (std::size_t i = 0; i < a.instances.size(); ++i) {
    const Instance &x = a.instances[i], &y = b.instances.at(i);
    if (x.facts->memory != y.facts->memory || x.facts->disk != y.facts->disk || x.facts->vcpus != y.facts->vcpus ||
        x.facts->spindle_use != y.facts->spindle_use)
      return x.facts->name + ": amounts";
    if (x.facts->status != y.facts->status || x.facts->auto_balance != y.facts->auto_balance ||
        x.facts->forthcoming != y.facts->forthcoming || x.facts->movable != y.facts->movable)
      return x.facts->name + ": state";
    if (x.facts->tags != y.facts->tags || x.facts->exclusion_tags() != y.facts->exclusion_tags() ||
        x.facts->alias != y.facts->alias)
      return x.facts->name + ": names";
    if (x.facts->total_spindles() != y.facts->total_spindles() || x.facts->disks.size() != y.facts->disks.size())
      return x.facts->name + ": disks";
  }
  return "";
}

}  // namespace

TEST_CASE("property: saving and loading changes nothing") {
  for_each_seed(61, 2000, [&](Random& random) {
    Cluster cluster = savable_facts(random);
    prepare(cluster, {});
    const std::string saved = write_text_cluster(cluster);
    REQUIRE(write_text_cluster(cluster) == saved);
    const Cluster again = reloaded(saved);
    REQUIRE(different_facts(cluster, again) == "");
    REQUIRE(difference(cluster, again) == "");
    REQUIRE(write_text_cluster(again) == saved);
  });
}

TEST_CASE("property: what is saved after a plan is loaded with the instances in their new places") {
  int changed = 0;
  for_each_seed(62, 1000, [&](Random& random) {
    Cluster cluster = savable_facts(random);
    prepare(cluster, {});
    const std::string before = write_text_cluster(cluster);
    const GroupMembers members = members_of(cluster, GroupIndex(random.index(cluster.groups.size())));
    const auto any = [&](auto holds) { return std::any_of(cluster.instances.begin(), cluster.instances.end(), holds); };
    if (any([](const Instance& i) { return i.primary == i.secondary; })) return;
    const bool names_secondaries =
        any([](const Instance& i) { return i.facts->disk_template != DiskTemplate::Drbd && !i.secondary.is_none(); });
    Witness witness(cluster);
    const BalanceResult plan = testing::on_trial(cluster, [&](Trial& trial) { return balance(trial, members, {}); });
    for (const BalanceStep& step : plan.steps) {
      witness.move(step.instance.position(), step.move.kind, step.move.target, false);
    }
    const std::string saved = write_text_cluster(cluster);
    const Cluster again = reloaded(saved);
    REQUIRE(write_text_cluster(again) == saved);
    for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
      REQUIRE(again.instances[i].primary == witness.instances[i].primary);
      REQUIRE(again.instances[i].secondary == witness.instances[i].secondary);
    }
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
      const Witness::Account account = witness.account(n);
      REQUIRE(again.nodes[n].facts->free_disk == account.real.free_disk);
      REQUIRE(again.nodes[n].facts->missing_memory == cluster.nodes[n].facts->missing_memory);
      REQUIRE(again.nodes[n].unallocated_memory() == cluster.nodes[n].unallocated_memory());
      REQUIRE(again.nodes[n].books.instance_memory == account.memory);
      // Moves do not update the reservation on a secondary that is named, but has no data.
      if (!names_secondaries) REQUIRE(again.nodes[n].books.reserved_memory == account.reserved);
      REQUIRE(again.nodes[n].books.real.used_vcpus == account.real.vcpus);
      REQUIRE(again.nodes[n].books.primary_count == account.primaries);
      REQUIRE(again.nodes[n].books.secondary_count == account.secondaries);
    }
    changed += saved == before ? 0 : 1;
  });
  if (only_seed() == nullptr) CHECK(changed > scaled_tally(200));
}

}  // namespace htools::saving_properties_test
