// Computes how much of each resource a node has left for new instances.
#pragma once

#include <cstdint>

#include "cluster/cluster.h"
#include "cluster/instance.h"
#include "cluster/node.h"

namespace htools {

// What new instances can take from a node at most: whoever admits one (rules/admission.h) refuses more. Negative
// amounts mean that not even an instance that takes nothing is admitted.
struct NodeRoom {
  explicit NodeRoom(const Node& node);

  // True if an instance of this size alone does not take more than there is, as primary or as secondary.
  bool can_host(const Instance& instance) const;
  bool can_mirror(const Instance& instance) const;

  std::int64_t memory = 0;         // MiB of primaries, without what the node reserves for failovers
  std::int64_t disk = 0;           // MiB of instances on local storage
  std::int64_t vcpus = 0;          // of primaries
  std::int64_t disk_of_real = 0;   // the same without forthcoming instances, which could be elsewhere
  std::int64_t vcpus_of_real = 0;  // likewise
};

__extension__ using WideAmount = __int128;

// Returns the memory in MiB that a node would have for instances if it had none, or what they take now if that is more.
WideAmount memory_limit(const Node& node);

// Returns the vcpus that instances can have on the node if there are no others.
WideAmount vcpu_limit(const Cluster& cluster, const Node& node);

}  // namespace htools
