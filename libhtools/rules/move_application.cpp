#include "rules/move_application.h"

#include <stdexcept>
#include <utility>

#include "cluster/bookkeeping.h"
#include "rules/rule_check.h"

namespace htools {

namespace {

std::int64_t shared_locations(const Cluster& cluster, NodeIndex a, NodeIndex b) {
  return cluster.node(a).facts->location_tags.common_with(cluster.node(b).facts->location_tags);
}

// Returns the location score of the instance after the move: the number of location tags that its two nodes share. A
// Failover keeps the pair of nodes, and a FailoverToAny is specified to leave the score as it is.
std::int64_t location_score_after(const Cluster& cluster, const Instance& instance, const Move& move) {
  if (move.kind == MoveKind::Failover || move.kind == MoveKind::FailoverToAny) return instance.location_score;
  const Placement after = placement_after({instance.primary, instance.secondary}, move);
  return shared_locations(cluster, after.primary, after.secondary);
}

}  // namespace

template <class Answer>
BasicMoveTrials<Answer>::BasicMoveTrials(const Cluster& cluster, InstanceIndex instance, bool force)
    : cluster_(cluster),
      index_(instance),
      instance_(cluster.instance(instance)),
      is_ruled_(cluster.rule_book && !cluster.rule_book->binding(instance).empty()),
      force_(force),
      relaxed_(is_down(primary()) || force),
      primary_left_(books_without_primary(primary(), instance_)) {
  if (!instance_.facts->has_secondary()) return;
  secondary_left_ = books_without_secondary(secondary(), instance_, primary_index());
  secondary_promoted_ = books_with_primary(secondary(), secondary_left_, instance_);
  no_failover_ = as_target(primary_index(), secondary_index());
  if (!no_failover_ && secondary().cordoned && !relaxed_) {
    no_failover_ = Answer::cordoned({secondary_index(), NodeIndex::none()});
  }
  if (!no_failover_) {
    no_failover_ = as_primary(secondary_index(), secondary_left_, secondary_promoted_, {.force = relaxed_});
  }
}

template <class Answer>
typename BasicMoveTrials<Answer>::Outcome BasicMoveTrials<Answer>::attempt(const Move& move) const {
  if (const auto fail = as_receiver(move)) return *fail;
  if (is_ruled_) {
    if (const auto fail = as_ruled(move)) return *fail;
  }
  switch (move.kind) {
    case MoveKind::Failover:
      return failover();
    case MoveKind::FailoverToAny:
      return failover_to_any(move.target);
    case MoveKind::ReplacePrimary:
      return replace_primary(move.target);
    case MoveKind::ReplaceSecondary:
      return replace_secondary(move.target);
    case MoveKind::ReplaceAndFailover:
      return replace_and_failover(move.target);
    case MoveKind::FailoverAndReplace:
      return failover_and_replace(move.target);
  }
  throw std::logic_error("a move of no kind");
}

template <class Answer>
AdmissionRules BasicMoveTrials<Answer>::rules_of_target(MoveKind kind) const {
  if (kind == MoveKind::ReplaceSecondary) return {.force = is_down(secondary()) || force_};
  return {.force = kind == MoveKind::ReplaceAndFailover ? force_ : relaxed_};
}

template <class Answer>
std::optional<typename Answer::Refused> BasicMoveTrials<Answer>::as_primary(NodeIndex node, const NodeBooks& before,
                                                                            const NodeBooks& after,
                                                                            AdmissionRules rules) const {
  return Answer::primary(cluster_, node, before, after, instance_, rules);
}

template <class Answer>
std::optional<typename Answer::Refused> BasicMoveTrials<Answer>::as_secondary(NodeIndex node, const NodeBooks& before,
                                                                              const NodeBooks& after,
                                                                              AdmissionRules rules) const {
  return Answer::secondary(cluster_, node, before, after, instance_, rules);
}

template <class Answer>
std::optional<typename Answer::Refused> BasicMoveTrials<Answer>::as_receiver(const Move& move) const {
  const NodeIndex target = move.target;
  if (target.is_none() || !cluster_.node(target).cordoned || target == primary_index()) return std::nullopt;
  if (instance_.facts->has_secondary() && target == secondary_index()) return std::nullopt;
  const bool comes_as_secondary = move.kind == MoveKind::ReplaceSecondary || move.kind == MoveKind::FailoverAndReplace;
  return Answer::cordoned(comes_as_secondary ? Placement{NodeIndex::none(), target}
                                             : Placement{target, NodeIndex::none()});
}

template <class Answer>
std::optional<typename Answer::Refused> BasicMoveTrials<Answer>::as_ruled(const Move& move) const {
  const NodeIndex none = NodeIndex::none();
  const Placement before{instance_.primary, instance_.facts->has_secondary() ? instance_.secondary : none};
  const Placement after = placement_after(before, move);
  const auto rule = rule_against(cluster_, index_, before, after);
  if (!rule) return std::nullopt;
  const bool comes_as_secondary = after.primary == before.primary;
  return Answer::rule(comes_as_secondary ? Placement{none, after.secondary} : Placement{after.primary, none}, *rule);
}

template <class Answer>
std::optional<typename Answer::Refused> BasicMoveTrials<Answer>::as_target(NodeIndex source, NodeIndex target) const {
  if (migration_allowed(cluster_.node(source), cluster_.node(target))) return std::nullopt;
  return Answer::migration(target);
}

template <class Answer>
typename BasicMoveTrials<Answer>::Outcome BasicMoveTrials<Answer>::failover() const {
  if (no_failover_) return *no_failover_;
  const NodeBooks demoted = books_with_secondary(primary(), primary_left_, instance_, secondary_index());
  // The free disk of an offline node may be unknown, so it does not count.
  const AdmissionRules rules{.force = relaxed_, .ignore_disks = is_down(primary())};
  if (const auto fail = as_secondary(primary_index(), primary_left_, demoted, rules)) return *fail;
  MoveEffect effect;
  if (primary_index() != secondary_index()) effect.add(secondary_index(), secondary_promoted_);
  effect.add(primary_index(), demoted);
  return effect;
}

template <class Answer>
typename BasicMoveTrials<Answer>::Outcome BasicMoveTrials<Answer>::failover_to_any(NodeIndex target) const {
  const Node& node = cluster_.node(target);
  if (const auto fail = as_target(primary_index(), target)) return *fail;
  const NodeBooks arrived = books_with_primary(node, instance_);
  if (const auto fail = as_primary(target, node.books, arrived, rules_of_target(MoveKind::FailoverToAny))) return *fail;
  MoveEffect effect;
  effect.add(target, arrived);
  effect.add(primary_index(), primary_left_);
  return effect;
}

// The secondary must be able to run the instance, because it does so while the disks are replaced: the move fails over,
// replaces the old primary and fails over again.
template <class Answer>
typename BasicMoveTrials<Answer>::Outcome BasicMoveTrials<Answer>::replace_primary(NodeIndex target) const {
  const Node& node = cluster_.node(target);
  if (const auto fail = as_target(secondary_index(), target)) return *fail;
  if (no_failover_) return *no_failover_;
  const NodeBooks arrived = with_primary(node, node.books, location_score(target, secondary_index()));
  if (const auto fail = as_primary(target, node.books, arrived, rules_of_target(MoveKind::ReplacePrimary)))
    return *fail;
  NodeBooks back = books_without_primary(secondary(), secondary_promoted_, instance_);
  // The instance's tags came and went. Books take tags from the node as it is, so they do not show that.
  back.tag_conflicts = secondary_left_.tag_conflicts;
  const NodeBooks demoted = books_with_secondary(secondary(), back, instance_, target);
  if (const auto fail = as_secondary(secondary_index(), back, demoted, {.force = relaxed_})) return *fail;
  MoveEffect effect;
  effect.add(primary_index(), primary_left_);
  effect.add(target, arrived);
  effect.add(secondary_index(), demoted);
  return effect;
}

// As specified, the instance leaves the primary and comes back. So the move is refused if the hard limits of the
// primary are violated already.
template <class Answer>
typename BasicMoveTrials<Answer>::Outcome BasicMoveTrials<Answer>::replace_secondary(NodeIndex target) const {
  const Node& node = cluster_.node(target);
  const NodeBooks arrived = books_with_secondary(node, instance_, primary_index());
  const AdmissionRules rules = rules_of_target(MoveKind::ReplaceSecondary);
  if (const auto fail = as_secondary(target, node.books, arrived, rules)) return *fail;
  NodeBooks again = with_primary(primary(), primary_left_, location_score(primary_index(), target));
  // The instance's tags went and came back. Books take tags from the node as it is, so they do not show that.
  again.tag_conflicts = primary().books.tag_conflicts;
  if (const auto fail = as_primary(primary_index(), primary_left_, again, {.force = true})) return *fail;
  MoveEffect effect;
  if (target != primary_index()) effect.add(target, arrived);
  effect.add(primary_index(), again);
  if (secondary_index() != target && secondary_index() != primary_index()) {
    effect.add(secondary_index(), secondary_left_);
  }
  return effect;
}

template <class Answer>
typename BasicMoveTrials<Answer>::Outcome BasicMoveTrials<Answer>::replace_and_failover(NodeIndex target) const {
  const Node& node = cluster_.node(target);
  if (const auto fail = as_target(primary_index(), target)) return *fail;
  const NodeBooks arrived = with_primary(node, node.books, location_score(target, primary_index()));
  const AdmissionRules target_rules = rules_of_target(MoveKind::ReplaceAndFailover);
  if (const auto fail = as_primary(target, node.books, arrived, target_rules)) return *fail;
  const NodeBooks demoted = books_with_secondary(primary(), primary_left_, instance_, target);
  const AdmissionRules rules{.force = is_down(secondary()) || force_};
  if (const auto fail = as_secondary(primary_index(), primary_left_, demoted, rules)) return *fail;
  MoveEffect effect;
  effect.add(target, arrived);
  effect.add(primary_index(), demoted);
  effect.add(secondary_index(), secondary_left_);
  return effect;
}

template <class Answer>
typename BasicMoveTrials<Answer>::Outcome BasicMoveTrials<Answer>::failover_and_replace(NodeIndex target) const {
  if (no_failover_) return *no_failover_;
  const Node& node = cluster_.node(target);
  const NodeBooks arrived = books_with_secondary(node, instance_, secondary_index());
  const AdmissionRules rules = rules_of_target(MoveKind::FailoverAndReplace);
  if (const auto fail = as_secondary(target, node.books, arrived, rules)) return *fail;
  MoveEffect effect;
  effect.add(secondary_index(), with_primary(secondary(), secondary_left_, location_score(secondary_index(), target)));
  effect.add(target, arrived);
  effect.add(primary_index(), primary_left_);
  return effect;
}

template <class Answer>
NodeBooks BasicMoveTrials<Answer>::with_primary(const Node& node, const NodeBooks& before,
                                                std::int64_t location_score) const {
  NodeBooks books = books_with_primary(node, before, instance_);
  if (!instance_.facts->forthcoming) books.location_score += location_score - instance_.location_score;
  return books;
}

template <class Answer>
std::int64_t BasicMoveTrials<Answer>::location_score(NodeIndex primary, NodeIndex secondary) const {
  return shared_locations(cluster_, primary, secondary);
}

template class BasicMoveTrials<ModeAnswer>;
template class BasicMoveTrials<ReasonAnswer>;

namespace {

// Carries out a failover or a replacement of the secondary in which a node has two roles. As specified, what happens to
// each role starts from the node as it was, and one of the outcomes replaces the others: that of the old primary, then
// that of the target. So an instance that gets its secondary as the new one is there twice.
void apply_to_same_nodes(Cluster& cluster, InstanceIndex index, const Move& move) {
  Instance& instance = cluster.instance(index);
  const Placement before{instance.primary, instance.secondary};
  const Placement after = placement_after(before, move);
  const bool is_failover = move.kind == MoveKind::Failover;
  Node primary = cluster.node(before.primary), secondary = cluster.node(before.secondary);
  Node target = cluster.node(after.secondary);  // not of a failover
  remove_primary(primary, index, instance);
  remove_secondary(secondary, index, instance, before.primary);
  instance.location_score = location_score_after(cluster, instance, move);
  instance.primary = after.primary;
  instance.secondary = after.secondary;
  add_primary(is_failover ? secondary : primary, index, instance);
  add_secondary(is_failover ? primary : target, index, instance, after.primary);
  cluster.node(before.secondary) = std::move(secondary);
  if (!is_failover) cluster.node(after.secondary) = std::move(target);
  cluster.node(before.primary) = std::move(primary);
}

}  // namespace

// Changes each node in the order of the move's actions. The order is visible: in the nodes' lists of instances, and in
// the last digits of their loads, which are floating-point sums.
void apply_move(Cluster& cluster, InstanceIndex index, const Move& move) {
  Instance& instance = cluster.instance(index);
  const Placement before{instance.primary, instance.secondary};
  const Placement after = placement_after(before, move);
  const bool has_same_node =
      before.primary == before.secondary || move.target == before.secondary || move.target == before.primary;
  if (has_same_node && (move.kind == MoveKind::Failover || move.kind == MoveKind::ReplaceSecondary)) {
    return apply_to_same_nodes(cluster, index, move);
  }
  Node& primary = cluster.node(before.primary);
  remove_primary(primary, index, instance);
  if (move.kind != MoveKind::FailoverToAny) {
    remove_secondary(cluster.node(before.secondary), index, instance, before.primary);
  }
  instance.location_score = location_score_after(cluster, instance, move);
  instance.primary = after.primary;
  instance.secondary = after.secondary;
  if (move.kind == MoveKind::ReplacePrimary) {  // the secondary runs the instance while the disks are replaced
    Node& host = cluster.node(before.secondary);
    add_primary(host, index, instance);
    remove_primary(host, index, instance);
  }
  add_primary(cluster.node(after.primary), index, instance);
  if (move.kind != MoveKind::FailoverToAny) {
    add_secondary(cluster.node(after.secondary), index, instance, after.primary);
  }
}

}  // namespace htools
