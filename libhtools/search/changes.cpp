#include "search/changes.h"

namespace htools {
namespace {

// How often each kind is drawn, relative to the others.
constexpr std::array<std::size_t, kChangeKinds> kShares{96, 48, 12, 48, 96, 48, 12, 12};
constexpr std::size_t kKindsOfAny = 2;  // the first kinds need no mover
// Of a kind, so many changes in vain one after the other make it rare, until one of it is made again. (On clusters of
// 20 and 40 nodes, scores with as many moves as the balancer makes are 0.5 per cent lower for it, and copies 2.4.)
constexpr std::int64_t kManyMisses = 2000;
constexpr std::size_t kRareShare = 8;  // the share of a rare kind is divided by this
// Of twelve places that are drawn, so many only exchange the roles of the nodes, which copies nothing. Where copies are
// to be saved, there are more of them, and movers that copy nothing are drawn again, at most twice. (Plans at an equal
// score copy 3 per cent less for it.)
constexpr std::size_t kExchangedRoles = 2, kExchangedRolesToSave = 5;
constexpr int kMostDrawsOfMover = 3;

// Returns the pair with another node in place of one; if that is the other node of the pair, with exchanged roles.
SlotPair replaced(SlotPair at, Slot old_node, Slot new_node) {
  if (at.secondary == kNoSlot) return {new_node, kNoSlot};
  if (at.primary == new_node || at.secondary == new_node) return {at.secondary, at.primary};
  (at.primary == old_node ? at.primary : at.secondary) = new_node;
  return at;
}

}  // namespace

ChangeDrawer::ChangeDrawer(const PlacementState& state, std::int64_t max_moves, bool saves_copies, Draws& draws)
    : state_(state), model_(state.model()), max_moves_(max_moves), saves_copies_(saves_copies), draws_(draws) {
  set_shares();
}

void ChangeDrawer::set_shares() {
  lots_.clear();
  for (std::size_t k = 0; k < kChangeKinds; ++k) {
    if (k == kKindsOfAny) lots_of_any_ = lots_.size();
    lots_.resize(lots_.size() + (misses_[k] < kManyMisses ? kShares[k] : kShares[k] / kRareShare),
                 static_cast<PlacementChangeKind>(k));
  }
}

PlacementChange ChangeDrawer::draw() {
  kind_ = any_kind();
  if (kind_ == PlacementChangeKind::Anywhere || kind_ == PlacementChangeKind::ExchangeWithAny) {
    const Slot i = any_instance();
    return kind_ == PlacementChangeKind::Anywhere ? single(i, random_place(i)) : exchange(i);
  }
  const Slot j = any_mover();
  switch (kind_) {
    case PlacementChangeKind::GoHome:
      return single(j, home_of(j));
    case PlacementChangeKind::Elsewhere:
      return single(j, random_place(j));
    case PlacementChangeKind::Exchange:
      return exchange(j, any_mover());
    case PlacementChangeKind::Substitute:
      return substitute(j);
    case PlacementChangeKind::SendHome:
      return send_home(j);
    default:
      return make_room(j);
  }
}

void ChangeDrawer::note(bool is_made) {
  std::int64_t& misses = misses_[static_cast<std::size_t>(kind_)];
  const bool was_rare = misses >= kManyMisses;
  misses = is_made ? 0 : misses + 1;
  if (was_rare != (misses >= kManyMisses)) set_shares();
}

PlacementChangeKind ChangeDrawer::any_kind() {
  const bool has_movers = !state_.moved().empty();
  const bool may_add = !has_movers || !is_full();
  const std::size_t begin = may_add ? 0 : lots_of_any_, end = has_movers ? lots_.size() : lots_of_any_;
  return lots_[begin + draws_.below(end - begin)];
}

Slot ChangeDrawer::any_mover() {
  Slot j = draws_.one_of(state_.moved());
  for (int d = 1; saves_copies_ && d < kMostDrawsOfMover && state_.price_of(j).copied == 0; ++d) {
    j = draws_.one_of(state_.moved());
  }
  return j;
}

PlacementChange ChangeDrawer::single(Slot i, SlotPair to) const {
  PlacementChange change;
  change.add(i, to);
  return change;
}

// The instance goes home, and one of the instances that live there goes its way instead.
PlacementChange ChangeDrawer::substitute(Slot j) {
  const SlotPair at = state_.at(j), home = home_of(j);
  PlacementChange change = single(j, home);
  const auto is_on = [](SlotPair pair, Slot node) { return pair.primary == node || pair.secondary == node; };
  const bool leaves_primary = !is_on(at, home.primary), leaves_secondary = !is_on(at, home.secondary);
  const Slot left = leaves_primary && !(leaves_secondary && draws_.below(2) == 0) ? home.primary
                    : leaves_secondary && home.secondary != kNoSlot               ? home.secondary
                                                                                  : home.primary;
  const std::vector<Slot>& residents = state_.residents(left);
  if (residents.empty()) return change;
  // Mostly one with the same role there: then the node has as many of either role as before.
  Slot i = draws_.one_of(residents);
  for (int again = 0; again < 3 && (state_.at(i).primary == left) != (home.primary == left); ++again) {
    i = draws_.one_of(residents);
  }
  if (i == j) return change;
  const SlotPair now = state_.at(i);
  if (is_on(at, left)) {  // only the roles have changed
    if (now.secondary != kNoSlot) change.add(i, {now.secondary, now.primary});
    return change;
  }
  const Slot gained =
      !is_on(home, at.primary) && !(at.secondary != kNoSlot && !is_on(home, at.secondary) && draws_.below(2) == 0)
          ? at.primary
      : at.secondary != kNoSlot ? at.secondary
                                : at.primary;
  SlotPair to = replaced(now, left, gained);
  if (to.secondary != kNoSlot && draws_.below(4) == 0) to = {to.secondary, to.primary};
  change.add(i, to);
  return change;
}

// The instance goes home, and another one goes anywhere, or to one of the nodes that are left.
PlacementChange ChangeDrawer::send_home(Slot j) {
  PlacementChange change = single(j, home_of(j));
  const Slot i = any_instance();
  if (i == j) return change;
  const SlotPair left = state_.at(j);
  if (draws_.below(2) == 0) {
    change.add(i, random_place(i));
  } else {
    change.add(i, with_node(i, left.secondary == kNoSlot || draws_.below(2) == 0 ? left.primary : left.secondary));
  }
  return change;
}

// The instance goes home, and one of those that are there goes anywhere.
PlacementChange ChangeDrawer::make_room(Slot j) {
  const SlotPair home = home_of(j);
  PlacementChange change = single(j, home);
  const std::vector<Slot>& there =
      state_.residents(home.secondary == kNoSlot || draws_.below(2) == 0 ? home.primary : home.secondary);
  if (there.empty()) return change;
  const Slot other = draws_.one_of(there);
  if (other != j) change.add(other, random_place(other));
  return change;
}

// Returns a place of the instance in which one of its nodes is `node`.
SlotPair ChangeDrawer::with_node(Slot i, Slot node) {
  const SlotPair base = draws_.below(2) == 0 ? home_of(i) : state_.at(i);
  if (base.secondary == kNoSlot) return {node, kNoSlot};
  if (node == base.primary || node == base.secondary) return {base.secondary, base.primary};
  switch (draws_.below(4)) {
    case 0:
      return {base.primary, node};
    case 1:
      return {node, base.secondary};
    case 2:
      return {node, base.primary};
    default:
      return {base.secondary, node};
  }
}

SlotPair ChangeDrawer::random_place(Slot i) {
  if (model_.instances()[i].has_secondary &&
      draws_.below(12) < (saves_copies_ ? kExchangedRolesToSave : kExchangedRoles)) {
    const SlotPair at = state_.at(i);
    return {at.secondary, at.primary};
  }
  return with_node(i, any_node());
}

// The instance exchanges one node with an instance of another node.
PlacementChange ChangeDrawer::exchange(Slot a) {
  const std::vector<Slot>& residents = state_.residents(any_node());
  return residents.empty() ? single(a, random_place(a)) : exchange(a, draws_.one_of(residents));
}

// Two instances exchange one node each.
PlacementChange ChangeDrawer::exchange(Slot a, Slot b) {
  if (a == b) return single(a, random_place(a));
  const SlotPair at_a = state_.at(a), at_b = state_.at(b);
  // Mostly both exchange the primary, or both the secondary: then no node has more of either than before.
  const bool primary_a = draws_.below(2) == 0, primary_b = draws_.below(8) == 0 ? !primary_a : primary_a;
  const Slot here = at_a.secondary == kNoSlot || primary_a ? at_a.primary : at_a.secondary;
  const Slot there = at_b.secondary == kNoSlot || primary_b ? at_b.primary : at_b.secondary;
  PlacementChange change = single(a, replaced(at_a, here, there));
  change.add(b, replaced(at_b, there, here));
  return change;
}

}  // namespace htools
