// Looks for what would have to change for an instance to find a place. place_search.h declares the function.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <string_view>
#include <utility>
#include <variant>

#include "balance/move_generation.h"
#include "base/numbers.h"
#include "cluster/members.h"
#include "explain/place_search.h"
#include "explain/policy_settings.h"
#include "goals/room.h"
#include "metric/statistics.h"
#include "plan/paths.h"
#include "rules/move_application.h"

namespace htools {
namespace {

// Places asked for, for one amount, since the capacity check may refuse the first: in large clusters, an answer takes
// up to half a second.
constexpr int kMostAsked = 12, kMostAskedOfFewNodes = 63;
constexpr std::size_t kFewNodes = 100;
constexpr std::size_t kNearestHosts = 8;      // nodes on which room is made
constexpr std::size_t kEmptiestTargets = 16;  // nodes to which instances go to make room
constexpr int kMostMovesJudged = 1000;
constexpr int kMostMovesAsked = 10;
constexpr int kMostRatios = 4;  // times that a ratio is raised, from node to node

// An amount of an instance that may be smaller.
struct Amount {
  std::string_view name;
  std::int64_t NewInstance::*member;
  std::int64_t InstanceSpec::*least;
};
constexpr std::array<Amount, 3> kAmounts{{{"memory", &NewInstance::memory_mib, &InstanceSpec::memory},
                                          {"disk", &NewInstance::disk_mib, &InstanceSpec::disk_size},
                                          {"vcpus", &NewInstance::vcpus, &InstanceSpec::vcpus}}};

// Looks for the changes for one instance.
class ChangeSearch {
 public:
  ChangeSearch(Trial& trial, PlaceSearch& search, const NewInstance& instance,
               const std::vector<GroupVerdict>& verdicts, const PlaceOptions& options)
      : trial_(trial),
        cluster_(trial.cluster()),
        search_(search),
        instance_(instance),
        verdicts_(verdicts),
        options_(options),
        moves_(options.balance.moves) {}

  std::optional<NearestYes> smaller(const Amount& amount);
  std::optional<NearestYes> other_policy(const GroupVerdict& verdict);
  // Returns the fewest moves found, if need be with those of instances that are not balanced automatically.
  std::optional<NearestYes> after_any_moves();
  std::optional<NearestYes> after_a_move();
  std::optional<NearestYes> after_moves();
  std::optional<NearestYes> without_capacity_checks();

 private:
  // Returns the place of the instance with this amount.
  std::optional<PlacedInstance> place_with(const Amount& amount, std::int64_t value);
  bool is_possible_with(const Amount& amount, std::int64_t value) const;
  // Returns the largest value from `low` on, below `high`, for which `holds` is true; it holds for `low`.
  template <class Holds>
  static std::int64_t largest(std::int64_t low, std::int64_t high, int tries, Holds holds);
  // Returns the nodes that refuse the instance, those that lack least first.
  std::vector<NodeIndex> nearest_hosts() const;

  Trial& trial_;
  const Cluster& cluster_;
  PlaceSearch& search_;
  const NewInstance& instance_;
  const std::vector<GroupVerdict>& verdicts_;
  const PlaceOptions& options_;
  MoveRules moves_;  // those that may make room at present
};

NewInstance with_amount(NewInstance instance, const Amount& amount, std::int64_t value) {
  instance.*amount.member = value;
  return instance;
}

bool ChangeSearch::is_possible_with(const Amount& amount, std::int64_t value) const {
  return search_.is_possible(search_.request_for(with_amount(instance_, amount, value)));
}

std::optional<PlacedInstance> ChangeSearch::place_with(const Amount& amount, std::int64_t value) {
  return search_.find(search_.request_for(with_amount(instance_, amount, value)));
}

template <class Holds>
std::int64_t ChangeSearch::largest(std::int64_t low, std::int64_t high, int tries, Holds holds) {
  for (int asked = 0; high - low > 1 && asked < tries; ++asked) {
    const std::int64_t middle = low + (high - low) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

// A ratio of the policy that a node would need.
struct NeededRatio {
  AdmissionLimit limit;
  LimitOwner owner;
  double value;
};

// Returns the least ratio with which one of the nodes would no longer refuse for it; nothing if none does.
std::optional<NeededRatio> least_ratio(const Cluster& cluster, const std::vector<Refusal>& refusals) {
  std::optional<NeededRatio> least;
  for (const Refusal& refusal : refusals) {
    const auto* shortage = std::get_if<Shortage>(&refusal.reason);
    if (shortage == nullptr || !shortage->needed || !shortage->available) continue;
    const bool is_vcpu = shortage->limit == AdmissionLimit::VcpuRatio;
    if (!is_vcpu && shortage->limit != AdmissionLimit::SpindleRatio) continue;
    const bool is_secondary = refusal.place.primary.is_none();
    const NodeFacts& node = *cluster.node(is_secondary ? refusal.place.secondary : refusal.place.primary).facts;
    const double lacking = *shortage->needed - *shortage->available;
    const double value = is_vcpu ? (static_cast<double>(node.max_vcpus) + lacking) / node.total_cpus
                                 : (node.max_instance_spindles + lacking) / static_cast<double>(node.spindles);
    if (!least || value < least->value) least = NeededRatio{shortage->limit, shortage->owner, value};
  }
  return least;
}

// Returns a step as people see it, with the cost that it has in this state.
PlannedStep planned_step(const Cluster& cluster, const BalanceStep& step, std::size_t number) {
  PlannedStep planned;
  planned.number = number;
  planned.step = step;
  planned.group = cluster.node(step.before.primary).facts->group;
  planned.cost = cost_of(cluster, step, {});
  return planned;
}

void set_ratio(Node& node, AdmissionLimit limit, double value) {
  NodeFacts& facts = node.facts.edit();
  if (limit == AdmissionLimit::VcpuRatio) {
    facts.vcpu_ratio_limit = value;
    facts.max_vcpus = floor_to_int(value * facts.total_cpus);
  } else {
    facts.max_instance_spindles = value * static_cast<double>(facts.spindles);
  }
}

std::optional<NearestYes> ChangeSearch::smaller(const Amount& amount) {
  const std::int64_t asked = instance_.*amount.member;
  std::int64_t low = std::numeric_limits<std::int64_t>::max();
  for (const GroupVerdict& verdict : verdicts_) {
    const auto& intervals = cluster_.group(verdict.group).policy.minmax;
    low = std::min(low, intervals.empty() ? 1 : std::max<std::int64_t>(1, intervals.front().min.*amount.least));
  }
  if (low >= asked || !is_possible_with(amount, low)) return std::nullopt;
  std::int64_t value =
      largest(low, asked, kMostAskedOfFewNodes, [&](std::int64_t v) { return is_possible_with(amount, v); });
  std::optional<PlacedInstance> placed = place_with(amount, value);
  if (!placed && (placed = place_with(amount, low))) {  // the capacity check refuses what is possible
    const int tries = cluster_.nodes.size() <= kFewNodes ? kMostAskedOfFewNodes : kMostAsked;
    value = largest(low, value, tries, [&](std::int64_t v) { return place_with(amount, v).has_value(); });
    placed = place_with(amount, value);
  }
  if (!placed) return std::nullopt;
  return NearestYes{.kind = ChangeKind::Size,
                    .resource = std::string(amount.name),
                    .from = asked,
                    .to = value,
                    .placed = std::move(*placed)};
}

// Widens the limits of sizes first; what then refuses for a ratio tells how large the ratio would have to be.
std::optional<NearestYes> ChangeSearch::other_policy(const GroupVerdict& verdict) {
  if (verdict.problem || (!options_.group && !verdict.is_allocable)) return std::nullopt;
  const GroupMembers members = members_of(cluster_, verdict.group);
  const AllocationRequest request = search_.request_for(instance_);
  Cluster changed = cluster_;
  std::vector<Setting> settings;
  if (!widen(changed.group(verdict.group).policy, verdict.group, request.instance,
             cluster_.node(members.nodes.front()).facts->exclusive_storage, settings)) {
    return std::nullopt;
  }
  Trial trial(std::move(changed));
  PlaceSearch search(trial, options_);
  std::map<AdmissionLimit, LimitOwner> owners;  // of the ratios that were changed
  for (int round = 0; round <= kMostRatios; ++round) {
    AllocationAnswer answer = search.ask_group(request, verdict.group, true);
    if (placed_by(answer, request)) {
      if (settings.empty()) return std::nullopt;
      std::optional<PlacedInstance> placed = search.find(request);  // that of all groups
      if (!placed) return std::nullopt;
      return NearestYes{.kind = ChangeKind::Setting, .settings = std::move(settings), .placed = std::move(*placed)};
    }
    const auto* allocation = std::get_if<Allocation>(&answer.trials.front().outcome);
    const auto ratio = allocation == nullptr ? std::nullopt : least_ratio(trial.cluster(), allocation->refusals);
    if (!ratio) return std::nullopt;
    // (Once it has been changed, a limit no longer seems to come from the policy.)
    const LimitOwner owner = owners.try_emplace(ratio->limit, ratio->owner).first->second;
    const std::optional<Setting> setting = ratio_setting(ratio->limit, owner, verdict.group, ratio->value);
    if (!setting) return std::nullopt;
    std::erase_if(settings, [&](const Setting& s) { return s.name == setting->name; });
    settings.push_back(*setting);
    for (const NodeIndex n : members.nodes)
      set_ratio(trial.change(n), ratio->limit, parse_double(setting->value, "ratio"));
  }
  return std::nullopt;
}

std::vector<NodeIndex> ChangeSearch::nearest_hosts() const {
  std::vector<std::pair<double, NodeIndex>> hosts;
  for (const GroupVerdict& verdict : verdicts_) {
    for (const RefusalGroup& group : verdict.refused) {
      for (const Refusal& refusal : group.refusals) {
        const double lack = lacking(refusal);
        const NodeIndex node = refusal.place.primary.is_none() ? refusal.place.secondary : refusal.place.primary;
        if (std::isfinite(lack)) hosts.emplace_back(lack, node);
      }
    }
  }
  std::stable_sort(hosts.begin(), hosts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<NodeIndex> nodes;
  for (const auto& [lack, node] : hosts) {
    if (nodes.size() == kNearestHosts) break;
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
  }
  return nodes;
}

// Tries to move one instance off a node that refuses. Moves that copy nothing come first.
std::optional<NearestYes> ChangeSearch::after_a_move() {
  const AllocationRequest request = search_.request_for(instance_);
  int judged = 0, asked = 0;
  std::optional<NearestYes> best;
  std::int64_t least_copied = std::numeric_limits<std::int64_t>::max();
  for (const NodeIndex host : nearest_hosts()) {
    const GroupIndex group = cluster_.node(host).facts->group;
    GroupMembers members = members_of(cluster_, group);
    std::stable_sort(members.nodes.begin(), members.nodes.end(), [&](NodeIndex a, NodeIndex b) {
      return cluster_.node(a).available_memory() > cluster_.node(b).available_memory();
    });
    members.nodes.resize(std::min(members.nodes.size(), kEmptiestTargets));
    std::vector<InstanceIndex> guests = cluster_.node(host).primaries;
    const auto& secondaries = cluster_.node(host).secondaries;
    guests.insert(guests.end(), secondaries.begin(), secondaries.end());
    for (const InstanceIndex i : guests) {
      if (!is_candidate(cluster_, cluster_.instance(i), moves_)) continue;
      const Placement before = placement_of(cluster_.instance(i));
      for (const Move& move : generate_moves(cluster_, members, cluster_.instance(i), moves_)) {
        if (++judged > kMostMovesJudged || asked > kMostMovesAsked) return best;
        const BalanceStep step{i, move, before, placement_after(before, move), 0.0};
        PlannedStep planned = planned_step(cluster_, step, 1);
        const std::int64_t copied = planned.cost.copied_mib;
        if (copied >= least_copied || !is_allowed(cluster_, step, moves_.force)) continue;
        const Attempt attempt(trial_);
        trial_.apply(i, move);
        if (!search_.is_possible(request)) continue;
        ++asked;
        std::optional<PlacedInstance> placed = search_.find(request);
        if (!placed) continue;
        planned.step.score = score_of(cluster_, group).value;
        least_copied = copied;
        best = NearestYes{.kind = ChangeKind::Moves, .steps = {std::move(planned)}, .placed = std::move(*placed)};
        if (least_copied == 0) return best;
      }
    }
  }
  return best;
}

std::optional<NearestYes> ChangeSearch::after_any_moves() {
  std::optional<NearestYes> moves = after_a_move();
  if (!moves) moves = after_moves();
  if (moves || !moves_.auto_balanced_only) return moves;
  const bool has_kept = std::ranges::any_of(
      cluster_.instances, [](const Instance& i) { return i.facts->movable && !i.facts->auto_balance; });
  if (!has_kept) return moves;
  moves_.auto_balanced_only = false;
  moves = after_moves();
  moves_.auto_balanced_only = true;
  if (moves) moves->settings.push_back({"--ignore-auto-balance", "", GroupIndex::none()});
  return moves;
}

// Makes room by several moves, as hplan does with its usual effort.
std::optional<NearestYes> ChangeSearch::after_moves() {
  std::vector<GroupIndex> groups;
  for (const GroupVerdict& verdict : verdicts_) {
    if (!verdict.problem && (options_.group || verdict.is_allocable)) groups.push_back(verdict.group);
  }
  const RoomOptions effort{.states = room_states(kUsualRoomEffort), .allocation = options_.rules};
  const RoomPlan room = make_room(cluster_, groups, {instance_}, moves_, effort);
  if (room.homeless || room.steps.empty()) return std::nullopt;
  const Attempt attempt(trial_);
  NearestYes change{.kind = ChangeKind::Moves};
  for (const BalanceStep& step : room.steps) {
    change.steps.push_back(planned_step(cluster_, step, change.steps.size() + 1));
    trial_.apply(step.instance, step.move);
  }
  // The place is that of this question's rules.
  std::optional<PlacedInstance> placed = search_.find(search_.request_for(instance_));
  if (!placed) return std::nullopt;
  change.placed = std::move(*placed);
  return change;
}

std::optional<NearestYes> ChangeSearch::without_capacity_checks() {
  PlaceOptions unchecked = options_;
  unchecked.rules.capacity_checks = false;
  PlaceSearch search(trial_, unchecked);
  std::optional<PlacedInstance> placed = search.find(search.request_for(instance_));
  if (!placed) return std::nullopt;
  return NearestYes{.kind = ChangeKind::Setting,
                    .settings = {{"--no-capacity-checks", "", GroupIndex::none()}},
                    .placed = std::move(*placed)};
}

}  // namespace

std::vector<NearestYes> nearest_changes(Trial& trial, PlaceSearch& search, const NewInstance& instance,
                                        const std::vector<GroupVerdict>& verdicts, const PlaceOptions& options) {
  ChangeSearch changes(trial, search, instance, verdicts, options);
  std::vector<NearestYes> found;
  const auto add = [&](std::optional<NearestYes> change) {
    if (change) found.push_back(std::move(*change));
  };
  for (const Amount& amount : kAmounts) add(changes.smaller(amount));
  for (const GroupVerdict& verdict : verdicts) add(changes.other_policy(verdict));
  add(changes.after_any_moves());
  if (options.rules.capacity_checks) add(changes.without_capacity_checks());
  return found;
}

}  // namespace htools
