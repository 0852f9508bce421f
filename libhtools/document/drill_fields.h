// Says what the fields of drills are.
#pragma once

#include "document/finding_fields.h"
#include "explain/drill.h"
#include "fields/fields.h"

namespace htools {

// The fields of an instance that starts elsewhere.
template <>
struct Fields<Restart> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("instance", &Restart::instance, "Name of the instance.");
    field("from", &Restart::from, "The node that is lost.");
    field("to", &Restart::to, "The node on which it starts.");
  }
};

// The fields of an instance without room.
template <>
struct Fields<WithoutRoom> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("instance", &WithoutRoom::instance, "Name of the instance.");
    field(
        "nearest",
        [](const WithoutRoom& w, const Cluster& cluster) {
          return w.nearest ? std::optional(RefusalOf{*w.nearest, cluster.instance(w.instance).facts->name})
                           : std::nullopt;
        },
        "The refusal that lacks least; null if its group has no other online node.");
  }
};

// The fields of scores before and after a loss.
template <>
struct Fields<GroupScores> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("group", &GroupScores::group, "Name of the node group.");
    field(
        "before", [](const GroupScores& s) { return s.score.before; },
        "Score before the loss; null if no node of it is online.");
    field(
        "after", [](const GroupScores& s) { return s.score.after; }, "Score after it, likewise.");
  }
};

// The fields of a drill.
template <>
struct Fields<Drill> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("lost", &Drill::lost, "The nodes that are lost at the same time.");
    field("survived", &Drill::is_survived, "True if each instance runs afterwards.");
    field("restarts", &Drill::restarts, "The instances that start on another node.");
    field("homeless", &Drill::homeless, "The instances that find no room.");
    field("data_lost", &Drill::data_lost, "The instances of whose data no copy is left.");
    field.optional(
        "bound", [](const Drill& d) { return d.bound.empty() ? std::nullopt : std::optional(d.bound); },
        "The instances that are down, because their placement rules let them start nowhere else.");
    field("unprotected", &Drill::unprotected, "The instances that run, but have lost their second copy.");
    field("not_n1", &Drill::not_n1, "The nodes that are left and lack memory for a failover then.");
    field("not_evacuable", &Drill::not_evacuable, "The nodes that are left and could not be emptied then.");
    field(
        "n1_safe", [](const Drill& d) { return d.not_n1.empty() && d.not_evacuable.empty(); },
        "True if there are none of these nodes.");
    field("packed", &Drill::is_packed,
          "True if instances are packed tightly, because the choice by score left some out.");
    field("nodes_left", &Drill::nodes_left,
          "The number of online nodes that are left in the groups of the lost nodes.");
    field("scores", &Drill::scores, "The scores of the groups of the lost nodes.");
  }
};

// The fields of one line of a table of drills.
template <>
struct Fields<DrillRow> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("name", &DrillRow::name, "What is lost: a node, a pair, a group or a tag.");
    field("lost", &DrillRow::lost, "The nodes that are lost at the same time.");
    field("restarts", &DrillRow::restarts, "The number of instances that start on another node.");
    field("homeless", &DrillRow::homeless, "The instances that find no room.");
    field("data_lost", &DrillRow::data_lost, "The instances of whose data no copy is left.");
    field("unprotected", &DrillRow::unprotected, "The number of instances that have lost their second copy.");
    field("not_n1", &DrillRow::not_n1, "The number of nodes that lack memory for a further failover.");
    field("score", &DrillRow::score,
          "The score of the groups of the lost nodes, afterwards; null if one of them has no online node.");
  }
};

// The fields of a table of drills.
template <>
struct Fields<DrillTable> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("drills", &DrillTable::drills, "The number of drills.");
    field("survived", &DrillTable::survived, "The number of those after which each instance runs.");
    field("with_homeless", &DrillTable::with_homeless, "The number of those with instances without room.");
    field("with_data_lost", &DrillTable::with_data_lost, "The number of those with lost data.");
    field("rows", &DrillTable::rows, "The drills; of pairs of nodes, only the worst.");
  }
};

}  // namespace htools
