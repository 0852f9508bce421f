// Rehearses the loss of nodes: what restarts where, what finds no room, and whose data is lost.
//
// Instances are restarted as an administrator would do it, also those of a lost node that was offline already. Those
// with a second copy (drbd) fail over to their secondary nodes. Those on shared storage start on the node of their
// group that gives the lowest score; if some of them find no room like this, all of them are packed more tightly.
// Nothing else moves. Only the hard limits count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cluster/cluster.h"
#include "htools/moves.h"
#include "htools/refusal.h"
#include "plan/plan.h"

namespace htools {

// An instance that starts on another node.
struct Restart {
  InstanceIndex instance;
  NodeIndex from;
  NodeIndex to;
};

// An instance that finds no room, and the refusal of the node that comes nearest; none if its group has no
// other online node.
struct WithoutRoom {
  InstanceIndex instance;
  std::optional<Refusal> nearest = {};
};

// The score of a node group before and after the loss; none while no node of it is online.
struct GroupScores {
  GroupIndex group;
  BeforeAndAfter<std::optional<double>> score;
};

// What follows from the loss of some nodes.
struct Drill {
  std::vector<NodeIndex> lost;  // in index order
  std::vector<Restart> restarts = {};
  std::vector<WithoutRoom> homeless = {};
  std::vector<InstanceIndex> data_lost = {};    // no copy of their data is left
  std::vector<InstanceIndex> bound = {};        // their own rules let them start nowhere else; no verdict counts them
  std::vector<InstanceIndex> unprotected = {};  // they run, but their second copies are lost
  std::vector<NodeIndex> not_n1 = {};           // nodes that are left and not N+1 safe then
  std::vector<NodeIndex> not_evacuable = {};    // nodes that are left and could not be emptied then
  std::vector<GroupScores> scores = {};         // of the groups of the lost nodes
  std::size_t nodes_left = 0;                   // online nodes of these groups
  bool is_packed = false;                       // true if the choice by score had left an instance without room

  // True if each instance runs afterwards that its own rules let start elsewhere.
  bool is_survived() const { return homeless.empty() && data_lost.empty(); }
};

// Rehearses the loss of the nodes at the same time. Those that are offline already count as lost, too: their instances
// start elsewhere or are lost. Instances of further offline nodes are down before and after the drill; their data is
// lost if the last copy is on a node that was online.
Drill rehearse_loss(const Cluster& cluster, const std::vector<NodeIndex>& lost);

// A line of a table of drills.
struct DrillRow {
  std::string name;  // of the node, the pair, the group or the tag
  std::vector<NodeIndex> lost = {};
  std::size_t restarts = 0;
  std::vector<InstanceIndex> homeless = {};
  std::vector<InstanceIndex> data_lost = {};
  std::size_t unprotected = 0;
  std::size_t not_n1 = 0;
  // Of the groups of the lost nodes together, afterwards; none if no node of one of them is online.
  std::optional<double> score = 0.0;
};

// The results of many drills.
struct DrillTable {
  std::int64_t drills = 0;
  std::int64_t with_homeless = 0;
  std::int64_t with_data_lost = 0;
  std::int64_t survived = 0;
  std::vector<DrillRow> rows = {};  // in the order of the scenarios; of pairs, the worst first, and only some
};

// Nodes that are lost together, and what they are called.
struct LossScenario {
  std::string name;
  std::vector<NodeIndex> nodes;
};

DrillTable rehearse_each(const Cluster& cluster, const std::vector<LossScenario>& scenarios);

// Rehearses the loss of any two of the nodes. Lists at most `most_rows` of the pairs that are not survived.
DrillTable rehearse_pairs(const Cluster& cluster, const std::vector<NodeIndex>& nodes, std::size_t most_rows);

}  // namespace htools
