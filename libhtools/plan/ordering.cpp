#include "plan/ordering.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "balance/move_generation.h"
#include "metric/statistics.h"
#include "plan/paths.h"
#include "rules/move_application.h"
#include "trial/scored_nodes.h"

namespace htools {
namespace {

// The number of instances in each other's way for which detours are compared, before the best one is taken.
constexpr std::size_t kComparedBlocks = 6;
// The number of target nodes that a detour is tried with: those with the most free memory.
constexpr std::size_t kDetourTargets = 12;
// The number of first detours after which a second one is looked for, if one alone does not help.
constexpr std::size_t kFirstDetours = 40;

// With more travellers than these, options are compared by what they were worth some steps ago, and moves are looked at
// anew only if they are the best. Looking at all of them after each step takes time that grows with the square of their
// number: a minute for 3,000 of them.
constexpr std::size_t kExactTravellers = 128;
constexpr std::size_t kRefreshed = 16;  // travellers whose options are compared anew after each step
// The number of orders that are tried without detours.
constexpr std::uint64_t kDirectAttempts = 4;
constexpr std::uint64_t kDirectAttemptsOfMany = 1;  // with more than kExactTravellers

// A move of an instance.
struct Candidate {
  InstanceIndex instance;
  Move move;
};

// An instance on its way.
struct Traveller {
  WantedPlacement wanted;
  // A move towards the place, and what it would change.
  struct Option {
    Move move;
    ScoredNodes::Candidate change;
    bool is_risky = false;  // true if the way may end after it: it comes last
  };
  std::vector<Option> options;  // the allowed moves
  std::size_t best = 0;         // the position of the best one, as it was when the options were ranked
  bool is_outdated = false;     // a node that the moves depend on has changed since they were looked at
  bool arrived = false;
  bool leaves_offline_node = false;
  // True if there will be no room for its move once all others are at their places: on a new secondary node that fails
  // N+1 or has stopped instances, or on the old one, which runs it while the primary is replaced.
  bool is_urgent = false;
};

// The instances on their way within one group, and the steps so far.
class Journey {
 public:
  Journey(Trial& trial, const GroupMembers& members, const MoveRules& rules, std::uint64_t attempt,
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

  void add(const WantedPlacement& wanted, bool is_urgent = false) {
    traveller_of_[wanted.instance.position()] = travellers_.size();
    travellers_.push_back({.wanted = wanted, .options = {}});
    travellers_.back().is_urgent = is_urgent;
    ranks_.push_back(kNoOption);
    visit(travellers_.size() - 1);
    open_ += travellers_.back().arrived ? 0 : 1;
  }
  // Makes all steps. Detours are made only if they bring the whole nearer to its end, so the loop ends.
  void run() {
    refresh_period_ = travellers_.size() > kExactTravellers ? travellers_.size() / kRefreshed : 1;
    for (;;) {
      while (const auto best = best_option()) step(best->instance, best->move, std::nullopt);
      if (open_ == 0 || detours_left_ == 0) return;
      const std::optional<Way> way = find_way();
      if (!way) return;
      make(*way);
    }
  }
  Ordering result() && {
    for (const Traveller& t : travellers_) {
      if (!t.arrived) ordering_.unreached.push_back({t.wanted, UnreachedReason::Refused, refusal_of(t)});
    }
    return std::move(ordering_);
  }

 private:
  static constexpr auto kNone = static_cast<std::size_t>(-1);

  const Instance& instance_of(const Traveller& t) const { return cluster_.instance(t.wanted.instance); }
  std::vector<Move> moves_of(const Traveller& t) const {
    const Instance& instance = instance_of(t);
    return possible_moves_towards(cluster_, *instance.facts, placement_of(instance), t.wanted.placement, rules_);
  }
  // Returns why the next move is refused: one of those that lead to the place, if there are such moves.
  std::optional<Refusal> refusal_of(const Traveller& t) const {
    const Instance& instance = instance_of(t);
    const MoveKinds kinds = move_kinds(cluster_, instance, rules_);
    std::vector<Move> moves = moves_of(t);
    if (moves.empty()) moves = moves_towards(placement_of(instance), t.wanted.placement);
    const MoveReasons reasons(cluster_, t.wanted.instance, rules_.force);
    for (const Move& move : moves) {
      if (!kinds.have(move) || (!move.target.is_none() && cluster_.node(move.target).offline)) continue;
      const auto outcome = reasons.attempt(move);
      if (const auto* refusal = std::get_if<Refusal>(&outcome)) return *refusal;
    }
    return std::nullopt;
  }

  // Looks at the allowed moves of a traveller anew, and notes which nodes they depend on.
  void visit(std::size_t position) {
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
    for (const Move& move : moves_of(t)) {
      const auto outcome = trials.attempt(move);
      const auto* effect = std::get_if<MoveEffect>(&outcome);
      if (!effect) continue;
      const Placement after = placement_after(now, move);
      t.options.push_back(
          {move, scope_.candidate(effect->changes(), after.primary, instance), leaves_replacement(t, after)});
    }
    rank(position);
  }

  // What options are compared by; lower is better. Mandatory moves, which leave offline nodes, come first; but last in
  // every other attempt, because they are bound by fewer rules and may take the room of others. Half of the attempts do
  // not look ahead, so that they differ more.
  using Rank = std::pair<int, double>;
  static constexpr Rank kNoOption{8, 0.0};  // worse than any option: their stages are 0 to 7
  Rank rank_of(const Traveller& t, const Traveller::Option& option) const {
    const bool looks_ahead = attempt_ % 4 < 2;
    const int stage = (t.leaves_offline_node == (attempt_ % 2 == 0) ? 0 : 4) +
                      (looks_ahead && option.is_risky ? 2 : 0) + (looks_ahead && !t.is_urgent ? 1 : 0);
    return {stage, preference(t, option)};
  }

  // True if the instance would still have to replace its primary. Then its secondary node runs it for a while, and
  // often there is no room for that in the end.
  bool leaves_replacement(const Traveller& t, const Placement& after) const {
    if (after == t.wanted.placement) return false;
    const auto is_replacement = [](const Move& move) { return move.kind == MoveKind::ReplacePrimary; };
    return std::ranges::all_of(
        possible_moves_towards(cluster_, *instance_of(t).facts, after, t.wanted.placement, rules_), is_replacement);
  }

  // Finds the best option of a traveller.
  void rank(std::size_t position) {
    Traveller& t = travellers_[position];
    ranks_[position] = kNoOption;
    for (std::size_t o = 0; o < t.options.size(); ++o) {
      const Rank rank = rank_of(t, t.options[o]);
      if (!(rank < ranks_[position])) continue;
      ranks_[position] = rank;
      t.best = o;
    }
  }
  // Returns the best of all options.
  std::optional<Candidate> best_option() {
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
  // Looks at all travellers again whose nodes have changed. Returns true if one of them can move.
  bool visit_outdated() {
    bool found = false;
    for (std::size_t position = 0; position < travellers_.size(); ++position) {
      if (!travellers_[position].is_outdated) continue;
      visit(position);
      found = found || !travellers_[position].options.empty();
    }
    return found;
  }

  // Returns how good an option is; lower is better. It is by how much the score rises, or, for further attempts, a
  // number that is drawn for the instance: if one order leads to a dead end, another one may not.
  double preference(const Traveller& t, const Traveller::Option& option) const {
    if (attempt_ == 0) return scope_.scores().bounds(option.change).low - score_;
    std::uint64_t mixed = (t.wanted.instance.position() + 1) * 0x9e3779b97f4a7c15u + attempt_ * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 30)) * 0x94d049bb133111ebu;
    return static_cast<double>(mixed >> 11);
  }

  // Makes a step, and looks at all travellers anew that it concerns.
  void step(InstanceIndex i, const Move& move, std::optional<std::size_t> enables) {
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
  // Moves that are made one after the other, the first of them detours.
  struct Way {
    std::vector<Candidate> moves;
    std::size_t detours = 0;
    int left = 0;                    // by how much the number of moves that are left grows
    std::vector<NodeIndex> touched;  // nodes that the moves have changed
  };
  // Makes the moves of a way for good. Each detour enables the first move after the detours.
  void make(const Way& way) {
    const std::size_t enabled = ordering_.steps.size() + way.detours;
    for (std::size_t m = 0; m < way.moves.size(); ++m) {
      const Candidate& c = way.moves[m];
      // Instances that make a detour come back to where they are now.
      if (!wanted_of(c.instance)) add({c.instance, placement_of(cluster_.instance(c.instance))});
      step(c.instance, c.move, m < way.detours ? std::optional(enabled) : std::nullopt);
    }
  }
  // Returns the wanted placement of a traveller; nothing for other instances.
  const Placement* wanted_of(InstanceIndex i) const {
    const std::size_t position = traveller_of_[i.position()];
    return position == kNone ? nullptr : &travellers_[position].wanted.placement;
  }

  // What detours cost; less is better: MiB that they copy, instances that would not have to move, MiB of memory.
  using Cost = std::array<std::int64_t, 3>;
  Cost cost_of(const Candidate& detour) const;
  // Returns one or two detours, followed by all moves that they make possible, after which less is left to do than now;
  // nothing if none was found.
  std::optional<Way> find_way();
  // Looks for a way that begins with `way`, which has been made on the trial, and one more detour. Replaces `best` if
  // it costs less.
  void try_detours(const Way& way, Cost cost_so_far, const Traveller& t, std::optional<std::pair<Cost, Way>>& best);
  // Makes a move on the trial and appends it to the way.
  void go(Way& way, const Candidate& c);
  // Goes on with all moves that have become possible.
  void follow(Way& way);
  // Returns the detours that may make room for the traveller: allowed moves of itself and of the instances on the nodes
  // that refuse it.
  std::vector<Candidate> detours_for(const Traveller& t) const;
  std::vector<Candidate> allowed_moves(InstanceIndex i, const std::vector<NodeIndex>& targets) const;
  // Returns the first allowed move of the traveller towards its place.
  std::optional<Move> first_allowed(const Traveller& t) const {
    const MoveTrials trials(cluster_, t.wanted.instance, rules_.force);
    for (const Move& move : moves_of(t)) {
      if (std::holds_alternative<MoveEffect>(trials.attempt(move))) return move;
    }
    return std::nullopt;
  }
  std::vector<NodeIndex> roomy_nodes() const;

  std::size_t& detours_left_;  // that may still be tried
  Trial& trial_;
  const Cluster& cluster_;
  const GroupMembers& members_;
  const MoveRules rules_;
  const std::uint64_t attempt_;
  ScoredNodes scope_;
  std::vector<Traveller> travellers_;
  std::vector<Rank> ranks_;                           // by traveller: of its best option
  std::vector<std::size_t> traveller_of_;             // by instance; kNone if it is not on its way
  std::vector<std::vector<std::size_t>> interested_;  // by node: the travellers whose moves depend on it
  double score_;                                      // of the group, after all steps
  std::size_t refresh_period_ = 1;  // an option is looked at again after this many steps at the latest
  std::size_t open_ = 0;            // the number of travellers that have not arrived
  Ordering ordering_;
};

std::vector<NodeIndex> Journey::roomy_nodes() const {
  std::vector<NodeIndex> nodes;
  for (const NodeIndex n : members_.nodes) {
    if (!cluster_.node(n).offline) nodes.push_back(n);
  }
  const auto room = [&](NodeIndex n) {
    return cluster_.node(n).unallocated_memory() - cluster_.node(n).books.reserved_memory;
  };
  std::stable_sort(nodes.begin(), nodes.end(), [&](NodeIndex a, NodeIndex b) { return room(a) > room(b); });
  if (nodes.size() > kDetourTargets) nodes.resize(kDetourTargets);
  return nodes;
}

std::vector<Candidate> Journey::allowed_moves(InstanceIndex i, const std::vector<NodeIndex>& targets) const {
  const Instance& instance = cluster_.instance(i);
  std::vector<Candidate> allowed;
  if (!is_candidate(cluster_, instance, {.evacuation = false})) return allowed;
  const MoveKinds kinds = move_kinds(cluster_, instance, rules_);
  const MoveTrials trials(cluster_, i, rules_.force);
  const auto try_move = [&](const Move& move) {
    if (std::holds_alternative<MoveEffect>(trials.attempt(move))) allowed.push_back({i, move});
  };
  if (kinds.failover) try_move({MoveKind::Failover, NodeIndex::none()});
  for (const NodeIndex target : targets) {
    if (target == instance.primary || target == instance.secondary) continue;
    for (const MoveKind kind : kinds.per_target) try_move({kind, target});
  }
  return allowed;
}

std::vector<Candidate> Journey::detours_for(const Traveller& t) const {
  std::vector<NodeIndex> refusing;
  const MoveReasons reasons(cluster_, t.wanted.instance, rules_.force);
  for (const Move& move : moves_of(t)) {
    const auto outcome = reasons.attempt(move);
    const auto* refusal = std::get_if<Refusal>(&outcome);
    if (!refusal) continue;
    for (const NodeIndex n : {refusal->place.primary, refusal->place.secondary}) {
      if (!n.is_none() && std::find(refusing.begin(), refusing.end(), n) == refusing.end()) refusing.push_back(n);
    }
  }
  std::vector<InstanceIndex> movers{t.wanted.instance};
  for (const NodeIndex n : refusing) {
    const Node& node = cluster_.node(n);
    for (const auto* list : {&node.primaries, &node.secondaries})
      movers.insert(movers.end(), list->begin(), list->end());
  }
  std::sort(movers.begin() + 1, movers.end());
  movers.erase(std::unique(movers.begin() + 1, movers.end()), movers.end());
  std::vector<NodeIndex> targets = roomy_nodes();
  for (const NodeIndex n : nodes_of(t.wanted.placement)) {
    if (!cluster_.node(n).offline && std::find(targets.begin(), targets.end(), n) == targets.end())
      targets.push_back(n);
  }
  std::vector<Candidate> detours;
  for (const InstanceIndex i : movers) {
    const std::vector<Candidate> allowed = allowed_moves(i, targets);
    detours.insert(detours.end(), allowed.begin(), allowed.end());
  }
  return detours;
}

Journey::Cost Journey::cost_of(const Candidate& detour) const {
  const Instance& instance = cluster_.instance(detour.instance);
  const std::span<const MoveAction> actions = facts(detour.move.kind).actions();
  const bool copies = std::find(actions.begin(), actions.end(), MoveAction::ReplaceSecondary) != actions.end();
  return {copies ? instance.facts->disk : 0, wanted_of(detour.instance) ? 0 : 1, instance.facts->memory};
}

void Journey::go(Way& way, const Candidate& c) {
  const Placement before = placement_of(cluster_.instance(c.instance)), after = placement_after(before, c.move);
  const Placement* wanted = wanted_of(c.instance);
  const Placement& end = wanted ? *wanted : before;
  way.left += moves_between(after, end) - moves_between(before, end);
  for (const Placement& placement : {before, after}) {
    for (const NodeIndex n : nodes_of(placement)) way.touched.push_back(n);
  }
  way.moves.push_back(c);
  trial_.apply(c.instance, c.move);
}

void Journey::follow(Way& way) {
  for (std::size_t seen = 0; seen < way.touched.size(); ++seen) {
    for (const std::size_t position : interested_[way.touched[seen].position()]) {
      const Traveller& t = travellers_[position];
      while (const auto move = first_allowed(t)) go(way, {t.wanted.instance, *move});
    }
  }
}

void Journey::try_detours(const Way& way, Cost cost_so_far, const Traveller& t,
                          std::optional<std::pair<Cost, Way>>& best) {
  for (const Candidate& detour : detours_for(t)) {
    Cost cost = cost_of(detour);
    for (std::size_t c = 0; c < cost.size(); ++c) cost[c] += cost_so_far[c];
    if (best && !(cost < best->first)) continue;
    if (detours_left_ == 0) return;
    --detours_left_;
    const Attempt attempt(trial_);
    Way longer = way;
    go(longer, detour);
    ++longer.detours;
    const auto move = first_allowed(t);
    if (!move) continue;
    go(longer, {t.wanted.instance, *move});
    follow(longer);
    if (longer.left < 0) best = {cost, std::move(longer)};
  }
}

std::optional<Journey::Way> Journey::find_way() {
  std::optional<std::pair<Cost, Way>> best;
  std::size_t compared = 0;
  for (const Traveller& t : travellers_) {
    if (t.arrived) continue;
    try_detours({}, {}, t, best);
    if (best && ++compared >= kComparedBlocks) break;
  }
  if (best) return best->second;
  compared = 0;
  for (const Traveller& t : travellers_) {
    if (t.arrived) continue;
    if (++compared > kComparedBlocks) break;
    std::vector<Candidate> firsts = detours_for(t);
    std::stable_sort(firsts.begin(), firsts.end(),
                     [&](const Candidate& a, const Candidate& b) { return cost_of(a) < cost_of(b); });
    if (firsts.size() > kFirstDetours) firsts.resize(kFirstDetours);
    for (const Candidate& first : firsts) {
      const Cost cost = cost_of(first);
      const Attempt attempt(trial_);
      Way way;
      go(way, first);
      ++way.detours;
      try_detours(way, cost, t, best);
    }
    if (best) return best->second;
  }
  return std::nullopt;
}

// Returns why the instance cannot have the place for reasons that no order changes; nothing if there is none.
std::optional<UnreachedReason> obstacle(const Cluster& cluster, const WantedPlacement& wanted, const MoveRules& rules) {
  const Instance& instance = cluster.instance(wanted.instance);
  if (placement_of(instance) == wanted.placement) return std::nullopt;
  const bool paired = !wanted.placement.secondary.is_none();
  if (instance.facts->has_secondary() != paired) return UnreachedReason::OtherShape;
  MoveRules any_node = rules;
  any_node.evacuation = false;
  if (!is_candidate(cluster, instance, any_node)) return UnreachedReason::NotMovable;
  for (const NodeIndex n : nodes_of(wanted.placement)) {
    if (cluster.node(n).facts->group != cluster.node(instance.primary).facts->group) return UnreachedReason::OtherGroup;
    const bool is_there = n == instance.primary || n == instance.secondary;
    if (cluster.node(n).offline && !is_there) return UnreachedReason::OfflineNode;
  }
  const MoveKinds kinds = move_kinds(cluster, instance, rules);
  if (!kinds.failover && kinds.per_target.empty()) return UnreachedReason::NotMovable;
  return std::nullopt;
}

// Returns for each wanted placement whether its instance is in a hurry (Traveller::is_urgent).
std::vector<char> urgent_placements(Trial& trial, const std::vector<WantedPlacement>& wanted, const MoveRules& rules) {
  const Cluster& cluster = trial.cluster();
  std::vector<Placement> starts;
  const Attempt end(trial);
  for (const WantedPlacement& w : wanted) {
    starts.push_back(placement_of(cluster.instance(w.instance)));
    for (;;) {
      const std::vector<Move> moves = moves_towards(placement_of(cluster.instance(w.instance)), w.placement);
      if (moves.empty()) break;
      trial.apply(w.instance, moves.front());
    }
  }
  const auto is_urgent = [&](const WantedPlacement& w, const Placement& start) {
    if (w.placement.secondary.is_none()) return false;
    if (w.placement.secondary != start.secondary) {
      const Node& node = cluster.node(w.placement.secondary);
      return cluster.instance(w.instance).facts->secondary_memory() >=
             std::min(node.unallocated_memory(), node.books.forthcoming_free_memory);
    }
    const MoveTrials trials(cluster, w.instance, rules.force);
    return w.placement.primary != start.primary &&
           !std::holds_alternative<MoveEffect>(trials.attempt({MoveKind::Failover, NodeIndex::none()}));
  };
  std::vector<char> urgent;
  for (std::size_t i = 0; i < wanted.size(); ++i) urgent.push_back(is_urgent(wanted[i], starts[i]) ? 1 : 0);
  return urgent;
}

}  // namespace

Ordering order_moves(Trial& trial, const GroupMembers& members, const std::vector<WantedPlacement>& wanted,
                     const MoveRules& rules, const OrderingEffort& effort) {
  std::vector<Unreached> impossible;
  std::vector<WantedPlacement> possible;
  for (const WantedPlacement& w : wanted) {
    if (const auto reason = obstacle(trial.cluster(), w, rules)) {
      impossible.push_back({w, *reason, std::nullopt});
    } else {
      possible.push_back(w);
    }
  }
  const std::vector<char> urgent = urgent_placements(trial, possible, rules);
  // Other orders are tried before detours, which make a plan longer.
  std::optional<Ordering> best;
  const std::uint64_t direct = possible.size() > kExactTravellers ? kDirectAttemptsOfMany : kDirectAttempts;
  std::size_t detours = effort.detours;
  for (std::uint64_t attempt = 0; attempt < direct + effort.orders; ++attempt) {
    const bool with_detours = attempt >= direct;
    const Attempt level(trial);
    std::size_t none = 0;
    Journey journey(trial, members, rules, with_detours ? attempt - direct : attempt, with_detours ? detours : none);
    for (std::size_t i = 0; i < possible.size(); ++i) journey.add(possible[i], urgent[i] != 0);
    journey.run();
    Ordering ordering = std::move(journey).result();
    if (!best || ordering.unreached.size() < best->unreached.size()) best = std::move(ordering);
    if (best->unreached.empty() || (with_detours && detours == 0)) break;
  }
  for (const OrderedStep& step : best->steps) trial.apply(step.step.instance, step.step.move);
  best->unreached.insert(best->unreached.begin(), impossible.begin(), impossible.end());
  return std::move(*best);
}

DirectMoves make_direct_moves(Trial& trial, const GroupMembers& members, const WantedPlacement& wanted,
                              const MoveRules& rules) {
  const Cluster& cluster = trial.cluster();
  if (const auto reason = obstacle(cluster, wanted, rules)) return {{}, Unreached{wanted, *reason, std::nullopt}};
  const auto allowed_moves = [&](std::optional<Refusal>& refusal) {
    const Instance& instance = cluster.instance(wanted.instance);
    const MoveKinds kinds = move_kinds(cluster, instance, rules);
    const MoveReasons reasons(cluster, wanted.instance, rules.force);
    std::vector<Move> allowed;
    for (const Move& move : moves_towards(placement_of(instance), wanted.placement)) {
      if (!kinds.have(move)) continue;
      const auto outcome = reasons.attempt(move);
      if (std::holds_alternative<MoveEffect>(outcome)) {
        allowed.push_back(move);
      } else if (!refusal) {
        refusal = std::get<Refusal>(outcome);
      }
    }
    return allowed;
  };
  const auto make = [&](const Move& move) {
    const Placement before = placement_of(cluster.instance(wanted.instance));
    trial.apply(wanted.instance, move);
    return BalanceStep{wanted.instance, move, before, placement_after(before, move),
                       score(member_nodes(cluster, members))};
  };
  std::optional<Refusal> refusal;
  for (const Move& first : allowed_moves(refusal)) {
    Attempt attempt(trial);
    std::vector<BalanceStep> steps{make(first)};
    if (steps.back().after != wanted.placement) {
      const std::vector<Move> seconds = allowed_moves(refusal);
      if (seconds.empty()) continue;
      steps.push_back(make(seconds.front()));
    }
    attempt.keep();
    return {std::move(steps), std::nullopt};
  }
  return {{}, Unreached{wanted, refusal ? UnreachedReason::Refused : UnreachedReason::NotMovable, refusal}};
}

}  // namespace htools
