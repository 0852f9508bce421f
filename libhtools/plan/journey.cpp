#include "plan/journey.h"

#include <algorithm>

#include "balance/move_generation.h"
#include "base/mixing.h"
#include "plan/paths.h"
#include "rules/move_application.h"

namespace htools {
namespace {

constexpr std::size_t kRefreshed = 16;  // travellers whose options are compared anew after each step

}  // namespace

Journey::Journey(Trial& trial, const GroupMembers& members, const MoveRules& rules, std::uint64_t attempt,
                 std::size_t& detours_left)
    : detours_left_(detours_left),
      trial_(trial),
      cluster_(trial.cluster()),
      members_(members),
      rules_(rules),
      attempt_(attempt),
      scope_(cluster_, members_.nodes),
      traveller_of_(cluster_.instances.size(), kNone),
      interested_(cluster_.nodes.size()),
      score_(scope_.scores().statistics().score()) {}

void Journey::add(const WantedPlacement& wanted, bool is_urgent) {
  traveller_of_[wanted.instance.position()] = travellers_.size();
  travellers_.push_back({.wanted = wanted, .options = {}});
  travellers_.back().is_urgent = is_urgent;
  ranks_.push_back(kNoOption);
  visit(travellers_.size() - 1);
  open_ += travellers_.back().arrived ? 0 : 1;
}

void Journey::run() {
  refresh_period_ = travellers_.size() > kExactTravellers ? travellers_.size() / kRefreshed : 1;
  for (;;) {
    while (const auto best = best_option()) step(best->instance, best->move, std::nullopt);
    if (open_ == 0 || detours_left_ == 0) return;
    const std::optional<Way> way = find_way();
    if (!way) return;
    make(*way);
  }
}

Ordering Journey::result() && {
  for (const Traveller& t : travellers_) {
    if (!t.arrived) ordering_.unreached.push_back({t.wanted, UnreachedReason::Refused, refusal_of(t)});
  }
  return std::move(ordering_);
}

std::vector<Move> Journey::moves_to(const WantedPlacement& wanted) const {
  const Instance& instance = cluster_.instance(wanted.instance);
  return possible_moves_towards(cluster_, *instance.facts, placement_of(instance), wanted.placement, rules_);
}

std::optional<Refusal> Journey::refusal_of(const Traveller& t) const {
  const Instance& instance = instance_of(t);
  const MoveKinds kinds = move_kinds(cluster_, instance, rules_);
  std::vector<Move> moves = moves_to(t.wanted);
  if (moves.empty()) moves = moves_towards(placement_of(instance), t.wanted.placement);
  const MoveReasons reasons(cluster_, t.wanted.instance, rules_.force);
  for (const Move& move : moves) {
    if (!kinds.have(move) || (!move.target.is_none() && !receives(cluster_.node(move.target)))) continue;
    const auto outcome = reasons.attempt(move);
    if (const auto* refusal = std::get_if<Refusal>(&outcome)) return *refusal;
  }
  return std::nullopt;
}

void Journey::visit(std::size_t position) {
  Traveller& t = travellers_[position];
  const Instance& instance = instance_of(t);
  const Placement now = placement_of(instance);
  t.options.clear();
  ranks_[position] = kNoOption;
  t.is_outdated = false;
  t.arrived = now == t.wanted.placement;
  t.leaves_offline_node =
      cluster_.node(now.primary).offline || (!now.secondary.is_none() && cluster_.node(now.secondary).offline);
  for (const Placement& placement : {now, t.wanted.placement}) {
    for (const NodeIndex n : nodes_of(placement)) {
      auto& list = interested_[n.position()];
      if (std::find(list.begin(), list.end(), position) == list.end()) list.push_back(position);
    }
  }
  if (t.arrived) return;
  const MoveTrials trials(cluster_, t.wanted.instance, rules_.force);
  for (const Move& move : moves_to(t.wanted)) {
    const auto outcome = trials.attempt(move);
    const auto* effect = std::get_if<MoveEffect>(&outcome);
    if (!effect) continue;
    const Placement after = placement_after(now, move);
    t.options.push_back(
        {move, scope_.candidate(effect->changes(), after.primary, instance), leaves_replacement(t, after)});
  }
  rank(position);
}

Journey::Rank Journey::rank_of(const Traveller& t, const Traveller::Option& option) const {
  const bool looks_ahead = attempt_ % 4 < 2;
  const int stage = (t.leaves_offline_node == (attempt_ % 2 == 0) ? 0 : 4) + (looks_ahead && option.is_risky ? 2 : 0) +
                    (looks_ahead && !t.is_urgent ? 1 : 0);
  return {stage, preference(t, option)};
}

bool Journey::leaves_replacement(const Traveller& t, const Placement& after) const {
  if (after == t.wanted.placement) return false;
  const auto is_replacement = [](const Move& move) { return move.kind == MoveKind::ReplacePrimary; };
  return std::ranges::all_of(possible_moves_towards(cluster_, *instance_of(t).facts, after, t.wanted.placement, rules_),
                             is_replacement);
}

void Journey::rank(std::size_t position) {
  Traveller& t = travellers_[position];
  ranks_[position] = kNoOption;
  for (std::size_t o = 0; o < t.options.size(); ++o) {
    const Rank rank = rank_of(t, t.options[o]);
    if (!(rank < ranks_[position])) continue;
    ranks_[position] = rank;
    t.best = o;
  }
}

std::optional<Journey::Candidate> Journey::best_option() {
  for (;;) {
    for (std::size_t p = ordering_.steps.size() % refresh_period_; p < travellers_.size(); p += refresh_period_) {
      rank(p);
    }
    const auto best = std::ranges::min_element(ranks_);
    if (best == ranks_.end() || *best == kNoOption) {
      if (!visit_outdated()) return std::nullopt;
      continue;
    }
    const auto position = static_cast<std::size_t>(best - ranks_.begin());
    const Traveller& t = travellers_[position];
    if (!t.is_outdated) return Candidate{t.wanted.instance, t.options[t.best].move};
    visit(position);
  }
}

bool Journey::visit_outdated() {
  bool found = false;
  for (std::size_t position = 0; position < travellers_.size(); ++position) {
    if (!travellers_[position].is_outdated) continue;
    visit(position);
    found = found || !travellers_[position].options.empty();
  }
  return found;
}

double Journey::preference(const Traveller& t, const Traveller::Option& option) const {
  if (attempt_ == 0) return scope_.scores().bounds(option.change).low - score_;
  return static_cast<double>(mixed((t.wanted.instance.position() + 1) * kMixingStep + mixed(attempt_)) >> 11);
}

void Journey::step(InstanceIndex i, const Move& move, std::optional<std::size_t> enables) {
  const Placement before = placement_of(cluster_.instance(i)), after = placement_after(before, move);
  trial_.apply(i, move);
  BalanceStep made{i, move, before, after, 0.0};
  const std::vector<NodeIndex> touched = touched_nodes(made);
  scope_.changed(touched);
  score_ = made.score = scope_.scores().statistics().score();
  ordering_.steps.push_back({made, enables});
  std::vector<std::size_t> concerned;
  for (const NodeIndex n : touched) {
    concerned.insert(concerned.end(), interested_[n.position()].begin(), interested_[n.position()].end());
  }
  std::sort(concerned.begin(), concerned.end());
  concerned.erase(std::unique(concerned.begin(), concerned.end()), concerned.end());
  for (const std::size_t position : concerned) {
    Traveller& t = travellers_[position];
    // Where there are many, they are looked at when their turn comes. The one that has moved cannot wait.
    t.is_outdated = true;
    if (refresh_period_ > 1 && t.wanted.instance != i) continue;
    open_ += t.arrived ? 1 : 0;
    visit(position);
    open_ -= t.arrived ? 1 : 0;
  }
}

void Journey::make(const Way& way) {
  const std::size_t enabled = ordering_.steps.size() + way.detours;
  for (std::size_t m = 0; m < way.moves.size(); ++m) {
    const Candidate& c = way.moves[m];
    // Instances that make a detour come back to where they are now.
    if (!wanted_of(c.instance)) add({c.instance, placement_of(cluster_.instance(c.instance))});
    step(c.instance, c.move, m < way.detours ? std::optional(enabled) : std::nullopt);
  }
}

const Placement* Journey::wanted_of(InstanceIndex i) const {
  const std::size_t position = traveller_of_[i.position()];
  return position == kNone ? nullptr : &travellers_[position].wanted.placement;
}

std::optional<Move> Journey::first_allowed(const WantedPlacement& wanted) const {
  const MoveTrials trials(cluster_, wanted.instance, rules_.force);
  for (const Move& move : moves_to(wanted)) {
    if (std::holds_alternative<MoveEffect>(trials.attempt(move))) return move;
  }
  return std::nullopt;
}

}  // namespace htools
