#include "explain/mending.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <variant>

#include "balance/move_generation.h"
#include "explain/cure.h"
#include "explain/problems.h"
#include "metric/statistics.h"
#include "plan/copying.h"
#include "plan/paths.h"
#include "plan/plan.h"
#include "rules/move_application.h"
#include "rules/rule_check.h"

namespace htools {
namespace {

constexpr std::size_t kMostMendingSteps = 5000;    // of a repair
constexpr std::int64_t kMostPairsTried = 200'000;  // pairs of moves, of one repair
constexpr std::size_t kMostScored = 64;            // of equally good moves, so many are compared by their scores
constexpr std::size_t kFirstMoves = 32;            // of an instance, to the nodes that have most memory, come first
constexpr std::size_t kAllMoves = SIZE_MAX;
constexpr std::size_t kMostLooked = 2'000;       // moves, of which one helps, before the best one is taken
constexpr std::size_t kWorkPerProblem = 8;       // to look at a problem, where looking at a node is 1
constexpr std::int64_t kMostWork = 300'000'000;  // of a repair: some seconds
constexpr double kMostWays = 60'000;             // that are tried to find a shorter repair
constexpr std::size_t kMostThinned = 300;        // of longer repairs, no step is left out again

// How important it is to cure problems: more of an earlier class is worse than anything of the later ones.
enum class Class : std::uint8_t { Down, AtRisk, Breach, Wish };
constexpr std::size_t kClasses = 4;
using Harm = std::array<double, kClasses>;

Class class_of(FindingKind kind) {
  if (is_wish(kind)) return Class::Wish;
  switch (facts(kind).severity) {
    case Severity::Down:
      return Class::Down;
    case Severity::AtRisk:
      return Class::AtRisk;
    default:
      return Class::Breach;
  }
}

// A node that lacks memory or disk, whatever amounts it lacks, is one problem; the amounts decide between equals.
double normalized(const Finding& finding, double distance) {
  switch (finding.kind) {
    case FindingKind::NotN1:
    case FindingKind::OverfullDisk:
    case FindingKind::PolicyRatio: {
      constexpr double kMost = 1e9;
      return distance <= 0.0 ? 0.0 : 1.0 + std::min(distance, kMost) / (2.0 * kMost);
    }
    default:
      return distance;
  }
}

// A move, what it leaves and what it costs. Candidates are compared by their members in this order.
struct Candidate {
  Harm harm{};
  std::int64_t copied = 0;
  std::int64_t migrated = 0;
  double score = 0.0;  // set only where several are equal so far
  BalanceStep step{};

  auto price() const { return std::tie(harm, copied, migrated); }
};

// Repairs one group.
class Repair {
 public:
  Repair(Trial& trial, GroupIndex group, const GroupMembers& members, const MendingOptions& options)
      : trial_(trial),
        cluster_(trial.cluster()),
        start_(trial.cluster()),
        group_(group),
        members_(members),
        options_(options),
        problems_(problems_of(trial, group, members, options.capacity_checks)) {
    for (const NodeIndex n : members.nodes) {
      if (receives(cluster_.node(n))) targets_.push_back(n);
    }
    std::stable_sort(targets_.begin(), targets_.end(), [&](NodeIndex a, NodeIndex b) {
      return cluster_.node(a).available_memory() > cluster_.node(b).available_memory();
    });
    std::erase_if(problems_, [&](const Finding& f) { return options.must_only && class_of(f.kind) == Class::Wish; });
    for (const Finding& finding : problems_) {
      if (is_cured_by_moves(finding)) open_.push_back(&finding);
    }
    const std::size_t rules = cluster_.rule_book ? cluster_.rule_book->rules().size() : 0;
    for (std::uint32_t number = 0; number < rules; ++number) {
      const ResolvedRule& rule = cluster_.rule_book->rule(number);
      if (!rule.binds() && !is_open(number)) wishes_.push_back({&rule, extent_of(start_, rule)});
    }
  }

  Mending run() {
    const std::int64_t limit = options_.balance.max_steps;
    const std::size_t most =
        limit < 0 ? kMostMendingSteps : std::min(kMostMendingSteps, static_cast<std::size_t>(limit));
    trial_.begin();
    while (steps_.size() < most) {
      if (const auto next = best_move()) {
        make(next->step);
      } else if (const auto pair = steps_.size() + 2 <= most ? best_pair() : std::nullopt) {
        make(pair->first.step);
        make(pair->second.step);
      } else {
        break;
      }
    }
    cure_not_evacuable(most);
    thin_out();
    shorten(most);
    trial_.keep();
    Mending result;
    result.steps = steps_;
    left_ = what_is_left();
    result.left = left_;
    result.least_moves = least_moves();
    return result;
  }

 private:
  bool is_cured_by_moves(const Finding& finding) const {
    switch (finding.kind) {
      case FindingKind::NotEvacuable:  // comes last: each look takes long
      case FindingKind::DataOffline:
      case FindingKind::NoSecondary:
      case FindingKind::SplitInstance:
      case FindingKind::PolicySize:
      case FindingKind::LockedIn:
      case FindingKind::MissingMemory:
      case FindingKind::MissingDisk:
        return false;
      default:
        return true;
    }
  }
  double distance(const Finding& finding) { return normalized(finding, distance_to_cure(trial_, members_, finding)); }
  // True if the repair has taken so long that it ends where it is.
  bool is_exhausted() const { return work_ > kMostWork; }
  // Returns how bad the state is: what is left of the problems, and what was not there at the start.
  Harm harm();
  // Returns the instances whose moves may help against problems of the class.
  std::vector<InstanceIndex> movers(Class wanted);
  // Calls visit(step) for the moves of the instance that are allowed now, at most so many; those to `only`, if it is a
  // node.
  template <class Visit>
  void for_each_move(InstanceIndex i, NodeIndex only, Visit visit, std::size_t most = kAllMoves);
  Candidate tried(const BalanceStep& step);
  // Replaces the best candidate by this one, if it is better; of several that are equal, the one with the lower score.
  void keep_better(std::optional<Candidate>& best, Candidate candidate);
  std::optional<Candidate> best_move();
  std::optional<std::pair<Candidate, Candidate>> best_pair();
  void make(const BalanceStep& step);
  // Makes these steps from the start on, in place of those made so far. Returns false at the first that is refused.
  bool remake(const std::vector<BalanceStep>& steps);
  // Cures nodes that cannot be emptied, by the moves that hwhy would name.
  void cure_not_evacuable(std::size_t most);
  // Leaves out the steps without which the others do as much.
  void thin_out();
  // In small groups, tries all sequences of moves that are shorter, and replaces the steps by one that does as much, or
  // by one that does more.
  void shorten(std::size_t most);
  // Tries all sequences of this length from the present state on, after the moves `way`.
  void try_all(std::size_t length, std::vector<BalanceStep>& way, std::optional<Candidate>& best,
               std::vector<BalanceStep>& best_way);
  std::vector<Finding> what_is_left();
  // So many of the instances, or more, have to move if a problem is to be mended as far as it is.
  struct Demand {
    std::set<InstanceIndex> instances;
    std::size_t moves;
  };
  std::vector<Demand> demands() const;
  // Returns how many moves it takes at least to mend what this state has mended, in all and for one rule about places.
  std::size_t least_moves() const;
  std::size_t least_moves_for(const ResolvedRule& rule) const;
  std::vector<std::int64_t> spread_of(const Cluster& cluster, const ResolvedRule& rule) const;
  bool is_open(std::uint32_t rule) const {
    return std::ranges::any_of(open_, [&](const Finding* f) { return f->rule == rule; });
  }

  Trial& trial_;
  const Cluster& cluster_;
  const Cluster start_;
  GroupIndex group_;
  const GroupMembers& members_;
  const MendingOptions& options_;
  std::vector<Finding> problems_;     // at the start
  std::vector<const Finding*> open_;  // those of them that moves may cure
  // Rules that only should be kept, and are no problem at the start; and how much of them is broken there.
  std::vector<std::pair<const ResolvedRule*, RuleExtent>> wishes_;
  std::vector<NodeIndex> targets_;
  std::vector<BalanceStep> steps_;
  std::vector<Finding> left_;  // at the end
  std::int64_t pairs_tried_ = 0;
  std::int64_t work_ = 0;   // so far, by what it takes to look at a state
  std::size_t scored_ = 0;  // candidates for the present step whose scores were compared
};

Harm Repair::harm() {
  Harm harm{};
  for (const Finding* finding : open_) {
    harm[static_cast<std::size_t>(class_of(finding->kind))] += distance(*finding);
  }
  for (const auto& [rule, then] : wishes_) {
    const std::int64_t more = extent_of(cluster_, *rule).broken - then.broken;
    harm[static_cast<std::size_t>(Class::Wish)] += static_cast<double>(std::max<std::int64_t>(0, more));
  }
  for (const NodeIndex n : members_.nodes) {
    const Node &then = start_.node(n), &now = cluster_.node(n);
    if (now.offline) continue;
    if (now.books.n1_failed && !then.books.n1_failed) harm[static_cast<std::size_t>(Class::AtRisk)] += 1.0;
    const bool is_over = now.facts->forbids_vcpus(now.books.real.used_vcpus);
    const bool was_over = then.facts->forbids_vcpus(then.books.real.used_vcpus);
    if (is_over && !was_over) harm[static_cast<std::size_t>(Class::Breach)] += 1.0;
    harm[static_cast<std::size_t>(Class::Breach)] +=
        static_cast<double>(std::max<std::int64_t>(0, now.books.tag_conflicts - then.books.tag_conflicts));
  }
  return harm;
}

std::vector<InstanceIndex> Repair::movers(Class wanted) {
  std::vector<InstanceIndex> found;
  for (const Finding* finding : open_) {
    if (class_of(finding->kind) != wanted || distance(*finding) <= 0.0) continue;
    if (finding->rule) {
      const std::vector<InstanceIndex> now = offenders(cluster_, cluster_.rule_book->rule(*finding->rule));
      found.insert(found.end(), now.begin(), now.end());
      continue;
    }
    found.insert(found.end(), finding->instances.begin(), finding->instances.end());
    const bool is_of_node = finding->kind == FindingKind::NotN1 || finding->kind == FindingKind::PolicyRatio ||
                            finding->kind == FindingKind::OverfullDisk;
    if (!is_of_node) continue;
    const Node& node = cluster_.node(finding->nodes.front());
    found.insert(found.end(), node.primaries.begin(), node.primaries.end());
    found.insert(found.end(), node.secondaries.begin(), node.secondaries.end());
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::erase_if(found, [&](InstanceIndex i) {
    const Instance& instance = cluster_.instance(i);
    return cluster_.node(instance.primary).facts->group != group_ ||
           !is_candidate(cluster_, instance, options_.balance.moves);
  });
  return found;
}

template <class Visit>
void Repair::for_each_move(InstanceIndex i, NodeIndex only, Visit visit, std::size_t most) {
  const Instance& instance = cluster_.instance(i);
  const MoveKinds kinds = move_kinds(cluster_, instance, options_.balance.moves);
  const Placement before = placement_of(instance);
  std::vector<BalanceStep> allowed;
  {
    const MoveTrials trials(cluster_, i, options_.balance.moves.force);
    const auto try_out = [&](const Move& move) {
      if (!std::holds_alternative<MoveEffect>(trials.attempt(move))) return;
      allowed.push_back({i, move, before, placement_after(before, move), 0.0});
    };
    if (kinds.failover && (only.is_none() || only == instance.secondary)) {
      try_out({MoveKind::Failover, NodeIndex::none()});
    }
    for (const NodeIndex target : targets_) {
      if (target == instance.primary || target == instance.secondary || (!only.is_none() && target != only)) continue;
      for (const MoveKind kind : kinds.per_target) try_out({kind, target});
    }
  }
  if (allowed.size() > most) allowed.resize(most);
  for (const BalanceStep& step : allowed) visit(step);
}

Candidate Repair::tried(const BalanceStep& step) {
  work_ += static_cast<std::int64_t>(members_.nodes.size() + kWorkPerProblem * open_.size());
  const MoveCost cost = cost_of(cluster_, step, {});
  const Attempt attempt(trial_);
  trial_.apply(step.instance, step.move);
  return {.harm = harm(), .copied = cost.copied_mib, .migrated = cost.migrated_mib, .step = step};
}

void Repair::keep_better(std::optional<Candidate>& best, Candidate candidate) {
  if (!best || candidate.price() < best->price()) {
    scored_ = 0;
    best = candidate;
    return;
  }
  if (candidate.price() != best->price() || scored_ >= kMostScored) return;
  const auto score_after = [&](const BalanceStep& step) {
    const Attempt attempt(trial_);
    trial_.apply(step.instance, step.move);
    return score(member_nodes(cluster_, members_));
  };
  if (scored_++ == 0) best->score = score_after(best->step);
  candidate.score = score_after(candidate.step);
  if (candidate.score < best->score) best = candidate;
}

std::optional<Candidate> Repair::best_move() {
  const Harm now = harm();
  for (std::size_t c = 0; c < kClasses; ++c) {
    if (now[c] <= 0.0) continue;
    std::optional<Candidate> best;
    scored_ = 0;
    const std::vector<InstanceIndex> candidates = movers(static_cast<Class>(c));
    for (const std::size_t most : {kFirstMoves, kAllMoves}) {
      std::size_t looked = 0;
      for (const InstanceIndex i : candidates) {
        if (is_exhausted() || (best && looked > kMostLooked)) break;
        const auto look = [&](const BalanceStep& step) {
          ++looked;
          Candidate candidate = tried(step);
          if (candidate.harm < now) keep_better(best, candidate);
        };
        for_each_move(i, NodeIndex::none(), look, most);
      }
      if (best) return best;
    }
  }
  return std::nullopt;
}

// What is in the way on a node that would do goes elsewhere first, and may not make anything worse.
std::optional<std::pair<Candidate, Candidate>> Repair::best_pair() {
  const Harm now = harm();
  for (std::size_t c = 0; c < kClasses; ++c) {
    if (now[c] <= 0.0) continue;
    for (const InstanceIndex i : movers(static_cast<Class>(c))) {
      for (const NodeIndex target : targets_) {
        if (target == cluster_.instance(i).primary) continue;
        std::optional<std::pair<Candidate, Candidate>> best;
        const std::vector<InstanceIndex> there = cluster_.node(target).primaries;
        for (const InstanceIndex other : there) {
          if (!is_candidate(cluster_, cluster_.instance(other), options_.balance.moves)) continue;
          for_each_move(other, NodeIndex::none(), [&](const BalanceStep& step) {
            if (++pairs_tried_ > kMostPairsTried || is_exhausted()) return;
            Candidate first = tried(step);
            if (now < first.harm) return;
            const Attempt attempt(trial_);
            trial_.apply(step.instance, step.move);
            for_each_move(i, target, [&](const BalanceStep& then) {
              Candidate second = tried(then);
              if (!(second.harm < now)) return;
              const auto price = [](const Candidate& a, const Candidate& b) {
                return std::tuple(b.harm, a.copied + b.copied, a.migrated + b.migrated);
              };
              if (!best || price(first, second) < price(best->first, best->second)) best = {first, second};
            });
          });
        }
        if (best) return best;
        if (pairs_tried_ > kMostPairsTried || is_exhausted()) return std::nullopt;
      }
    }
  }
  return std::nullopt;
}

void Repair::make(const BalanceStep& step) {
  trial_.apply(step.instance, step.move);
  steps_.push_back(step);
  steps_.back().score = score(member_nodes(cluster_, members_));
}

bool Repair::remake(const std::vector<BalanceStep>& steps) {
  trial_.undo();
  trial_.begin();
  steps_.clear();
  for (BalanceStep step : steps) {
    // Another step of the instance may have been left out.
    step.before = placement_of(cluster_.instance(step.instance));
    step.after = placement_after(step.before, step.move);
    if (step.after == step.before || !is_allowed(cluster_, step, options_.balance.moves.force)) return false;
    make(step);
  }
  return true;
}

void Repair::cure_not_evacuable(std::size_t most) {
  if (!options_.capacity_checks) return;
  constexpr int kRounds = 3;  // what cures one node may leave another one that cannot be emptied
  bool helps = true;
  for (int round = 0; helps && round < kRounds; ++round) {
    std::vector<Finding> stuck = problems_of(trial_, group_, members_, true);
    std::erase_if(stuck, [](const Finding& f) { return f.kind != FindingKind::NotEvacuable; });
    helps = false;
    for (const Finding& finding : stuck) {
      if (distance(finding) <= 0.0) continue;
      std::vector<Finding> one{finding};
      find_cures(trial_, members_, {.balance = options_.balance}, one);
      const Cure& cure = *one.front().cure;
      if (cure.kind != CureKind::Moves || !cure.settings.empty() || steps_.size() + cure.steps.size() > most) continue;
      const Harm before = harm();
      const std::vector<BalanceStep> so_far = steps_;
      for (const PlannedStep& planned : cure.steps) make(planned.step);
      if (before < harm()) {
        remake(so_far);
      } else {
        helps = true;
      }
    }
  }
  for (const Finding& finding : problems_) {  // from here on, it counts what has been cured
    if (finding.kind == FindingKind::NotEvacuable && distance(finding) <= 0.0) open_.push_back(&finding);
  }
}

void Repair::thin_out() {
  if (steps_.size() > kMostThinned) return;
  const Harm reached = harm();
  for (std::size_t kept = 0; kept < steps_.size();) {
    const std::vector<BalanceStep> all = steps_;
    std::vector<BalanceStep> others = all;
    others.erase(others.end() - 1 - static_cast<std::ptrdiff_t>(kept));
    if (remake(others) && !(reached < harm())) {
      kept = 0;  // another one may be unneeded now
    } else {
      remake(all);
      ++kept;
    }
  }
}

void Repair::try_all(std::size_t length, std::vector<BalanceStep>& way, std::optional<Candidate>& best,
                     std::vector<BalanceStep>& best_way) {
  for (const InstanceIndex i : members_.instances) {
    if (!is_candidate(cluster_, cluster_.instance(i), options_.balance.moves)) continue;
    for_each_move(i, NodeIndex::none(), [&](const BalanceStep& step) {
      way.push_back(step);
      if (length == 1) {
        Candidate candidate = tried(step);
        if (!best || candidate.price() < best->price()) {
          best = candidate;
          best_way = way;
        }
      } else {
        const Attempt attempt(trial_);
        trial_.apply(step.instance, step.move);
        try_all(length - 1, way, best, best_way);
      }
      way.pop_back();
    });
  }
}

void Repair::shorten(std::size_t most) {
  const Harm reached = harm();
  const std::vector<BalanceStep> so_far = steps_;
  const bool is_all_mended = reached == Harm{};
  constexpr std::size_t kLength = 4;
  const std::size_t longest =
      std::min({most, kLength, is_all_mended ? so_far.size() : std::max<std::size_t>(so_far.size(), 2)});
  const auto kinds = static_cast<double>(2 * targets_.size());
  double ways = 1.0;
  remake({});
  for (std::size_t length = 0; length <= longest; ++length) {
    std::optional<Candidate> best;
    std::vector<BalanceStep> way, best_way;
    if (length == 0) {
      best = Candidate{.harm = harm()};
    } else {
      ways *= kinds * static_cast<double>(members_.instances.size());
      if (ways > kMostWays) break;
      try_all(length, way, best, best_way);
    }
    const bool does_as_much = best && (best->harm < reached || (best->harm == reached && length < so_far.size()));
    if (!does_as_much) continue;
    remake(best_way);
    return;
  }
  remake(so_far);
}

std::vector<Finding> Repair::what_is_left() {
  std::vector<Finding> left;
  for (Finding& finding : problems_of(trial_, group_, members_, options_.capacity_checks)) {
    const bool is_left_out = options_.must_only && class_of(finding.kind) == Class::Wish;
    if (is_left_out || !(is_cured_by_moves(finding) || finding.kind == FindingKind::NotEvacuable)) continue;
    left.push_back(std::move(finding));
  }
  find_cures(trial_, members_, {.balance = options_.balance}, left);
  return left;
}

// Returns how many instances are in each place that receives some, the most first.
std::vector<std::int64_t> Repair::spread_of(const Cluster& cluster, const ResolvedRule& rule) const {
  std::map<std::uint32_t, std::int64_t> counts;
  for (const NodeIndex n : targets_) counts[rule.places[n.position()]] = 0;
  for (const InstanceIndex i : rule.instances) {
    const NodeIndex n = cluster.instance(i).primary;
    if (!cluster.node(n).offline) ++counts[rule.places[n.position()]];
  }
  std::vector<std::int64_t> spread;
  for (const auto& [place, count] : counts) spread.push_back(count);
  std::ranges::sort(spread, std::greater<>());
  return spread;
}

std::size_t Repair::least_moves_for(const ResolvedRule& rule) const {
  const RuleExtent then = extent_of(start_, rule), now = extent_of(cluster_, rule);
  std::int64_t least = std::max<std::int64_t>(0, then.broken - now.broken);
  // One instance of `from` that leaves takes its place out of the count.
  if (!rule.given.from.empty()) return least > 0 ? 1 : 0;
  if (rule.given.kind != RuleKind::Apart || now.broken == 0) return static_cast<std::size_t>(least);
  const std::vector<std::int64_t> before = spread_of(start_, rule), after = spread_of(cluster_, rule);
  // Only if nothing is more even does every repair that does as much come to these numbers.
  if (before.size() != after.size() || after.front() - after.back() > 1) return static_cast<std::size_t>(least);
  std::int64_t moved = 0;
  for (std::size_t p = 0; p < after.size(); ++p) moved += std::max<std::int64_t>(0, before[p] - after[p]);
  return static_cast<std::size_t>(std::max(least, moved));
}

std::vector<Repair::Demand> Repair::demands() const {
  std::vector<Demand> demands;
  const auto is_left = [&](const Finding& finding) {
    return std::ranges::any_of(left_, [&](const Finding& other) { return is_same_problem(finding, other); });
  };
  for (const Finding& finding : problems_) {
    if (finding.rule) {
      const ResolvedRule& rule = cluster_.rule_book->rule(*finding.rule);
      if (rule.given.kind != RuleKind::Apart && rule.given.kind != RuleKind::Together) continue;
      demands.push_back({{rule.instances.begin(), rule.instances.end()}, least_moves_for(rule)});
      demands.back().instances.insert(rule.from.begin(), rule.from.end());
      continue;
    }
    if (finding.nodes.empty() || is_left(finding)) continue;
    const Node& node = start_.node(finding.nodes.front());
    if (finding.kind == FindingKind::ExclusionTags) {
      demands.push_back({{finding.instances.begin(), finding.instances.end()}, finding.instances.size() - 1});
    } else if (finding.kind == FindingKind::NotN1 || finding.kind == FindingKind::PolicyRatio ||
               finding.kind == FindingKind::OverfullDisk) {
      demands.push_back({{node.primaries.begin(), node.primaries.end()}, 1});
      demands.back().instances.insert(node.secondaries.begin(), node.secondaries.end());
    }
  }
  return demands;
}

std::size_t Repair::least_moves() const {
  std::set<InstanceIndex> movers;
  for (const InstanceIndex i : members_.instances) {
    const Instance &then = start_.instance(i), &now = cluster_.instance(i);
    if (is_on_offline_node(start_, then) && !is_on_offline_node(cluster_, now)) movers.insert(i);
  }
  for (const Finding& finding : problems_) {
    if (!finding.rule) continue;
    const ResolvedRule& rule = cluster_.rule_book->rule(*finding.rule);
    if (rule.given.kind != RuleKind::RunOn && rule.given.kind != RuleKind::NotOn) continue;
    const std::vector<InstanceIndex> then = offenders(start_, rule), now = offenders(cluster_, rule);
    std::ranges::set_difference(then, now, std::inserter(movers, movers.end()));
  }
  // Demands of different instances add up.
  std::size_t least = movers.size();
  std::set<InstanceIndex> counted = movers;
  for (const Demand& demand : demands()) {
    const auto among = [&](const std::set<InstanceIndex>& others) {
      return static_cast<std::size_t>(
          std::ranges::count_if(demand.instances, [&](InstanceIndex i) { return others.contains(i); }));
    };
    const std::size_t common = among(movers);
    const std::size_t further = demand.moves > common ? demand.moves - common : 0;
    if (among(counted) == common) {
      least += further;
      counted.insert(demand.instances.begin(), demand.instances.end());
    } else {
      least = std::max(least, movers.size() + further);
    }
  }
  return least == 0 && !steps_.empty() ? 1 : least;
}

}  // namespace

bool is_wish(FindingKind kind) {
  return kind == FindingKind::RuleMissed || kind == FindingKind::SharedLocation || kind == FindingKind::DesiredLocation;
}

Mending mend(Trial& trial, GroupIndex group, const GroupMembers& members, const MendingOptions& options) {
  return Repair(trial, group, members, options).run();
}

}  // namespace htools
