#include "explain/cure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "balance/balancer.h"
#include "balance/move_generation.h"
#include "base/numbers.h"
#include "explain/crowding.h"
#include "explain/policy_settings.h"
#include "htools/errors.h"
#include "metric/statistics.h"
#include "plan/paths.h"
#include "plan/step_reason.h"
#include "rules/admission.h"
#include "rules/move_application.h"
#include "rules/refusal.h"

namespace htools {
namespace {

// Targets are tried in this number first, those with the most free memory; then all, if the group is not larger than
// the second number.
constexpr std::size_t kFirstTargets = 24;
constexpr std::size_t kMostTargets = 200;
constexpr std::size_t kMostSteps = 200;          // of a cure
constexpr std::size_t kMostBalanceSteps = 40;    // of the plan whose first moves may cure
constexpr std::int64_t kMostMovesTried = 40000;  // for one problem
constexpr std::size_t kMostCured = 1000;         // problems of a group for which cures are looked for

// True if an instance, wherever it is, can have this problem with locations.
bool is_concerned(const Finding& finding, const Instance& instance) {
  return finding.kind == FindingKind::SharedLocation ? instance.facts->has_secondary() && !instance.secondary.is_none()
                                                     : has_tag(instance.facts->desired_location_tags, finding.tag);
}

// True if moves can cure the problem.
bool is_movable_away(const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::ExclusionTags:
      return finding.instances.size() > 1;  // one that has the tag twice takes it along
    case FindingKind::PrimaryOffline:
    case FindingKind::NotN1:
    case FindingKind::NotEvacuable:
    case FindingKind::SecondaryOffline:
    case FindingKind::NotVacated:
    case FindingKind::RuleBroken:
    case FindingKind::RuleMissed:
    case FindingKind::PolicyRatio:
    case FindingKind::OverfullDisk:
    case FindingKind::LocationExclusion:
    case FindingKind::SharedLocation:
    case FindingKind::DesiredLocation:
      return true;
    default:
      return false;
  }
}

// True if each instance counts alone.
bool is_counted(FindingKind kind) {
  return kind != FindingKind::NotN1 && kind != FindingKind::PolicyRatio && kind != FindingKind::OverfullDisk &&
         kind != FindingKind::NotEvacuable;
}

// True if any move that helps and copies nothing is as good as another.
bool takes_the_first(FindingKind kind) {
  return is_counted(kind) && kind != FindingKind::RuleBroken && kind != FindingKind::RuleMissed;
}

// Searches for the cures of the problems of one group.
class CureSearch {
 public:
  CureSearch(Trial& trial, const GroupMembers& members, const DiagnosisOptions& options)
      : trial_(trial), cluster_(trial.cluster()), members_(members), balance_(options.balance) {
    for (const NodeIndex n : members.nodes) {
      if (receives(cluster_.node(n))) targets_.push_back(n);
    }
    std::stable_sort(targets_.begin(), targets_.end(), [&](NodeIndex a, NodeIndex b) {
      return cluster_.node(a).available_memory() > cluster_.node(b).available_memory();
    });
  }

  Cure cure_of(const Finding& finding) {
    if (!is_movable_away(finding)) return setting_of(finding);
    std::vector<BalanceStep> steps = curing_steps(finding);
    if (!steps.empty()) return moves(steps);
    // Instances that are not balanced automatically move only if the user says so, and the cure tells who they are.
    const bool opens = balance_.moves.auto_balanced_only && has_kept_instances();
    balance_.moves.auto_balanced_only &= !opens;
    Cure cure;
    if (opens) steps = curing_steps(finding);
    if (!steps.empty()) {
      cure = moves(steps);
      if (std::ranges::any_of(steps, [&](const BalanceStep& s) { return is_kept(s.instance); }))
        cure.settings.push_back({"--ignore-auto-balance", "", GroupIndex::none()});
    }
    if (cure.kind == CureKind::Nothing) cure = setting_of(finding);
    if (cure.kind == CureKind::Nothing) cure.crowd = crowd_of(cluster_, members_, finding);
    if (cure.kind == CureKind::Nothing && !cure.crowd) set_nearest(finding, cure);
    balance_.moves.auto_balanced_only |= opens;
    return cure;
  }

 private:
  // A move that brings a problem nearer to its cure. Candidates are compared by their members in this order.
  struct Candidate {
    double distance = 0.0;
    std::int64_t copied = 0;
    InstanceIndex instance = {};
    Move move = {};

    bool is_better_than(const Candidate& other) const {
      return std::tie(distance, copied) < std::tie(other.distance, other.copied);
    }
  };

  // Moves that bring a problem nearer to its cure, one after the other, and how far away it still is.
  struct Approach {
    std::vector<BalanceStep> steps;
    double left = 0.0;
  };

  double distance(const Finding& finding) { return distance_to_cure(trial_, members_, finding); }
  // True if only its setting auto_balance keeps the instance where it is, or an instance of the group.
  bool is_kept(InstanceIndex i) const;
  bool has_kept_instances() const {
    return std::ranges::any_of(members_.instances, [&](auto i) { return is_kept(i); });
  }
  // Returns the moves that cure the problem; none if none were found.
  std::vector<BalanceStep> curing_steps(const Finding& finding);
  // Returns the instances whose moves may help.
  std::vector<InstanceIndex> candidates_of(const Finding& finding) const;
  // Calls `visit` with the moves of the instance, to the targets from `first` on.
  template <class Visit>
  void for_each_move(InstanceIndex i, std::span<const NodeIndex> targets, Visit visit) const;
  // Replaces `best` by the best move of the instance, if that is better and brings the problem nearer to its cure than
  // `now`.
  void try_moves(const Finding& finding, InstanceIndex i, std::span<const NodeIndex> targets, double now,
                 std::optional<Candidate>& best);
  std::optional<Candidate> next_move(const Finding& finding, double now);
  // Makes moves each of which helps, until the problem is cured or none is found.
  Approach approach(const Finding& finding);
  // True if the moves are allowed one after the other, and cure the problem.
  bool is_cured_by(const Finding& finding, const std::vector<BalanceStep>& steps);
  // Leaves out the moves of a cure without which the others cure the problem, too. (In a long one, each helps.)
  std::vector<BalanceStep> needed(const Finding& finding, std::vector<BalanceStep> steps);
  // Returns the first moves of the balancer's plan, up to the one that cures the problem, as far as they are needed.
  std::vector<BalanceStep> first_balance_steps(const Finding& finding);
  Cure moves(const std::vector<BalanceStep>& steps);
  Cure setting_of(const Finding& finding);
  Cure ratio_cure(const Finding& finding);
  Cure size_settings(const Finding& finding);
  Cure migration_setting(const Finding& finding);
  // True if the instance is still part of a problem whose instances count alone; true of all others.
  bool still_has(const Finding& finding, InstanceIndex i);
  // Sets the refused move that lacks least, after the moves that help.
  void set_nearest(const Finding& finding, Cure& cure);

  Trial& trial_;
  const Cluster& cluster_;
  const GroupMembers& members_;
  BalanceOptions balance_;          // the moves that are tried at present
  std::vector<NodeIndex> targets_;  // online, those with the most free memory first
  // The first steps of the balancer, without and with instances that are balanced automatically only; set when first
  // needed.
  std::array<std::optional<std::vector<BalanceStep>>, 2> balancings_;
  std::int64_t tried_ = 0;  // moves, for the present problem
};

std::vector<InstanceIndex> CureSearch::candidates_of(const Finding& finding) const {
  std::vector<InstanceIndex> all;
  if (is_counted(finding.kind)) {
    all = finding.instances;
  } else {
    const Node& node = cluster_.node(finding.nodes.front());
    all = finding.instances;
    all.insert(all.end(), node.primaries.begin(), node.primaries.end());
    if (finding.kind == FindingKind::NotEvacuable && finding.best) {  // who is in the way there
      const Node& best = cluster_.node(finding.best->node);
      all.insert(all.end(), best.primaries.begin(), best.primaries.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }
  std::erase_if(all, [&](InstanceIndex i) { return !is_candidate(cluster_, cluster_.instance(i), balance_.moves); });
  return all;
}

template <class Visit>
void CureSearch::for_each_move(InstanceIndex i, std::span<const NodeIndex> targets, Visit visit) const {
  const Instance& instance = cluster_.instance(i);
  const MoveKinds kinds = move_kinds(cluster_, instance, balance_.moves);
  if (kinds.failover) visit(Move{MoveKind::Failover, NodeIndex::none()});
  for (const NodeIndex target : targets) {
    if (target == instance.primary || target == instance.secondary) continue;
    for (const MoveKind kind : kinds.per_target) visit(Move{kind, target});
  }
}

void CureSearch::try_moves(const Finding& finding, InstanceIndex i, std::span<const NodeIndex> targets, double now,
                           std::optional<Candidate>& best) {
  const std::vector<Move> allowed = [&] {
    const MoveTrials trials(cluster_, i, balance_.moves.force);
    std::vector<Move> moves;
    for_each_move(i, targets, [&](const Move& move) {
      ++tried_;
      if (std::holds_alternative<MoveEffect>(trials.attempt(move))) moves.push_back(move);
    });
    return moves;
  }();
  for (const Move& move : allowed) {
    if (takes_the_first(finding.kind) && best && best->copied == 0) return;  // nothing is cheaper
    const Placement before = placement_of(cluster_.instance(i));
    const std::int64_t copied = cost_of(cluster_, {i, move, before, placement_after(before, move), 0.0}, {}).copied_mib;
    const Attempt attempt(trial_);
    trial_.apply(i, move);
    const Candidate candidate{distance(finding), copied, i, move};
    if (candidate.distance < now && (!best || candidate.is_better_than(*best))) best = candidate;
  }
}

std::optional<CureSearch::Candidate> CureSearch::next_move(const Finding& finding, double now) {
  const std::size_t first = std::min(kFirstTargets, targets_.size());
  const std::size_t all = targets_.size() <= kMostTargets ? targets_.size() : first;
  std::optional<Candidate> best;
  for (const std::size_t count : {first, all}) {
    for (const InstanceIndex i : candidates_of(finding)) {
      if (tried_ > kMostMovesTried || (takes_the_first(finding.kind) && best)) break;
      try_moves(finding, i, std::span(targets_).first(count), now, best);
    }
    if (best || count == all) break;
  }
  return best;
}

CureSearch::Approach CureSearch::approach(const Finding& finding) {
  const Attempt attempt(trial_);
  tried_ = 0;
  Approach made{.steps = {}, .left = distance(finding)};
  while (made.left > 0 && made.steps.size() < kMostSteps) {
    const std::optional<Candidate> next = next_move(finding, made.left);
    if (!next) break;
    const Placement before = placement_of(cluster_.instance(next->instance));
    trial_.apply(next->instance, next->move);
    made.steps.push_back({next->instance, next->move, before, placement_after(before, next->move), 0.0});
    made.left = next->distance;
  }
  return made;
}

bool CureSearch::is_kept(InstanceIndex i) const {
  MoveRules open = balance_.moves;
  open.auto_balanced_only = false;
  const Instance& instance = cluster_.instance(i);
  return !instance.facts->auto_balance && is_candidate(cluster_, instance, open);
}

std::vector<BalanceStep> CureSearch::curing_steps(const Finding& finding) {
  Approach made = approach(finding);
  std::vector<BalanceStep> steps;
  if (made.left <= 0) steps = needed(finding, std::move(made.steps));
  return steps.empty() ? first_balance_steps(finding) : steps;
}

bool CureSearch::is_cured_by(const Finding& finding, const std::vector<BalanceStep>& steps) {
  const Attempt attempt(trial_);
  for (const BalanceStep& step : steps) {
    if (!is_allowed(cluster_, step, balance_.moves.force)) return false;
    trial_.apply(step.instance, step.move);
  }
  return distance(finding) == 0;
}

std::vector<BalanceStep> CureSearch::needed(const Finding& finding, std::vector<BalanceStep> steps) {
  if (steps.size() > kMostBalanceSteps) return steps;
  for (std::size_t kept = 0; kept < steps.size();) {
    std::vector<BalanceStep> others = steps;
    others.erase(others.end() - 1 - static_cast<std::ptrdiff_t>(kept));
    const bool are_enough = is_cured_by(finding, others);
    if (are_enough) steps = std::move(others);
    kept = are_enough ? 0 : kept + 1;  // another one may be unneeded now
  }
  return steps;
}

std::vector<BalanceStep> CureSearch::first_balance_steps(const Finding& finding) {
  auto& balancing_steps = balancings_[balance_.moves.auto_balanced_only ? 1 : 0];
  if (!balancing_steps) {
    const Attempt attempt(trial_);
    BalanceOptions balancing = balance_;
    balancing.max_steps = kMostBalanceSteps;
    try {
      balancing_steps = balance(trial_, members_, balancing).steps;
    } catch (const InputError&) {  // it cannot be balanced
      balancing_steps.emplace();
    }
  }
  // Other instances move, too, and must not get the same problem.
  Finding whole = finding;
  if (finding.kind == FindingKind::SharedLocation || finding.kind == FindingKind::DesiredLocation) {
    whole.instances = members_.instances;
    std::erase_if(whole.instances, [&](InstanceIndex i) { return !is_concerned(finding, cluster_.instance(i)); });
  }
  std::vector<BalanceStep> steps;
  {
    const Attempt attempt(trial_);
    for (std::size_t s = 0; s < balancing_steps->size() && distance(whole) > 0; ++s) {
      steps.push_back((*balancing_steps)[s]);
      trial_.apply(steps.back().instance, steps.back().move);
    }
    if (distance(whole) > 0) return {};
  }
  return needed(whole, std::move(steps));
}

Cure CureSearch::moves(const std::vector<BalanceStep>& steps) {
  const Attempt attempt(trial_);
  const NodeRefs nodes = member_nodes(cluster_, members_);
  Cure cure{.kind = CureKind::Moves};
  for (BalanceStep step : steps) {
    PlannedStep planned;
    planned.mandatory = !evacuated_node(cluster_, step).is_none();
    planned.group = cluster_.node(step.before.primary).facts->group;
    planned.cost = cost_of(cluster_, step, {});
    trial_.apply(step.instance, step.move);
    step.score = score(nodes);
    planned.step = step;
    planned.number = cure.steps.size() + 1;
    cure.steps.push_back(std::move(planned));
  }
  return cure;
}

Cure CureSearch::setting_of(const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::PolicyRatio:
      return ratio_cure(finding);
    case FindingKind::PolicySize:
      return size_settings(finding);
    case FindingKind::LockedIn:
      return migration_setting(finding);
    default:
      return {};
  }
}

Cure CureSearch::ratio_cure(const Finding& finding) {
  const NodeIndex n = finding.nodes.front();
  const bool is_vcpu = finding.limit == AdmissionLimit::VcpuRatio;
  const auto spindles = static_cast<double>(cluster_.node(n).facts->spindles);
  const std::optional<Setting> setting = ratio_setting(*finding.limit, finding.owner, finding.group,
                                                       is_vcpu ? *finding.needed : *finding.needed / spindles);
  if (!setting) return {};
  const double value = parse_double(setting->value, "ratio");
  const Attempt attempt(trial_);
  NodeFacts& facts = trial_.change(n).facts.edit();
  if (is_vcpu) {
    facts.vcpu_ratio_limit = value;
  } else {
    facts.max_instance_spindles = value * spindles;
  }
  if (distance(finding) > 0) return {};
  return {.kind = CureKind::Setting, .settings = {*setting}};
}

Cure CureSearch::size_settings(const Finding& finding) {
  InstancePolicy policy = cluster_.group(finding.group).policy;
  std::vector<Setting> settings;
  for (const InstanceIndex i : finding.instances) {
    const Instance& instance = cluster_.instance(i);
    if (!widen(policy, finding.group, instance, cluster_.node(instance.primary).facts->exclusive_storage, settings))
      return {};
  }
  return {.kind = CureKind::Setting, .settings = std::move(settings)};
}

Cure CureSearch::migration_setting(const Finding& finding) {
  const NodeIndex n = finding.nodes.front();
  const Node& node = cluster_.node(n);
  for (const NodeIndex t : targets_) {
    if (t == n || cluster_.node(t).facts->migration_tags.empty()) continue;
    const Attempt attempt(trial_);
    const TagSet& own = cluster_.node(t).facts->receivable_migration_tags;
    std::vector<std::string> receivable = own.tags();
    std::vector<Setting> settings;
    for (const std::string& tag : node.facts->migration_tags.tags()) {
      if (has_tag(own, tag)) continue;
      receivable.push_back(tag);
      settings.push_back(
          {"cluster tag",
           fmt::format("htools:allowmigration:{}::{}", tag, cluster_.node(t).facts->migration_tags.tags().front()),
           GroupIndex::none()});
    }
    trial_.change(t).facts.edit().receivable_migration_tags = TagSet(std::move(receivable));
    if (migration_allowed(cluster_.node(n), cluster_.node(t)))
      return {.kind = CureKind::Setting, .settings = std::move(settings)};
  }
  return {};
}

bool CureSearch::still_has(const Finding& finding, InstanceIndex i) {
  const Instance& instance = cluster_.instance(i);
  switch (finding.kind) {
    case FindingKind::PrimaryOffline:
    case FindingKind::SecondaryOffline:
    case FindingKind::NotVacated:
      return is_on_offline_node(cluster_, instance);
    case FindingKind::ExclusionTags:
      return instance.primary == finding.nodes.front();
    case FindingKind::SharedLocation:
    case FindingKind::DesiredLocation: {
      Finding alone = finding;
      alone.instances = {i};
      return distance(alone) > 0;
    }
    default:
      return true;
  }
}

void CureSearch::set_nearest(const Finding& finding, Cure& cure) {
  const std::vector<BalanceStep> helping = approach(finding).steps;
  const Attempt attempt(trial_);
  for (const BalanceStep& step : helping) trial_.apply(step.instance, step.move);
  const auto targets = std::span(targets_).first(std::min(kFirstTargets, targets_.size()));
  for (const InstanceIndex i : candidates_of(finding)) {
    if (!still_has(finding, i)) continue;
    const MoveReasons reasons(cluster_, i, balance_.moves.force);
    for_each_move(i, targets, [&](const Move& move) {
      const MoveReasons::Outcome outcome = reasons.attempt(move);
      const auto* refusal = std::get_if<Refusal>(&outcome);
      if (refusal == nullptr) return;
      if (cure.nearest && lacking(*refusal) >= lacking(*cure.nearest)) return;
      cure.nearest = *refusal;
      cure.instance = i;
      cure.helping_moves = helping.size();
    });
  }
}

}  // namespace

void find_cures(Trial& trial, const GroupMembers& members, const DiagnosisOptions& options,
                std::vector<Finding>& findings) {
  CureSearch search(trial, members, options);
  for (std::size_t f = 0; f < findings.size(); ++f) {
    findings[f].cure = f < kMostCured ? search.cure_of(findings[f]) : Cure{.kind = CureKind::NotTried};
  }
}

}  // namespace htools
