#include "allocate/place_trials.h"

#include "base/literal.h"
#include "cluster/bookkeeping.h"
#include "metric/ranking.h"
#include "placement/failure_counts.h"

namespace htools {

PlaceTrials::PlaceTrials(Trial& trial, const std::vector<NodeIndex>& nodes, const Arrival& arrival,
                         const AllocationRules& rules)
    : trial_(trial),
      cluster_(trial.cluster()),
      nodes_(nodes),
      arrival_(arrival),
      rules_(rules),
      check_(trial, nodes, arrival) {}

NodeRefs PlaceTrials::scored_nodes() const {
  NodeRefs refs;
  for (NodeIndex n : nodes_) refs.push_back(cluster_.node(n));
  return refs;
}

bool PlaceTrials::passes(const Placement& place) { return !rules_.capacity_checks || check_.passes(place); }

Allocation PlaceTrials::try_nodes(const std::vector<NodeIndex>& candidates) {
  if (kLiteral) return try_nodes_plainly(candidates);
  if (!scope_) scope_.emplace(cluster_, nodes_);
  Allocation allocation;
  std::vector<ScoredNodes::Candidate> possible;
  std::vector<NodeIndex> possible_nodes;
  for (NodeIndex n : candidates) {
    const Node& node = cluster_.node(n);
    const NodeBooks after = books_with_primary(node, arrival_.instance);
    if (const auto fail = refusal_as_primary(cluster_, node, after, arrival_.instance, {.force = rules_.force})) {
      allocation.failures[*fail] += 1;
      continue;
    }
    possible.push_back(scope_->with_primary(n, after, arrival_.instance));
    possible_nodes.push_back(n);
  }
  if (rules_.explain) allocation.refusals = refusals_of_nodes(cluster_, candidates, arrival_.instance, rules_.force);
  Ranking ranking(scope_->scores(), possible);
  std::int64_t dropped = 0;
  for (auto next = ranking.next(); next; next = ranking.next()) {
    const Placement place{possible_nodes[*next], NodeIndex::none()};
    if (passes(place)) {
      const ScoredNodes::Candidate* const best[] = {&possible[*next]};
      allocation.choice = {place, scope_->scores().exact(best).front()};
      break;
    }
    if (rules_.explain) check_.explain(place, allocation.refusals);
    ++dropped;
  }
  allocation.failures[FailMode::N1] += dropped;
  allocation.successes = static_cast<std::int64_t>(possible.size()) - dropped;
  return allocation;
}

Allocation PlaceTrials::try_pairs(const std::vector<NodeIndex>& primaries, const std::vector<NodeIndex>& secondaries) {
  if (kLiteral) return try_pairs_plainly(primaries, secondaries);
  if (!statistics_) {
    const NodeRefs refs = scored_nodes();
    statistics_.emplace(Statistics::evaluate(refs));
    tag_pairs_.emplace(refs);
  }
  Allocation allocation;
  PairTrials trials(cluster_, *statistics_, *tag_pairs_, primaries, secondaries, arrival_.instance,
                    {.force = rules_.force});
  if (rules_.explain) {
    allocation.refusals = refusals_of_pairs(cluster_, primaries, secondaries, arrival_.instance, rules_.force);
  }
  for (std::size_t p = 0; p < primaries.size(); ++p) {
    const std::int64_t allowed = trials.count(p, allocation.failures);
    if (allowed == 0) continue;
    std::int64_t dropped = 0;
    const auto best = best_pair(trials, p, primaries[p], allowed, dropped, allocation.refusals);
    allocation.failures[FailMode::N1] += dropped;
    allocation.successes += allowed - dropped;
    if (!best) continue;
    if (allocation.choice && std::get<double>(allocation.choice->score) < best->score) continue;
    allocation.choice = {{primaries[p], best->secondary}, best->score};
  }
  return allocation;
}

std::optional<ScoredSecondary> PlaceTrials::best_pair(PairTrials& trials, std::size_t position, NodeIndex primary,
                                                      std::int64_t allowed, std::int64_t& dropped,
                                                      std::vector<Refusal>& refusals) {
  if (rules_.capacity_checks && !rules_.explain && check_.refuses_all_pairs()) {
    dropped = allowed;
    return std::nullopt;
  }
  // Usually the best pair passes, so that the others need not be put in order.
  const auto best = trials.best(position);
  if (best && passes({primary, best->secondary})) return best;
  for (const ScoredSecondary& pair : trials.in_order(position)) {
    if (!(best && dropped == 0) && passes({primary, pair.secondary})) return pair;
    if (rules_.explain && dropped == 0) check_.explain({primary, pair.secondary}, refusals);
    ++dropped;
  }
  return std::nullopt;
}

}  // namespace htools
