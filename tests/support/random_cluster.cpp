#include "tests/support/random_cluster.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/numbers.h"
#include "cluster/prepare.h"

namespace htools::testing {

InstancePolicy random_policy(Random& random) {
  InstancePolicy policy;
  policy.minmax.clear();
  for (std::int64_t pairs = random.between(1, 2); pairs > 0; --pairs) {
    MinMaxSpecs pair;
    pair.min = {random.between(0, 512),
                random.between(0, 2),
                random.between(0, 1024),
                random.chance(8) ? 2 : random.between(0, 1),
                1,
                random.between(0, 1)};
    pair.max = {random.between(512, 4096), random.between(2, 8), random.between(1024, 8192), random.between(1, 4), 8,
                random.between(1, 6)};
    policy.minmax.push_back(pair);
  }
  if (random.chance(15)) policy.minmax.clear();
  policy.vcpu_ratio = random.one_of(std::vector<double>{4.0, 1.0, 2.75, -1.0, 16.0});
  policy.spindle_ratio = random.one_of(std::vector<double>{32.0, 4.0, 8.0, 2.5});
  if (random.chance(15)) std::erase(policy.disk_templates, random.one_of(policy.disk_templates));
  return policy;
}

namespace {

Node random_node(Random& random) {
  Node node;
  node.facts.edit().total_memory = static_cast<double>(random.between(2, 10) * 1024);
  if (random.chance(30)) node.facts.edit().total_memory += static_cast<double>(random.between(-700, 700));
  node.facts.edit().node_memory = random.one_of(std::vector<std::int64_t>{0, 512, 333});
  node.facts.edit().total_disk = static_cast<double>(random.between(8, 60) * 1024);
  node.facts.edit().total_cpus = static_cast<double>(random.between(2, 16));
  node.facts.edit().node_cpus = random.between(0, 2);
  node.facts.edit().cpu_speed = random.one_of(std::vector<double>{1.0, 1.0, 1.3, 0.7});
  node.facts.edit().spindles = random.between(1, 4);
  node.facts.edit().free_spindles = random.chance(20) ? random.between(0, 4) : 0;
  return node;
}

}  // namespace

Cluster random_facts(Random& random, const ClusterShape& shape) {
  Cluster cluster;
  cluster.tags = {"htools:nlocation:power",
                  "htools:nlocation:rack",
                  "htools:iextags:svc",
                  "htools:iextags:power",
                  "htools:desiredlocation:power",
                  "htools:migration:hv",
                  "htools:allowmigration:hv:1::hv:2"};
  for (std::int64_t g = 0; g < shape.groups; ++g) {
    Group group;
    group.name = "g" + std::to_string(g);
    group.uuid = "u" + std::to_string(g);
    if (random.chance(shape.narrow)) group.policy = random_policy(random);
    cluster.groups.push_back(group);
  }
  const std::vector<Node> kinds{random_node(random), random_node(random)};
  const std::size_t kind_count = shape.mix == NodeMix::Same ? 1 : 2;
  Random aside = random;
  for (std::int64_t n = 0; n < shape.nodes; ++n) {
    Node node = shape.mix == NodeMix::Many ? random_node(random) : kinds[random.index(kind_count)];
    node.facts.edit().name = "n" + std::to_string(n);
    node.facts.edit().group = GroupIndex(random.index(cluster.groups.size()));
    node.offline = random.chance(shape.offline);
    node.cordoned = aside.chance(shape.cordoned) && !node.offline;
    if (random.chance(shape.exclusive)) {
      node.facts.edit().exclusive_storage = true;
      node.facts.edit().free_spindles = node.facts.edit().spindles = random.between(2, 10);
    }
    if (random.chance(shape.no_spindles)) node.facts.edit().spindles = node.facts.edit().free_spindles = 0;
    for (const char* kind : {"power:a", "power:b", "rack:1", "rack:2"}) {
      if (random.chance(shape.tagged / 2)) node.facts.edit().tags.emplace_back(kind);
    }
    if (random.chance(shape.migration_tagged)) node.facts.edit().tags.emplace_back(random.chance(50) ? "hv:1" : "hv:2");
    if (random.chance(shape.odd)) node.facts.edit().total_memory += 0.5;
    if (random.chance(shape.odd)) node.facts.edit().total_disk += 0.25;
    cluster.nodes.push_back(node);
  }

  std::vector<std::int64_t> memory_left, disk_left;
  for (const Node& node : cluster.nodes) {
    memory_left.push_back(static_cast<std::int64_t>(node.facts->total_memory) - node.facts->node_memory);
    disk_left.push_back(static_cast<std::int64_t>(node.facts->total_disk));
  }
  for (std::int64_t i = 0; i < shape.instances && !cluster.nodes.empty(); ++i) {
    Instance instance;
    instance.facts.edit().name = "i" + std::to_string(i);
    instance.facts.edit().memory = random.between(0, shape.largest_memory / 64) * 64;
    if (random.chance(30)) instance.facts.edit().memory = random.between(1, shape.largest_memory);
    instance.facts.edit().disk = random.between(1, 16) * 256;
    instance.facts.edit().vcpus = random.between(1, 3);
    instance.facts.edit().disk_template = random.one_of(shape.templates);
    instance.facts.edit().spindle_use = random.between(0, 3);
    instance.facts.edit().disks = {
        {instance.facts->disk, random.chance(90) ? std::optional(random.between(1, 3)) : std::nullopt}};
    if (random.chance(shape.stopped))
      instance.facts.edit().status = static_cast<InstanceStatus>(random.index(kInstanceStatuses.size()));
    instance.facts.edit().auto_balance = random.chance(92);
    instance.facts.edit().forthcoming = random.chance(shape.forthcoming);
    for (const char* tag : {"svc:a", "svc:b", "power:a"}) {
      if (random.chance(shape.tagged / 2)) instance.facts.edit().tags.emplace_back(tag);
    }
    if (random.chance(shape.tagged / 8)) instance.facts.edit().tags.emplace_back("svc:a");

    const bool crowded = random.chance(shape.crowded);
    const bool may_split = shape.split > 0 && random.chance(shape.split);
    for (int attempt = 0; attempt < 12; ++attempt) {
      const std::size_t p = random.index(cluster.nodes.size()), s = random.index(cluster.nodes.size());
      const bool drbd = instance.facts->has_secondary();
      const bool is_split = cluster.nodes[p].facts->group != cluster.nodes[s].facts->group;
      if (drbd && (p == s || (is_split && !may_split))) continue;
      const bool memory_fits = memory_left[p] > instance.facts->used_memory() &&
                               (!drbd || memory_left[s] > instance.facts->secondary_memory());
      const bool disk_fits = !instance.facts->uses_local_storage() ||
                             (disk_left[p] > instance.facts->disk && (!drbd || disk_left[s] > instance.facts->disk));
      if (!crowded && !(memory_fits && disk_fits)) continue;
      instance.primary = NodeIndex(p);
      if (drbd || (shape.second_node > 0 && random.chance(shape.second_node))) instance.secondary = NodeIndex(s);
      if (!instance.facts->forthcoming) {
        memory_left[p] -= instance.facts->used_memory();
        const std::int64_t spindles = instance.facts->total_spindles().value_or(0);
        for (std::size_t n : drbd ? std::vector{p, s} : std::vector{p}) {
          if (instance.facts->uses_local_storage()) disk_left[n] -= instance.facts->disk;
          if (cluster.nodes[n].facts->exclusive_storage) cluster.nodes[n].facts.edit().free_spindles -= spindles;
        }
      }
      cluster.instances.push_back(instance);
      break;
    }
  }
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    Node& node = cluster.nodes[n];
    node.facts.edit().free_memory = std::max<std::int64_t>(0, memory_left[n]);
    node.facts.edit().free_disk = std::max<std::int64_t>(0, disk_left[n]);
    if (random.chance(shape.odd))
      node.facts.edit().free_memory = std::max<std::int64_t>(0, node.facts->free_memory + random.between(-400, 400));
    if (random.chance(shape.odd)) node.facts.edit().free_disk += random.between(-1000, 0);
  }
  return cluster;
}

Cluster random_cluster(Random& random, const ClusterShape& shape) {
  Cluster cluster = random_facts(random, shape);
  PrepareOptions options;
  for (const Instance& instance : cluster.instances) {
    if (!random.chance(shape.uneven)) continue;
    options.utilisation.emplace_back(
        instance.facts->name, Load{random.fraction(), random.fraction() * 3, random.fraction() / 7, random.fraction()});
  }
  prepare(cluster, options);
  return cluster;
}

ClusterShape random_shape(Random& random) {
  ClusterShape shape;
  shape.nodes = random.between(2, 9);
  shape.groups = random.between(1, 3);
  shape.mix = static_cast<NodeMix>(random.between(0, 2));
  shape.instances = random.between(0, 25);
  shape.tagged = random.chance(50) ? 60 : 0;
  shape.migration_tagged = random.chance(20) ? 50 : 0;
  shape.exclusive = random.chance(30) ? 50 : 0;
  shape.offline = random.chance(50) ? 20 : 0;
  shape.odd = random.chance(40) ? 30 : 0;
  shape.forthcoming = random.chance(40) ? 25 : 0;
  shape.crowded = random.chance(30) ? 15 : 0;
  shape.narrow = random.chance(50) ? 60 : 0;
  shape.uneven = random.chance(50) ? 50 : 0;
  Random aside = random;  // what else is drawn stays as it was
  shape.cordoned = aside.chance(25) ? 30 : 0;
  return shape;
}

}  // namespace htools::testing
