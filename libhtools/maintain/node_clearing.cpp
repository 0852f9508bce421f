#include "maintain/node_clearing.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "rules/rule_check.h"

namespace htools {

namespace {

std::vector<Placement> places_of(const Cluster& cluster) {
  std::vector<Placement> places;
  places.reserve(cluster.instances.size());
  for (const Instance& instance : cluster.instances) places.push_back({instance.primary, instance.secondary});
  return places;
}

}  // namespace

NodeClearing::NodeClearing(const Cluster& cluster)
    : cluster_(cluster),
      demands_(cluster.instances.begin(), cluster.instances.end()),
      slots_(slots_of(cluster)),
      places_(places_of(cluster)),
      slot_log_(slots_.size()),
      place_log_(places_.size()),
      targets_(cluster) {}

std::vector<NodeClearing::Slot> NodeClearing::slots_of(const Cluster& cluster) {
  std::vector<Slot> slots;
  slots.reserve(cluster.nodes.size());
  for (const Node& node : cluster.nodes) slots.push_back({FreeCapacity(node), node.primaries, node.secondaries});
  return slots;
}

bool NodeClearing::split_without_primaries(const std::vector<NodeIndex>& nodes, const OnPart& on_part) {
  return split(nodes, &NodeClearing::clear_of_primaries, on_part);
}

bool NodeClearing::split_without_secondaries(const std::vector<NodeIndex>& nodes, const OnPart& on_part) {
  return split(nodes, &NodeClearing::clear_of_secondaries, on_part);
}

bool NodeClearing::split(std::vector<NodeIndex> rest, Clear clear, const OnPart& on_part) {
  while (!rest.empty()) {
    begin();
    const std::vector<NodeIndex> part = clear_together(rest, clear);
    if (!part.empty()) on_part(part);
    revert();
    if (part.empty()) return false;
    std::vector<NodeIndex> left;  // `rest` and `part` are in index order, as set_difference requires
    std::set_difference(rest.begin(), rest.end(), part.begin(), part.end(), std::back_inserter(left));
    rest = std::move(left);
  }
  return true;
}

std::vector<NodeIndex> NodeClearing::clear_together(const std::vector<NodeIndex>& nodes, Clear clear) {
  std::vector<NodeIndex> cleared;
  for (NodeIndex n : nodes) {
    begin();
    targets_.exclude(n);
    if ((this->*clear)(n)) {
      keep();
      cleared.push_back(n);
    } else {
      revert();
      targets_.update(n, slot(n).free);
    }
  }
  for (NodeIndex n : cleared) targets_.update(n, slot(n).free);
  return cleared;
}

bool NodeClearing::clear_of_primaries(NodeIndex n) {
  const std::vector<InstanceIndex> before = slot(n).primaries;
  for (auto i = before.rbegin(); i != before.rend(); ++i) {
    if (!demand(*i).has_secondary && !relocate_primary(*i, n)) return false;
  }
  // The copy has no spare capacity, in contrast to the old list, which may have grown from instances that moved on.
  std::vector<InstanceIndex> kept;
  std::copy_if(before.begin(), before.end(), std::back_inserter(kept),
               [&](InstanceIndex i) { return demand(i).has_secondary; });
  change_slot(n).primaries = std::move(kept);
  return true;
}

bool NodeClearing::clear_of_secondaries(NodeIndex n) {
  const std::vector<InstanceIndex> before = slot(n).secondaries;
  for (auto i = before.rbegin(); i != before.rend(); ++i) {
    if (!relocate_secondary(*i, n)) return false;
  }
  return true;
}

// Does not remove the instance from the list of primaries of `from`; the caller does that for all instances at once.
bool NodeClearing::relocate_primary(InstanceIndex i, NodeIndex from) {
  const auto accepts = [&](NodeIndex n) {
    FreeCapacity free = slot(n).free;
    free.add_primary(demand(i));
    return free.enough_for_primary(demand(i)) && !is_ruled_out(i, {n, place(i).secondary});
  };
  const NodeIndex target = targets_.first_for_primary(cluster_.node(from).facts->group, demand(i), accepts);
  if (target.is_none()) return false;
  Slot& taking = change_slot(target);
  taking.free.add_primary(demand(i));
  taking.primaries.push_back(i);
  targets_.update(target, taking.free);
  change_slot(from).free.remove_primary(demand(i));
  change_place(i).primary = target;
  return true;
}

// Does not update the books of `from`: the node is not a target, and nothing reads its books before all moves are
// reverted.
bool NodeClearing::relocate_secondary(InstanceIndex i, NodeIndex from) {
  if (!demand(i).has_secondary) return false;
  const NodeIndex primary = place(i).primary;
  const auto accepts = [&](NodeIndex n) {
    if (n == primary) return false;
    FreeCapacity free = slot(n).free;
    free.add_secondary(demand(i));
    return free.enough_for_secondary() && !is_ruled_out(i, {primary, n});
  };
  const NodeIndex target = targets_.first_for_secondary(cluster_.node(from).facts->group, demand(i), accepts);
  if (target.is_none()) return false;
  Slot& taking = change_slot(target);
  taking.free.add_secondary(demand(i));
  taking.secondaries.push_back(i);
  targets_.update(target, taking.free);
  change_place(i).secondary = target;
  return true;
}

bool NodeClearing::is_ruled_out(InstanceIndex i, const Placement& to) const {
  if (!cluster_.rule_book) return false;
  const Placement& now = place(i);
  if (is_forbidden(cluster_, i, now, to)) return true;
  return now.primary != to.primary &&
         spoils_places(cluster_, i, to.primary, [&](InstanceIndex other) { return place(other).primary; });
}

bool NodeClearing::with_migrations(const std::vector<NodeIndex>& nodes, const std::function<void()>& then) {
  std::vector<InstanceIndex> instances;
  for (NodeIndex n : nodes) {
    const std::vector<InstanceIndex>& primaries = slot(n).primaries;
    std::copy_if(primaries.rbegin(), primaries.rend(), std::back_inserter(instances),
                 [&](InstanceIndex i) { return demand(i).has_secondary; });
  }
  begin();
  const bool done = std::all_of(instances.begin(), instances.end(), [&](InstanceIndex i) { return migrate(i); });
  if (done) then();
  revert();
  return done;
}

// Leaves the lists of primaries as they are, because nothing reads them until the migrations are reverted.
bool NodeClearing::migrate(InstanceIndex i) {
  const auto [primary, secondary] = place(i);
  if (secondary.is_none()) return false;
  Slot& from = change_slot(primary);
  Slot& to = change_slot(secondary);
  from.free.remove_primary(demand(i));
  to.free.remove_secondary(demand(i));
  to.free.add_primary(demand(i));
  from.free.add_secondary(demand(i));
  if (!to.free.enough_for_primary(demand(i)) || !from.free.enough_for_secondary()) return false;
  std::erase(to.secondaries, i);
  from.secondaries.push_back(i);
  targets_.update(primary, from.free);
  targets_.update(secondary, to.free);
  change_place(i) = {secondary, primary};
  return true;
}

std::vector<InstanceMove> NodeClearing::moves() const {
  std::vector<InstanceMove> moves;
  for (std::size_t position : place_log_.changed()) {
    const InstanceIndex i(position);
    const Instance& before = cluster_.instance(i);
    const Placement& after = place(i);
    if (before.primary == after.primary && before.secondary == after.secondary) continue;
    if (before.primary == after.secondary && before.secondary == after.primary) continue;
    moves.push_back({i, after.primary, before.facts->has_secondary() ? after.secondary : NodeIndex::none()});
  }
  return moves;
}

void NodeClearing::begin() {
  slot_log_.begin();
  place_log_.begin();
}

void NodeClearing::keep() {
  slot_log_.keep();
  place_log_.keep();
}

void NodeClearing::revert() {
  place_log_.undo(places_);
  slot_log_.undo(slots_, [&](std::size_t n) { targets_.update(NodeIndex(n), slots_[n].free); });
}

}  // namespace htools
