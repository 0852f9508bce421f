// Draws changes of a placement for walks.
//
// The balancer's plan leaves counts exactly even, so single relocations make things worse; what helps are pairs that
// leave the counts as they are: two instances exchange nodes, or one goes home while another goes its way instead.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/draws.h"
#include "search/placement_state.h"

namespace htools {

// At most two relocations of different instances.
class PlacementChange {
 public:
  std::span<const Relocation> relocations() const { return {relocations_.data(), count_}; }
  void add(Slot instance, SlotPair to) { relocations_[count_++] = {instance, to}; }

 private:
  std::array<Relocation, 2> relocations_{};
  std::size_t count_ = 0;
};

// What a change consists of. A mover is an instance that is not at home.
enum class PlacementChangeKind : std::uint8_t {
  Anywhere,         // any instance goes anywhere
  ExchangeWithAny,  // any two instances exchange nodes
  GoHome,           // a mover goes home
  Elsewhere,        // a mover goes anywhere
  Exchange,         // two movers exchange nodes
  Substitute,       // a mover goes home, and an instance that lives there goes its way
  SendHome,         // a mover goes home, and any instance goes anywhere or to a node that is left
  MakeRoom,         // a mover goes home, and an instance that is there goes anywhere
};
inline constexpr std::size_t kChangeKinds = 8;

// Draws changes of the placement that a state has at the time.
class ChangeDrawer {
 public:
  // Once `max_moves` are made, no further instance leaves its home alone. `saves_copies` prefers changes that are
  // likely to copy less.
  ChangeDrawer(const PlacementState& state, std::int64_t max_moves, bool saves_copies, Draws& draws);

  // Returns a change. It may lead nowhere, or to places that are not allowed.
  PlacementChange draw();
  // Notes whether the change that was drawn last has been made: kinds that are in vain are drawn less often.
  void note(bool is_made);

 private:
  // Fills lots_.
  void set_shares();
  PlacementChangeKind any_kind();
  Slot any_mover();
  PlacementChange single(Slot i, SlotPair to) const;
  PlacementChange substitute(Slot j);
  PlacementChange send_home(Slot j);
  PlacementChange make_room(Slot j);
  PlacementChange exchange(Slot a);
  PlacementChange exchange(Slot a, Slot b);
  SlotPair with_node(Slot i, Slot node);
  SlotPair random_place(Slot i);

  Slot any_instance() { return static_cast<Slot>(draws_.below(model_.instances().size())); }
  Slot any_node() { return draws_.one_of(model_.online()); }
  SlotPair home_of(Slot i) const { return model_.instances()[i].home; }
  bool is_full() const { return state_.price().moves >= max_moves_; }

  const PlacementState& state_;
  const PlacementModel& model_;
  const std::int64_t max_moves_;
  const bool saves_copies_;
  Draws& draws_;
  PlacementChangeKind kind_ = PlacementChangeKind::Anywhere;  // of the change that was drawn last
  std::array<std::int64_t, kChangeKinds> misses_{};           // by kind: drawn since the last one that was made
  std::vector<PlacementChangeKind> lots_;  // each kind as often as it is to be drawn, relative to the others
  std::size_t lots_of_any_ = 0;            // the first lots, which are of the kinds that need no mover
};

}  // namespace htools
