#include "allocate/allocation.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "cluster/bookkeeping.h"
#include "metric/node_values.h"
#include "metric/ranking.h"
#include "metric/tag_pairs.h"
#include "metric/update_scores.h"
#include "placement/failure_counts.h"
#include "rules/admission.h"
#include "survival/capacity_check.h"
#include "trial/scored_nodes.h"

namespace htools {

namespace {

// Enters the instance in the books of its nodes.
void enter(Trial& trial, const Instance& instance, InstanceIndex index) {
  add_primary(trial.change(instance.primary), index, instance);
  if (!instance.secondary.is_none()) {
    add_secondary(trial.change(instance.secondary), index, instance, instance.primary);
  }
}

// Runs the capacity check on candidates.
class CandidateCheck {
 public:
  CandidateCheck(Trial& trial, const std::vector<NodeIndex>& nodes, const Arrival& arrival)
      : trial_(trial),
        arrival_(arrival),
        check_(trial, nodes, {.ignored_groups = {}, .skip_offline = false, .refuse_incomplete = true}) {}

  bool passes(const Placement& place) {
    if (!remembered_) check_.remember();
    remembered_ = true;
    const bool complete = !lacks_secondary(place);
    if (complete && check_.fails_with(arrival_.instance)) return false;
    return with_instance(place, [&] { return complete ? check_.survives_with(place) : check_.survives_in_order(); });
  }

  // Adds the reason why a candidate does not pass, if there is one.
  void explain(const Placement& place, std::vector<Refusal>& refusals) {
    auto homeless = with_instance(place, [&] { return check_.first_homeless(); });
    if (!homeless) return;
    if (homeless->instance == arrival_.index) homeless->instance = InstanceIndex::none();
    refusals.push_back({place, *homeless});
  }

 private:
  // True if the instance, as the cluster's list will show it, is a drbd instance on a single node.
  bool lacks_secondary(const Placement& place) const {
    if (is_new()) return arrival_.instance.facts->has_secondary() && place.secondary.is_none();
    const Instance& listed = trial_.cluster().instance(arrival_.index);
    return listed.facts->has_secondary() && listed.secondary.is_none();
  }
  bool is_new() const { return arrival_.index.position() == trial_.cluster().instances.size(); }

  // Returns the result of `check()`, called while the instance is placed there.
  template <class Check>
  std::invoke_result_t<Check> with_instance(const Placement& place, Check check) {
    const Attempt attempt(trial_);
    const Instance instance = placed(trial_.cluster(), arrival_.instance, place);
    enter(trial_, instance, arrival_.index);
    if (is_new()) trial_.add(instance);
    return check();
  }

  Trial& trial_;
  const Arrival& arrival_;
  CapacityCheck check_;
  bool remembered_ = false;
};

// The scored pairs with a common primary.
class PairsOfPrimary {
 public:
  struct Scored {
    double score;
    NodeIndex secondary;
  };

  void add(double score, NodeIndex secondary) {
    scored_.push_back({score, secondary});
    finite_ = finite_ && std::isfinite(score);
  }
  std::size_t size() const { return scored_.size(); }

  // Returns the best pair that passes. Sets `dropped` to the number of better pairs that do not.
  template <class Passes>
  std::optional<Scored> first(Passes passes, std::int64_t& dropped) {
    dropped = 0;
    if (scored_.empty()) return std::nullopt;
    if (finite_) {  // usually the best pair passes, so that sorting is not needed
      const auto best = std::min_element(scored_.rbegin(), scored_.rend(),
                                         [](const Scored& a, const Scored& b) { return a.score < b.score; });
      if (passes(best->secondary)) return *best;
    }
    for (const Scored& candidate : sorted()) {
      if ((finite_ && dropped == 0) || !passes(candidate.secondary)) {
        ++dropped;  // the best pair has been tried above
      } else {
        return candidate;
      }
    }
    return std::nullopt;
  }

 private:
  std::vector<Scored> sorted() const {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = scored_.size(); i-- > 0;) order.emplace_back(scored_[i].score, i);
    sort_by_score(order);
    std::vector<Scored> sorted;
    for (const auto& [score, place] : order) sorted.push_back(scored_[place]);
    return sorted;
  }

  std::vector<Scored> scored_;  // by secondary, ascending
  bool finite_ = true;
};

// The result of a secondary for all primaries for which it does not reserve memory yet.
struct SecondaryOffer {
  std::optional<FailMode> refusal;
  bool offline;
};

// Tries pairs of nodes. It computes the share of each secondary in the score only once, for all primaries.
class PairTrials {
 public:
  PairTrials(const Cluster& cluster, const std::vector<NodeIndex>& nodes, const std::vector<NodeIndex>& secondaries,
             const Instance& instance, AdmissionRules primary_rules)
      : cluster_(cluster),
        nodes_(references(nodes)),
        secondaries_(secondaries),
        instance_(instance),
        primary_rules_(primary_rules),
        base_(Statistics::evaluate(nodes_)),
        tag_pairs_(nodes_),
        reserving_(cluster.nodes.size()) {
    std::vector<ValueChange> changes;
    for (std::size_t i = 0; i < secondaries.size(); ++i) {
      const Node& node = cluster.node(secondaries[i]);
      const NodeBooks after = books_with_secondary(node, instance, NodeIndex::none());
      offers_.push_back({check_secondary(node, after, instance), node.offline});
      changes.emplace_back(node_values(node), node_values(node, after));
      for (const PeerMap::Entry& entry : node.peers.entries()) {
        if (entry.memory != 0) reserving_[entry.primary.position()].push_back(i);
      }
    }
    scores_.emplace(changes);
  }

  // Returns the allowed pairs with this primary, and adds the refusals to `failures`.
  PairsOfPrimary pairs_of(NodeIndex p, FailCounts& failures) const {
    PairsOfPrimary pairs;
    const Node& primary = cluster_.node(p);
    const NodeBooks after = books_with_primary(primary, instance_);
    const auto refusal = refusal_as_primary(cluster_, primary, after, instance_, primary_rules_);
    const ComponentValues before = node_values(primary), values = node_values(primary, after);
    const Statistics with_primary = updated(primary, before, values);
    const std::vector<double> scores = refusal ? std::vector<double>() : scores_->scores(with_primary);
    auto reserving = reserving_[p.position()].begin();
    for (std::size_t i = 0; i < secondaries_.size(); ++i) {
      const NodeIndex s = secondaries_[i];
      const bool reserves = reserving != reserving_[p.position()].end() && *reserving == i;
      if (reserves) ++reserving;
      if (s == p) continue;
      if (const auto fail = refusal ? refusal : reserves ? refusal_of(s, p) : offers_[i].refusal) {
        failures[*fail] += 1;
        continue;
      }
      const std::int64_t shared = shared_locations(primary, s);
      if (!reserves && shared == 0 && !offers_[i].offline) {
        pairs.add(scores[i], s);
        continue;
      }
      Statistics statistics = with_primary;
      if (shared != 0 && !instance_.facts->forthcoming) {
        ComponentValues located = values;
        located[Component::LocationScore] += static_cast<double>(shared);
        statistics = updated(primary, before, located);
      }
      const Node& secondary = cluster_.node(s);
      const NodeBooks secondary_after = books_with_secondary(secondary, instance_, p);
      statistics.update(node_values(secondary), node_values(secondary, secondary_after), secondary.offline);
      pairs.add(statistics.score(), s);
    }
    return pairs;
  }

 private:
  NodeRefs references(const std::vector<NodeIndex>& nodes) const {
    NodeRefs refs;
    for (NodeIndex n : nodes) refs.push_back(cluster_.node(n));
    return refs;
  }

  std::optional<FailMode> refusal_of(NodeIndex s, NodeIndex primary) const {
    const Node& node = cluster_.node(s);
    return check_secondary(node, books_with_secondary(node, instance_, primary), instance_);
  }

  std::int64_t shared_locations(const Node& primary, NodeIndex s) const {
    return primary.facts->location_tags.empty()
               ? 0
               : primary.facts->location_tags.common_with(cluster_.node(s).facts->location_tags);
  }

  Statistics updated(const Node& primary, const ComponentValues& before, const ComponentValues& values) const {
    Statistics statistics = base_;
    statistics.set_pair_collisions(tag_pairs_.collisions_with(primary, instance_));
    statistics.update(before, values, primary.offline);
    return statistics;
  }

  const Cluster& cluster_;
  NodeRefs nodes_;
  const std::vector<NodeIndex>& secondaries_;
  const Instance& instance_;
  AdmissionRules primary_rules_;
  Statistics base_;
  TagPairs tag_pairs_;
  std::vector<SecondaryOffer> offers_;  // by position in secondaries_
  std::optional<UpdateScores> scores_;  // by position in secondaries_
  // Holds, by primary, the positions in secondaries_ of the secondaries that reserve memory for it.
  std::vector<std::vector<std::size_t>> reserving_;
};

}  // namespace

Instance placed(const Cluster& cluster, const Instance& instance, const Placement& place) {
  Instance result = instance;
  result.primary = place.primary;
  result.secondary = place.secondary;
  if (!place.secondary.is_none()) {
    result.location_score = cluster.node(place.primary)
                                .facts->location_tags.common_with(cluster.node(place.secondary).facts->location_tags);
  }
  return result;
}

void carry_out(Trial& trial, const Arrival& arrival, const Placement& place, InstanceIndex index_on_nodes) {
  Instance instance = placed(trial.cluster(), arrival.instance, place);
  enter(trial, instance, index_on_nodes);
  if (arrival.index.position() == trial.cluster().instances.size()) {
    trial.add(std::move(instance));
  } else {
    trial.change(arrival.index) = std::move(instance);
  }
}

Allocation try_nodes(Trial& trial, const std::vector<NodeIndex>& nodes, const std::vector<NodeIndex>& candidates,
                     const Arrival& arrival, const AllocationRules& rules) {
  const Cluster& cluster = trial.cluster();
  Allocation allocation;
  const ScoredNodes scope(cluster, nodes);
  std::vector<ScoredNodes::Candidate> possible;
  std::vector<NodeIndex> possible_nodes;
  for (NodeIndex n : candidates) {
    const Node& node = cluster.node(n);
    const NodeBooks after = books_with_primary(node, arrival.instance);
    if (const auto fail = refusal_as_primary(cluster, node, after, arrival.instance, {.force = rules.force})) {
      allocation.failures[*fail] += 1;
      continue;
    }
    possible.push_back(scope.with_primary(n, after, arrival.instance));
    possible_nodes.push_back(n);
  }
  if (rules.explain) allocation.refusals = refusals_of_nodes(cluster, candidates, arrival.instance, rules.force);
  CandidateCheck check(trial, nodes, arrival);
  Ranking ranking(scope.scores(), possible);
  std::int64_t dropped = 0;
  for (auto next = ranking.next(); next; next = ranking.next()) {
    const Placement place{possible_nodes[*next], NodeIndex::none()};
    if (!rules.capacity_checks || check.passes(place)) {
      const ScoredNodes::Candidate* const best[] = {&possible[*next]};
      allocation.choice = {place, scope.scores().exact(best).front()};
      break;
    }
    if (rules.explain) check.explain(place, allocation.refusals);
    ++dropped;
  }
  allocation.failures[FailMode::N1] += dropped;
  allocation.successes = static_cast<std::int64_t>(possible.size()) - dropped;
  return allocation;
}

Allocation try_pairs(Trial& trial, const std::vector<NodeIndex>& nodes, const std::vector<NodeIndex>& primaries,
                     const std::vector<NodeIndex>& secondaries, const Arrival& arrival, const AllocationRules& rules) {
  const Cluster& cluster = trial.cluster();
  Allocation allocation;
  CandidateCheck check(trial, nodes, arrival);
  const PairTrials trials(cluster, nodes, secondaries, arrival.instance, {.force = rules.force});
  if (rules.explain) {
    allocation.refusals = refusals_of_pairs(cluster, primaries, secondaries, arrival.instance, rules.force);
  }
  for (NodeIndex p : primaries) {
    PairsOfPrimary pairs = trials.pairs_of(p, allocation.failures);
    std::int64_t dropped = 0;
    std::optional<NodeIndex> first_dropped;
    const auto passes = [&](NodeIndex s) {
      if (!rules.capacity_checks || check.passes({p, s})) return true;
      if (!first_dropped) first_dropped = s;
      return false;
    };
    const auto best = pairs.first(passes, dropped);
    if (rules.explain && first_dropped) check.explain({p, *first_dropped}, allocation.refusals);
    allocation.failures[FailMode::N1] += dropped;
    allocation.successes += static_cast<std::int64_t>(pairs.size()) - dropped;
    if (!best) continue;
    if (allocation.choice && std::get<double>(allocation.choice->score) < best->score) continue;
    allocation.choice = {{p, best->secondary}, best->score};
  }
  return allocation;
}

}  // namespace htools
