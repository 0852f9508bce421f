// Judges plans that people or programs propose: lists of instances and the nodes that they are to have, one after the
// other. Names are resolved for a cluster; each placement is then made by the same rules as the steps of any other
// plan.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/sizes.h"
#include "htools/balance.h"
#include "htools/moves.h"
#include "plan/ordering.h"
#include "plan/plan.h"
#include "plan/plan_choice.h"
#include "trial/trial.h"

namespace htools {

// A proposed placement, as a file has it.
struct ProposedPlacement {
  std::size_t line = 0;           // or what else is counted; from 1
  std::string instance;           // names may be short
  std::vector<std::string> from;  // the nodes before it, the primary first; empty if the file does not say so
  std::vector<std::string> to;    // one or two nodes
  bool new_disks = false;         // the instance gets new disks there, because its data is lost
};

// How many elements a cluster has.
struct ElementCounts {
  std::size_t nodes = 0, instances = 0;
};

// A list of proposed placements.
struct Proposal {
  std::string source;                            // the name of the file; empty if there is none
  std::string_view unit = "line";                // what is counted in it: its lines, or the steps of a document
  std::optional<std::string> facts_fingerprint;  // of the cluster that it was made for, if the file says so
  std::optional<std::string> fingerprint = {};   // of the state that it was made for, likewise
  std::optional<ClusterSizes> sizes = {};        // of the cluster that it was made for, likewise
  std::optional<ElementCounts> counts = {};      // likewise
  std::vector<ProposedPlacement> placements;
  std::vector<std::string> emptied = {};                         // nodes that nothing is to stay on, by name
  std::vector<std::pair<std::size_t, std::string>> errors = {};  // lines that cannot be read, and what was expected
  PlanChoices choices = {};                                      // it was chosen from these, or is to be
};

// A proposed placement of an instance of a cluster.
struct ResolvedPlacement {
  std::string_view unit = "line";
  std::size_t line = 0;
  InstanceIndex instance;
  std::vector<NodeIndex> from;
  std::vector<NodeIndex> to;
  bool new_disks = false;
};

// Throws InputError if the proposal is a choice between plans, none of which has been chosen.
void require_chosen(const Proposal& proposal);

// Takes the placements of instances or on nodes that the cluster does not have out of the proposal, and such nodes out
// of those that it empties. Returns a sentence about each placement.
std::vector<std::string> leave_out_unknown(const Cluster& cluster, Proposal& proposal);

// Returns the nodes that the proposal empties. Throws InputError if the cluster does not have one of them.
std::vector<NodeIndex> emptied_nodes(const Cluster& cluster, const Proposal& proposal);

// Returns the placements with the elements of the cluster that the names mean. Throws one InputError about all lines
// that cannot be read, all names that mean none, or several, and all placements with nodes that the instance's disk
// template has no use for.
std::vector<ResolvedPlacement> resolve(const Cluster& cluster, const Proposal& proposal);

// Returns the nodes that a placement gives an instance which is where it is in `cluster`. If a drbd instance is given
// one node, its secondary node stays, or the two change roles.
Placement wanted_placement(const Cluster& cluster, const ResolvedPlacement& placement);
// Returns the same for an instance that is at `now`.
Placement wanted_after(const Placement& now, const ResolvedPlacement& placement);

// A judged placement.
struct JudgedPlacement {
  ResolvedPlacement proposed;
  Placement before;  // where the instance was
  Placement wanted;
  GroupIndex group;
  Verdict verdict = Verdict::Ok;
  std::optional<Unreached> refusal;  // if it is refused
  std::size_t first_step = 0;        // of the steps that make it
  std::size_t step_count = 0;        // 0 unless the verdict is Ok

  // Returns where the proposal expects the instance: where it was, unless it is elsewhere or has gone on from there.
  Placement expected() const;
};

// The judgement about a proposal.
struct Judgement {
  std::vector<JudgedPlacement> placements;
  std::vector<BalanceStep> steps;  // all allowed moves, in order

  // True if no placement is refused or stale.
  bool is_good() const;
};

// Returns the rules for instances that the user has named: they move even if they are not balanced automatically.
MoveRules rules_for_named(const MoveRules& rules);

// Judges the placements one after the other, each in the state that the allowed ones before it have led to. Those that
// were made already, by an instance that has gone on since, are pointless; one that stopped half-way goes on from
// there. The moves are made on the trial. The score of a step is that of its node group. The rules are those for named
// instances.
Judgement judge(Trial& trial, const std::vector<ResolvedPlacement>& placements, const MoveRules& rules);

// Adds the verdicts to the plan that describes the allowed moves, and the steps that are not made. The steps get new
// numbers.
void add_verdicts(Plan& plan, const Judgement& judgement);

}  // namespace htools
