#include "search/placement_state.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "htools/score.h"
#include "search/slot_counts.h"

namespace htools {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
// What an instance adds on a node that is to be emptied.
constexpr double kOnEmptiedNode = 100.0;

// Returns the standard deviation of n values with this sum and sum of squares.
inline double deviation(double sum, double squares, double n) {
  const double variance = (squares - sum * sum / n) / n;
  return std::sqrt(variance > 0.0 ? variance : 0.0);
}

}  // namespace

PlacementState::PlacementState(const PlacementModel& model)
    : model_(model),
      online_(static_cast<double>(model.online().size())),
      inverse_online_(1.0 / online_),
      fallen_reservation_gain_(model.weight(Component::ReservedMemory) / std::sqrt(online_) +
                               model.weight(Component::ReservedMemoryTotal)),
      risen_reservation_gain_(std::max(0.0, model.weight(Component::ReservedMemory) / std::sqrt(online_) -
                                                model.weight(Component::ReservedMemoryTotal))),
      peers_(model.start().peers),
      tags_(model.start().exclusion_tags),
      tag_pairs_(model.start().tag_pairs),
      prices_(model.instances().size()),
      residents_(model.nodes().size()),
      moved_position_(model.instances().size(), 0) {
  for (const ResolvedRule* rule : model.place_rules()) place_counts_.emplace_back(model.cluster(), *rule);
  const PlacementModel::Start& start = model.start();
  for (std::size_t n = 0; n < model.nodes().size(); ++n) {
    const ModelNode& node = model.nodes()[n];
    columns_.push_back({.values = node.values,
                        .slopes = node.slopes,
                        .memory_slope = node.memory_slope,
                        .is_online = node.online,
                        .is_sound = node.online && !node.fails_n1});
    nodes_.push_back({.left = node.left,
                      .free_memory = node.free_memory,
                      .reserved = largest_count(peers_[n]),
                      .instances = start.instances[n],
                      .newcomers = {},
                      .fails_n1 = node.fails_n1});
    if (!node.online) continue;
    if (model.has_bands()) sums_.missed_wishes += penalty(static_cast<Slot>(n), Amounts{});
    reserved_mean_ += static_cast<double>(nodes_[n].reserved) * node.memory_slope / online_;
    sums_.n1 += node.fails_n1 ? start.instances[n] : 0;
    for (std::size_t k = 0; k < kMaxColumns; ++k) {
      column_sums_.sum[k] += node.values[k];
      column_sums_.squares[k] += node.values[k] * node.values[k];
    }
  }
  for (const Slot n : model.online()) {
    const double value = static_cast<double>(nodes_[n].reserved) * model.nodes()[n].memory_slope - reserved_mean_;
    sums_.reserved_sum += value;
    sums_.reserved_squares += value * value;
  }
  for (const std::int64_t count : start.tag_pairs) sums_.collisions += std::max<std::int64_t>(0, count - 1);
  sums_.tag_conflicts = start.tag_conflicts;
  sums_.location_score = start.location_score;
  sums_.offline_all = start.offline_all;
  sums_.offline_primaries = start.offline_primaries;
  for (std::size_t i = 0; i < model.instances().size(); ++i) {
    const SlotPair home = model.instances()[i].home;
    places_.push_back(home);
    residents_[home.primary].push_back(static_cast<Slot>(i));
    if (home.secondary != kNoSlot) residents_[home.secondary].push_back(static_cast<Slot>(i));
  }
  for (std::size_t n = 0; n < model.nodes().size(); ++n) {
    if (model.nodes()[n].is_emptied) sums_.missed_wishes += kOnEmptiedNode * static_cast<double>(residents_[n].size());
  }
  sum_up_columns({});
  columns_score_ = columns_score_after_;
  score_ = columns_score_ + other_score_of(sums_);
}

double PlacementState::other_score_of(const Sums& s) const {
  double score = 0.0;
  score += model_.weight(Component::ReservedMemory) * deviation(s.reserved_sum, s.reserved_squares, online_);
  score += model_.weight(Component::ReservedMemoryTotal) * (s.reserved_sum + online_ * reserved_mean_);
  return score + counted_score_of(s);
}

double PlacementState::counted_score_of(const Sums& s) const {
  double score = 0.0;
  score += model_.weight(Component::N1Failures) * static_cast<double>(s.n1);
  score += model_.weight(Component::OfflineAll) * static_cast<double>(s.offline_all);
  score += model_.weight(Component::OfflinePrimaries) * static_cast<double>(s.offline_primaries);
  score += model_.weight(Component::PrimaryTags) * static_cast<double>(s.tag_conflicts);
  score += model_.weight(Component::LocationScore) * static_cast<double>(s.location_score);
  score += s.missed_wishes;
  return score + model_.weight(Component::LocationExclusion) * static_cast<double>(s.collisions);
}

PlacementPrice PlacementState::price_after(std::span<const Relocation> relocations) const {
  PlacementPrice price = price_;
  for (const Relocation& r : relocations) {
    const ModelInstance& instance = model_.instances()[r.instance];
    const SlotPrice &before = prices_[r.instance], after = htools::price(instance, r.to);
    price.moves += after.moves - before.moves;
    price.copied += after.copied - before.copied;
    price.migrated += after.migrated - before.migrated;
  }
  return price;
}

PlacementState::Touched& PlacementState::touched(Slot node) {
  for (std::size_t t = 0; t < touched_count_; ++t) {
    if (touched_[t].node == node) return touched_[t];
  }
  Touched& added = touched_[touched_count_++];
  added.node = node;
  added.needs.fill(0);
  added.reserved = nodes_[node].reserved;
  added.primaries = added.instances = 0;
  added.newcomers.fill(0);
  return added;
}

template <int count>
inline void PlacementState::shift(Slot node, const ColumnValues& amounts, double sign) {
  using Columns = Eigen::Array<double, count, 1>;
  const Eigen::Map<const Columns> added(amounts.data());
  for (std::size_t s = 0; s < shift_count_; ++s) {
    if (shifts_[s].node != node) continue;
    Eigen::Map<Columns>(shifts_[s].amounts.data()) += sign * added;
    return;
  }
  shifts_[shift_count_].node = node;
  Eigen::Map<Columns>(shifts_[shift_count_++].amounts.data()) = sign * added;
}

void PlacementState::touch(Slot node, const ModelInstance& instance, bool as_primary, int sign) {
  Touched& t = touched(node);
  const Amounts& needs = as_primary ? instance.primary_need : instance.secondary_need;
  const bool at_home =
      node == instance.home.primary || (!as_primary && node == instance.home.secondary && instance.has_secondary);
  for (std::size_t l = 0; l < kLimitCount; ++l) {
    // What a newcomer is not checked for does not keep others from coming before it.
    const bool counts = at_home || kLimitedRoleOf[l] == LimitedRole::Runs || instance.stores_locally;
    if (counts) t.needs[l] += sign * needs[l];
  }
  t.primaries += as_primary ? sign : 0;
  t.instances += sign;
  // A primary that becomes secondary is checked like any other, unless its node is down.
  const bool is_demoted = !as_primary && node == instance.home.primary && !model_.nodes()[node].is_down;
  if (at_home && !is_demoted) return;
  t.newcomers[static_cast<std::size_t>(LimitedRole::Runs)] += as_primary ? sign : 0;
  t.newcomers[static_cast<std::size_t>(LimitedRole::Stores)] += instance.stores_locally ? sign : 0;
}

void PlacementState::change_peer(Slot node, Slot primary, std::int64_t memory) {
  if (memory == 0) return;
  for (std::size_t p = 0; p < peer_change_count_; ++p) {
    PeerChange& change = peer_changes_[p];
    if (change.node == node && change.primary == primary) {
      change.memory += memory;
      return;
    }
  }
  peer_changes_[peer_change_count_++] = {node, primary, memory};
}

std::int64_t PlacementState::reserved_after(Slot node) const {
  const std::int64_t now = nodes_[node].reserved;
  std::int64_t risen = 0;  // the most that is reserved for a primary node for which more is reserved than before
  bool falls = false;
  for (std::size_t p = 0; p < peer_change_count_; ++p) {
    const PeerChange& change = peer_changes_[p];
    if (change.node != node || change.memory == 0) continue;
    const std::int64_t before = count_of(peers_[node], change.primary);
    if (change.memory < 0) {
      falls = falls || before == now;
    } else {
      risen = std::max(risen, before + change.memory);
    }
  }
  if (!falls || risen >= now) return std::max(now, risen);
  std::int64_t most = risen;
  for (const SlotCount& peer : peers_[node]) {
    if (peer.count <= most) continue;
    std::int64_t memory = peer.count;
    for (std::size_t p = 0; p < peer_change_count_; ++p) {
      const PeerChange& change = peer_changes_[p];
      if (change.node == node && change.primary == peer.number) memory += change.memory;
    }
    most = std::max(most, memory);
  }
  return most;
}

// Moves the exclusion tags of an instance, and counts what that changes.
void PlacementState::move_tags(Slot instance, Slot from, Slot to) {
  const auto change = [&](Slot node, std::int64_t sign) {
    const ModelNode& host = model_.nodes()[node];
    for (const Slot tag : model_.instances()[instance].exclusion_tags) {
      const std::int64_t before = count_of(tags_[node], tag);
      change_count(tags_[node], tag, sign);
      if (!host.online) continue;
      after_.tag_conflicts += sign > 0 ? (before > 0 ? 1 : 0) : (before > 1 ? -1 : 0);
      for (const Slot location : host.location_tags) {
        const std::size_t pair = location * model_.exclusion_tag_count() + tag;
        after_.collisions += sign > 0 ? (tag_pairs_[pair] > 0 ? 1 : 0) : (tag_pairs_[pair] > 1 ? -1 : 0);
        tag_pairs_[pair] += sign;
      }
    }
  };
  change(from, -1);
  change(to, 1);
}

// A node's reservation falls only if instances of the primary node leave for which it reserves most, and by no more
// than they need. The deviation of values is a norm, so it changes by no more than the norm of their changes. Tags can
// only fall where some of them meet.
double PlacementState::most_other_gain(std::span<const Relocation> relocations) const {
  if (model_.has_bands()) return kNever;
  double gain = 0.0;
  for (const Relocation& r : relocations) {
    const ModelInstance& instance = model_.instances()[r.instance];
    const SlotPair& from = places_[r.instance];
    const NodeColumns &old_primary = columns_[from.primary], &new_primary = columns_[r.to.primary];
    if (!old_primary.is_sound || !new_primary.is_sound) return kNever;
    if (instance.has_secondary) {
      const NodeColumns &old_secondary = columns_[from.secondary], &new_secondary = columns_[r.to.secondary];
      if (!old_secondary.is_sound || !new_secondary.is_sound) return kNever;
      const auto reserved = static_cast<double>(instance.reserved);
      if (count_of(peers_[from.secondary], from.primary) == nodes_[from.secondary].reserved) {
        gain += reserved * old_secondary.memory_slope * fallen_reservation_gain_;
      }
      gain += reserved * new_secondary.memory_slope * risen_reservation_gain_;
    }
    if (model_.has_locations()) {
      gain += model_.weight(Component::LocationScore) *
              static_cast<double>(model_.location_score(instance, from) - model_.location_score(instance, r.to));
    }
    if (from.primary == r.to.primary) continue;
    for (const Slot tag : instance.exclusion_tags) {
      if (count_of(tags_[from.primary], tag) > 1) gain += model_.weight(Component::PrimaryTags);
      for (const Slot location : model_.nodes()[from.primary].location_tags) {
        if (tag_pairs_[location * model_.exclusion_tag_count() + tag] > 1) {
          gain += model_.weight(Component::LocationExclusion);
        }
      }
    }
  }
  return gain;
}

void PlacementState::sum_up_columns(std::span<const Relocation> relocations) {
  // Most models have few columns.
  const std::size_t count = model_.column_count();
  columns_score_after_ = count <= 6   ? shifted_score<6>(relocations)
                         : count <= 8 ? shifted_score<8>(relocations)
                                      : shifted_score<kMaxColumns>(relocations);
}

// (With the arrays of Eigen, which become wide instructions, walks are a quarter faster than with loops.)
template <int count>
double PlacementState::shifted_score(std::span<const Relocation> relocations) {
  shift_count_ = 0;
  for (const Relocation& r : relocations) {
    const ModelInstance& instance = model_.instances()[r.instance];
    const SlotPair& from = places_[r.instance];
    if (from.primary != r.to.primary) {
      shift<count>(from.primary, instance.as_primary, -1.0);
      shift<count>(r.to.primary, instance.as_primary, 1.0);
    }
    if (from.secondary != r.to.secondary) {
      shift<count>(from.secondary, instance.as_secondary, -1.0);
      shift<count>(r.to.secondary, instance.as_secondary, 1.0);
    }
  }
  using Columns = Eigen::Array<double, count, 1>;
  const auto columns = [](const ColumnValues& values) { return Eigen::Map<const Columns>(values.data()); };
  Columns sum = columns(column_sums_.sum), squares = columns(column_sums_.squares);
  for (std::size_t s = 0; s < shift_count_; ++s) {
    const NodeColumns& node = columns_[shifts_[s].node];
    if (!node.is_online) continue;
    const Columns change = columns(node.slopes) * columns(shifts_[s].amounts);
    sum += change;
    squares += change * (2.0 * columns(node.values) + change);
  }
  Eigen::Map<Columns>(column_sums_after_.sum.data()) = sum;
  Eigen::Map<Columns>(column_sums_after_.squares.data()) = squares;
  const Columns variance = (squares - sum * sum * inverse_online_) * inverse_online_;
  const Columns parts = columns(model_.weights()) * variance.max(0.0).sqrt();
  double score = model_.constant_score();
  for (int k = 0; k < count; ++k) score += parts[k];
  return score;
}

template <bool checked>
bool PlacementState::sum_up_rest(std::span<const Relocation> relocations) {
  touched_count_ = peer_change_count_ = 0;
  bool has_tags = false, has_rules = false;
  for (const Relocation& r : relocations) {
    const ModelInstance& instance = model_.instances()[r.instance];
    const SlotPair& from = places_[r.instance];
    if (from.primary != r.to.primary) {
      touch(from.primary, instance, true, -1);
      touch(r.to.primary, instance, true, 1);
    }
    if (instance.has_secondary) {
      if (from.secondary != r.to.secondary) {
        touch(from.secondary, instance, false, -1);
        touch(r.to.secondary, instance, false, 1);
      } else {
        touched(from.secondary);  // its reservations may change
      }
      change_peer(from.secondary, from.primary, -instance.reserved);
      change_peer(r.to.secondary, r.to.primary, instance.reserved);
    }
    has_tags = has_tags || !instance.exclusion_tags.empty();
    has_rules = has_rules || instance.is_ruled;
  }
  if (checked && !is_within_limits()) return false;
  if (checked && !std::ranges::all_of(relocations, [&](const Relocation& r) {
        return may_pass_by_secondary(r) && may_become_secondary(r);
      })) {
    return false;
  }
  if (checked && has_rules && !keeps_rules(relocations)) return false;
  if (checked && has_tags && !model_.force() && !keeps_tags_apart(relocations)) return false;
  after_ = sums_;
  for (std::size_t t = 0; t < touched_count_; ++t) {
    Touched& touched = touched_[t];
    const NodeState& node = nodes_[touched.node];
    const ModelNode& facts = model_.nodes()[touched.node];
    touched.reserved = reserved_after(touched.node);
    if (!facts.online) {
      after_.offline_all += touched.instances;
      after_.offline_primaries += touched.primaries;
      if (facts.is_emptied) after_.missed_wishes += kOnEmptiedNode * static_cast<double>(touched.instances);
      touched.fails_n1 = node.fails_n1;
      continue;
    }
    touched.fails_n1 =
        node.free_memory - touched.needs[static_cast<std::size_t>(CapacityLimit::Memory)] <= touched.reserved;
    if (checked && touched.fails_n1 && !facts.fails_n1 && !model_.force() && !may_fail_n1(touched.node, relocations)) {
      return false;
    }
    if (model_.has_bands()) {
      after_.missed_wishes += penalty(touched.node, touched.needs) - penalty(touched.node, Amounts{});
    }
    after_.n1 += (touched.fails_n1 ? node.instances + touched.instances : 0) - (node.fails_n1 ? node.instances : 0);
    const double before = static_cast<double>(node.reserved) * facts.memory_slope - reserved_mean_;
    const double after = static_cast<double>(touched.reserved) * facts.memory_slope - reserved_mean_;
    after_.reserved_sum += after - before;
    after_.reserved_squares += after * after - before * before;
  }
  if (model_.has_locations()) {
    for (const Relocation& r : relocations) {
      const ModelInstance& instance = model_.instances()[r.instance];
      const SlotPair& from = places_[r.instance];
      if (model_.nodes()[from.primary].online) after_.location_score -= model_.location_score(instance, from);
      if (model_.nodes()[r.to.primary].online) after_.location_score += model_.location_score(instance, r.to);
    }
  }
  if (has_tags) {  // they are few, so they are really moved, and moved back
    for (const Relocation& r : relocations) move_tags(r.instance, places_[r.instance].primary, r.to.primary);
    const Sums counted = after_;
    for (std::size_t k = relocations.size(); k-- > 0;) {
      const Relocation& r = relocations[k];
      move_tags(r.instance, r.to.primary, places_[r.instance].primary);
    }
    after_ = counted;
  }
  return true;
}

double PlacementState::evaluate(std::span<const Relocation> relocations, double highest) {
  sum_up_columns(relocations);
  // Most changes need not be looked at any closer.
  const double with_others = columns_score_after_ - columns_score_ + score_;  // if only the columns change
  if (with_others > highest && with_others - most_other_gain(relocations) > highest) return kNever;
  if (!sum_up_rest<true>(relocations)) return kNever;
  score_after_ = columns_score_after_ + other_score_of(after_);
  if (score_after_ > highest) return kNever;
  tried_count_ = relocations.size();
  for (std::size_t r = 0; r < relocations.size(); ++r) tried_[r] = relocations[r];
  return score_after_;
}

void PlacementState::apply() {
  const std::span<const Relocation> relocations(tried_.data(), tried_count_);
  price_ = price_after(relocations);
  for (std::size_t s = 0; s < shift_count_; ++s) {
    NodeColumns& node = columns_[shifts_[s].node];
    for (std::size_t k = 0; k < kMaxColumns; ++k) node.values[k] += node.slopes[k] * shifts_[s].amounts[k];
  }
  for (std::size_t t = 0; t < touched_count_; ++t) {
    const Touched& touched = touched_[t];
    NodeState& node = nodes_[touched.node];
    const ModelNode& facts = model_.nodes()[touched.node];
    for (std::size_t l = 0; l < kLimitCount; ++l) node.left[l] -= touched.needs[l];
    node.free_memory -= touched.needs[static_cast<std::size_t>(CapacityLimit::Memory)];
    node.reserved = touched.reserved;
    node.instances += touched.instances;
    for (std::size_t r = 0; r < kLimitedRoles; ++r) node.newcomers[r] += touched.newcomers[r];
    node.fails_n1 = touched.fails_n1;
    columns_[touched.node].is_sound = facts.online && !touched.fails_n1;
  }
  for (std::size_t p = 0; p < peer_change_count_; ++p) {
    const PeerChange& change = peer_changes_[p];
    if (change.memory != 0) change_count(peers_[change.node], change.primary, change.memory);
  }
  const Sums after = after_;
  bool has_tags = false;
  for (const Relocation& r : relocations) has_tags = has_tags || !model_.instances()[r.instance].exclusion_tags.empty();
  if (has_tags) {
    for (const Relocation& r : relocations) move_tags(r.instance, places_[r.instance].primary, r.to.primary);
  }
  sums_ = after;
  column_sums_ = column_sums_after_;
  score_ = score_after_;
  columns_score_ = columns_score_after_;
  for (const Relocation& r : relocations) {
    SlotPair& at = places_[r.instance];
    const SlotPair home = model_.instances()[r.instance].home;
    const auto leave = [&](Slot node) {
      std::vector<Slot>& list = residents_[node];
      *std::find(list.begin(), list.end(), r.instance) = list.back();
      list.pop_back();
    };
    count_in_places(r.instance, at.primary, r.to.primary);
    leave(at.primary);
    if (at.secondary != kNoSlot) leave(at.secondary);
    if (at == home && r.to != home) {
      moved_position_[r.instance] = moved_.size();
      moved_.push_back(r.instance);
    } else if (at != home && r.to == home) {
      const std::size_t position = moved_position_[r.instance];
      moved_[position] = moved_.back();
      moved_position_[moved_[position]] = position;
      moved_.pop_back();
    }
    at = r.to;
    prices_[r.instance] = htools::price(model_.instances()[r.instance], at);
    residents_[at.primary].push_back(r.instance);
    if (at.secondary != kNoSlot) residents_[at.secondary].push_back(r.instance);
  }
}

void PlacementState::force(const Relocation& relocation) {
  if (relocation.to == places_[relocation.instance]) return;
  sum_up_columns({&relocation, 1});
  sum_up_rest<false>({&relocation, 1});
  score_after_ = columns_score_after_ + other_score_of(after_);
  tried_[0] = relocation;
  tried_count_ = 1;
  apply();
}

}  // namespace htools
