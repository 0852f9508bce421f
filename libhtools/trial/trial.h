// Provides a working copy of a cluster whose changes can be undone: begin, change, then undo or keep.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "cluster/cluster.h"
#include "htools/moves.h"
#include "trial/undo_log.h"

namespace htools {

// A working copy of a cluster. It shares the facts of nodes and instances with the original and has a state of its own:
// where instances are, and how much is free. A node or instance can be changed several times.
class Trial {
 public:
  explicit Trial(Cluster cluster);

  // Returns the cluster with all changes so far. The reference stays valid as long as the trial lives.
  const Cluster& cluster() const { return cluster_; }

  // Starts a level: the changes that follow can be undone until the level ends with keep() or undo(). Levels can be
  // nested. Outside of all levels, changes are permanent.
  void begin();
  // Ends the innermost level. Its changes stay; they become changes of the level around it.
  void keep();
  // Ends the innermost level and restores every node and instance to its state at begin(), to the last bit.
  void undo();

  // Save the node or instance for undo() and return it, so that the caller can change it. A reference to an instance is
  // valid until the next add().
  Node& change(NodeIndex index);
  Instance& change(InstanceIndex index);
  // Adds an instance at the end of the cluster's list. Does not add it to its nodes.
  void add(Instance instance);
  // Carries out a move without any check.
  void apply(InstanceIndex instance, const Move& move);

  // Return numbers that tell whether something may have changed: equal numbers mean that it has not. Changes and their
  // undoing count; so what has been computed of a node stays valid as long as its revision is the same.
  std::uint64_t revision() const { return latest_; }  // of any node or instance, except for added instances
  std::uint64_t revision(NodeIndex index) const { return node_revisions_[index.position()]; }
  std::uint64_t instances_revision() const { return instances_revision_; }  // of any instance, except for added ones

  // Returns the cluster and ends the trial. Must not be called within a level.
  Cluster take() && { return std::move(cluster_); }

 private:
  Cluster cluster_;
  UndoLog<Node> nodes_;
  UndoLog<Instance> instances_;
  std::uint64_t latest_ = 0;  // the number of changes so far
  std::vector<std::uint64_t> node_revisions_;
  std::uint64_t instances_revision_ = 0;
};

// Begins a level of the trial and undoes it when it goes out of scope, unless keep() was called.
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
