#include "balance/move_search.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <span>
#include <tuple>

#include "balance/move_bounds_detail.h"
#include "base/literal.h"
#include "metric/node_values.h"

namespace htools {

using detail::kInfinity;

namespace {

constexpr std::array kKinds{MoveKind::Failover,         MoveKind::FailoverToAny,      MoveKind::ReplacePrimary,
                            MoveKind::ReplaceSecondary, MoveKind::ReplaceAndFailover, MoveKind::FailoverAndReplace};
// The kinds that have a target.
constexpr std::span kKindsWithTarget = std::span(kKinds).subspan<1>();

// The share of the largest gain found from which on targets are bounded one by one and not in blocks, which is less
// precise. Targets that are a little worse than needed are included: a bound that was remembered for a block next to
// the limit would be below it again after a few steps. On 4,000 nodes, the search takes 0.75 of the time for it.
constexpr double kLookedAt = 0.95;

// True if rules about where instances may be bind it.
bool is_ruled(const Cluster& cluster, InstanceIndex i) {
  return cluster.rule_book && !cluster.rule_book->binding(i).empty();
}

// Returns those of `movers` that may move and that MoveBounds describes, or (if `described` is false) does not
// describe.
std::vector<InstanceIndex> movable_instances(const Cluster& cluster, const GroupMembers& members,
                                             const MoveRules& rules, Movers movers, bool described) {
  const bool exclusive_storage = std::any_of(members.nodes.begin(), members.nodes.end(),
                                             [&](NodeIndex n) { return cluster.node(n).facts->exclusive_storage; });
  std::vector<InstanceIndex> chosen = candidate_instances(cluster, members, rules);
  std::erase_if(chosen, [&](InstanceIndex i) {
    const Instance& instance = cluster.instance(i);
    // Bounds remember which moves are refused, but a rule may refuse one because of any other instance.
    const bool is_described = MoveBounds::describes(instance, exclusive_storage) && !is_ruled(cluster, i);
    return is_described != described || (movers == Movers::OnOfflineNodes && !is_on_offline_node(cluster, instance));
  });
  return chosen;
}

// True if the primary and the secondary of the instance are the same node. Removing such an instance also changes the
// tag counts of other instances, so the bounds do not describe it.
bool names_one_node_twice(const Instance& instance) { return instance.primary == instance.secondary; }

// True if the same moves of both instances have exactly the same effect on the nodes, so that the one with the higher
// index is never chosen. Both must have the same primary.
bool are_twins(const Instance& a, const Instance& b) {
  const InstanceFacts &x = *a.facts, &y = *b.facts;
  const auto loads = [](const Load& l) { return std::tie(l.cpu, l.memory, l.disk, l.network); };
  return a.secondary == b.secondary && x.memory == y.memory && x.disk == y.disk && x.spindle_use == y.spindle_use &&
         x.disk_template == y.disk_template && x.used_memory() == y.used_memory() &&
         x.secondary_memory() == y.secondary_memory() && x.counted_vcpus() == y.counted_vcpus() &&
         a.location_score == b.location_score && loads(x.utilisation) == loads(y.utilisation) &&
         x.total_spindles() == y.total_spindles() && x.exclusion_tags() == y.exclusion_tags() &&
         x.desired_location_tags.tags() == y.desired_location_tags.tags();
}

// Calls visit(m) for each mover for whose bound `holds`, in order. If that is true of a bound, it must be of lower
// ones.
template <class Holds, class Visit>
void visit_lowest(const MoveBounds::Array& bounds, const Holds& holds, const Visit& visit) {
  constexpr Eigen::Index kAtOnce = 32;  // mostly, it holds for none of these
  for (Eigen::Index begin = 0; begin < bounds.size(); begin += kAtOnce) {
    const Eigen::Index end = std::min(begin + kAtOnce, bounds.size());
    if (!holds(bounds.segment(begin, end - begin).minCoeff())) continue;
    for (Eigen::Index m = begin; m < end; ++m) {
      if (holds(bounds[m])) visit(static_cast<std::size_t>(m));
    }
  }
}

}  // namespace

MoveSearch::MoveSearch(Trial& trial, const GroupMembers& members, const MoveRules& rules, Movers movers)
    : trial_(trial),
      cluster_(trial.cluster()),
      members_(members),
      rules_(rules),
      position_of_(cluster_.nodes.size(), 0),
      scores_(member_nodes(cluster_, members)),
      locations_(cluster_, members),
      one_by_one_(movable_instances(cluster_, members, rules, movers, false)),
      bounds_(cluster_, members, rules, locations_, movable_instances(cluster_, members, rules, movers, true),
              std::any_of(one_by_one_.begin(), one_by_one_.end(),
                          [&](InstanceIndex i) { return cluster_.instance(i).facts->forthcoming; })),
      use_common_targets_(movers == Movers::OnOfflineNodes),
      choose_common_targets_(use_common_targets_) {
  for (std::vector<double>& by_mover : lower_bounds_) by_mover.assign(bounds_.movers().size(), -kInfinity);
  for (std::size_t n = 0; n < members.nodes.size(); ++n) position_of_[members.nodes[n].position()] = n;
  const auto odd = [&](InstanceIndex i) { return names_one_node_twice(cluster_.instance(i)); };
  plain_ = kLiteral || !bounds_.usable() || std::any_of(members.instances.begin(), members.instances.end(), odd);
}

std::optional<ScoredMove> MoveSearch::best(double score) {
  if (plain_) return plain_move_search(trial_, members_, rules_, score);
  limit_ = score;
  contenders_.clear();
  for (InstanceIndex i : one_by_one_) look_at_one_by_one(i);
  if (use_common_targets_) renew_common_targets();

  MoveBounds::Array bounds = lowest_bounds();
  std::vector<std::size_t> unknown;
  visit_lowest(
      bounds, [](double bound) { return bound == -kInfinity; }, [&](std::size_t m) { unknown.push_back(m); });
  for (std::size_t m : unknown) bounds[static_cast<Eigen::Index>(m)] = kInfinity;
  const auto matters = [&](double bound) { return score + bound <= limit_; };
  // Best cases are so low that these movers come first. Before that, one of the others finds a limit for them.
  const double lowest = bounds.size() == 0 ? kInfinity : bounds.minCoeff();
  if (matters(lowest)) {
    const auto first = std::find(bounds.begin(), bounds.end(), lowest);
    look_at(static_cast<std::size_t>(first - bounds.begin()), score, false);
    *first = kInfinity;
  }
  for (std::size_t m : unknown) {
    for (MoveKind kind : kKinds) lower_bound(kind, m) = bounds_.best_case(m, kind);
    bounds[static_cast<Eigen::Index>(m)] = lowest_bound(m);
  }
  using Entry = std::pair<double, std::size_t>;  // a bound and its mover
  std::vector<Entry> due;
  visit_lowest(bounds, matters, [&](std::size_t m) { due.emplace_back(bounds[static_cast<Eigen::Index>(m)], m); });
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue({}, std::move(due));
  for (; !queue.empty() && matters(queue.top().first); queue.pop()) {
    const std::size_t mover = queue.top().second;
    look_at(mover, score, std::binary_search(unknown.begin(), unknown.end(), mover));
  }
  return decide(score);
}

void MoveSearch::renew_common_targets() {
  if (bounded_since_choice_ > 2 * bounds_.movers().size()) {
    // The moves to these targets are bounded like all others again, so their bounds must be remembered.
    choose_common_targets_ = true;
    std::vector<NodeIndex> targets;
    for (std::size_t t : common_targets_) targets.push_back(bounds_.targets()[t]);
    for (MoveKind kind : kKindsWithTarget) remember_bounds(targets, kind);
    common_targets_.clear();
    bounds_.leave_out({});
    bounded_since_choice_ = 0;
  }
  bound_common_targets();
}

void MoveSearch::bound_common_targets() {
  const auto movers = static_cast<Eigen::Index>(bounds_.movers().size());
  lowest_common_.setConstant(movers, kInfinity);
  common_bounds_.resize(common_targets_.size());
  for (std::size_t c = 0; c < common_targets_.size(); ++c) {
    const std::array target{bounds_.targets()[common_targets_[c]]};
    common_bounds_[c].setConstant(movers, kInfinity);
    for (MoveKind kind : kKindsWithTarget) {
      if (!bounds_.has_moves(kind)) continue;
      common_bounds_[c] = common_bounds_[c].min(bounds_.from_all_movers(target, kind).head(movers));
    }
    lowest_common_ = lowest_common_.min(common_bounds_[c]);
  }
}

void MoveSearch::choose_common_targets(const std::vector<MoveKind>& kinds) {
  constexpr std::size_t kCommonTargets = 32;
  std::vector<std::pair<double, std::size_t>> targets;
  for (std::size_t t = 0; t < bounds_.targets().size(); ++t) {
    double lowest = kInfinity;
    for (MoveKind kind : kinds) {
      lowest = std::min(lowest, bounds_.bounds_to_targets(kind).bounds[static_cast<Eigen::Index>(t)]);
    }
    targets.emplace_back(lowest, t);
  }
  std::sort(targets.begin(), targets.end());
  if (targets.size() > kCommonTargets) targets.resize(kCommonTargets);
  for (const auto& [lowest, t] : targets) common_targets_.push_back(t);
  bounds_.leave_out(common_targets_);
  bound_common_targets();
  choose_common_targets_ = false;
  bounded_since_choice_ = 0;
}

void MoveSearch::look_at_common_targets(std::size_t mover, double score) {
  const auto m = static_cast<Eigen::Index>(mover);
  if (score + lowest_common_[m] > limit_) return;
  const InstanceIndex i = bounds_.movers()[mover];
  if (has_earlier_twin(i)) return;
  const MoveKinds kinds = move_kinds(cluster_, cluster_.instance(i), rules_);
  const MoveTrials trials(cluster_, i, rules_.force);
  for (std::size_t c = 0; c < common_targets_.size(); ++c) {
    if (score + common_bounds_[c][m] > limit_) continue;
    for (MoveKind kind : kinds.per_target) consider(trials, i, kind, common_targets_[c], kinds);
  }
}

void MoveSearch::look_at(std::size_t mover, double score, bool has_best_cases) {
  if (!common_targets_.empty()) look_at_common_targets(mover, score);
  const auto matters = [&](double change) { return score + change <= limit_; };
  std::vector<std::pair<double, MoveKind>> due;
  std::vector<MoveKind> bounded;
  for (MoveKind kind : kKinds) {
    double& bound = lower_bound(kind, mover);
    if (!matters(bound)) continue;
    if (!has_best_cases) bound = bounds_.best_case(mover, kind);
    if (!matters(bound)) continue;
    if (kind != MoveKind::Failover) {
      // (Common targets are chosen from all targets. Bounds have a margin for the rounding of this difference.)
      const double limit = choose_common_targets_ ? kInfinity : (limit_ - score) * kLookedAt;
      bound = bounds_.to_targets(mover, kind, limit).lowest;
      bounded.push_back(kind);
    }
    if (matters(bound)) due.emplace_back(bound, kind);
  }
  if (!bounded.empty()) {
    ++bounded_since_choice_;
    if (choose_common_targets_) choose_common_targets(bounded);
  }
  const InstanceIndex i = bounds_.movers()[mover];
  if (due.empty() || has_earlier_twin(i)) return;

  // From here on, bounds become those of the moves that pass the checks. The move with the lowest bound is tried first,
  // because its score lowers limit_ and so spares most of the others a trial.
  const MoveTrials trials(cluster_, i, rules_.force);
  const MoveKinds kinds = move_kinds(cluster_, cluster_.instance(i), rules_);
  const bool has_tags = !cluster_.instance(i).facts->exclusion_tags().empty();
  std::sort(due.begin(), due.end());
  for (const auto& [lowest, due_kind] : due) {
    if (!matters(lowest)) break;
    const MoveKind kind = due_kind;  // lambdas cannot refer to parts of a pair before C++23
    const auto try_out = [&](Eigen::Index t) {
      const double low = consider(trials, i, kind, static_cast<std::size_t>(t), kinds);
      if (has_tags || low == kInfinity) bounds_.note_exception(mover, kind, t);
      return low - score;
    };
    double& bound = lower_bound(kind, mover);
    if (kind == MoveKind::Failover) {
      bound = try_out(0);
      continue;
    }
    const MoveBounds::TargetBounds& found = bounds_.bounds_to_targets(kind);
    bound = std::min(found.rest, try_out(found.first));
    const auto is_due = [&](double change) { return change < bound || matters(change); };
    for (const MoveBounds::Run& run : found.runs) {
      if (!is_due(run.lowest)) continue;
      for (Eigen::Index t = run.begin; t < run.end; ++t) {
        if (t != found.first && is_due(found.bounds[t])) bound = std::min(bound, try_out(t));
      }
    }
  }
}

bool MoveSearch::has_earlier_twin(InstanceIndex i) const {
  const Instance& instance = cluster_.instance(i);
  const std::vector<InstanceIndex>& neighbours = cluster_.node(instance.primary).primaries;
  return std::any_of(neighbours.begin(), neighbours.end(), [&](InstanceIndex other) {
    const Instance& twin = cluster_.instance(other);
    return other < i && are_twins(twin, instance) && is_candidate(cluster_, twin, rules_) && !is_ruled(cluster_, other);
  });
}

void MoveSearch::look_at_one_by_one(InstanceIndex i) {
  const Instance& instance = cluster_.instance(i);
  if (!is_candidate(cluster_, instance, rules_)) return;
  const MoveTrials trials(cluster_, i, rules_.force);
  std::size_t order = 0;
  for (const Move& move : generate_moves(cluster_, members_, instance, rules_)) consider(trials, i, move, order++);
}

double MoveSearch::consider(const MoveTrials& trials, InstanceIndex i, MoveKind kind, std::size_t target,
                            const MoveKinds& kinds) {
  if (kind == MoveKind::Failover) return consider(trials, i, Move{kind, NodeIndex::none()}, 0);
  const auto& list = kinds.per_target;
  const auto number = static_cast<std::size_t>(std::find(list.begin(), list.end(), kind) - list.begin());
  const NodeIndex node = bounds_.targets()[target];
  return consider(trials, i, Move{kind, node}, 1 + position_of_[node.position()] * list.size() + number);
}

double MoveSearch::consider(const MoveTrials& trials, InstanceIndex i, const Move& move, std::size_t order) {
  const MoveTrials::Outcome outcome = trials.attempt(move);
  const auto* effect = std::get_if<MoveEffect>(&outcome);
  if (effect == nullptr) return kInfinity;
  ChangedScores::Candidate candidate{{}, collisions_after(i, move)};
  for (const NodeChange& change : effect->changes()) {
    candidate.changes.push_back(
        {position_of_[change.node.position()], node_values(cluster_.node(change.node), change.books)});
  }
  const ChangedScores::Bounds bounds = scores_.bounds(candidate);
  if (bounds.low <= limit_) {
    limit_ = std::min(limit_, bounds.high);
    contenders_.push_back({bounds.low, i, order, move, std::move(candidate)});
  }
  return bounds.low;
}

double MoveSearch::collisions_after(InstanceIndex i, const Move& move) const {
  if (locations_.empty()) return scores_.pair_collisions();
  const Instance& instance = cluster_.instance(i);
  const Placement after = placement_after({instance.primary, instance.secondary}, move);
  return scores_.pair_collisions() + static_cast<double>(locations_.collision_change(i, online_class(instance.primary),
                                                                                     online_class(after.primary)));
}

std::size_t MoveSearch::online_class(NodeIndex node) const {
  return cluster_.node(node).offline ? LocationTerms::kNoClass : locations_.class_of(node);
}

std::optional<ScoredMove> MoveSearch::decide(double score) {
  std::erase_if(contenders_, [&](const Contender& c) { return c.low > limit_; });
  if (contenders_.empty()) return std::nullopt;
  std::vector<const ChangedScores::Candidate*> candidates;
  for (const Contender& c : contenders_) candidates.push_back(&c.candidate);
  const std::vector<double> scores = scores_.exact(candidates);
  std::size_t first = 0;
  for (std::size_t c = 1; c < contenders_.size(); ++c) {
    const auto rank = [&](std::size_t k) {
      return std::tuple(scores[k], contenders_[k].instance, contenders_[k].order);
    };
    if (rank(c) < rank(first)) first = c;
  }
  if (!(scores[first] < score)) return std::nullopt;
  return ScoredMove{contenders_[first].instance, contenders_[first].move, scores[first]};
}

void MoveSearch::apply(const ScoredMove& scored) {
  const Instance& instance = cluster_.instance(scored.instance);
  const Placement before{instance.primary, instance.secondary};
  const Placement after = placement_after(before, scored.move);
  if (plain_) {
    trial_.apply(scored.instance, scored.move);
    return;
  }
  ChangedScores::Candidate change{{}, collisions_after(scored.instance, scored.move)};
  if (!locations_.empty()) {
    locations_.move(scored.instance, online_class(before.primary), online_class(after.primary));
  }
  trial_.apply(scored.instance, scored.move);

  std::vector<NodeIndex> changed{before.primary, after.primary};
  if (scored.move.kind != MoveKind::FailoverToAny) changed.insert(changed.end(), {before.secondary, after.secondary});
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  for (NodeIndex n : changed) change.changes.push_back({position_of_[n.position()], node_values(cluster_.node(n))});
  scores_.apply(change);

  const std::vector<std::size_t> touched = bounds_.update(changed);
  const auto is_common = [&](NodeIndex n) {
    return std::any_of(common_targets_.begin(), common_targets_.end(),
                       [&](std::size_t t) { return bounds_.targets()[t] == n; });
  };
  std::erase_if(changed, [&](NodeIndex n) { return cluster_.node(n).offline || is_common(n); });
  for (MoveKind kind : kKinds) {
    std::vector<double>& by_mover = lower_bounds_[MoveBounds::number(kind)];
    for (std::size_t m = 0; m < by_mover.size(); ++m) by_mover[m] -= bounds_.drift(m, kind);
    if (kind != MoveKind::Failover) remember_changed(changed, kind);
  }
  for (std::size_t m : touched) forget(m);
  forget_collisions(scored.instance);
}

void MoveSearch::remember_bounds(std::span<const NodeIndex> targets, MoveKind kind) {
  if (targets.empty() || !bounds_.has_moves(kind)) return;
  std::vector<double>& by_mover = lower_bounds_[MoveBounds::number(kind)];
  const MoveBounds::Array& changes = bounds_.from_all_movers(targets, kind);
  for (std::size_t m = 0; m < by_mover.size(); ++m) {
    by_mover[m] = std::min(by_mover[m], changes[static_cast<Eigen::Index>(m)]);
  }
}

void MoveSearch::remember_changed(const std::vector<NodeIndex>& changed, MoveKind kind) {
  if (!bounds_.has_moves(kind)) return;
  std::vector<double>& by_mover = lower_bounds_[MoveBounds::number(kind)];
  std::vector<NodeIndex> without_substitutes;
  for (NodeIndex target : changed) {
    const std::optional<MoveBounds::Substitutes> substitutes = bounds_.substitutes_of(target, kind, changed);
    if (!substitutes) {
      without_substitutes.push_back(target);
      continue;
    }
    const std::vector<std::size_t>& others = substitutes->others;
    const MoveBounds::Array& changes = bounds_.from_movers(target, kind, others);
    for (std::size_t i = 0; i < others.size(); ++i) {
      double& bound = by_mover[others[i]];
      bound = std::min(bound, changes[static_cast<Eigen::Index>(i)]);
    }
  }
  remember_bounds(without_substitutes, kind);
}

void MoveSearch::forget(std::size_t mover) {
  for (MoveKind kind : kKinds) lower_bound(kind, mover) = -kInfinity;
}

// The cost of an exclusion tag depends on the places of the other instances that have it.
void MoveSearch::forget_collisions(InstanceIndex moved) {
  if (!locations_.has_pairs(moved)) return;
  for (std::size_t m = 0; m < bounds_.movers().size(); ++m) {
    if (locations_.share_exclusion_tag(moved, bounds_.movers()[m])) forget(m);
  }
}

double MoveSearch::lowest_bound(std::size_t mover) const {
  double lowest = kInfinity;
  for (const std::vector<double>& by_mover : lower_bounds_) lowest = std::min(lowest, by_mover[mover]);
  if (!common_targets_.empty()) lowest = std::min(lowest, lowest_common_[static_cast<Eigen::Index>(mover)]);
  return lowest;
}

MoveBounds::Array MoveSearch::lowest_bounds() const {
  MoveBounds::Array lowest = MoveBounds::Array::Constant(static_cast<Eigen::Index>(bounds_.movers().size()), kInfinity);
  const auto include = [&](const double* bounds) {
    lowest = lowest.min(Eigen::Map<const MoveBounds::Array>(bounds, lowest.size()));
  };
  for (const std::vector<double>& by_mover : lower_bounds_) include(by_mover.data());
  if (!common_targets_.empty()) include(lowest_common_.data());
  return lowest;
}

}  // namespace htools
