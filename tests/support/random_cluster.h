// Makes random clusters that are the same in every run.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/cluster.h"
#include "tests/support/random.h"

namespace htools::testing {

enum class NodeMix { Same, TwoKinds, Many };

// The shape of a random cluster. Numbers are percentages unless noted otherwise.
struct ClusterShape {
  std::int64_t nodes = 6;
  std::int64_t groups = 1;
  NodeMix mix = NodeMix::Many;
  std::int64_t instances = 8;  // largest number
  std::vector<DiskTemplate> templates{DiskTemplate::Diskless, DiskTemplate::File,  DiskTemplate::SharedFile,
                                      DiskTemplate::Plain,    DiskTemplate::Block, DiskTemplate::Drbd,
                                      DiskTemplate::Rbd,      DiskTemplate::Ext,   DiskTemplate::Gluster};
  std::int64_t largest_memory = 2048;  // MiB, the largest memory of an instance
  std::int64_t tagged = 0;             // nodes and instances with tags, for each kind of tag
  std::int64_t migration_tagged = 0;
  std::int64_t exclusive = 0;    // nodes with exclusive storage
  std::int64_t offline = 0;      // nodes
  std::int64_t cordoned = 0;     // nodes
  std::int64_t odd = 0;          // nodes with fractional totals or with books that do not add up
  std::int64_t no_spindles = 0;  // nodes with 0 spindles: their scores are NaN
  std::int64_t forthcoming = 0;  // instances
  std::int64_t stopped = 10;     // instances in some state other than running
  std::int64_t crowded = 0;      // instances that are placed without regard to free capacity
  std::int64_t narrow = 0;       // groups with a policy of their own
  std::int64_t uneven = 0;       // instances with utilisation other than 1
  std::int64_t split = 0;        // mirrored instances that may have nodes in two groups
  std::int64_t second_node = 0;  // instances that name a secondary without keeping data there; it may be any node
};

InstancePolicy random_policy(Random& random);

// Returns a cluster with facts only. random_cluster() returns a prepared one.
Cluster random_facts(Random& random, const ClusterShape& shape);

Cluster random_cluster(Random& random, const ClusterShape& shape);

// Returns a shape in which every feature may occur.
ClusterShape random_shape(Random& random);

}  // namespace htools::testing
