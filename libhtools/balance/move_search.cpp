#include "balance/move_search.h"

#include <algorithm>
#include <queue>
#include <tuple>

#include "balance/move_bounds_detail.h"
#include "metric/node_values.h"

namespace htools {

using detail::kInfinity;

namespace {

// Returns the instances that may move and that MoveBounds describes, or (if `described` is false) does not describe.
std::vector<InstanceIndex> movable_instances(const Cluster& cluster, const GroupMembers& members,
                                             const MoveRules& rules, bool described) {
  const bool exclusive_storage = std::any_of(members.nodes.begin(), members.nodes.end(),
                                             [&](NodeIndex n) { return cluster.node(n).facts->exclusive_storage; });
  std::vector<InstanceIndex> chosen = candidate_instances(cluster, members, rules);
  std::erase_if(chosen, [&](InstanceIndex i) {
    return MoveBounds::describes(cluster.instance(i), exclusive_storage) != described;
  });
  return chosen;
}

// True if the primary and the secondary of the instance are the same node. Removing such an instance also changes the
// tag counts of other instances, so the bounds do not describe it.
bool names_one_node_twice(const Instance& instance) { return instance.primary == instance.secondary; }

// True if the same moves of both instances have exactly the same effect on the nodes, so that the one with the higher
// index is never chosen. Both must have the same primary.
bool are_twins(const Instance& a, const Instance& b) {
  const auto loads = [](const Load& l) { return std::tuple(l.cpu, l.memory, l.disk, l.network); };
  const auto shape = [&](const Instance& i) {
    return std::tuple(i.secondary, i.facts->disk_template, i.facts->memory, i.facts->used_memory(),
                      i.facts->secondary_memory(), i.facts->disk, i.facts->counted_vcpus(), i.facts->spindle_use,
                      i.location_score, loads(i.facts->utilisation));
  };
  return shape(a) == shape(b) && a.facts->total_spindles() == b.facts->total_spindles() &&
         a.facts->exclusion_tags == b.facts->exclusion_tags &&
         a.facts->desired_location_tags.tags() == b.facts->desired_location_tags.tags();
}

}  // namespace

MoveSearch::MoveSearch(Trial& trial, const GroupMembers& members, const MoveRules& rules)
    : trial_(trial),
      cluster_(trial.cluster()),
      members_(members),
      rules_(rules),
      position_of_(cluster_.nodes.size(), 0),
      scores_(member_nodes(cluster_, members)),
      locations_(cluster_, members),
      one_by_one_(movable_instances(cluster_, members, rules, false)),
      bounds_(cluster_, members, rules, locations_, movable_instances(cluster_, members, rules, true),
              std::any_of(one_by_one_.begin(), one_by_one_.end(),
                          [&](InstanceIndex i) { return cluster_.instance(i).facts->forthcoming; })),
      lower_bound_of_change_(bounds_.movers().size(), -kInfinity) {
  for (std::size_t n = 0; n < members.nodes.size(); ++n) position_of_[members.nodes[n].position()] = n;
  const auto odd = [&](InstanceIndex i) { return names_one_node_twice(cluster_.instance(i)); };
  plain_ = !bounds_.usable() || std::any_of(members.instances.begin(), members.instances.end(), odd);
}

std::optional<ScoredMove> MoveSearch::best(double score) {
  if (plain_) return plain_move_search(trial_, members_, rules_, score);
  limit_ = score;
  contenders_.clear();
  for (InstanceIndex i : one_by_one_) look_at_one_by_one(i);

  using Entry = std::pair<double, std::size_t>;
  std::vector<Entry> entries;
  for (std::size_t m = 0; m < lower_bound_of_change_.size(); ++m) {
    if (score + lower_bound_of_change_[m] <= limit_) entries.emplace_back(lower_bound_of_change_[m], m);
  }
  std::priority_queue queue(std::greater<>(), std::move(entries));
  for (; !queue.empty() && score + queue.top().first <= limit_; queue.pop()) {
    look_at(queue.top().second, score);
  }
  return decide(score);
}

void MoveSearch::look_at(std::size_t mover, double score) {
  double& bound = lower_bound_of_change_[mover];
  bound = bounds_.best_case(mover);
  if (score + bound > limit_) return;

  const InstanceIndex i = bounds_.movers()[mover];
  const MoveKinds kinds = move_kinds(cluster_, cluster_.instance(i), rules_);
  const auto& changes = bounds_.to_all_targets(mover);
  const double failover = bounds_.failover(mover);
  bound = failover;
  MoveKind lowest_kind = MoveKind::Failover;
  Eigen::Index target = 0;
  for (MoveKind kind : kinds.per_target) {
    Eigen::Index t;
    const double lowest = changes[MoveBounds::number(kind)].minCoeff(&t);
    if (lowest < bound) bound = lowest, lowest_kind = kind, target = t;
  }
  if (score + bound > limit_) return;

  if (has_earlier_twin(i)) return;

  // From here on, `bound` is the lowest bound of the moves that pass the checks. The move with the lowest bound is
  // tried first, because its score lowers limit_ and so spares most of the others a trial.
  const MoveTrials trials(cluster_, i, rules_.force);
  const auto try_out = [&](MoveKind kind, std::size_t t) { return consider(trials, i, kind, t, kinds) - score; };
  bound = try_out(lowest_kind, static_cast<std::size_t>(target));
  const auto matters = [&](MoveKind kind, std::size_t t, double change) {
    const bool done = kind == lowest_kind && t == static_cast<std::size_t>(target);
    return !done && (change < bound || score + change <= limit_);
  };
  if (matters(MoveKind::Failover, 0, failover)) bound = std::min(bound, try_out(MoveKind::Failover, 0));
  for (MoveKind kind : kinds.per_target) {
    for (std::size_t t = 0; t < bounds_.targets().size(); ++t) {
      const double change = changes[MoveBounds::number(kind)][static_cast<Eigen::Index>(t)];
      if (matters(kind, t, change)) bound = std::min(bound, try_out(kind, t));
    }
  }
}

bool MoveSearch::has_earlier_twin(InstanceIndex i) const {
  const Instance& instance = cluster_.instance(i);
  const std::vector<InstanceIndex>& neighbours = cluster_.node(instance.primary).primaries;
  return std::any_of(neighbours.begin(), neighbours.end(), [&](InstanceIndex other) {
    const Instance& twin = cluster_.instance(other);
    return other < i && is_candidate(cluster_, twin, rules_) && are_twins(twin, instance);
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
  return consider(trials, i, Move{kind, bounds_.targets()[target]}, 1 + target * list.size() + number);
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
  for (std::size_t m = 0; m < lower_bound_of_change_.size(); ++m) lower_bound_of_change_[m] -= bounds_.drift(m);
  for (NodeIndex n : changed) {
    if (cluster_.node(n).offline) continue;
    const MoveBounds::Array& changes = bounds_.from_all_movers(n);
    for (std::size_t m = 0; m < lower_bound_of_change_.size(); ++m) {
      lower_bound_of_change_[m] = std::min(lower_bound_of_change_[m], changes[static_cast<Eigen::Index>(m)]);
    }
  }
  for (std::size_t m : touched) lower_bound_of_change_[m] = -kInfinity;
  forget_collisions(scored.instance);
}

// The cost of an exclusion tag depends on the places of the other instances that have it.
void MoveSearch::forget_collisions(InstanceIndex moved) {
  if (!locations_.has_pairs(moved)) return;
  for (std::size_t m = 0; m < lower_bound_of_change_.size(); ++m) {
    if (locations_.share_exclusion_tag(moved, bounds_.movers()[m])) lower_bound_of_change_[m] = -kInfinity;
  }
}

}  // namespace htools
