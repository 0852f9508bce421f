// Decides whether a move of an instance is allowed, computes how it changes the nodes, and carries it out.
#pragma once

#include <boost/container/static_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "cluster/cluster.h"
#include "htools/moves.h"
#include "htools/refusal.h"
#include "rules/admission.h"
#include "rules/answers.h"

namespace htools {

// A node and the books that it would have.
struct NodeChange {
  NodeIndex node;
  NodeBooks books;
};

// The nodes that a move changes, with their new books: the old primary, the old secondary and the target.
class MoveEffect {
 public:
  // More changes than these end in std::bad_alloc.
  static constexpr std::size_t kMaxChanges = 6;

  void add(NodeIndex node, const NodeBooks& books) { changes_.push_back({node, books}); }
  std::span<const NodeChange> changes() const { return {changes_.data(), changes_.size()}; }

 private:
  boost::container::static_vector<NodeChange, kMaxChanges> changes_;
};

// Decides which moves of one instance are allowed in the present state of the cluster. `force` leaves out the soft
// checks (AdmissionRules). The rules are written once, for two kinds of answers (answers.h): MoveTrials returns the
// check that refuses a move, and is fast; MoveReasons returns the node, the amounts and the limit as well.
template <class Answer>
class BasicMoveTrials {
 public:
  using Refused = typename Answer::Refused;
  using Outcome = std::variant<MoveEffect, Refused>;

  // The cluster must not change while the trials are in use. If the instance's disk template has a secondary, the
  // instance must have one.
  BasicMoveTrials(const Cluster& cluster, InstanceIndex instance, bool force);

  // Returns the effect of the move, or the first of its checks that fails. The kind of the move must suit the
  // instance's disk template. Only a ReplaceSecondary may have one of the instance's nodes as its target; then this
  // node changes as apply_move() says.
  Outcome attempt(const Move& move) const;
  // False if the secondary cannot become primary. Then Failover, FailoverAndReplace and ReplacePrimary are refused
  // whatever the target is. This depends on the instance's own nodes only.
  bool can_fail_over() const { return !no_failover_; }
  // Returns the rules by which moves of this kind, which must have a target, check it.
  AdmissionRules rules_of_target(MoveKind kind) const;
  // The books of the instance's nodes without it, and of the secondary after it has become primary. The last two mean
  // nothing if the instance has no secondary.
  const NodeBooks& primary_left() const { return primary_left_; }
  const NodeBooks& secondary_left() const { return secondary_left_; }
  const NodeBooks& secondary_promoted() const { return secondary_promoted_; }

 private:
  // Each of these attempts one kind of move.
  Outcome failover() const;
  Outcome failover_to_any(NodeIndex target) const;
  Outcome replace_primary(NodeIndex target) const;
  Outcome replace_secondary(NodeIndex target) const;
  Outcome replace_and_failover(NodeIndex target) const;
  Outcome failover_and_replace(NodeIndex target) const;

  // Return why the node refuses the instance as primary or secondary, given its books before and after; nothing if it
  // does not.
  std::optional<Refused> as_primary(NodeIndex node, const NodeBooks& before, const NodeBooks& after,
                                    AdmissionRules rules) const;
  std::optional<Refused> as_secondary(NodeIndex node, const NodeBooks& before, const NodeBooks& after,
                                      AdmissionRules rules) const;
  // Returns the refusal if the target is cordoned. A node of the instance keeps it in either role; but it becomes its
  // primary only if the instance has to leave a node that is down, or if soft checks are left out.
  std::optional<Refused> as_receiver(const Move& move) const;
  // Returns the refusal if a rule about where instances may be forbids it, whatever soft checks are left out.
  std::optional<Refused> as_ruled(const Move& move) const;
  // Returns the refusal if migration tags forbid that the instance moves from `source` to `target`.
  std::optional<Refused> as_target(NodeIndex source, NodeIndex target) const;
  // Returns the books of the node with the instance as primary, which then has this location score.
  NodeBooks with_primary(const Node& node, const NodeBooks& before, std::int64_t location_score) const;
  // Returns the number of location tags that the two nodes share.
  std::int64_t location_score(NodeIndex primary, NodeIndex secondary) const;
  NodeIndex primary_index() const { return instance_.primary; }
  NodeIndex secondary_index() const { return instance_.secondary; }
  const Node& primary() const { return cluster_.node(instance_.primary); }
  const Node& secondary() const { return cluster_.node(instance_.secondary); }

  const Cluster& cluster_;
  InstanceIndex index_;
  const Instance& instance_;
  bool is_ruled_;  // some rules about where instances may be bind it
  bool force_;
  // True if the primary is offline or `force` is set. Then moves that begin with a failover skip the soft checks.
  bool relaxed_;
  // Books of the instance's own nodes at intermediate stages of a move; they are the same for all targets.
  NodeBooks primary_left_;              // of the primary without the instance
  NodeBooks secondary_left_;            // of the secondary without the instance
  NodeBooks secondary_promoted_;        // of the secondary after it has become primary
  std::optional<Refused> no_failover_;  // why the secondary cannot become primary; empty if it can
};

extern template class BasicMoveTrials<ModeAnswer>;
extern template class BasicMoveTrials<ReasonAnswer>;
using MoveTrials = BasicMoveTrials<ModeAnswer>;
using MoveReasons = BasicMoveTrials<ReasonAnswer>;

// Carries out a move without any check. It changes the instance's placement and its nodes. Where a node has two roles
// in a failover or in the replacement of a secondary, what the move makes of it in one of them replaces what it makes
// of it in the others, as specified: then the books of the node do not add up afterwards.
void apply_move(Cluster& cluster, InstanceIndex instance, const Move& move);

}  // namespace htools
