// What a move does to the nodes, and whether it is allowed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "cluster/cluster.h"
#include "rules/admission.h"
#include "rules/answers.h"
#include "rules/fail_mode.h"
#include "rules/move.h"

namespace htools {

// A node and the books that it would have.
struct NodeChange {
  NodeIndex node;
  NodeBooks books;
};

// The nodes that a move changes: at most the old primary, the old secondary and the target.
class MoveEffect {
 public:
  void add(NodeIndex node, const NodeBooks& books) { changes_[count_++] = {node, books}; }
  std::span<const NodeChange> changes() const { return {changes_.data(), count_}; }

 private:
  std::array<NodeChange, 3> changes_;
  std::size_t count_ = 0;
};

// Decides which moves of one instance are allowed, on the cluster as it is. `force` leaves out the soft checks
// everywhere. The rules are written once, for two kinds of answers (answers.h): MoveTrials tells which check refuses a
// move, and is fast; MoveReasons tells node, amounts and limit as well.
template <class Answer>
class BasicMoveTrials {
 public:
  using Refused = typename Answer::Refused;
  using Outcome = std::variant<MoveEffect, Refused>;

  // Both must not change while the trials are in use. The instance is not a drbd one without a secondary.
  BasicMoveTrials(const Cluster& cluster, InstanceIndex instance, bool force);

  // The effect, or the first of the move's checks that fails. The move's kind must suit the instance's disk template,
  // and its target must be none of the instance's nodes.
  Outcome attempt(const Move& move) const;

 private:
  Outcome failover() const;
  Outcome failover_to_any(NodeIndex target) const;
  Outcome replace_primary(NodeIndex target) const;
  Outcome replace_secondary(NodeIndex target) const;
  Outcome replace_and_failover(NodeIndex target) const;
  Outcome failover_and_replace(NodeIndex target) const;

  // Why the node, with these books before and after, does not take the instance.
  std::optional<Refused> as_primary(NodeIndex node, const NodeBooks& before, const NodeBooks& after,
                                    AdmissionRules rules) const;
  std::optional<Refused> as_secondary(NodeIndex node, const NodeBooks& before, const NodeBooks& after,
                                      AdmissionRules rules) const;
  // Why the instance cannot migrate between these nodes.
  std::optional<Refused> as_target(NodeIndex source, NodeIndex target) const;
  NodeBooks with_primary(const Node& node, const NodeBooks& before, std::int64_t location_score) const;
  std::int64_t location_score(NodeIndex primary, NodeIndex secondary) const;
  NodeIndex primary_index() const { return instance_.primary; }
  NodeIndex secondary_index() const { return instance_.secondary; }
  const Node& primary() const { return cluster_.node(instance_.primary); }
  const Node& secondary() const { return cluster_.node(instance_.secondary); }

  const Cluster& cluster_;
  const Instance& instance_;
  bool force_;
  bool relaxed_;  // the soft checks of moves away from the primary are left out: it is offline, or `force`
  // What the instance's nodes look like on the way, without the target.
  NodeBooks primary_left_;              // the primary without the instance
  NodeBooks secondary_left_;            // the secondary without the instance
  NodeBooks secondary_promoted_;        // the secondary as primary
  std::optional<Refused> no_failover_;  // why the secondary cannot be primary
};

extern template class BasicMoveTrials<ModeAnswer>;
extern template class BasicMoveTrials<ReasonAnswer>;
using MoveTrials = BasicMoveTrials<ModeAnswer>;
using MoveReasons = BasicMoveTrials<ReasonAnswer>;

// Makes a move, without checks.
void apply_move(Cluster& cluster, InstanceIndex instance, const Move& move);

}  // namespace htools
