// A cluster to try things on: begin, change, undo or keep.
#pragma once

#include "cluster/cluster.h"
#include "rules/move.h"
#include "trial/undo_log.h"

namespace htools {

// A working copy of a cluster. It shares the facts of nodes and instances with the original and has a state of its own:
// where instances are, and what is free. Several changes of one node or instance compose.
class Trial {
 public:
  explicit Trial(Cluster cluster);

  // The cluster with all changes so far. The reference stays valid as long as the trial lives.
  const Cluster& cluster() const { return cluster_; }

  // What is changed from here on can be undone. Nested; outside of begin() and its end, changes are for good.
  void begin();
  // Ends what the last begin() began; the changes stay, and belong to the trial around.
  void keep();
  // Ends it and restores every node and instance to the last bit.
  void undo();

  // The node or instance, about to be changed. References to instances are valid until add().
  Node& change(NodeIndex index);
  Instance& change(InstanceIndex index);
  // Adds an instance at the end of the list, not to its nodes.
  void add(Instance instance);
  // Makes a move, without checks.
  void apply(InstanceIndex instance, const Move& move);

 private:
  Cluster cluster_;
  UndoLog<Node> nodes_;
  UndoLog<Instance> instances_;
};

// What is done during its life is undone at its end, unless it is kept.
class Attempt {
 public:
  explicit Attempt(Trial& trial) : trial_(trial) { trial.begin(); }
  ~Attempt() {
    if (open_) trial_.undo();
  }
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

  void keep() {
    trial_.keep();
    open_ = false;
  }

 private:
  Trial& trial_;
  bool open_ = true;
};

}  // namespace htools
