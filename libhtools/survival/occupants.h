// Lists the instances that must leave a node when it is vacated.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cluster/cluster.h"
#include "survival/certain_fit.h"
#include "trial/trial.h"

namespace htools {

// The real (not forthcoming) primaries of a node, by the way in which they leave it.
struct Occupants {
  Occupants() = default;
  Occupants(const Cluster& cluster, NodeIndex node);

  std::vector<InstanceIndex> drbd;     // they fail over to their secondaries; newest first
  std::vector<InstanceIndex> movable;  // they move to any node of the group; newest first
  std::vector<InstanceIndex> fixed;    // they are created anew elsewhere; largest memory first
  // The movable instances and then the fixed ones, as items that need a place. Meaningless if `elsewhere` is set.
  std::vector<FitRun> items;
  bool elsewhere = false;  // true if one of the items has another primary node, so it would be taken off that
  // True if placement rules bind one of them: then amounts alone decide nothing. (Those whose rules keep them where
  // they are wherever there is room are left out: nobody expects them to leave.)
  bool are_ruled = false;
};

// The occupants of the nodes of a trial, kept as long as nothing changes that they depend on: most checks follow a
// change of one node.
class KnownOccupants {
 public:
  // `trial` must outlive the object.
  explicit KnownOccupants(const Trial& trial);

  // Returns the occupants of the node in the present state. The result is valid until the next call for that node.
  const Occupants& of(NodeIndex node);

 private:
  // What is known of one node, and when it was true.
  struct Entry {
    std::uint64_t node_revision, instances_revision;
    Occupants occupants;
  };

  const Trial& trial_;
  std::vector<std::unique_ptr<const Entry>> entries_;  // by node; null until needed
};

}  // namespace htools
